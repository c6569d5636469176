//! Corrupted text.

use super::*;

pub(super) fn text_kinds(kinds: &mut Vec<Kind>) {
    fn edited(case: &Case, what: &str, edit: impl FnOnce(&str) -> String) -> Variant {
        let before = String::from_utf8(text(&case.solution)).unwrap();
        let after = edit(&before);
        assert_ne!(before, after, "{what}");
        Variant { what: what.to_string(), corrupt: Corrupt::Text(after.into_bytes()) }
    }
    kinds.push(kind("text: truncated", Says::Anything, |case| {
        let whole = text(&case.solution);
        let mut rng = Rng::with_seed(1);
        // The newline after the last brace may be missing.
        let random = (0..40).map(|_| rng.usize(0..whole.len() - 1));
        let lines = whole.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at).take(40);
        let offsets: BTreeSet<usize> = random.chain(lines).chain([0, 1, whole.len() - 2]).collect();
        let cut = |at: usize| Variant { what: format!("at {at}"), corrupt: Corrupt::Text(whole[..at].to_vec()) };
        offsets.into_iter().filter(|&at| at + 1 < whole.len()).map(cut).collect()
    }));
    kinds.push(kind("text: not JSON", Says::Words("not JSON"), |_| {
        let texts = ["solution", "{", "<xml/>", "{\"format\" \"richman-solution\"}", "\u{feff}"];
        texts
            .iter()
            .map(|text| Variant { what: text.to_string(), corrupt: Corrupt::Text(text.as_bytes().to_vec()) })
            .collect()
    }));
    kinds.push(kind("text: other JSON", Says::Anything, |_| {
        let texts = ["{}", "[]", "null", "1", "\"richman-solution\"", "[1, 2", STANDOFF];
        texts
            .iter()
            .map(|text| Variant { what: text.to_string(), corrupt: Corrupt::Text(text.as_bytes().to_vec()) })
            .collect()
    }));
    kinds.push(kind("text: empty", Says::Anything, |_| {
        let texts: [&[u8]; 4] = [b"", b"\n", b"   ", b"\0"];
        texts.iter().map(|text| Variant { what: format!("{text:?}"), corrupt: Corrupt::Text(text.to_vec()) }).collect()
    }));
    kinds.push(kind("text: not UTF-8", Says::Words("UTF-8"), |case| {
        let mut bytes = text(&case.solution);
        let middle = bytes.len() / 2;
        bytes[middle] = 0xff;
        vec![Variant { what: "middle".to_string(), corrupt: Corrupt::Text(bytes) }]
    }));
    kinds.push(kind("text: another version", Says::Words("version"), |case| {
        let versions = ["0", "2", "4294967296", "-1", "1.0", "\"1\"", "null"];
        let one = |version: &&str| {
            edited(case, version, |text| text.replacen("\"version\": 1,", &format!("\"version\": {version},"), 1))
        };
        versions.iter().map(one).collect()
    }));
    kinds.push(kind("text: another format", Says::Words("richman-solution"), |case| {
        vec![edited(case, "format", |text| text.replacen("richman-solution", "richman-game", 1))]
    }));
    kinds.push(kind("text: more after the end", Says::Anything, |case| {
        ["}", "{}", "x", "\0"].iter().map(|more| edited(case, more, |text| format!("{text}{more}"))).collect()
    }));
    kinds.push(kind("text: a line twice or missing", Says::Anything, |case| {
        let whole = String::from_utf8(text(&case.solution)).unwrap();
        let lines: Vec<&str> = whole.lines().collect();
        let mut rng = Rng::with_seed(2);
        let chosen: BTreeSet<usize> = (0..60).map(|_| rng.usize(0..lines.len())).collect();
        let mut variants = Vec::new();
        for at in chosen {
            let twice = [&lines[..=at], &lines[at..]].concat().join("\n");
            let missing = [&lines[..at], &lines[at + 1..]].concat().join("\n");
            for (what, text) in [("twice", twice), ("missing", missing)] {
                let what = format!("line {}, {what}: {}", at + 1, lines[at]);
                variants.push(Variant { what, corrupt: Corrupt::Text(text.into_bytes()) });
            }
        }
        variants
    }));
}

/// Replaces one digit: the result is an error, a wrong solution, or a solution that is true of its
/// changed subject.
#[test]
fn no_digit_can_be_changed() {
    let complaints: Vec<String> = cases()
        .par_iter()
        .flat_map_iter(|case| {
            let whole = text(&case.solution);
            let digits: Vec<usize> = (0..whole.len()).filter(|&at| whole[at].is_ascii_digit()).collect();
            let mut rng = Rng::with_seed(3);
            let mut complaints = Vec::new();
            for _ in 0..200 {
                let at = digits[rng.usize(0..digits.len())];
                let mut changed = whole.clone();
                changed[at] = b'0' + (changed[at] - b'0' + rng.u8(1..10)) % 10;
                // The start node of a named game means nothing if the position is also given.
                let is_true = read("solution.json", &changed).is_ok_and(|solution| {
                    solution == case.solution || !heads::is_false(&Variant::of("a digit", solution))
                });
                match judge_text(&changed) {
                    Verdict::Valid if is_true => {}
                    // Bounds can be true without following from the others.
                    Verdict::Wrong(wrong) if wrong != PANIC && (!is_true || case.truth.is_some()) => {}
                    Verdict::Error(_) if !is_true => {}
                    verdict => {
                        let (changed, whole) = (line_at(&changed, at), line_at(&whole, at));
                        complaints.push(format!("{}: {verdict:?} for\n{changed}\ninstead of\n{whole}", case.name));
                    }
                }
            }
            complaints
        })
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

pub(super) fn line_at(text: &[u8], at: usize) -> String {
    let start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |before| before + 1);
    let line = text[start..].split(|&byte| byte == b'\n').next().unwrap_or_default();
    String::from_utf8_lossy(line).into_owned()
}
