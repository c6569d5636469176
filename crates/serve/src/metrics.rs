//! Monitoring: metrics for Prometheus on a separate address, and the health of the server.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::get;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};
use richman_hall::refused::Refusal;
use tokio::net::TcpListener;

use crate::{App, SharedState};

/// A kind of answers: the pattern of the address, which holds no secret, and the status.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct AnswerKind {
    page: String,
    status: u16,
}

/// A gauge, and the function that reads its value.
type ReadGauge = (Gauge, fn(&App) -> usize);

/// The figures of a server.
pub(crate) struct Metrics {
    registry: Registry,
    answers: Family<AnswerKind, Counter>,
    seconds: Histogram,
    gauges: [ReadGauge; 5],
}

impl Default for Metrics {
    fn default() -> Metrics {
        let mut registry = Registry::with_prefix("richman");
        let answers = Family::default();
        registry.register("answers", "Answered requests", answers.clone());
        let seconds = Histogram::new(exponential_buckets(0.001, 2.0, 16));
        registry.register_with_unit("answer", "Time until an answer begins", Unit::Seconds, seconds.clone());
        let mut gauge = |name: &str, help: &str| {
            let gauge = Gauge::default();
            registry.register(name, help, gauge.clone());
            gauge
        };
        let gauges: [ReadGauge; 5] = [
            (gauge("connections", "Open connections"), |app| app.hall.shares().connections.taken()),
            (gauge("requests", "Requests in progress"), |app| app.hall.shares().requests.taken()),
            (gauge("body_kibibytes", "Large bodies that are arriving"), |app| app.hall.shares().bodies.taken()),
            (gauge("listeners", "Listeners of matches"), |app| app.hall.listeners()),
            (gauge("jobs_waiting", "Jobs that wait at the desk"), |app| app.desk.waiting()),
        ];
        Metrics { registry, answers, seconds, gauges }
    }
}

impl Metrics {
    /// Counts an answer.
    pub(crate) fn answered(&self, page: &str, status: u16, time: Duration) {
        self.answers.get_or_create(&AnswerKind { page: page.to_string(), status }).inc();
        self.seconds.observe(time.as_secs_f64());
    }

    /// All figures, in the text format of Prometheus.
    fn text(&self, app: &App) -> Result<String, Refusal> {
        for (gauge, value) in &self.gauges {
            gauge.set(i64::try_from(value(app)).unwrap_or(i64::MAX));
        }
        let mut text = String::new();
        encode(&mut text, &self.registry).map_err(Refusal::internal)?;
        Ok(text)
    }
}

/// Serves the figures until it is aborted.
pub(crate) async fn serve(listener: TcpListener, app: Arc<App>) {
    const KIND: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let show = async |State(app): SharedState| match app.metrics.text(&app) {
        Ok(text) => ([("content-type", KIND)], text).into_response(),
        Err(refused) => refused.with_body(()),
    };
    let routes = Router::new().route("/metrics", get(show)).with_state(app);
    if let Err(error) = axum::serve(listener, routes).await {
        tracing::error!(cause = %error, "the figures are not served any more");
    }
}

/// Reports the server's health: it answers, and its store can be written.
pub(crate) fn health() -> Router<Arc<App>> {
    Router::new().route("/healthz", get(healthy))
}

async fn healthy(State(app): SharedState) -> (StatusCode, String) {
    match app.hall.trouble().await {
        None => (StatusCode::OK, "well\n".to_string()),
        Some(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("the store cannot be written: {why}\n")),
    }
}
