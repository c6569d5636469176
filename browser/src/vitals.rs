//! How soon a page shows what matters, and how steady it is: the web vitals, by Chromium's own
//! measure.

use std::time::Duration;

use serde_json::json;

use crate::{Browser, Network};

/// The time after a page has loaded in which more may be painted, or move.
const AFTERWARDS: Duration = Duration::from_millis(700);

/// Calls `done` with the entries of a kind until now.
const ENTRIES: &str = r#"
    const [kind, done] = arguments;
    const named = (node) => node ? `${node.nodeName}#${node.id} ${node.className?.baseVal ?? node.className}` : "gone";
    const box = (at) => [at.x, at.y, at.width, at.height].map(Math.round).join(" ");
    const moved = (one) => `${named(one.node)} from ${box(one.previousRect)} to ${box(one.currentRect)}`;
    const seen = (list) => {
        observer.disconnect();
        done(list.map((one) => ({ time: one.startTime, value: one.value, size: one.size,
            of: [one.element && named(one.element), ...(one.sources ?? []).map(moved)].filter(Boolean) })));
    };
    const observer = new PerformanceObserver((list) => seen(list.getEntries()));
    observer.observe({ type: kind, buffered: true });
    setTimeout(() => seen([]), 300);
"#;

/// Where the board, the decision and the heading stand, in parts of the window.
const PLACES: &str = r##"
    const named = { board: "#board, svg.board", action: ".action", heading: "h1" };
    return Object.entries(named).flatMap(([name, css]) => {
        const box = document.querySelector(css)?.getBoundingClientRect();
        return box ? [[name, (box.top + scrollY) / innerHeight, (box.left + scrollX) / innerWidth]] : [];
    });
"##;

/// A sudden movement of a part of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Shift {
    /// When, in milliseconds from the start of the page.
    pub time: f64,
    /// The part of the window that moved, times how far it moved in parts of the window.
    pub value: f64,
    /// What moved.
    pub what: String,
}

/// The greatest sum of shifts within five seconds without a pause of one second. Shifts after a
/// visitor's input count too, unlike in Chromium's own sum: a bid is no wish to see the board jump.
pub fn cumulative(shifts: &[Shift]) -> f64 {
    let (mut greatest, mut sum, mut first, mut last) = (0.0_f64, 0.0, f64::MIN, f64::MIN);
    for shift in shifts {
        if shift.time - last > 1000.0 || shift.time - first > 5000.0 {
            (sum, first) = (0.0, shift.time);
        }
        sum += shift.value;
        last = shift.time;
        greatest = greatest.max(sum);
    }
    greatest
}

/// The middle one.
pub fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    of[of.len() / 2]
}

impl Browser {
    async fn entries(&self, kind: &str) -> Vec<Shift> {
        let found = self.page.execute_async(ENTRIES, vec![json!(kind)]).await.expect("the page answers");
        let entry = |one: &serde_json::Value| Shift {
            time: one["time"].as_f64().unwrap_or_default(),
            value: one["value"].as_f64().unwrap_or_default(),
            what: one["of"].to_string(),
        };
        found.as_array().expect("a list").iter().map(entry).collect()
    }

    /// Loads a page over a network with nothing cached; returns when its largest part was painted,
    /// in milliseconds from the start, and that part.
    pub async fn largest_paint(&self, address: &str, network: Network) -> (f64, String) {
        self.page.goto("about:blank").await.expect("an empty page");
        self.set_network(Network::Usual).await;
        self.devtools("Network.clearBrowserCache", json!({})).await;
        self.set_network(network).await;
        self.page.goto(address).await.expect("the page loads");
        tokio::time::sleep(AFTERWARDS).await;
        let paints = self.entries("largest-contentful-paint").await;
        let last = paints.last().unwrap_or_else(|| panic!("{address} paints nothing"));
        (last.time, last.what.clone())
    }

    /// The sudden movements on the page since it began, as far as Chromium knows them.
    pub async fn shifts(&self) -> Vec<Shift> {
        tokio::time::sleep(AFTERWARDS).await;
        self.entries("layout-shift").await
    }

    /// Where the board, the decision and the heading stand now: the name of each, its distance from
    /// the top of the page and from the left, in parts of the window.
    pub async fn places(&self) -> Vec<(String, [f64; 2])> {
        let found = self.script(PLACES).await;
        let place = |one: &serde_json::Value| {
            let at = [1, 2].map(|index| one[index].as_f64().unwrap_or_default());
            (one[0].as_str().unwrap_or_default().to_string(), at)
        };
        found.as_array().expect("a list").iter().map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_begins_a_new_sum() {
        let at = |time, value| Shift { time, value, what: String::new() };
        assert_eq!(cumulative(&[]), 0.0);
        assert_eq!(cumulative(&[at(0.0, 0.25), at(900.0, 0.5), at(2000.0, 0.5)]), 0.75);
        let long: Vec<Shift> = (0..12).map(|step| at(900.0 * f64::from(step), 1.0)).collect();
        assert_eq!(cumulative(&long), 6.0, "five seconds");
    }
}
