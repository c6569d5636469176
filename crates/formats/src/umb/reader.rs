//! Reads untrusted archives of arrays.

use std::collections::BTreeMap;
use std::io::Read;

use richman_core::{Player, Probability};
use serde::Deserialize;

use super::{WORD, bits};
use crate::any_graph::AnyGraph;
use crate::error::FormatError;
use crate::reading::Reading;
use crate::states::reader::{MOST, StatePlace, StatesReader};

/// The archive's index.
#[derive(Deserialize)]
struct Index {
    #[serde(rename = "format-version")]
    version: u32,
    #[serde(rename = "transition-system")]
    system: System,
    #[serde(default)]
    annotations: Annotations,
}

#[derive(Deserialize)]
struct System {
    time: String,
    #[serde(rename = "#players")]
    players: u32,
    #[serde(rename = "#states")]
    states: u64,
    #[serde(rename = "#choices")]
    choices: u64,
    #[serde(rename = "#branches")]
    branches: u64,
    #[serde(rename = "branch-probability-type")]
    chance: Option<Type>,
    #[serde(rename = "player-names", default)]
    names: Vec<String>,
}

#[derive(Deserialize)]
struct Type {
    #[serde(rename = "type")]
    kind: String,
    size: Option<u32>,
}

#[derive(Deserialize, Default)]
struct Annotations {
    #[serde(default)]
    aps: BTreeMap<String, Label>,
}

#[derive(Deserialize)]
struct Label {
    alias: Option<String>,
}

/// The encoding of chances.
#[derive(Clone, Copy)]
enum Chances {
    /// One successor after each choice.
    Sure,
    Double,
    Rational,
}

impl Chances {
    fn bytes(self) -> u64 {
        match self {
            Chances::Sure => 0,
            Chances::Double => 8,
            Chances::Rational => 16,
        }
    }
}

/// The arrays of an archive; omitted arrays are empty.
#[derive(Default)]
struct Arrays {
    state_to_choices: Vec<u8>,
    state_to_player: Vec<u8>,
    state_is_initial: Vec<u8>,
    choice_to_branches: Vec<u8>,
    branch_to_target: Vec<u8>,
    branch_to_probability: Vec<u8>,
    /// For each label in the order of the index.
    labels: Vec<Vec<u8>>,
}

struct Archive<'a> {
    file: &'a str,
    reading: &'a Reading<'a>,
}

impl StatePlace for Archive<'_> {
    fn bad(&self, reason: String) -> FormatError {
        FormatError::bad_value(self.file, None, reason)
    }

    fn file(&self) -> &str {
        self.file
    }

    fn check_now(&self, held: u64) -> Result<(), FormatError> {
        self.reading.check_memory(self.file, "reading the game file", held)
    }
}

/// Reads a game; `source` is the file name for messages.
pub(super) fn read(source: &str, reader: &mut dyn Read, reading: &Reading) -> Result<AnyGraph, FormatError> {
    Archive { file: source, reading }.read(reader)
}

