//! Everything that is said in a match, in one place. Plain text: colours come later, and only on a terminal.

use std::cmp::Reverse;

use richman_analysis::advice::Advice;
use richman_core::{Bidding, Bids, End, Holding, Mechanism, Payment, Player, Right, Ties};
use richman_play::{Action, Closed, Decision, Match};

use super::Side;
use super::hint::Worth;

/// What to type, at any time.
pub const HELP: &str = "\
a number          your bid; 3* bids 3 and uses the star if it is a tie
a move            as listed; capitals do not matter, and the beginning is enough where it is clear
let               let the other player move, after winning the bid
star, keep        use the star in a tie, or keep it; y and n do as well
hint              what the solution of the game says
undo              back to the start of your last turn, against the computer
board, rules      show them again
save FILE         write the match to a file, as a record
resign, quit      give up, or leave without a result
review            after the end: what was decided where
again             after the end: another match
Write a slash before a command (/undo) where a move has the same name.";

/// What to do next, once the match is over.
pub const AFTER: &str = "Type review, save FILE, undo or again; Enter leaves.";
/// The prompt after the end.
pub const AFTER_PROMPT: &str = "review, save, again or Enter: ";
/// No input is left.
pub const INPUT_ENDED: &str = "The input has ended; the match is left unfinished.";
/// The player left.
pub const LEFT: &str = "The match is left unfinished.";
/// Ctrl-C.
pub const STOPPED: &str = "Stopped; the match is left unfinished.";
/// A commandless line where something was waited for.
pub const EMPTY: &str = "Type something; help says what.";
/// Undo with nothing to undo.
pub const NOTHING_TO_UNDO: &str = "There is nothing to undo yet.";
/// Undo between two people.
pub const NO_UNDO: &str = "Undo is for matches against the computer: both of you have seen what was bid.";
/// Undo done.
pub const UNDONE: &str = "Taken back.";
/// Before the end.
pub const NOT_OVER: &str = "That is for after the end; resign ends the match.";
/// The end, where an action was typed.
pub const IS_OVER: &str = "The match is over. Type review, save FILE, undo, again or quit.";
/// How to answer a question with yes or no.
pub const STAR_ANSWERS: &str = "Type y (or star) to use the star, n (or keep) to keep it.";
/// A save without a name.
pub const SAVE_WHERE: &str = "Say where: save FILE, such as save match.txt.";

/// How a player is called where more than the name is needed.
fn called(player: Player, sides: &[Side; 2]) -> String {
    let letter = if player == Player::Alice { 'A' } else { 'B' };
    match &sides[player as usize] {
        Side::Person if sides[player.other() as usize].is_person() => format!("{player} ({letter})"),
        Side::Person => format!("{player} ({letter}, you)"),
        Side::Computer(_) => format!("{player} ({letter}, computer)"),
    }
}

/// The first screen: the game, who plays, three lines of rules, what to type.
pub fn welcome(game: &Match, description: Option<&str>, sides: &[Side; 2]) -> String {
    let name = game.walk().game();
    let mut lines = vec![match description {
        Some(description) => format!("{name}: {description}."),
        None => format!("{name}."),
    }];
    let person = Player::BOTH.into_iter().find(|player| sides[*player as usize].is_person());
    lines.push(match (person, person.map(|person| &sides[person.other() as usize])) {
        (Some(person), Some(Side::Computer(computer))) => {
            format!("You are {person}. {} is the computer, level {}.", person.other(), computer.name())
        }
        _ => "Alice and Bob share this keyboard.".to_string(),
    });
    if let Some(limit) = game.rules().limit {
        lines.push(format!("After {limit} turns it is a draw."));
    }
    lines.extend(rules(&game.rules().mechanism, game.walk().score().is_some()));
    lines.push("Type a bid or a move when asked; help lists the other commands.".to_string());
    lines.join("\n")
}

