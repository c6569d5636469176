//! A disk that fails at a call, and one after a power loss: what was not synced may be lost.
//!
//! `faults.c` is loaded before a command. It fails a call that changes files of a folder, or keeps
//! a log of all of them, from which [`image`] makes the files after a power loss.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The errors of a full disk and of a broken one, by number.
pub const ERRORS: [i32; 2] = [28, 5];

/// The variables that watch a folder and keep a log.
pub fn logged(folder: &Path, log: &Path) -> Vec<(&'static str, String)> {
    [watched(folder), vec![("FAULT_LOG", log.display().to_string())]].concat()
}

/// The variables that let calls on a folder fail: `count` from number `at`, from 1.
pub fn failing(folder: &Path, at: usize, count: usize, error: i32) -> Vec<(&'static str, String)> {
    let numbers = [("FAULT_AT", at), ("FAULT_COUNT", count), ("FAULT_ERROR", error as usize)];
    [watched(folder), numbers.map(|(name, number)| (name, number.to_string())).to_vec()].concat()
}

fn watched(folder: &Path) -> Vec<(&'static str, String)> {
    vec![("LD_PRELOAD", library().display().to_string()), ("FAULT_FOLDER", folder.display().to_string())]
}

/// The library, compiled once.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/faults.c");
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_string());
        let mut compiled = Command::new(compiler);
        compiled.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source);
        assert!(
            compiled.status().is_ok_and(|status| status.success()),
            "a C compiler is needed: install gcc, or set CC"
        );
        library
    })
}

/// A call that changed a file.
#[derive(Debug, Clone)]
pub struct Call {
    /// `W`rite at a place, `T`runcate to a length, which makes a file too, `S`ync, `R`ename,
    /// `L`ink, `U`nlink.
    kind: u8,
    path: PathBuf,
    number: u64,
    bytes: Vec<u8>,
}

impl Call {
    pub fn is_rename(&self) -> bool {
        self.kind == b'R'
    }

    pub fn is_sync(&self) -> bool {
        self.kind == b'S'
    }
}

/// The calls in a log.
pub fn calls(log: &[u8]) -> Vec<Call> {
    let (mut rest, mut calls) = (log, Vec::new());
    let mut take = |length: usize| rest.split_off(..length).expect("a whole log");
    let mut left = log.len();
    while left > 0 {
        let kind = take(1)[0];
        let path_length = u32::from_le_bytes(take(4).try_into().unwrap()) as usize;
        let path = PathBuf::from(String::from_utf8(take(path_length).to_vec()).unwrap());
        let number = u64::from_le_bytes(take(8).try_into().unwrap());
        let length = u32::from_le_bytes(take(4).try_into().unwrap()) as usize;
        let bytes = take(length).to_vec();
        left -= 1 + 4 + path_length + 8 + 4 + length;
        calls.push(Call { kind, path, number, bytes });
    }
    calls
}

/// What a power loss leaves of the names in folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// Those at the last sync of their folder.
    Synced,
    /// The last ones: the system wrote them before the files.
    Latest,
}

/// The files after a power loss: each as it was when it was last synced.
pub fn image(calls: &[Call], names: Names) -> BTreeMap<PathBuf, Vec<u8>> {
    /// A file's bytes, and those at its last sync.
    #[derive(Default)]
    struct File {
        latest: Vec<u8>,
        synced: Vec<u8>,
    }
    let mut files: Vec<File> = Vec::new();
    let (mut latest, mut synced): (BTreeMap<PathBuf, usize>, BTreeMap<PathBuf, usize>) = Default::default();
    for Call { kind, path, number, bytes } in calls {
        let to = || PathBuf::from(String::from_utf8(bytes.clone()).unwrap());
        match kind {
            b'R' => {
                let file = latest.remove(path).unwrap_or_else(|| panic!("{path:?} is renamed"));
                latest.insert(to(), file);
            }
            b'L' => {
                latest.insert(to(), latest[path]);
            }
            b'U' => {
                latest.remove(path);
            }
            b'S' if !latest.contains_key(path) => {
                let is_inside = |name: &PathBuf| name.parent() == Some(path);
                synced.retain(|name, _| !is_inside(name));
                synced.extend(
                    latest.iter().filter(|(name, _)| is_inside(name)).map(|(name, file)| (name.clone(), *file)),
                );
            }
            _ => {
                let file = *latest.entry(path.clone()).or_insert_with(|| {
                    files.push(File::default());
                    files.len() - 1
                });
                let File { latest, synced } = &mut files[file];
                let at = *number as usize;
                match kind {
                    b'W' => {
                        latest.resize(latest.len().max(at + bytes.len()), 0);
                        latest[at..at + bytes.len()].copy_from_slice(bytes);
                    }
                    b'T' => latest.resize(at, 0),
                    b'S' => synced.clone_from(latest),
                    other => panic!("a call {other}"),
                }
            }
        }
    }
    let known = if names == Names::Synced { synced } else { latest };
    known.into_iter().map(|(path, file)| (path, std::mem::take(&mut files[file].synced))).collect()
}

/// Puts an image in place of a folder's files.
pub fn restore(folder: &Path, image: &BTreeMap<PathBuf, Vec<u8>>) {
    fs::remove_dir_all(folder).unwrap();
    fs::create_dir_all(folder).unwrap();
    for (path, bytes) in image {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}
