//! The sources keep to names, words, and the layers of the workspace.
//!
//! ```text
//! core <- games, files, formats, solvers, check, engine <- families <- analysis
//! analysis <- play <- render <- hall <- pages <- serve <- cli <- richman
//! analysis <- catalog <- cli, richman
//! docs <- catalog, pages
//! ```
//!
//! A family's board is plain data that needs only the core, so games and checks may use it. Its
//! engine uses solvers and formats. Checks use boards, so no family uses the checks, except in
//! tests: analysis proves databases.

mod flags;
mod names;
mod pulled;
mod words;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Families of games: each has a board and an engine.
const FAMILIES: [&str; 4] = ["hex", "lines", "chess", "heaps"];

/// The crates that each crate may use besides the families, and its tests too.
const MAY_KNOW: [(&str, &[&str]); 23] = [
    ("docs", &[]),
    ("core", &[]),
    ("games", &["core"]),
    ("files", &["core"]),
    ("formats", &["core", "files"]),
    ("solvers", &["core"]),
    ("check", &["core"]),
    ("engine", &["core"]),
    ("hex", &["core", "engine", "solvers"]),
    ("lines", &["core", "engine", "files", "formats", "solvers"]),
    ("chess", &["core", "engine", "files", "formats", "solvers"]),
    ("heaps", &["core", "engine", "solvers"]),
    ("analysis", &["core", "games", "files", "formats", "solvers", "check", "engine"]),
    ("catalog", &["core", "docs", "engine", "games", "formats", "solvers", "check", "analysis"]),
    ("play", &["core", "formats", "solvers", "check", "engine", "analysis"]),
    ("render", &["core", "games", "formats", "solvers", "check", "engine", "analysis", "play"]),
    ("requests", &["core", "formats", "analysis"]),
    ("hall", &["core", "formats", "analysis", "requests", "play", "render"]),
    ("pages", &["core", "docs", "formats", "analysis", "play", "render", "hall"]),
    ("serve", &["core", "files", "formats", "analysis", "requests", "play", "render", "hall", "pages"]),
    ("tab", &["core", "docs", "analysis", "play", "render", "hall", "pages"]),
    (
        "cli",
        &[
            "core", "games", "files", "formats", "check", "analysis", "catalog", "play", "render", "hall", "serve",
            "tab",
        ],
    ),
    ("richman", &["core", "games", "formats", "analysis", "catalog", "play", "render", "serve", "cli"]),
];

/// The crates that the tests of a crate may use in addition. Solvers are tested where they stand,
/// against judges and verifiers that do not know them.
const TESTS_MAY_KNOW: [(&str, &[&str]); 6] = [
    ("serve", &["docs"]),
    ("cli", &["solvers"]),
    ("solvers", &["check", "games", "formats"]),
    ("hex", &["games"]),
    ("lines", &["check", "games"]),
    ("chess", &["check", "games"]),
];

/// Crates that use no family at all.
const WITHOUT_FAMILIES: [&str; 5] = ["core", "files", "formats", "solvers", "engine"];

/// Libraries that a crate must not use: no JSON or threads in the core, no terminal below the
/// command line.
const MUST_NOT_KNOW: [(&str, &[&str]); 20] = [
    ("core", &["cozy-chess", "serde", "serde_json", "rayon", "clap", "indicatif"]),
    ("games", &["serde_json", "rayon", "clap", "indicatif"]),
    // Layers of a billion numbers are compressed on all cores.
    ("files", &["serde_json", "clap", "indicatif"]),
    ("formats", &["rayon", "clap", "indicatif"]),
    ("solvers", &["serde", "serde_json", "clap", "indicatif"]),
    ("hex", &["serde", "serde_json", "clap", "indicatif"]),
    ("lines", &["clap", "indicatif"]),
    ("chess", &["serde_json", "clap", "indicatif"]),
    ("heaps", &["serde", "serde_json", "clap", "indicatif"]),
    ("check", &["serde", "serde_json", "clap", "indicatif"]),
    ("engine", &["serde", "serde_json", "rayon", "clap", "indicatif"]),
    ("analysis", &["clap", "indicatif", "comfy-table", "svg"]),
    ("catalog", &["clap", "indicatif", "comfy-table", "svg"]),
    ("play", &["clap", "indicatif", "comfy-table", "svg", "crossterm", "rustyline", "anstream"]),
    ("render", &["clap", "indicatif", "crossterm", "rustyline", "anstream", "axum", "maud", "tokio", "rusqlite"]),
    ("requests", &["clap", "indicatif", "comfy-table", "svg", "axum", "maud", "tokio", "rusqlite"]),
    // A browser tab has no threads, sockets or files.
    ("hall", &["clap", "indicatif", "axum", "maud", "tokio", "rusqlite", "rayon"]),
    ("pages", &["clap", "indicatif", "tokio", "hyper", "rusqlite", "rayon", "moka", "tempfile"]),
    ("tab", &["clap", "indicatif", "tokio", "hyper", "rusqlite", "rayon", "moka", "tempfile"]),
    ("serve", &["clap", "indicatif", "crossterm", "rustyline", "anstream"]),
];

