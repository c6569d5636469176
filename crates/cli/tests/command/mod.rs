//! The command from outside: it refuses unusable input, and keeps the promises of the help and the
//! documentation.

mod display;
mod mistyped;
mod promises;
mod refusals;

use std::fs;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

struct Scratch(TempDir);

impl Scratch {
    fn new() -> Scratch {
        Scratch(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn richman(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_richman"));
    command.args(args).stdin(Stdio::null());
    command
}

fn run(args: &[&str]) -> Output {
    richman(args).output().unwrap()
}

fn shown(args: &[&str]) -> String {
    args.iter().map(|arg| arg.chars().take(80).collect::<String>()).collect::<Vec<_>>().join(" ")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Checks for status 2, nothing on standard output, and one message that contains all `fragments`.
#[track_caller]
fn refused(args: &[&str], fragments: &[&str]) -> String {
    let output = run(args);
    let (out, message) = (text(&output.stdout), text(&output.stderr).to_string());
    let context = format!("richman {}\n{message}", shown(args));
    assert_eq!(output.status.code(), Some(2), "{context}");
    assert_eq!(out, "", "{context}");
    assert!(!message.contains("panicked"), "{context}");
    let heads = message.lines().filter(|line| line.starts_with("richman: ") || line.starts_with("error: ")).count();
    assert_eq!(heads, 1, "one message: {context}");
    assert!(message.starts_with("richman: ") || message.starts_with("error: "), "{context}");
    assert!(message.len() < 1500, "a message that can be read: {context}");
    for fragment in fragments {
        assert!(message.contains(fragment), "{fragment:?} is missing: {context}");
    }
    message
}

/// Checks for status 0, no message, and some standard output.
#[track_caller]
fn done(args: &[&str]) -> String {
    let output = run(args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "richman {}\n{message}", shown(args));
    assert_eq!(message, "", "richman {}", shown(args));
    assert!(!output.stdout.is_empty(), "richman {}", shown(args));
    text(&output.stdout).to_string()
}

#[track_caller]
fn json(args: &[&str]) -> Value {
    let out = done(args);
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("richman {}: {error}\n{out}", shown(args)))
}

#[track_caller]
fn has_keys(value: &Value, keys: &[&str]) {
    let object = value.as_object().unwrap_or_else(|| panic!("not an object: {value}"));
    for key in keys {
        assert!(object.contains_key(*key), "{key:?} is missing from {value}");
    }
}

const THREE: &str = "connect:rows=3,cols=3,line=3";

/// A saved solution of tic-tac-toe with 8 chips.
fn saved() -> &'static str {
    static SAVED: OnceLock<String> = OnceLock::new();
    SAVED.get_or_init(|| {
        let scratch = Scratch::new();
        let path = scratch.path("saved.json");
        done(&["solve", "tic-tac-toe", "--chips", "8", "--save", &path]);
        assert_eq!(scratch.names(), ["saved.json"]);
        fs::read_to_string(&path).unwrap()
    })
}

/// The standard output of a command that has no messages.
fn text_of(output: &Output) -> &str {
    assert_eq!(text(&output.stderr), "");
    text(&output.stdout)
}