/// The rules of bidding, in three lines.
pub fn rules(mechanism: &Mechanism, is_scoring: bool) -> [String; 3] {
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
        Right::Chooses => "The winner of the bid moves, or lets the other player move (type let).",
        Right::Moves => "The winner of the bid must move.",
    };
    let aim = if is_scoring {
        "Moves score: Alice wants a high score, Bob a low one. Chips left over are worth nothing."
    } else {
        "Chips left over at the end are worth nothing."
    };
    let ties = match mechanism.ties {
        Ties::Advantage => {
            "If both bid the same, whoever holds the star * may use it: they win the bid, and the star goes to the \
             other player. Or they keep it and lose the bid."
        }
        Ties::Marker => {
            "If both bid the same, whoever holds the star * wins the bid, and the star goes to the other player."
        }
        Ties::Alice => "If both bid the same, Alice wins the bid.",
        Ties::Bob => "If both bid the same, Bob wins the bid.",
        Ties::Loser => {
            "If both bid the same, whoever holds the star * wins the bid: that is whoever lost the last one."
        }
        Ties::Winner => {
            "If both bid the same, whoever holds the star * wins the bid: that is whoever won the last one."
        }
    };
    [format!("1. {how} The higher bid wins and is paid {paid}."), format!("2. {right} {aim}"), format!("3. {ties}")]
}

/// The position and the chips in one line, where nothing is drawn.
pub fn status_line(game: &Match) -> String {
    let [alice, bob] = game.hands();
    let turn = match game.closed() {
        None => format!("turn {}", game.turns().len() + 1),
        Some(_) => "end".to_string(),
    };
    let position = game.walk().notation();
    format!("{turn}: position {position}; Alice {alice}, Bob {bob}{}{}", bank(game), score(game))
}

/// The chips in view, drawn: a line for each player.
pub fn chips(game: &Match, sides: &[Side; 2]) -> String {
    const DRAWN: u32 = 24;
    let hands = game.hands();
    let names = Player::BOTH.map(|player| called(player, sides));
    let width = names.iter().map(String::len).max().unwrap_or(0);
    let line = |player: Player| {
        let hand = hands[player as usize];
        let name = &names[player as usize];
        if hand.chips() > DRAWN {
            return format!("{name:width$}  {hand}");
        }
        let chips = "●".repeat(hand.chips() as usize);
        let space = if hand.chips() > 0 { " " } else { "" };
        format!("{name:width$}  {chips}{space}{hand}")
    };
    format!("{}\n{}", line(Player::Alice), line(Player::Bob))
}

/// The number of the turn, the bank and the score, where they are drawn.
pub fn turn(game: &Match) -> String {
    format!("Turn {}{}{}", game.turns().len() + 1, bank(game), score(game))
}

/// The position where there is no picture of it.
pub fn position(notation: &str) -> String {
    format!("Position {notation}")
}

fn bank(game: &Match) -> String {
    if game.rules().mechanism.payment == Payment::Richman {
        return String::new();
    }
    format!("; bank {}", game.bank())
}

fn score(game: &Match) -> String {
    game.walk().score().map_or(String::new(), |score| format!("; score {score}"))
}

/// Whose turn it is to type, and what; `None` where one person plays alone.
fn asked(player: Player, alone: bool, what: &str) -> String {
    if alone { format!("Your {what}: ") } else { format!("{player}, your {what}: ") }
}