/// The folder of every crate: those in `crates`, and the documents.
fn members() -> Vec<PathBuf> {
    let folders = fs::read_dir(crates()).unwrap().map(|entry| entry.unwrap().path());
    folders.chain([crates().join("..").canonicalize().unwrap().join("docs")]).collect()
}

/// The name of the crate in a folder.
fn name_of(folder: &Path) -> String {
    folder.file_name().unwrap().to_string_lossy().into_owned()
}

/// The manifest of every crate.
fn manifests() -> BTreeMap<String, toml::Table> {
    let read = |folder: PathBuf| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        (name_of(&folder), manifest.parse().unwrap())
    };
    members().into_iter().map(read).collect()
}

/// A manifest's entries for the crates it depends on, of every kind of dependency.
fn entries(manifest: &toml::Table) -> impl Iterator<Item = (&String, &toml::Value)> {
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    kinds.into_iter().filter_map(|kind| manifest.get(kind)?.as_table()).flatten()
}

/// Whether only the tests of a crate use a dependency.
fn is_of_tests(manifest: &toml::Table, dependency: &str) -> bool {
    let kinds = ["dependencies", "build-dependencies"];
    !kinds.iter().any(|kind| manifest.get(*kind).is_some_and(|known| known.get(dependency).is_some()))
}

/// The dependencies of every crate, except that of a family on itself with its engine.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let known = |(name, manifest): (String, toml::Table)| {
        let own = format!("richman-{name}");
        let known = entries(&manifest).map(|(known, _)| known.clone()).filter(|known| *known != own).collect();
        (name, known)
    };
    manifests().into_iter().map(known).collect()
}

#[test]
fn no_crate_knows_more_than_its_layer_allows() {
    let (found, manifests) = (dependencies(), manifests());
    let crates: Vec<&str> = found.keys().map(String::as_str).collect();
    let mut listed: Vec<&str> = MAY_KNOW.iter().map(|(name, _)| *name).collect();
    listed.sort_unstable();
    assert_eq!(crates, listed, "every crate has its place in the layers");
    let of_tests: BTreeMap<&str, &[&str]> = TESTS_MAY_KNOW.into();
    for (name, allowed) in MAY_KNOW {
        for dependency in &found[name] {
            if let Some(layer) = dependency.strip_prefix("richman-") {
                let is_board =
                    FAMILIES.contains(&layer) && !WITHOUT_FAMILIES.contains(&name) && !FAMILIES.contains(&name);
                let may_test = of_tests.get(name).is_some_and(|known| known.contains(&layer))
                    && is_of_tests(&manifests[name], dependency);
                assert!(is_board || allowed.contains(&layer) || may_test, "{name} must not know {layer}");
            }
        }
    }
    for (name, forbidden) in MUST_NOT_KNOW {
        for dependency in &found[name] {
            assert!(!forbidden.contains(&dependency.as_str()), "{name} must not know {dependency}");
        }
    }
}

/// Games and checks are linked without solvers: they use only a family's board.
#[test]
fn games_and_checks_know_boards_alone() {
    let manifests = manifests();
    for name in ["games", "check"] {
        let families = entries(&manifests[name])
            .filter(|(known, _)| known.strip_prefix("richman-").is_some_and(|known| FAMILIES.contains(&known)));
        for (family, how) in families {
            assert!(how.get("features").is_none(), "{name} takes more of {family} than its board: {how}");
        }
        let features = manifests[name].get("features").and_then(toml::Value::as_table).into_iter().flatten();
        for (feature, asked) in features {
            let mut asked = asked.as_array().unwrap().iter().map(|asked| asked.as_str().unwrap());
            let engine = asked.find(|asked| asked.contains('/'));
            assert_eq!(engine, None, "the feature {feature} of {name} could ask for an engine");
        }
    }
    for family in FAMILIES {
        let features = manifests[family]["features"].as_table().unwrap();
        assert!(features.contains_key("engine") && !features.contains_key("default"), "{family} has {features}");
        let is_optional = manifests[family]["dependencies"]["richman-solvers"].get("optional");
        assert_eq!(is_optional, Some(&toml::Value::Boolean(true)), "{family} has a board without solvers");
    }
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// The Rust files below a folder.
fn sources(folder: PathBuf) -> Vec<PathBuf> {
    files(folder, "rs")
}

/// The Rust files of a crate, without tests, examples and benchmarks.
fn own_sources(folder: PathBuf) -> Vec<PathBuf> {
    let inside = folder.join("src");
    sources(if inside.exists() { inside } else { folder })
}

/// The files below a folder with an ending, build output left out.
fn files(folder: PathBuf, ending: &str) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![folder], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true if path.ends_with("target") => {}
                true => folders.push(path),
                false if path.extension().is_some_and(|end| end == ending) => found.push(path),
                false => {}
            }
        }
    }
    found
}

