//! Accessibility, judged by axe-core.

use std::path::Path;
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::{Browser, tool};

/// The rules that judge colours.
const COLOURS: [&str; 2] = ["color-contrast", "link-in-text-block"];

/// Runs axe-core, and writes each violation with its elements as text.
const RUN: &str = r#"
    const [rules, done] = arguments;
    const element = (one) =>
        `    ${one.target.join(" ")}\n        ${one.html.slice(0, 200)}\n        ` +
        one.failureSummary.split("\n").slice(1).map((line) => line.trim()).join("\n        ");
    const violation = ({ id, impact, help, nodes }) =>
        `${id} (${impact}): ${help}; ${nodes.length} of them\n${nodes.slice(0, 3).map(element).join("\n")}`;
    axe.run(document, { resultTypes: ["violations"], ...(rules && { runOnly: rules }) }).then(
        ({ violations }) => done(violations.map(violation)),
        (error) => done([`axe-core fails: ${error}`]),
    );
"#;

fn source() -> &'static str {
    static SOURCE: OnceLock<String> = OnceLock::new();
    SOURCE.get_or_init(|| {
        let file = tool(Path::new("node_modules/axe-core/axe.min.js"));
        std::fs::read_to_string(file).expect("axe-core is readable")
    })
}

impl Browser {
    /// What axe-core finds wrong with the page as it is now.
    pub async fn violations(&self) -> Vec<String> {
        self.violations_of(Value::Null).await
    }

    /// What axe-core finds wrong with the colours of the page as it is now.
    pub async fn violations_of_colours(&self) -> Vec<String> {
        self.violations_of(json!(COLOURS)).await
    }

    async fn violations_of(&self, rules: Value) -> Vec<String> {
        if self.script("return typeof axe").await == "undefined" {
            self.script(source()).await;
        }
        let found = self.page.execute_async(RUN, vec![rules]).await.expect("axe-core runs");
        let texts = found.as_array().unwrap_or_else(|| panic!("axe-core answers {found}"));
        texts.iter().map(|text| text.as_str().unwrap_or_default().to_string()).collect()
    }

    /// Asserts that axe-core finds nothing wrong with the page as it is now.
    pub async fn is_accessible(&self) {
        let violations = self.violations().await;
        let address = self.page.current_url().await.map(|url| url.to_string()).unwrap_or_default();
        assert!(violations.is_empty(), "{address} is not accessible:\n{}", violations.join("\n"));
    }
}

/// The violations of a page on several screens, each once, with the screens that have it.
#[derive(Default)]
pub struct Violations(Vec<(String, Vec<String>)>);

impl Violations {
    /// Adds what was found on a screen.
    pub fn add(&mut self, screen: &str, found: Vec<String>) {
        for violation in found {
            match self.0.iter_mut().find(|(known, _)| *known == violation) {
                Some((_, screens)) => screens.push(screen.to_string()),
                None => self.0.push((violation, vec![screen.to_string()])),
            }
        }
    }

    /// As text, empty if there are none.
    pub fn text(&self, page: &str) -> String {
        self.0.iter().map(|(what, screens)| format!("{page} ({}): {what}\n", screens.join(", "))).collect()
    }
}
