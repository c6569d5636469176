//! Sentences about a match: its rules, its events, its end, and the best choices.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use richman_analysis::advice::Advice;
use richman_core::{
    Aim, Bidding, Bids, ByPlayer, End, Holding, Mechanism, Payment, PlayedAverage, Player, Right, Ties,
};
use richman_play::players::{EndlessChoice, EndlessWorth};
use richman_play::{Action, MatchEnd, PlaySoFar};

pub use richman_core::counted;

use crate::hint::SureResult;
use crate::reports::parts::range;

/// The rules of bidding: bids and payment, who moves, ties.
pub fn rules(mechanism: &Mechanism, aim: Aim) -> [String; 3] {
    let allowed = match &mechanism.bids {
        Bids::All => "some of their chips, or 0".to_string(),
        Bids::Only(_) => format!("one of {}", mechanism.bids.to_string().replace('+', ", ")),
    };
    let how = match mechanism.bidding {
        Bidding::Sealed => format!("Each turn both players bid {allowed}, hidden from each other."),
        Bidding::AliceFirst => format!("Each turn Alice bids {allowed}; Bob sees it and answers."),
        Bidding::BobFirst => format!("Each turn Bob bids {allowed}; Alice sees it and answers."),
    };
    let paid = match &mechanism.payment {
        Payment::Richman => "to the other player".to_string(),
        Payment::Poorman => "to the bank".to_string(),
        Payment::Taxman { numerator, denominator } => {
            format!("{numerator}/{denominator} of it to the other player, rounded down, the rest to the bank")
        }
    };
    let right = match mechanism.right {
        Right::Chooses => "The winner of the bid moves, or lets the other player move.",
        Right::Moves => "The winner of the bid must move.",
    };
    [
        format!("{how} The higher bid wins and is paid {paid}."),
        format!("{right} {}", aim.facts().rule),
        tie_words(mechanism.ties).rule.to_string(),
    ]
}

/// The words for a tie rule.
#[derive(Debug)]
pub struct TieWords {
    /// The rule in a sentence or two.
    pub rule: &'static str,
    /// The result of equal bids, in a few words.
    pub end: &'static str,
    /// Who wins ties, in a few words.
    pub winner: &'static str,
}

/// The words for a tie rule.
pub fn tie_words(ties: Ties) -> TieWords {
    let [rule, end, winner] = match ties {
        Ties::Advantage => [
            "If both bid the same, whoever holds the star * may use it: they win the bid, and the star goes to the \
             other player. Or they keep it and lose the bid.",
            "the star's holder may use it",
            "the star's holder may use it",
        ],
        Ties::Marker => [
            "If both bid the same, whoever holds the star * wins the bid, and the star goes to the other player.",
            "the star's holder must use it",
            "the star's holder must use it",
        ],
        Ties::Alice => ["If both bid the same, Alice wins the bid.", "Alice wins the bid", "Alice wins them"],
        Ties::Bob => ["If both bid the same, Bob wins the bid.", "Bob wins the bid", "Bob wins them"],
        Ties::Loser => [
            "If both bid the same, whoever holds the star * wins the bid: that is whoever lost the last one.",
            "whoever lost the last bid wins",
            "the loser of the last bid",
        ],
        Ties::Winner => [
            "If both bid the same, whoever holds the star * wins the bid: that is whoever won the last one.",
            "whoever won the last bid wins",
            "the winner of the last bid",
        ],
    };
    TieWords { rule, end, winner }
}

/// Names in one line, at most the first few.
pub fn short_list(moves: &[String]) -> String {
    const SHOWN: usize = 16;
    let more = if moves.len() > SHOWN { ", ..." } else { "" };
    format!("{}{more}", moves[..moves.len().min(SHOWN)].join(", "))
}

/// A hidden bid was entered.
pub fn has_bid(player: Player) -> String {
    format!("{player} has bid.")
}

/// An open bid awaits an answer.
pub fn names_bid(player: Player, bid: u32) -> String {
    format!("{player} bids {bid}.")
}

/// The payment of a bid: chips and star before and after.
#[derive(Debug)]
pub struct Paid {
    /// The winner of the bid.
    pub winner: Player,
    /// The holdings before.
    pub before: ByPlayer<Holding>,
    /// The holdings after.
    pub after: ByPlayer<Holding>,
}

impl Paid {
    fn words(&self) -> String {
        let (winner, other) = (self.winner, self.winner.other());
        let bid = self.before[winner].chips() - self.after[winner].chips();
        let given = self.after[other].chips().saturating_sub(self.before[other].chips());
        let bank = bid.saturating_sub(given);
        let paid = match (given, bank) {
            (0, 0) => format!("{winner} wins the bid for nothing"),
            (given, 0) => format!("{winner} wins the bid and pays {given} to {other}"),
            (0, bank) => format!("{winner} wins the bid and pays {bank} to the bank"),
            (given, bank) => format!("{winner} wins the bid and pays {bid}: {given} to {other}, {bank} to the bank"),
        };
        let has_new = |player: &Player| !self.before[*player].has_star() && self.after[*player].has_star();
        match Player::BOTH.into_iter().find(has_new) {
            Some(holder) => format!("{paid}; the star goes to {holder}."),
            None => format!("{paid}."),
        }
    }
}