/// Code for a family is in its crate: elsewhere no file or module is named after one.
#[test]
fn nothing_is_named_after_a_family_outside_its_crate() {
    const WORDS: [&str; 10] =
        ["hex", "chess", "line", "lines", "board", "boards", "endgame", "endgames", "heaps", "race"];
    let crates = crates();
    for name in ["core", "engine", "solvers", "formats", "files", "analysis"] {
        let files = sources(crates.join(name).join("src"));
        assert!(!files.is_empty(), "{name}");
        for path in files {
            let text = fs::read_to_string(&path).unwrap();
            let words = |line: &str| line.split(|c: char| !c.is_alphanumeric()).map(str::to_string).collect::<Vec<_>>();
            let modules = text.lines().map(words).filter_map(|words| {
                let at = words.iter().take(3).position(|word| word == "mod")?;
                Some(words[at + 1..].to_vec())
            });
            let inside = path.strip_prefix(crates.join(name)).unwrap();
            let named = modules.flatten().chain(words(&inside.to_string_lossy()));
            let found: Vec<String> = named.filter(|word| WORDS.contains(&word.as_str())).collect();
            assert!(found.is_empty(), "{}: {found:?} belongs to a family", path.display());
        }
    }
}

/// Besides games, checks, the catalog and a family's own crate, only the list of engines, the
/// proofs of databases and the reports of unitary games use it.
#[test]
fn families_are_used_in_these_files_alone() {
    const FILES: [&str; 5] = [
        "analysis/src/databases/chip_classes.rs",
        "analysis/src/databases/classes.rs",
        "analysis/src/databases/units.rs",
        "analysis/src/sources.rs",
        "analysis/src/unitary.rs",
    ];
    let crates = crates();
    let names = [
        "core", "engine", "solvers", "formats", "files", "analysis", "play", "render", "hall", "pages", "serve", "cli",
    ];
    let uses = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        FAMILIES.iter().any(|family| text.contains(&format!("richman_{family}::")))
    };
    let files = names.iter().flat_map(|name| sources(crates.join(name).join("src"))).filter(uses);
    let mut found: Vec<PathBuf> = files.map(|path| path.strip_prefix(&crates).unwrap().to_path_buf()).collect();
    found.sort();
    assert_eq!(found, FILES.map(PathBuf::from));
}

/// The web application neither contains nor depends on published results. Besides the command, only
/// the crate `richman` has them, behind a feature, for programs such as the Python package.
#[test]
fn no_answer_knows_the_catalog() {
    let found = dependencies();
    let direct = |name: &str| found[name].iter().filter_map(|known| known.strip_prefix("richman-")).collect::<Vec<_>>();
    let mut reached = vec!["serve"];
    let mut next = 0;
    while let Some(name) = reached.get(next) {
        let new: Vec<&str> = direct(name).into_iter().filter(|known| !reached.contains(known)).collect();
        reached.extend(new);
        next += 1;
    }
    assert!(["render", "analysis", "core"].iter().all(|name| reached.contains(name)), "serve reaches {reached:?}");
    assert!(!reached.contains(&"catalog"), "serve must not know the catalog, through others either: {reached:?}");
    let who: Vec<&str> = found.keys().map(String::as_str).filter(|name| direct(name).contains(&"catalog")).collect();
    assert_eq!(who, ["cli", "richman"]);
    let richman = &manifests()["richman"];
    assert_eq!(richman["dependencies"]["richman-catalog"]["optional"].as_bool(), Some(true));
}

