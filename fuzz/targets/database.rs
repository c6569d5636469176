//! Databases with changed bytes: every answer is that of the whole one, or an error.
//!
//! Of an input each four bytes are a change: the file, the place in it by two bytes, and the new
//! byte. The bytes left over say how many the last file loses.

#![no_main]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use richman_core::{Effort, Walk};
use richman_files::{ObjectStore, open_store};
use richman_formats::DatabaseStake;
use richman_formats::database::{BuildOrder, DatabaseKind, KeptUnits};
use richman_games::Games;
use richman_lines::engine::database::{Answers, BoardDatabases};
use tempfile::TempDir;

struct Whole {
    folder: TempDir,
    files: BTreeMap<PathBuf, Vec<u8>>,
    answers: Vec<Option<String>>,
}

static WHOLE: LazyLock<Whole> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let (start, store) = (at(None), open_store(folder.path()).expect("a store"));
    let effort = Effort { memory: 64 << 20, ..Effort::default() };
    let stake = &DatabaseStake::Money;
    let (start, store) = (start.as_ref(), &store);
    let order = BuildOrder { start, stake, store, unit: None, keep: KeptUnits::All, disk: 1 << 26, effort };
    BoardDatabases.build(&order, &mut |_| ()).expect("built");
    let names = fs::read_dir(folder.path()).expect("the folder").map(|entry| entry.expect("an entry").path());
    let files = names.map(|path| (path.clone(), fs::read(path).expect("a file"))).collect();
    let answers = answers(store);
    assert!(answers.iter().all(Option::is_some));
    Whole { folder, files, answers }
});

fn at(position: Option<&str>) -> Box<dyn Walk> {
    Games::default().find("connect:rows=2,cols=3,line=2").expect("a game").walk(position).expect("a position")
}

/// What is found at some positions; `None` for an error.
fn answers(store: &Arc<dyn ObjectStore>) -> Vec<Option<String>> {
    let effort = Effort { memory: 64 << 20, ..Effort::default() };
    let ask = |position| {
        let walk = at(position);
        let found = Answers::open(store, walk.as_ref(), &effort).ok()?.needs(walk.as_ref(), None, &effort).ok()?;
        Some(format!("{found:?}"))
    };
    [None, Some(".../A.."), Some(".../AB."), Some("..A/ABB")].map(ask).into()
}

fuzz_target!(|bytes: &[u8]| {
    let Whole { folder, files, answers: whole } = &*WHOLE;
    let (changes, rest) = bytes.as_chunks::<4>();
    let paths: Vec<&PathBuf> = files.keys().collect();
    let mut changed = BTreeMap::new();
    for [file, high, low, byte] in changes {
        let path = paths[usize::from(*file) % paths.len()];
        let bytes = changed.entry(path).or_insert_with(|| files[path].clone());
        if !bytes.is_empty() {
            let place = (usize::from(*high) << 8 | usize::from(*low)) % bytes.len();
            bytes[place] = *byte;
        }
    }
    if let Some(mut last) = changed.last_entry() {
        let left = last.get().len().saturating_sub(rest.len());
        last.get_mut().truncate(left);
    }
    for (path, bytes) in &changed {
        fs::write(path, bytes).expect("written");
    }
    let store = open_store(folder.path()).expect("a store");
    for (found, known) in answers(&store).iter().zip(whole) {
        assert!(found.is_none() || found == known, "{found:?} for {known:?}");
    }
    for path in changed.keys() {
        fs::write(path, &files[*path]).expect("written");
    }
});