/// Both bids are known: the winner, or that the star's owner decides.
pub fn revealed(bids: ByPlayer<Option<u32>>, paid: Option<&Paid>, holder: Player) -> String {
    let shown = match bids {
        ByPlayer { alice: Some(alice), bob: Some(bob) } if alice == bob => format!("Both bid {alice}, a tie."),
        ByPlayer { alice: Some(alice), bob: Some(bob) } => format!("Alice bids {alice}, Bob bids {bob}."),
        ByPlayer { alice: Some(alice), bob: None } => format!("Alice bids {alice}, Bob has no allowed bid."),
        ByPlayer { alice: None, bob: Some(bob) } => format!("Bob bids {bob}, Alice has no allowed bid."),
        ByPlayer { alice: None, bob: None } => "Nobody has an allowed bid.".to_string(),
    };
    match paid {
        Some(paid) => format!("{shown} {}", paid.words()),
        None => format!("{shown} {holder} holds the star and decides."),
    }
}

/// The tie was decided.
pub fn star_decided(holder: Player, used: bool, paid: &Paid) -> String {
    let verb = if used { "uses" } else { "keeps" };
    format!("{holder} {verb} the star. {}", paid.words())
}

/// The winner of the bid lets the other player move.
pub fn lets(winner: Player) -> String {
    format!("{winner} lets {} move.", winner.other())
}

/// A move.
pub fn moves(player: Player, name: &str, leads: bool) -> String {
    format!("{player} moves {}{name}.", if leads { "to " } else { "" })
}

/// A move where nobody bids.
pub fn moves_alone(player: Player, name: &str, leads: bool) -> String {
    format!("{} without a bid.", moves(player, name, leads).trim_end_matches('.'))
}

/// A player who cannot move chose, or had to accept, the end.
pub fn cannot_move(player: Player) -> String {
    format!("{player} cannot move.")
}

/// The effect of the limit on turns.
pub fn limit(turns: u32, aim: Aim) -> String {
    format!("After {} {}", counted(turns.into(), "turn"), aim.facts().at_limit)
}

/// The result at the limit on turns, in a few words.
pub fn cut_off(so_far: Option<&PlaySoFar>) -> String {
    match so_far {
        None => "a draw".to_string(),
        Some(PlaySoFar { average: Some(average), .. }) => format!("the average is {}", decimal(*average)),
        Some(_) => "play is cut off".to_string(),
    }
}

/// An average, and its decimal digits unless it is a whole number.
pub fn decimal(average: PlayedAverage) -> String {
    let text = average.to_string();
    if text.contains('/') { format!("{text} ({:.6})", average.to_f64()) } else { text }
}

/// How often each priority came, the greatest first.
fn priorities(counts: &BTreeMap<u32, u32>) -> String {
    const SHOWN: usize = 12;
    let one = |(priority, times): (&u32, &u32)| format!("{priority} ({})", counted((*times).into(), "time"));
    let shown: Vec<String> = counts.iter().rev().take(SHOWN).map(one).collect();
    let more = if counts.len() > SHOWN { ", ..." } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// How the match ended; `so_far` is the result so far, if play need not end.
pub fn result(closed: MatchEnd, so_far: Option<&PlaySoFar>) -> String {
    let stopped = |why: &str| match so_far {
        Some(PlaySoFar { left_open: Some(open), priorities: Some(counts), .. }) if !counts.is_empty() => format!(
            "{why}: play is cut off, and nobody has won, as that depends on {open}. Priorities so far: {}.",
            priorities(counts)
        ),
        _ => format!("{why}: {}.", cut_off(so_far)),
    };
    match closed {
        MatchEnd::Game(End::Win(player)) => format!("{player} has won!"),
        MatchEnd::Game(End::Draw) => "The game is a draw.".to_string(),
        MatchEnd::Game(End::Score(score)) => match closed.winner() {
            Some(player) => format!("The final score is {score}: {player} has the better of it."),
            None => "The final score is 0: a draw.".to_string(),
        },
        MatchEnd::Resigned(player) => format!("{player} resigns: {} has won!", player.other()),
        MatchEnd::Limit => stopped("The limit on turns is reached"),
        MatchEnd::NoBids => stopped("Neither player has an allowed bid left"),
    }
}

fn worth_words(player: Player, worth: SureResult) -> String {
    let other = player.other();
    let moves = |rank: u32| counted(rank.into(), "move");
    match worth {
        SureResult::Won(Reverse(0)) => format!("{player} has won then"),
        SureResult::Won(Reverse(rank)) => format!("{player} can force a win within {}", moves(rank)),
        SureResult::Held => format!("{player} can be sure of a draw"),
        SureResult::Unsure => "nothing is sure here".to_string(),
        SureResult::Lost(0) => format!("{other} has won then"),
        SureResult::Lost(rank) => format!("{other} can force a win within {}", moves(rank)),
        SureResult::Score(score) => {
            let score = if player == Player::Alice { score } else { -score };
            format!("{player} can be sure of a final score of {score}")
        }
    }
}

/// The same after the best choice.
fn chosen_words(player: Player, worth: SureResult) -> String {
    let holds_out = if matches!(worth, SureResult::Lost(1..)) { ", and this holds out longest" } else { "" };
    worth_words(player, worth) + holds_out
}

/// A hint in one sentence: the choice and its value.
fn hinted(player: Player, what: &str, worth: &str) -> String {
    let what = if what.is_empty() { "do anything" } else { what };
    format!("Hint for {player}: {what} ({worth}).")
}

/// `a`, `a and b`, `a, b and c`, or with another word between the last two.
fn joined(parts: &[String], word: &str) -> String {
    match parts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {word} {last}", rest.join(", ")),
        _ => parts.concat(),
    }
}