/// The documents depend on nothing. Pages show them, as the tests of the server see, and the
/// catalog computes their tables again.
#[test]
fn the_documents_depend_on_nothing() {
    let found = dependencies();
    assert!(found["docs"].is_empty(), "{:?}", found["docs"]);
    let users = found.iter().filter(|(_, known)| known.iter().any(|known| known == "richman-docs"));
    assert_eq!(users.map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["catalog", "pages", "serve", "tab"]);
}

/// A library says what happens; only the command decides what is printed of it.
#[test]
fn only_the_command_prints_a_log() {
    for (name, manifest) in manifests() {
        let known = manifest.get("dependencies").and_then(toml::Value::as_table);
        let prints = known.is_some_and(|known| known.contains_key("tracing-subscriber"));
        assert_eq!(prints, name == "cli", "{name}");
    }
}

/// In a server a thread for each request would have no limit, and one that is refused must not be a
/// panic; ending the process ends all matches. The command may do both.
#[test]
fn no_library_starts_threads_unasked_or_ends_the_process() {
    const WAYS: [&str; 3] = ["thread::spawn(", "process::exit(", "process::abort("];
    let is_test = |path: &PathBuf| path.ends_with("tests.rs") || path.parent().is_some_and(|at| at.ends_with("tests"));
    let cli = crates().join("cli");
    for path in members().into_iter().flat_map(own_sources).filter(|path| !is_test(path) && !path.starts_with(&cli)) {
        let text = fs::read_to_string(&path).unwrap();
        let found = WAYS.iter().find(|way| text.contains(**way));
        assert_eq!(found, None, "{}: use thread::Builder, with a limit on their number", path.display());
    }
}

/// The printing macros panic where the output is full or closed.
#[test]
fn nothing_is_printed_by_a_macro_that_may_panic() {
    const PRINTS: [&str; 5] = ["print!(", "println!(", "eprint!(", "eprintln!(", "dbg!("];
    let is_test = |path: &PathBuf| path.ends_with("tests.rs");
    for path in members().into_iter().flat_map(own_sources).filter(|path| !is_test(path)) {
        let text = fs::read_to_string(&path).unwrap();
        let found = PRINTS.iter().find(|print| text.contains(**print));
        assert_eq!(found, None, "{}: `complain` and `text` in cli/src/output.rs report failures", path.display());
    }
}

/// All files are written in one way: to a temporary place, with their permissions, and on the disk
/// before they get their name.
#[test]
fn files_are_written_in_one_place() {
    const WAYS: [&str; 6] = ["File::create", "File::options", "OpenOptions", "fs::write(", "fs::rename", "fs::copy"];
    const MAY: [&str; 5] = [
        "files/src/new_file.rs",
        "formats/src/database/building.rs",
        "serve/src/store/lock.rs",
        "serve/src/store/tests.rs",
        "serve/src/store/tests/integrity.rs",
    ];
    let mut seen = 0;
    for path in members().into_iter().flat_map(own_sources).filter(|path| !MAY.iter().any(|file| path.ends_with(file)))
    {
        let text = fs::read_to_string(&path).unwrap().replace("NewFile::create", "");
        let found = WAYS.iter().find(|way| text.contains(**way));
        assert!(found.is_none(), "{} has {found:?}: use richman_files::write_file", path.display());
        seen += 1;
    }
    assert!(seen > 100, "{seen} files");
}

/// Playing, drawing and serving use games and engines through traits; they know no family.
#[test]
fn play_and_faces_know_no_family() {
    let manifests = manifests();
    for name in ["engine", "requests", "play", "render", "hall", "pages", "serve", "cli"] {
        let known = manifests[name].get("dependencies").and_then(toml::Value::as_table).unwrap().keys();
        let family = known.filter_map(|known| known.strip_prefix("richman-")).find(|known| FAMILIES.contains(known));
        assert_eq!(family, None, "{name}");
    }
}

/// A value for each player is a `ByPlayer`, because an array of two does not say whose comes first.
#[test]
fn no_list_is_indexed_by_a_player() {
    const NAMES: [&str; 5] = ["player", "other", "winner", "mover", "holder"];
    let crates = crates();
    let folders = fs::read_dir(&crates).unwrap().map(|entry| entry.unwrap().path().join("src"));
    for path in folders.flat_map(sources) {
        let text = fs::read_to_string(&path).unwrap();
        for before in text.split(" as usize]").map(|before| before.trim_end_matches("()")) {
            let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
            assert!(!NAMES.contains(&name), "{}: [{name} as usize] where ByPlayer has [{name}]", path.display());
        }
    }
}
