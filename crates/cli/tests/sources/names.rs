//! One name for each type: a type's name says what it is without its path.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::{members, name_of, own_sources};

/// Names that stand for more than one type, and why.
const SHARED: [(&str, &str); 1] = [("Error", "a crate has one each, and it wraps those of the layers below")];

/// Every type in the sources: its name, and for each definition the crate and whether it is public.
fn types() -> BTreeMap<String, Vec<(String, bool)>> {
    const KINDS: [&str; 4] = ["struct", "enum", "trait", "type"];
    let mut types: BTreeMap<String, Vec<(String, bool)>> = BTreeMap::new();
    for folder in members() {
        let name = name_of(&folder);
        for line in own_sources(folder).iter().flat_map(lines) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let is_scoped = words.first().is_some_and(|word| word.starts_with("pub"));
            let Some((kind, rest)) = words[usize::from(is_scoped)..].split_first() else { continue };
            // An indented `type` belongs to a trait.
            if !KINDS.contains(kind) || (*kind == "type" && line.starts_with(' ')) || rest.is_empty() {
                continue;
            }
            let end = rest[0].find(|c: char| !c.is_alphanumeric()).unwrap_or(rest[0].len());
            types.entry(rest[0][..end].to_string()).or_default().push((name.clone(), words[0] == "pub"));
        }
    }
    types
}

fn lines(file: &PathBuf) -> Vec<String> {
    fs::read_to_string(file).unwrap().lines().map(str::to_string).collect()
}

#[test]
fn a_name_stands_for_one_type() {
    let types = types();
    assert!(types.len() > 500, "{} types", types.len());
    let is_shared = |places: &Vec<(String, bool)>| {
        let twice = |(at, place): (usize, &(String, bool))| {
            places[..at].iter().any(|earlier| earlier.0 == place.0 || (earlier.1 && place.1))
        };
        places.iter().enumerate().any(twice)
    };
    let found: Vec<&String> = types.iter().filter(|(_, places)| is_shared(places)).map(|(name, _)| name).collect();
    assert_eq!(found, SHARED.map(|(name, _)| name), "one name in a crate, or in public, for several types");
}