impl Archive<'_> {
    fn read(&self, reader: &mut dyn Read) -> Result<AnyGraph, FormatError> {
        let mut archive = tar::Archive::new(reader);
        let broken = |error: std::io::Error| self.bad(format!("the archive is damaged: {error}"));
        let mut found: Option<(Index, Chances, Arrays)> = None;
        for entry in archive.entries().map_err(broken)? {
            self.reading.check_time(self.file)?;
            let mut entry = entry.map_err(broken)?;
            let path = entry.path().map_err(broken)?.to_string_lossy().trim_start_matches("./").to_string();
            let Some((index, chances, arrays)) = &mut found else {
                if path == "index.json" {
                    let index = self.index(&mut entry)?;
                    let chances = self.check(&index)?;
                    let arrays = Arrays { labels: vec![Vec::new(); index.annotations.aps.len()], ..Arrays::default() };
                    found = Some((index, chances, arrays));
                } else if entry.header().entry_type().is_file() {
                    return Err(self.bad(format!("index.json should be the first file of the archive, not {path}")));
                }
                continue;
            };
            let Some((array, bytes)) = arrays.of(&path, index, *chances) else { continue };
            if entry.size() != bytes {
                let size = entry.size();
                return Err(self.bad(format!("{path} should have {bytes} bytes by index.json, and has {size}")));
            }
            if !array.is_empty() {
                return Err(self.bad(format!("{path} stands twice in the archive")));
            }
            self.read_array(&mut entry, array, bytes)?;
        }
        match found {
            Some((index, chances, arrays)) => self.game(&index, chances, &arrays),
            None => Err(self.bad("the archive has no index.json".to_string())),
        }
    }

    /// Reads `bytes` bytes; allocates at most twice the length of the file.
    fn read_array(&self, entry: &mut dyn Read, array: &mut Vec<u8>, bytes: u64) -> Result<(), FormatError> {
        const LEAST: u64 = 1 << 20;
        while (array.len() as u64) < bytes {
            let had = array.len();
            let more = (bytes - had as u64).min((had as u64).max(LEAST));
            array.reserve_exact(more as usize);
            let read = Read::take(&mut *entry, more).read_to_end(array);
            read.map_err(|error| self.bad(format!("the archive is damaged: {error}")))?;
            if array.len() == had {
                return Err(self.bad("the archive is damaged: it ends in the middle of an array".to_string()));
            }
        }
        Ok(())
    }

    fn index(&self, entry: &mut dyn Read) -> Result<Index, FormatError> {
        const LONGEST: u64 = 1 << 24;
        let mut text = Vec::new();
        let read = entry.take(LONGEST).read_to_end(&mut text);
        read.map_err(|error| self.bad(format!("index.json cannot be read: {error}")))?;
        serde_json::from_slice(&text).map_err(|error| self.bad(format!("index.json: {error}")))
    }

    /// Checks the index before any array is read.
    fn check(&self, index: &Index) -> Result<Chances, FormatError> {
        let System { time, players, states, choices, branches, chance, names, .. } = &index.system;
        // The format's Python library writes 0.
        if index.version > 1 {
            return Err(self.bad(format!("version {} of the format is not read: only 0 and 1 are", index.version)));
        }
        if time != "discrete" {
            return Err(self.bad(format!("time is {time:?}: only discrete time is read")));
        }
        if *players > 2 || names.len() > 2 {
            return Err(self.bad(format!("{players} players are too many: there are Alice and Bob")));
        }
        for (what, count) in [("states", states), ("choices", choices), ("branches", branches)] {
            if *count > MOST {
                return Err(self.bad(format!("there are more than {MOST} {what}")));
            }
        }
        let chances = match chance.as_ref().map(|chance| (chance.kind.as_str(), chance.size)) {
            None => Chances::Sure,
            Some(("double", None | Some(64))) => Chances::Double,
            Some(("rational", None | Some(128))) => Chances::Rational,
            Some((kind, _)) => {
                let reason = format!("chances of the type {kind:?} are not read: only double and rational of 128 bits");
                return Err(self.bad(reason));
            }
        };
        let labels = index.annotations.aps.len() as u64 * bits(*states);
        let arrays = (WORD + 4) * (states + 1) + WORD * (choices + 1) + (WORD + chances.bytes()) * branches + labels;
        self.check_now(arrays)?;
        Ok(chances)
    }

    fn game(&self, index: &Index, chances: Chances, arrays: &Arrays) -> Result<AnyGraph, FormatError> {
        let System { players, states, choices, branches, names, .. } = &index.system;
        let choices_of = Ranges::new(&arrays.state_to_choices, *states, *choices, "state-to-choices", self)?;
        let branches_of = Ranges::new(&arrays.choice_to_branches, *choices, *branches, "choice-to-branches", self)?;
        let owners: Vec<Player> = (0..*players as usize).map(|player| named(player, names)).collect();
        let labels: Vec<&str> =
            index.annotations.aps.iter().map(|(id, label)| label.alias.as_deref().unwrap_or(id)).collect();
        let mut reader = StatesReader::new(self, *states, self.reading)?;
        reader.declare(labels.iter().copied());
        let mut follows: Vec<(u64, Probability)> = Vec::new();
        for state in 0..*states {
            let own = labels.iter().zip(&arrays.labels).filter(|(_, bits)| is_set(bits, state));
            let own = own.map(|(label, _)| *label).filter(|label| *label != "init");
            let is_initial = is_set(&arrays.state_is_initial, state);
            reader.begin_state(self, own.chain(is_initial.then_some("init")))?;
            if *players > 0 {
                let player = four(&arrays.state_to_player, state);
                let owner = owners.get(player as usize).ok_or_else(|| self.bad(format!("there is no player {player}")));
                reader.own(*owner?);
            }
            let choices = choices_of.of(state);
            self.make_room(&mut reader, choices.end - choices.start, arrays.bytes(), StatesReader::room_for_actions)?;
            for choice in choices {
                reader.begin_action(self)?;
                let branches = branches_of.of(choice);
                let count = branches.end - branches.start;
                // They are also sorted.
                let sorted = count.saturating_mul(3 * size_of::<(u64, Probability)>() as u64 / 2);
                self.make_room(&mut reader, count, arrays.bytes() + sorted, StatesReader::room_for_moves)?;
                follows.clear();
                follows.reserve_exact(count as usize);
                for branch in branches {
                    if branch % (1 << 16) == 0 {
                        self.reading.check_time(self.file)?;
                    }
                    let to = eight(&arrays.branch_to_target, branch);
                    if to >= *states {
                        return Err(self.bad(format!("branch {branch} leads to state {to}, which does not exist")));
                    }
                    follows.push((to, self.chance(chances, &arrays.branch_to_probability, branch)?));
                }
                for (to, chance) in merged(&mut follows) {
                    let chance = chance.ok_or_else(|| self.bad(format!("the chances of choice {choice} are above 1")));
                    reader.add(to as u32, chance?);
                }
            }
            if state % 1024 == 0 {
                self.check_now(arrays.bytes() + reader.held())?;
                self.reading.progress("reading states", state, Some(*states));
                self.reading.check_time(self.file)?;
            }
        }
        reader.finish(self)
    }

    /// Room for many moves of a state in addition to the bytes held.
    fn make_room<'t>(
        &self,
        reader: &mut StatesReader<'t>,
        moves: u64,
        held: u64,
        room: impl Fn(&mut StatesReader<'t>, usize),
    ) -> Result<(), FormatError> {
        const MANY: u64 = 1 << 12;
        if moves > MANY {
            let more = held.saturating_add(reader.held()).saturating_add(StatesReader::of_moves(moves));
            self.check_now(more)?;
            room(reader, moves as usize);
        }
        Ok(())
    }

    fn chance(&self, chances: Chances, values: &[u8], branch: u64) -> Result<Probability, FormatError> {
        let read = match chances {
            Chances::Sure => Some(Probability::ONE),
            // The intended value is the shortest decimal of the double.
            Chances::Double => f64::from_bits(eight(values, branch)).to_string().parse().ok(),
            Chances::Rational => {
                let [numerator, denominator] = [2 * branch, 2 * branch + 1].map(|index| eight(values, index));
                i64::try_from(numerator).ok().and_then(|_| Probability::new(numerator, denominator))
            }
        };
        read.ok_or_else(|| self.bad(format!("the chance of branch {branch} is not a number above 0 and at most 1")))
    }
}

