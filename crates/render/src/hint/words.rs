//! Hints in one sentence: the choice and its value.

use std::cmp::Reverse;

use richman_analysis::advice::Advice;
use richman_core::{Player, counted};
use richman_play::players::{EndlessChoice, EndlessWorth};
use richman_play::{Action, Voice};

use super::SureResult;
use crate::reports::parts::range;
use crate::words::{joined, short_list};

/// The sentences of a hint for a player.
#[derive(Debug, Clone, Copy)]
pub(super) struct HintWords {
    pub player: Player,
    pub voice: Voice,
}

impl HintWords {
    fn other(self) -> &'static str {
        self.voice.name(self.player.other())
    }

    fn worth(self, worth: SureResult) -> String {
        let HintWords { player, voice } = self;
        let moves = |rank: u32| counted(rank.into(), "move");
        let [own, other] = [player, player.other()].map(|player| voice.name(player));
        let has = |player| voice.verb(player, "has", "have");
        match worth {
            SureResult::Won(Reverse(0)) => format!("{own} {} won then", has(player)),
            SureResult::Won(Reverse(rank)) => format!("{own} can force a win within {}", moves(rank)),
            SureResult::Held => format!("{own} can be sure of a draw"),
            SureResult::Unsure => "nothing is sure here".to_string(),
            SureResult::Lost(0) => format!("{other} {} won then", has(player.other())),
            SureResult::Lost(rank) => format!("{other} can force a win within {}", moves(rank)),
            SureResult::Score(score) => {
                let score = if player == Player::Alice { score } else { -score };
                format!("{own} can be sure of a final score of {score}")
            }
        }
    }

    /// The same after the best choice.
    fn chosen(self, worth: SureResult) -> String {
        let holds_out = if matches!(worth, SureResult::Lost(1..)) { ", and this holds out longest" } else { "" };
        self.worth(worth) + holds_out
    }

    /// The choice and its value.
    fn hinted(self, what: &str, worth: &str) -> String {
        let what = if what.is_empty() { "do anything" } else { what };
        match self.voice.is_you(self.player) {
            true => format!("Hint: {what} ({worth})."),
            false => format!("Hint for {}: {what} ({worth}).", self.player),
        }
    }

    /// A hint for a bid, which may answer `named`, and the bids that it suggests.
    pub fn bids(self, advice: Option<&Advice>, named: Option<u32>, worth: SureResult) -> (String, Vec<[u32; 2]>) {
        let Some(advice) = advice else {
            return (self.hinted("bid what you like", &self.worth(worth)), Vec::new());
        };
        let said = self.chosen(worth);
        let mut ranges = Vec::new();
        let answered = |named: &u32| advice.answers.iter().find(|answer| (answer.to[0]..=answer.to[1]).contains(named));
        let bids = match (named, named.as_ref().and_then(answered)) {
            (Some(named), Some(answer)) => {
                let mut bids = Vec::new();
                bids.extend(answer.lower.then(|| format!("less than {named}")));
                bids.extend(answer.equal.then(|| format!("{named} as well")));
                bids.extend(answer.higher.first().map(|&[low, high]| range([low.max(named + 1), high])));
                ranges.extend(answer.lower.then(|| [0, named.saturating_sub(1)]));
                ranges.extend(answer.equal.then_some([named; 2]));
                ranges.extend(answer.higher.first().map(|&[low, high]| [low.max(named + 1), high]));
                bids
            }
            _ => {
                ranges.clone_from(advice.fastest.as_ref().unwrap_or(&advice.bids));
                ranges.iter().copied().map(range).collect()
            }
        };
        let bids = if bids.is_empty() { "what you like".to_string() } else { joined(&bids, "or") };
        let mut what = vec![format!("bid {bids}")];
        what.extend(advice.use_star.map(|used| format!("{} the star in a tie", if used { "use" } else { "keep" })));
        if advice.let_other_move {
            what.push(format!("let {} move", self.other()));
        } else if !advice.moves.is_empty() {
            what.push(format!("move {}", short_list(&advice.moves)));
        }
        (self.hinted(&joined(&what, "and"), &said), ranges)
    }

    /// A hint for a bid in a scoring game.
    pub fn score(self, score: i64, bids: &[Option<u32>]) -> String {
        let bids: Vec<String> = bids.iter().flatten().map(u32::to_string).collect();
        let what =
            if bids.is_empty() { "nothing can be bid".to_string() } else { format!("bid {}", joined(&bids, "or")) };
        self.hinted(&what, &format!("{} can be sure of a final score of {score}", self.voice.name(self.player)))
    }

    /// A hint for another decision: the choices that force the most. In a lost position `answers`
    /// counts the other player's bids that still win, and all bids.
    pub fn hint(self, best: &[Action], worth: SureResult, answers: Option<[u64; 2]>) -> String {
        let mut said = self.chosen(worth);
        if let Some([winning, all]) = answers.filter(|[winning, all]| winning < all) {
            said += &format!("; then {} must find one of {winning} winning bids among {all}", self.other());
        }
        self.hinted(&self.choices(best), &said)
    }

    /// A hint for a bid in a lost position, to which only `losing` of `all` replies win.
    pub fn stubborn(self, bids: &[[u32; 2]], [losing, all]: [u64; 2]) -> String {
        let bids: Vec<String> = bids.iter().copied().map(range).collect();
        let other = self.other();
        let said = format!("{other} can force a win, but then only {losing} of {all} bids of {other} keep it");
        self.hinted(&format!("bid {}", joined(&bids, "or")), &said)
    }

    /// A hint from exact values with chips, or from real-money values.
    pub fn best(self, best: &Action, exact: bool) -> String {
        let rests_on =
            if exact { "exact" } else { "best by what the position is worth in real money; with chips not proved" };
        self.hinted(&self.choices(std::slice::from_ref(best)), rests_on)
    }

    /// A hint in a game that need not end.
    pub fn endless(self, choice: &EndlessChoice, bids: &[[u32; 2]]) -> String {
        let [own, other] = [self.voice.name(self.player), self.other()];
        let sure = match &choice.sure {
            EndlessWorth::Win => format!("{own} can force a win"),
            EndlessWorth::Loss => format!("{other} can force a win; this keeps {own} nearest to what a win needs"),
            EndlessWorth::Average(average) => format!("the long-run average is {average}, and this keeps to it"),
        };
        let bids: Vec<String> = bids.iter().copied().map(range).collect();
        let what = if bids.is_empty() { self.choices(&choice.options) } else { format!("bid {}", joined(&bids, "or")) };
        self.hinted(&what, &sure)
    }

    fn choices(self, best: &[Action]) -> String {
        let name = |action: &Action| if let Action::Move(name) = action { Some(name.clone()) } else { None };
        let moves: Vec<String> = best.iter().filter_map(name).collect();
        let mut what = Vec::new();
        if !moves.is_empty() {
            what.push(format!("move {}", short_list(&moves)));
        }
        for action in best {
            match action {
                Action::Let => what.push(format!("let {} move", self.other())),
                Action::Stay => what.push("end the game".to_string()),
                Action::UseStar(true) => what.push("use the star".to_string()),
                Action::UseStar(false) => what.push("keep the star".to_string()),
                Action::Bid(bid) => what.push(format!("bid {bid}")),
                Action::Move(_) | Action::Resign => {}
            }
        }
        joined(&what, "or")
    }
}