/// A hint for a bid, which may answer `named`, and the bids that it suggests.
pub(crate) fn hint_bids(
    player: Player,
    advice: Option<&Advice>,
    named: Option<u32>,
    worth: SureResult,
) -> (String, Vec<[u32; 2]>) {
    let Some(advice) = advice else {
        return (hinted(player, "bid what you like", &worth_words(player, worth)), Vec::new());
    };
    let said = chosen_words(player, worth);
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
        what.push(format!("let {} move", player.other()));
    } else if !advice.moves.is_empty() {
        what.push(format!("move {}", short_list(&advice.moves)));
    }
    (hinted(player, &joined(&what, "and"), &said), ranges)
}

/// A hint for a bid in a scoring game.
pub(crate) fn hint_score(player: Player, score: i64, bids: &[Option<u32>]) -> String {
    let bids: Vec<String> = bids.iter().flatten().map(u32::to_string).collect();
    let what = if bids.is_empty() { "nothing can be bid".to_string() } else { format!("bid {}", joined(&bids, "or")) };
    hinted(player, &what, &format!("{player} can be sure of a final score of {score}"))
}

/// A hint for another decision: the choices that force the most. In a lost position `answers`
/// counts the other player's bids that still win, and all bids.
pub(crate) fn hint(player: Player, best: &[Action], worth: SureResult, answers: Option<[u64; 2]>) -> String {
    let mut said = chosen_words(player, worth);
    if let Some([winning, all]) = answers.filter(|[winning, all]| winning < all) {
        said += &format!("; then {} must find one of {winning} winning bids among {all}", player.other());
    }
    hinted(player, &choices(player, best), &said)
}

/// A hint for a bid in a lost position, to which only `losing` of `all` replies win.
pub(crate) fn hint_stubborn(player: Player, bids: &[[u32; 2]], [losing, all]: [u64; 2]) -> String {
    let bids: Vec<String> = bids.iter().copied().map(range).collect();
    let other = player.other();
    let said = format!("{other} can force a win, but then only {losing} of {all} bids of {other} keep it");
    hinted(player, &format!("bid {}", joined(&bids, "or")), &said)
}

/// The estimated value of a position.
pub fn estimate(needs: f64) -> String {
    format!("Alice needs about {:.1}%", 100.0 * needs)
}

/// A hint from exact values with chips, or from real-money values.
pub(crate) fn hint_best(player: Player, best: &Action, exact: bool) -> String {
    let rests_on =
        if exact { "exact" } else { "best by what the position is worth in real money; with chips not proved" };
    hinted(player, &choices(player, std::slice::from_ref(best)), rests_on)
}

/// A hint in a game that need not end.
pub(crate) fn hint_endless(player: Player, choice: &EndlessChoice, bids: &[[u32; 2]]) -> String {
    let other = player.other();
    let sure = match &choice.sure {
        EndlessWorth::Win => format!("{player} can force a win"),
        EndlessWorth::Loss => format!("{other} can force a win; this keeps {player} nearest to what a win needs"),
        EndlessWorth::Average(average) => format!("the long-run average is {average}, and this keeps to it"),
    };
    let bids: Vec<String> = bids.iter().copied().map(range).collect();
    let what = if bids.is_empty() { choices(player, &choice.options) } else { format!("bid {}", joined(&bids, "or")) };
    hinted(player, &what, &sure)
}

fn choices(player: Player, best: &[Action]) -> String {
    let name = |action: &Action| if let Action::Move(name) = action { Some(name.clone()) } else { None };
    let moves: Vec<String> = best.iter().filter_map(name).collect();
    let mut what = Vec::new();
    if !moves.is_empty() {
        what.push(format!("move {}", short_list(&moves)));
    }
    for action in best {
        match action {
            Action::Let => what.push(format!("let {} move", player.other())),
            Action::Stay => what.push("end the game".to_string()),
            Action::UseStar(true) => what.push("use the star".to_string()),
            Action::UseStar(false) => what.push("keep the star".to_string()),
            Action::Bid(bid) => what.push(format!("bid {bid}")),
            Action::Move(_) | Action::Resign => {}
        }
    }
    joined(&what, "or")
}