impl Arrays {
    fn bytes(&self) -> u64 {
        let of_states = [&self.state_to_choices, &self.state_to_player, &self.state_is_initial];
        let of_choices = [&self.choice_to_branches, &self.branch_to_target, &self.branch_to_probability];
        of_states.into_iter().chain(of_choices).chain(&self.labels).map(|array| array.len() as u64).sum()
    }

    /// The array in a file of the archive, and its length in bytes; `None` for others.
    fn of(&mut self, path: &str, index: &Index, chances: Chances) -> Option<(&mut Vec<u8>, u64)> {
        let System { states, choices, branches, .. } = index.system;
        let states_bits = bits(states);
        Some(match path {
            "state-to-choices.bin" => (&mut self.state_to_choices, WORD * (states + 1)),
            "state-to-player.bin" => (&mut self.state_to_player, 4 * states),
            "state-is-initial.bin" => (&mut self.state_is_initial, states_bits),
            "choice-to-branches.bin" => (&mut self.choice_to_branches, WORD * (choices + 1)),
            "branch-to-target.bin" => (&mut self.branch_to_target, WORD * branches),
            "branch-to-probability.bin" => (&mut self.branch_to_probability, chances.bytes() * branches),
            path => {
                let id = path.strip_prefix("annotations/aps/")?.strip_suffix("/states/values.bin")?;
                let index = index.annotations.aps.keys().position(|known| known == id)?;
                (&mut self.labels[index], states_bits)
            }
        })
    }
}

