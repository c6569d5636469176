//! Sentences about a match: its rules, its events and its end.

use std::collections::BTreeMap;

use richman_core::{
    Aim, Bidding, Bids, ByPlayer, End, Holding, Mechanism, Payment, PlayedAverage, Player, Right, Ties,
};
use richman_play::{MatchEnd, PlaySoFar};

pub use richman_core::counted;

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
            "{why}: play is cut off. Nobody has won, because that depends on {open}. Priorities so far: {}.",
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

/// `a`, `a and b`, `a, b and c`, or with another word between the last two.
pub fn joined(parts: &[String], word: &str) -> String {
    match parts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {word} {last}", rest.join(", ")),
        _ => parts.concat(),
    }
}

/// The estimated value of a position.
pub fn estimate(needs: f64) -> String {
    format!("Alice needs about {:.1}%", 100.0 * needs)
}
