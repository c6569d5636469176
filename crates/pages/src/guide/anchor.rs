//! The ids of headings, as GitHub makes them, so that links between documents lead to the same
//! place there and here.

use std::collections::HashSet;

use super::CONTENTS;

/// The ids that every page has already.
const TAKEN: [&str; 3] = ["main", "live", CONTENTS];

/// The ids of one document.
pub(super) struct AnchorNames {
    taken: HashSet<String>,
}

impl AnchorNames {
    pub(super) fn new() -> AnchorNames {
        AnchorNames { taken: TAKEN.map(str::to_string).into() }
    }

    /// The id for the next heading, different from all before.
    pub(super) fn next(&mut self, heading: &str) -> String {
        let kept = heading.trim().chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
        let name: String =
            kept.flat_map(char::to_lowercase).map(|letter| if letter == ' ' { '-' } else { letter }).collect();
        let numbered = (1..).map(|number| format!("{name}-{number}"));
        let free =
            [name.clone()].into_iter().chain(numbered).find(|name| !name.is_empty() && !self.taken.contains(name));
        let free = free.unwrap_or(name);
        self.taken.insert(free.clone());
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_github() {
        let mut names = AnchorNames::new();
        for (heading, id) in [
            ("Playing bidding Hex", "playing-bidding-hex"),
            ("What `--log` prints: a list, twice", "what---log-prints-a-list-twice"),
            ("One_word & two", "one_word--two"),
            ("Playing bidding Hex", "playing-bidding-hex-1"),
            ("Playing bidding Hex", "playing-bidding-hex-2"),
            ("Über 2 x 3", "über-2-x-3"),
            ("Main", "main-1"),
            ("?!", "-1"),
        ] {
            assert_eq!(names.next(heading), id);
        }
    }
}