/// A list of consecutive ranges; ranges of one item each if it is omitted.
struct Ranges<'a>(&'a [u8]);

impl Ranges<'_> {
    fn new<'a>(
        bytes: &'a [u8],
        count: u64,
        targets: u64,
        name: &str,
        archive: &Archive,
    ) -> Result<Ranges<'a>, FormatError> {
        let ranges = Ranges(bytes);
        let ends = || (0..=count).map(|index| eight(bytes, index));
        let is_right = match bytes.is_empty() {
            true => count == targets,
            false => eight(bytes, 0) == 0 && ends().is_sorted() && eight(bytes, count) == targets,
        };
        if is_right { Ok(ranges) } else { Err(archive.bad(format!("{name} does not go from 0 up to {targets}"))) }
    }

    fn of(&self, index: u64) -> std::ops::Range<u64> {
        match self.0.is_empty() {
            true => index..index + 1,
            false => eight(self.0, index)..eight(self.0, index + 1),
        }
    }
}

/// The player of a number.
fn named(player: usize, names: &[String]) -> Player {
    let is = |name: &str, word: &str| name.eq_ignore_ascii_case(word);
    match names.get(player) {
        Some(name) if is(name, "alice") => Player::Alice,
        Some(name) if is(name, "bob") => Player::Bob,
        _ => Player::BOTH[player],
    }
}

/// The targets, each once with the sum of its chances; `None` if that is above 1.
fn merged(follows: &mut [(u64, Probability)]) -> impl Iterator<Item = (u64, Option<Probability>)> {
    follows.sort_by_key(|(to, _)| *to);
    follows.chunk_by(|one, other| one.0 == other.0).map(|same| {
        let sum = same[1..].iter().try_fold(same[0].1, |sum, (_, more)| {
            let common = |one: Probability| u128::from(one.denominator());
            let top = u128::from(sum.numerator()) * common(*more) + u128::from(more.numerator()) * common(sum);
            let mut parts = (top, common(sum) * common(*more));
            let whole = parts;
            while parts.1 != 0 {
                parts = (parts.1, parts.0 % parts.1);
            }
            let [top, bottom] = [whole.0, whole.1].map(|part| u64::try_from(part / parts.0).ok());
            Probability::new(top?, bottom?)
        });
        (same[0].0, sum)
    })
}

/// A bit; false in an omitted list.
fn is_set(bytes: &[u8], index: u64) -> bool {
    bytes.get((index / 8) as usize).is_some_and(|byte| byte >> (index % 8) & 1 == 1)
}

/// A number of eight bytes; 0 in an omitted list.
fn eight(bytes: &[u8], index: u64) -> u64 {
    let at = 8 * index as usize;
    bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes)
}