/// The prompt for a decision of a person.
pub fn prompt(game: &Match, player: Player, decision: Decision, alone: bool, hidden: bool) -> String {
    match decision {
        Decision::Bid => {
            let allowed: Vec<String> = game
                .allowed_bids(player)
                .iter()
                .map(|[low, high]| if low == high { low.to_string() } else { format!("{low} to {high}") })
                .collect();
            let note = if hidden { "; it is not shown" } else { "" };
            asked(player, alone, &format!("bid ({}{note})", allowed.join(", ")))
        }
        Decision::Star { bid } => {
            let who = if alone { String::new() } else { format!("{player}: ") };
            format!("{who}Use the star to win this tie at {bid}? (y/n) ")
        }
        Decision::Move { may_let } => {
            let moves = game.walk().moves(player);
            match (moves.as_slice(), may_let) {
                ([], _) => {
                    let who = if alone { "You".to_string() } else { player.to_string() };
                    format!("{who} cannot move. let {} move, or end the game? (let/end) ", player.other())
                }
                (moves, may_let) => {
                    let or_let = if may_let { ", or let" } else { "" };
                    asked(player, alone, &format!("move ({}{or_let})", listed(game, player, moves)))
                }
            }
        }
    }
}

/// The moves, shortened; and whether they are named by where they lead.
fn listed(game: &Match, player: Player, moves: &[String]) -> String {
    let leads = |name: &String| {
        let mut walk = game.walk().boxed();
        walk.play(player, name).is_ok() && walk.notation() == *name
    };
    let to = if moves.iter().all(leads) { "to " } else { "" };
    format!("{to}{}", short_list(moves))
}

fn short_list(moves: &[String]) -> String {
    const SHOWN: usize = 16;
    let more = if moves.len() > SHOWN { ", ..." } else { "" };
    format!("{}{more}", moves[..moves.len().min(SHOWN)].join(", "))
}

/// A text that is not a bid.
pub fn not_a_bid(text: &str) -> String {
    format!("{text:?} is not a bid: type a whole number of chips, such as 2; help lists the commands.")
}

/// A bid with the star where that has no meaning.
pub fn no_star_to_bid(player: Player) -> String {
    format!("{player} has no star to use in a tie: type the number alone.")
}

/// A text that is not a move.
pub fn not_a_move(text: &str, moves: &[String]) -> String {
    format!("{text:?} is not a move here: type one of {}; help lists the commands.", short_list(moves))
}

/// The beginning of several moves.
pub fn ambiguous(text: &str, moves: &[String]) -> String {
    format!("{text:?} could be {}: type more of it.", short_list(moves))
}

/// `let` where the winner of the bid has to move, or did not win it.
pub fn must_move(player: Player) -> String {
    format!("{player} has to move now; let is for the winner of a bid, where the rules have it.")
}

/// A person's hidden bid was read.
pub fn has_bid(player: Player) -> String {
    format!("{player} has bid.")
}

/// An open bid that is now to be answered.
pub fn names_bid(player: Player, bid: u32) -> String {
    format!("{player} bids {bid}.")
}

/// What a player did, and the chips and star before and after.
pub struct Paid {
    /// Who won the bid.
    pub winner: Player,
    /// The hands before.
    pub before: [Holding; 2],
    /// The hands after.
    pub after: [Holding; 2],
}

impl Paid {
    fn words(&self) -> String {
        let (winner, other) = (self.winner, self.winner.other());
        let bid = self.before[winner as usize].chips() - self.after[winner as usize].chips();
        let given = self.after[other as usize].chips().saturating_sub(self.before[other as usize].chips());
        let bank = bid.saturating_sub(given);
        let paid = match (given, bank) {
            (0, 0) => format!("{winner} wins the bid for nothing"),
            (given, 0) => format!("{winner} wins the bid and pays {given} to {other}"),
            (0, bank) => format!("{winner} wins the bid and pays {bank} to the bank"),
            (given, bank) => format!("{winner} wins the bid and pays {bid}: {given} to {other}, {bank} to the bank"),
        };
        let new = Player::BOTH
            .into_iter()
            .find(|player| self.after[*player as usize].has_star() && !self.before[*player as usize].has_star());
        match new {
            Some(holder) => format!("{paid}; the star goes to {holder}."),
            None => format!("{paid}."),
        }
    }
}

