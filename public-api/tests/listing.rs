//! The public items of the library are those listed in `listing/`, one file for each crate: a change
//! of them must be meant. `RICHMAN_UPDATE=1 cargo test --manifest-path public-api/Cargo.toml` writes
//! the listing anew, and the commit shows the difference.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates that a program uses through the crate `richman`.
const CRATES: [&str; 7] = ["core", "games", "formats", "analysis", "play", "render", "richman"];

fn package(name: &str) -> String {
    if name == "richman" { name.to_string() } else { format!("richman-{name}") }
}

/// The JSON of rustdoc for a crate.
fn documented(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = root.join("target/public-api");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(&root).args(["rustdoc", "--locked", "--lib", "-p", &package(name), "--target-dir"]).arg(&target);
    // A stable compiler writes the JSON too, if it is asked to in this way.
    cargo.args(["--", "-Z", "unstable-options", "--output-format", "json"]).env("RUSTC_BOOTSTRAP", "1");
    let done = cargo.output().expect("cargo runs");
    assert!(done.status.success(), "{name}: {}", String::from_utf8_lossy(&done.stderr));
    target.join(format!("doc/{}.json", package(name).replace('-', "_")))
}

#[test]
fn the_public_items_are_those_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("listing");
    let mut differing = Vec::new();
    for name in CRATES {
        let items = public_api::Builder::from_rustdoc_json(documented(name))
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .omit_auto_derived_impls(true)
            .build()
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let found = format!("{items}");
        let file = folder.join(format!("{name}.txt"));
        if std::env::var_os("RICHMAN_UPDATE").is_some() {
            fs::write(&file, &found).expect("the listing is written");
        }
        let listed = fs::read_to_string(&file).unwrap_or_default();
        let new = found.lines().filter(|line| !listed.lines().any(|old| old == *line)).map(|line| format!("+ {line}"));
        let gone = listed.lines().filter(|line| !found.lines().any(|now| now == *line)).map(|line| format!("- {line}"));
        differing.extend(new.chain(gone));
    }
    assert!(
        differing.is_empty(),
        "public items differ from public-api/listing; with RICHMAN_UPDATE=1 they are listed anew:\n{}",
        differing.join("\n")
    );
}