fn four(bytes: &[u8], index: u64) -> u32 {
    let at = 4 * index as usize;
    bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use richman_core::{Effort, Game, NodeData, PositionKind, StochasticLabel, Terminal, Unwatched};

    use super::*;
    use crate::forms::{GameForm, read_game};

    const INDEX: &str = r##"{"format-version": 1, "format-revision": 0,
        "transition-system": {"time": "discrete", "#players": 1, "#states": 3, "#initial-states": 1, "#choices": 4,
            "#choice-actions": 0, "#branches": 5, "#branch-actions": 0, "#observations": 0,
            "branch-probability-type": {"type": "double"}},
        "annotations": {"aps": {"g": {"alias": "six", "applies-to": ["states"], "type": {"type": "bool"}}}}}"##;

    fn words(numbers: &[u64]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// State 1 may throw a die or not; a six wins.
    fn files() -> Vec<(&'static str, Vec<u8>)> {
        let chances = [1.0, 1.0, 0.25, 0.5, 0.25].map(f64::to_bits);
        vec![
            ("index.json", INDEX.as_bytes().to_vec()),
            ("state-to-choices.bin", words(&[0, 1, 3, 4])),
            ("state-is-initial.bin", words(&[0b010])),
            ("choice-to-branches.bin", words(&[0, 1, 2, 4, 5])),
            ("branch-to-target.bin", words(&[0, 1, 0, 1, 2])),
            ("branch-to-probability.bin", words(&chances)),
            ("annotations/aps/g/states/values.bin", words(&[0b001])),
            ("annotations/rewards/r/states/values.bin", vec![0; 24]),
        ]
    }

    fn packed(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
        let mut archive = tar::Builder::new(Vec::new());
        for (name, bytes) in files {
            let mut header = tar::Header::new_ustar();
            header.set_size(bytes.len() as u64);
            archive.append_data(&mut header, name, &bytes[..]).unwrap();
        }
        archive.into_inner().unwrap()
    }

    fn game(bytes: &[u8]) -> Result<AnyGraph, String> {
        let reading = Reading { target: Some("six"), ..Reading::within(Effort::default()) };
        read_game("throw.umb", &mut &bytes[..], &reading).map_err(|error| error.to_string())
    }

    /// The chances of the only choices at states 1 and 2 add up to 1.
    fn whole() -> Vec<(&'static str, Vec<u8>)> {
        let mut files = files();
        files[5].1 = words(&[1.0, 1.0, 0.25, 0.75, 1.0].map(f64::to_bits));
        files
    }

    #[test]
    fn archives_are_read_compressed_or_not() {
        let plain = packed(&whole());
        let mut gzip = flate2::read::GzEncoder::new(&plain[..], flate2::Compression::fast());
        let mut small = Vec::new();
        gzip.read_to_end(&mut small).unwrap();
        for bytes in [&plain, &small] {
            let AnyGraph::Stochastic(graph) = game(bytes).unwrap() else { panic!("a game with chance") };
            assert_eq!((graph.name(), graph.notation(&graph.start()), graph.len()), ("throw".into(), "1".into(), 4));
            let position = |name: &str| (0..graph.len()).find(|node| graph.name_of(*node) == name).unwrap();
            let data = |name: &str| graph.data(position(name));
            assert_eq!(data("0"), NodeData::End(Terminal::Win(Player::Alice)));
            let owned = NodeData::On(StochasticLabel::Player(PositionKind::Owned(Player::Alice)));
            assert_eq!((data("1"), data("2")), (owned, NodeData::On(StochasticLabel::Chance)));
            // A written game reads back as the same game.
            let (mut once, mut twice) = (Vec::new(), Vec::new());
            AnyGraph::Stochastic(graph).write(GameForm::Umb, &mut once, &Unwatched).unwrap();
            let again = read_game("throw.umb", &mut &once[..], &Reading::within(Effort::default())).unwrap();
            again.write(GameForm::Umb, &mut twice, &Unwatched).unwrap();
            assert!(once == twice);
        }
    }

    #[test]
    fn chances_of_one_target_are_added() {
        let mut files = whole();
        files[4].1 = words(&[0, 1, 0, 0, 2]);
        let AnyGraph::Stochastic(graph) = game(&packed(&files)).unwrap() else { panic!("a game with chance") };
        assert_eq!(graph.len(), 3, "{graph:?}");
    }

    /// One choice with many branches takes memory before the next state is read.
    #[test]
    fn many_branches_need_memory() {
        const MANY: u64 = 100_000;
        let mut files = whole();
        files[0].1 = INDEX.replace("\"#branches\": 5", "\"#branches\": 100004").into_bytes();
        files[3].1 = words(&[0, MANY, MANY + 1, MANY + 3, MANY + 4]);
        files[4].1 = words(&[vec![0; MANY as usize], vec![1, 0, 1, 2]].concat());
        let chances = vec![(1.0 / MANY as f64).to_bits(); MANY as usize];
        files[5].1 = words(&[chances, [1.0, 0.25, 0.75, 1.0].map(f64::to_bits).into()].concat());
        let bytes = packed(&files);
        let read = |memory| {
            let effort = Effort { memory, ..Effort::default() };
            read_game("throw.umb", &mut &bytes[..], &Reading { target: Some("six"), ..Reading::within(effort) })
        };
        read(32 << 20).unwrap();
        // The arrays alone take 1.6 MB.
        let error = read(2 << 20).unwrap_err().to_string();
        assert!(error.contains("needs"), "{error}");
    }

    #[test]
    fn what_is_damaged_is_refused() {
        let with = |index: usize, bytes: Vec<u8>| {
            let mut files = whole();
            files[index].1 = bytes;
            game(&packed(&files)).unwrap_err()
        };
        let index = |from: &str, to: &str| {
            assert!(INDEX.contains(from), "{from}");
            with(0, INDEX.replace(from, to).into_bytes())
        };
        for (found, words) in [
            (index("\"format-version\": 1", "\"format-version\": 2"), "version 2 of the format"),
            (index("discrete", "stochastic"), "only discrete time"),
            (index("\"#players\": 1", "\"#players\": 3"), "3 players are too many"),
            (index("\"#states\": 3", "\"#states\": 9999999999"), "more than 4294967294 states"),
            (index("\"#states\": 3", "\"#states\": 4000000000"), "needs"),
            (index("\"#states\": 3", "\"#states\": 4"), "should have 40 bytes"),
            (index("double", "double-interval"), "are not read: only double"),
            (index("{\"format", "[\"format"), "index.json: "),
            (index("six", "seven"), "no state has the label \"six\""),
            (with(1, words(&[0, 3, 1, 4])), "state-to-choices does not go from 0 up to 4"),
            (with(1, words(&[0, 1, 3, 5])), "state-to-choices does not go from 0 up to 4"),
            (with(1, Vec::new()), "should have 32 bytes by index.json, and has 0"),
            (with(2, words(&[0b110])), "a second state has the label init"),
            (with(4, words(&[0, 1, 0, 3, 2])), "branch 3 leads to state 3, which does not exist"),
            (with(5, files().swap_remove(5).1), "add up to 3/4, and not to 1"),
            (with(5, words(&[1.0, 1.0, -0.25, 0.75, 1.0].map(f64::to_bits))), "the chance of branch 2"),
            (with(5, words(&[f64::NAN; 5].map(f64::to_bits))), "the chance of branch 0"),
            (game(&packed(&[whole(), whole()].concat())).unwrap_err(), "stands twice in the archive"),
            (game(&packed(&whole()[1..])).unwrap_err(), "index.json should be the first file"),
            (game(&packed(&[])).unwrap_err(), "this is no"),
            (game(&packed(&whole())[..2000]).unwrap_err(), "the archive is damaged"),
            (game(&[0x1F, 0x8B, 8, 0, 0]).unwrap_err(), "the compressed file is damaged"),
        ] {
            assert!(found.contains(words), "{words}: {found}");
        }
    }

    /// Unpacking a compressed file of zeros stops at a limit.
    #[test]
    fn no_more_is_unpacked_than_fits() {
        let mut files = whole();
        files.push(("annotations/rewards/r/choices/values.bin", vec![0; 1 << 24]));
        let plain = packed(&files);
        let mut small = Vec::new();
        flate2::read::GzEncoder::new(&plain[..], flate2::Compression::fast()).read_to_end(&mut small).unwrap();
        let reading =
            Reading { target: Some("six"), ..Reading::within(Effort { memory: 1 << 20, ..Effort::default() }) };
        let error = read_game("throw.umb", &mut &small[..], &reading).unwrap_err().to_string();
        assert!(error.contains("the archive is damaged"), "{error}");
    }
}
