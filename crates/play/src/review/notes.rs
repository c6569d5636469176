//! Facts for a review other than the moves: which player is a computer, and the hints given. Both
//! are tags of a record.

use richman_core::{ByPlayer, Player};

use super::{Mistake, MistakeKind};
use crate::{Action, MatchTurn};

/// Facts for a review other than the moves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MatchNotes {
    /// Which players are computers.
    pub computers: ByPlayer<bool>,
    /// The hints given, in any order.
    pub hints: Vec<GivenHint>,
}

/// A hint that was given to a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenHint {
    /// The turn, from 1.
    pub turn: usize,
    /// The player.
    pub player: Player,
    /// The play that it suggested.
    pub suggests: HintedPlay,
}

/// The play that a hint suggests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HintedPlay {
    /// Bids from the first to the second.
    Bids([u32; 2]),
    /// An action other than a bid.
    Action(Action),
}

impl MatchNotes {
    /// The notes in the tags of a record; tags that cannot be read are left out.
    pub fn of_tags(tags: &[(String, String)]) -> MatchNotes {
        let tag = |player: Player, name: &str| {
            let wanted = format!("{player}{name}");
            tags.iter().find(|(tag, _)| *tag == wanted).map(|(_, value)| value.as_str())
        };
        let words = Player::BOTH.into_iter().flat_map(|player| {
            let words = tag(player, "Hints").unwrap_or_default().split(' ');
            words.map(move |word| (player, word))
        });
        let computers = ByPlayer::from_fn(|player| tag(player, "Computer").is_some());
        MatchNotes { computers, ..MatchNotes::of_hint_words(words) }
    }

    /// The hints in words such as `1:bid=2-3`; unreadable words are left out.
    pub fn of_hint_words<'a>(words: impl IntoIterator<Item = (Player, &'a str)>) -> MatchNotes {
        let hints = words.into_iter().filter_map(|(player, word)| read(word, player)).collect();
        MatchNotes { hints, ..MatchNotes::default() }
    }

    /// The hints in these words.
    pub fn hint_words(&self) -> Vec<(Player, String)> {
        self.hints.iter().filter_map(|hint| Some((hint.player, written(hint)?))).collect()
    }

    /// The tags of the hints for each player, such as `AliceHints` with `1:bid=2-3 1:move=b2`.
    pub fn hint_tags(&self) -> Vec<(String, String)> {
        let all = self.hint_words();
        let of = |player: Player| {
            let own = all.iter().filter(|(of, _)| *of == player).map(|(_, word)| word.as_str());
            let words: Vec<&str> = own.collect();
            (!words.is_empty()).then(|| (format!("{player}Hints"), words.join(" ")))
        };
        Player::BOTH.into_iter().filter_map(of).collect()
    }

    /// Whether a hint suggested the decision called a mistake.
    pub(super) fn suggested(&self, mistake: &Mistake, turn: &MatchTurn) -> bool {
        let Mistake { player, kind, .. } = *mistake;
        let is_it = |hint: &GivenHint| match (&hint.suggests, kind) {
            (
                HintedPlay::Bids([low, high]),
                MistakeKind::BidTooLow | MistakeKind::BidTooHigh | MistakeKind::WrongBid,
            ) => turn.bids[player].is_some_and(|bid| (*low..=*high).contains(&bid)),
            (HintedPlay::Action(Action::UseStar(used)), MistakeKind::UsedStar | MistakeKind::KeptStar) => {
                turn.star_used == Some(*used)
            }
            (HintedPlay::Action(Action::Move(name)), MistakeKind::WrongMove | MistakeKind::ShouldHaveLet) => {
                turn.played.as_ref() == Some(name)
            }
            (HintedPlay::Action(Action::Let), MistakeKind::ShouldHaveMoved) => turn.winner != turn.mover,
            _ => false,
        };
        self.hints.iter().any(|hint| (hint.turn, hint.player) == (mistake.turn, player) && is_it(hint))
    }
}

/// `1:bid=2-3`, `1:move=b2`, `1:use-star`, `1:keep-star`, `1:let`; `None` if it cannot be written.
fn written(hint: &GivenHint) -> Option<String> {
    let what = match &hint.suggests {
        HintedPlay::Bids([low, high]) => format!("bid={low}-{high}"),
        HintedPlay::Action(Action::UseStar(true)) => "use-star".to_string(),
        HintedPlay::Action(Action::UseStar(false)) => "keep-star".to_string(),
        HintedPlay::Action(Action::Let) => "let".to_string(),
        HintedPlay::Action(Action::Move(name)) if !name.contains([' ', '"']) => format!("move={name}"),
        HintedPlay::Action(_) => return None,
    };
    Some(format!("{}:{what}", hint.turn))
}

fn read(word: &str, player: Player) -> Option<GivenHint> {
    let (turn, what) = word.split_once(':')?;
    let suggests = match (what, what.split_once('=')) {
        (_, Some(("bid", range))) => {
            let (low, high) = range.split_once('-')?;
            HintedPlay::Bids([low.parse().ok()?, high.parse().ok()?])
        }
        (_, Some(("move", name))) => HintedPlay::Action(Action::Move(name.to_string())),
        ("use-star", _) => HintedPlay::Action(Action::UseStar(true)),
        ("keep-star", _) => HintedPlay::Action(Action::UseStar(false)),
        ("let", _) => HintedPlay::Action(Action::Let),
        _ => return None,
    };
    Some(GivenHint { turn: turn.parse().ok()?, player, suggests })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_tags_and_what_is_not_one_is_left_out() {
        let hint = |turn, player, suggests| GivenHint { turn, player, suggests };
        let hints = vec![
            hint(1, Player::Alice, HintedPlay::Bids([2, 3])),
            hint(1, Player::Alice, HintedPlay::Action(Action::Move("Kd1-e2".to_string()))),
            hint(12, Player::Bob, HintedPlay::Action(Action::UseStar(false))),
            hint(13, Player::Bob, HintedPlay::Action(Action::Let)),
        ];
        let notes = MatchNotes { computers: ByPlayer::both(false), hints };
        let mut tags = notes.hint_tags();
        assert_eq!(tags[0], ("AliceHints".to_string(), "1:bid=2-3 1:move=Kd1-e2".to_string()));
        assert_eq!(MatchNotes::of_tags(&tags), notes);
        tags[0].1 += " 2:bid=x-3 :let 99999999999999999999:let 3:dance";
        tags.push(("BobComputer".to_string(), "best".to_string()));
        let read = MatchNotes::of_tags(&tags);
        assert_eq!((read.hints, read.computers), (notes.hints, ByPlayer::new(false, true)));
    }
}
