//! Finished answers: made at the desk, cached as bytes, and sent again without any work.

use axum::body::Bytes;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use maud::Markup;
use richman_hall::refused::Refusal;

use super::HTML;
use crate::packed::PackedBody;

/// The body of an answer with its headers.
#[derive(Debug)]
pub struct FinishedPage {
    kind: &'static str,
    /// The name under which a browser saves it.
    file_name: Option<&'static str>,
    body: Bytes,
    packed: Option<PackedBody>,
    /// The refusal that the page shows.
    refusal: Option<Refusal>,
    /// Whether other sites may show it in a frame.
    is_framed: bool,
}

/// What a page in a frame of another site may load, and that it may be there.
const FRAMED: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors *";

impl FinishedPage {
    /// A page.
    pub fn page(content: Markup) -> FinishedPage {
        FinishedPage::of(HTML, content.into_string())
    }

    /// A page that other sites may show in a frame.
    pub fn framed(content: Markup) -> FinishedPage {
        FinishedPage { is_framed: true, ..FinishedPage::page(content) }
    }

    /// A page that shows a refusal.
    pub fn refused(content: Markup, refusal: Refusal) -> FinishedPage {
        FinishedPage { refusal: Some(refusal), ..FinishedPage::page(content) }
    }

    /// A body of the type `kind`.
    pub fn of(kind: &'static str, body: impl Into<Bytes>) -> FinishedPage {
        let page = FinishedPage::secret(kind, body);
        FinishedPage { packed: PackedBody::of(&page.body), ..page }
    }

    /// A page that only its viewer may see. It is not compressed, because the length would reveal
    /// something of its secrets.
    pub fn secret(kind: &'static str, body: impl Into<Bytes>) -> FinishedPage {
        FinishedPage { kind, file_name: None, body: body.into(), packed: None, refusal: None, is_framed: false }
    }

    /// A table to save under this name.
    ///
    /// # Errors
    /// [`Refusal::Internal`] if the rows cannot be written.
    pub fn csv(file_name: &'static str, rows: Vec<Vec<String>>) -> Result<FinishedPage, Refusal> {
        let text = richman_render::csv::text(rows).map_err(Refusal::internal)?;
        Ok(FinishedPage { file_name: Some(file_name), ..FinishedPage::of("text/csv; charset=utf-8", text) })
    }

    /// Whether it shows a refusal, which may be another answer soon.
    pub fn shows_refusal(&self) -> bool {
        self.refusal.is_some()
    }

    /// The approximate bytes.
    pub fn weight(&self) -> u64 {
        (self.body.len() + self.packed.as_ref().map_or(0, PackedBody::weight)) as u64
    }
}

impl IntoResponse for &FinishedPage {
    fn into_response(self) -> Response {
        let answer = ([(CONTENT_TYPE, self.kind)], self.body.clone());
        let mut answer = match &self.refusal {
            Some(refusal) => refusal.with_body(answer),
            None => answer.into_response(),
        };
        if let Some(packed) = &self.packed {
            answer.extensions_mut().insert(packed.clone());
        }
        if self.is_framed {
            answer.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(FRAMED));
        }
        if let Some(name) = self.file_name
            && let Ok(disposition) = HeaderValue::try_from(format!("attachment; filename=\"{name}\""))
        {
            answer.headers_mut().insert(CONTENT_DISPOSITION, disposition);
        }
        answer
    }
}