/// Both bids are known; who won, or that it is for the star's holder to say.
pub fn revealed(bids: [Option<u32>; 2], paid: Option<&Paid>, holder: Player) -> String {
    let shown = match bids {
        [Some(alice), Some(bob)] if alice == bob => format!("Both bid {alice}, a tie."),
        [Some(alice), Some(bob)] => format!("Alice bids {alice}, Bob bids {bob}."),
        [Some(alice), None] => format!("Alice bids {alice}, Bob has no allowed bid."),
        [None, Some(bob)] => format!("Bob bids {bob}, Alice has no allowed bid."),
        [None, None] => "Nobody has an allowed bid.".to_string(),
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

/// The winner of the bid does not want to move.
pub fn lets(winner: Player) -> String {
    format!("{winner} lets {} move.", winner.other())
}

/// A move.
pub fn moves(player: Player, name: &str, leads: bool) -> String {
    format!("{player} moves {}{name}.", if leads { "to " } else { "" })
}

/// The end was chosen, or forced, by who cannot move.
pub fn cannot_move(player: Player) -> String {
    format!("{player} cannot move.")
}

/// How the match ended.
pub fn result(closed: Closed) -> String {
    match closed {
        Closed::Game(End::Win(player)) => format!("{player} has won!"),
        Closed::Game(End::Draw) => "The game is a draw.".to_string(),
        Closed::Game(End::Score(score)) => match closed.winner() {
            Some(player) => format!("The final score is {score}: {player} has the better of it."),
            None => "The final score is 0: a draw.".to_string(),
        },
        Closed::Resigned(player) => format!("{player} resigns: {} has won!", player.other()),
        Closed::Limit => "The limit on turns is reached: a draw.".to_string(),
        Closed::NoBids => "Neither player has an allowed bid left: a draw.".to_string(),
    }
}

/// A record was written.
pub fn saved(path: &str) -> String {
    format!("Saved to {path}.")
}

fn worth_words(player: Player, worth: Worth) -> String {
    let other = player.other();
    let moves = |rank: u32| if rank == 1 { "1 move".to_string() } else { format!("{rank} moves") };
    match worth {
        Worth::Won(Reverse(0)) => format!("{player} has won then."),
        Worth::Won(Reverse(rank)) => format!("{player} can force a win within {}.", moves(rank)),
        Worth::Held => format!("{player} can be sure of a draw."),
        Worth::Unsure => "Nothing is sure here.".to_string(),
        Worth::Lost(0) => format!("{other} has won then."),
        Worth::Lost(rank) => {
            format!("{other} can force a win within {}; this holds out longest.", moves(rank))
        }
        Worth::Score(score) => {
            let score = if player == Player::Alice { score } else { -score };
            format!("{player} can be sure of a final score of {score}.")
        }
    }
}

/// A hint for a bid.
pub fn hint_bids(player: Player, advice: Option<&Advice>, worth: Worth) -> String {
    let Some(advice) = advice else { return worth_words(player, worth) };
    let advised = crate::render::advised(player, advice, false);
    format!("Hint: {} {}", worth_words(player, worth), advised.trim())
}

/// A hint for a bid in a scoring game.
pub fn hint_score(player: Player, score: i64, bids: &[Option<u32>]) -> String {
    let bids: Vec<String> = bids.iter().flatten().map(u32::to_string).collect();
    let bids = if bids.is_empty() { "nothing".to_string() } else { bids.join(", ") };
    format!("Hint: {player} can be sure of a final score of {score}. {player}: bid {bids}")
}

/// A hint for another decision: the choices from which most can be forced.
pub fn hint(player: Player, best: &[Action], worth: Worth) -> String {
    let moves: Vec<String> = best
        .iter()
        .filter_map(|action| if let Action::Move(name) = action { Some(name.clone()) } else { None })
        .collect();
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
            Action::Bid(_) | Action::Move(_) | Action::Resign => {}
        }
    }
    format!("Hint: {} {player}: {}", worth_words(player, worth), what.join(", or "))
}

/// No hint, and why.
pub fn no_hint(reason: &str) -> String {
    format!("No hint here: {reason}")
}
