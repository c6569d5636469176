//! What a program that uses the library has to compile.

use std::collections::BTreeSet;
use std::process::Command;

use super::crates;

/// The crates of others.
const MOST: usize = 40;

/// The packages that a program compiles for the library with these features, with their versions.
fn pulled(features: &str) -> BTreeSet<String> {
    let tree = ["tree", "--package", "richman", "--features", features, "--edges", "normal", "--prefix", "none"];
    let cargo = Command::new(env!("CARGO"))
        .args(tree)
        .args(["--format", "{p}", "--offline", "--locked"])
        .current_dir(crates())
        .output()
        .unwrap();
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    let lines = String::from_utf8(cargo.stdout).unwrap();
    lines.lines().map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn the_library_pulls_at_most_40_crates_of_others_without_its_features() {
    let of_others = |packages: &BTreeSet<String>| packages.iter().filter(|name| !name.starts_with("richman")).count();
    let (usual, all) = (pulled(""), pulled("chess,draw,files"));
    assert!(of_others(&usual) <= MOST, "{}: {usual:?}", of_others(&usual));
    let has = |packages: &BTreeSet<String>, name: &str| packages.iter().any(|each| each.starts_with(name));
    for name in ["cozy-chess ", "csv ", "flate2 ", "richman-chess ", "richman-render ", "svg ", "tar ", "zstd "] {
        assert!(!has(&usual, name) && has(&all, name), "{name}");
    }
}

#[test]
fn the_readme_names_the_library_where_a_clone_has_it() {
    let clone = crates().join("..");
    let readme = std::fs::read_to_string(clone.join("README.md")).unwrap();
    let manifest = readme.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let path = manifest["dependencies"]["richman"]["path"].as_str().unwrap();
    let inside = path.strip_prefix("richman/").unwrap();
    let package: toml::Table = std::fs::read_to_string(clone.join(inside).join("Cargo.toml")).unwrap().parse().unwrap();
    assert_eq!(package["package"]["name"].as_str(), Some("richman"));
}
