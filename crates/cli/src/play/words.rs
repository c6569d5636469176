//! The text for people who type; all interfaces share [`richman_render::words`]. It is plain:
//! colours are added later, and only on a terminal.

use std::path::Path;

use richman_analysis::GameInfo;
use richman_core::{Aim, ByPlayer, Mechanism, Player, Priority};
use richman_play::{Decision, Match, TurnStage};
use richman_render::reports::parts::ranges;
use richman_render::words::short_list;

use super::Controller;

/// The commands under the rules of the match.
pub fn help(mechanism: &Mechanism) -> String {
    let decides_ties = mechanism.ties.holder_decides();
    let mut lines = vec![if decides_ties {
        "a number          your bid; 3* bids 3 and uses the star if it is a tie"
    } else {
        "a number          your bid"
    }];
    lines.push("a move            as listed; capitals do not matter, and the beginning is enough where it is clear");
    if mechanism.right.may_let() {
        lines.push("let               let the other player move, after winning the bid");
    }
    if decides_ties {
        lines.push("star, keep        use the star in a tie, or keep it; y and n do as well");
    }
    lines.push(HELP);
    lines.join("\n")
}

/// The commands under all rules.
const HELP: &str = "\
moves             all moves that each player could make
hint              advice from the solution of the game, or from the best player
undo              back to the start of your last turn, against the computer
board, rules      show them again
save FILE         write the match to a file, as a record
resign, quit      give up, or leave without a result
review            after the end: what was decided where
again             after the end: another match
Write a slash before a command (/undo) where a move has the same name.";

/// The commands after the end.
pub const AFTER: &str = "Type review, save FILE, undo or again; Enter leaves.";
pub const AFTER_PROMPT: &str = "review, save, again or Enter: ";
pub const INPUT_ENDED: &str = "The input has ended; the match is left unfinished.";
pub const LEFT: &str = "The match is left unfinished.";
/// After Ctrl-C.
pub const STOPPED: &str = "Stopped; the match is left unfinished.";
/// An empty line at a prompt.
pub const EMPTY: &str = "Type something; help lists the commands.";
pub const NOTHING_TO_UNDO: &str = "There is nothing to undo yet.";
/// Undo between two people.
pub const NO_UNDO: &str = "Undo is for matches against the computer: both of you have seen what was bid.";
pub const UNDONE: &str = "Taken back.";
/// A command that must wait for the end.
pub const NOT_OVER: &str = "That is possible after the end; resign ends the match.";
/// An action after the end.
pub const IS_OVER: &str = "The match is over. Type review, save FILE, undo, again or quit.";
/// An unclear answer about the star.
pub const STAR_ANSWERS: &str = "Type y (or star) to use the star, n (or keep) to keep it.";
pub const NOT_SAVED: &str = "Nothing was saved: the file is as it was.";
pub const SAVE_WHERE: &str = "Say where: save FILE, such as save match.txt.";

/// The player's name with their letter and role.
fn called(player: Player, sides: &ByPlayer<Controller>) -> String {
    let letter = if player == Player::Alice { 'A' } else { 'B' };
    match &sides[player] {
        Controller::Person if sides[player.other()].is_person() => format!("{player} ({letter})"),
        Controller::Person => format!("{player} ({letter}, you)"),
        Controller::Computer(..) => format!("{player} ({letter}, computer)"),
    }
}

/// The first screen: the game, the players, three lines of rules, the commands.
pub fn welcome(game: &Match, info: Option<&GameInfo>, sides: &ByPlayer<Controller>) -> String {
    let name = game.walk().game();
    let mut lines = vec![match info {
        Some(info) => format!("{name}: {}.", info.summary()),
        None => match game.walk().description() {
            Some(description) => format!("{name}: {}.", description.trim_end_matches('.')),
            None => format!("{name}."),
        },
    }];
    let person = Player::BOTH.into_iter().find(|player| sides[*player].is_person());
    lines.push(match (person, person.map(|person| &sides[person.other()])) {
        (Some(person), Some(Controller::Computer(_, name))) => {
            format!("You are {person}. {} is the computer, level {name}.", person.other())
        }
        _ => "Alice and Bob share this keyboard.".to_string(),
    });
    if let Some(limit) = game.rules().limit {
        lines.push(richman_render::words::limit(limit, game.walk().aim()));
    }
    lines.extend(rules(&game.rules().mechanism, game.walk().aim()));
    lines.extend(info.map(|info| info.rules.to_string()).filter(|rules| !rules.is_empty()));
    lines.push("Type a bid or a move when asked; help lists the other commands.".to_string());
    lines.join("\n")
}

/// The rules of bidding, in three lines.
pub fn rules(mechanism: &Mechanism, aim: Aim) -> [String; 3] {
    let [bids, right, ties] = richman_render::words::rules(mechanism, aim);
    let right = right.replacen("lets the other player move", "lets the other player move (type let)", 1);
    [format!("1. {bids}"), format!("2. {right}"), format!("3. {ties}")]
}

/// The position and the chips in one line, if nothing is drawn.
pub fn status_line(game: &Match) -> String {
    let ByPlayer { alice, bob } = game.hands();
    let turn = match game.closed() {
        None => format!("turn {}", game.turns().len() + 1),
        Some(_) => "end".to_string(),
    };
    let position = game.walk().notation();
    format!("{turn}: position {position}; Alice {alice}, Bob {bob}{}{}", bank(game), score(game))
}

/// The drawn chips, a line for each player.
pub fn chips(game: &Match, sides: &ByPlayer<Controller>) -> String {
    const DRAWN: u32 = 24;
    let hands = game.hands();
    let names = ByPlayer::from_fn(|player| called(player, sides));
    let width = names.iter().map(String::len).max().unwrap_or(0);
    let line = |player: Player| {
        let hand = hands[player];
        let name = &names[player];
        let drawn = if hand.chips() > DRAWN { 0 } else { hand.chips() };
        let (chips, space) = ("●".repeat(drawn as usize), if drawn > 0 { " " } else { "" });
        format!("{name:width$}  {chips}{space}{hand}")
    };
    format!("{}\n{}", line(Player::Alice), line(Player::Bob))
}

/// The number of the turn, the bank and the score, for drawn positions.
pub fn turn(game: &Match) -> String {
    format!("Turn {}{}{}", game.turns().len() + 1, bank(game), score(game))
}

pub fn position(notation: &str) -> String {
    format!("Position {notation}")
}

fn bank(game: &Match) -> String {
    if game.rules().mechanism.has_bank() { format!("; bank {}", game.bank()) } else { String::new() }
}

/// The score so far; the priority of the position; the average so far.
fn score(game: &Match) -> String {
    let score = game.walk().score().map(|score| format!("; score {score}"));
    let priority = game.walk().priority().map(|Priority(priority)| format!("; priority {priority}"));
    let average = game.so_far().and_then(|so_far| so_far.average).map(|average| format!("; average so far {average}"));
    [score, priority, average].into_iter().flatten().collect()
}

pub fn moves(player: Player, moves: &[String]) -> String {
    if moves.is_empty() { format!("{player} has no move.") } else { format!("{player}: {}", moves.join(", ")) }
}

/// A prompt for `what`, with the player's name unless one person plays alone.
fn asked(player: Player, alone: bool, what: &str) -> String {
    if alone { format!("Your {what}: ") } else { format!("{player}, your {what}: ") }
}

pub fn prompt(game: &Match, player: Player, decision: Decision, alone: bool, hidden: bool) -> String {
    match decision {
        Decision::Bid => {
            let note = if hidden { "; it is not shown" } else { "" };
            asked(player, alone, &format!("bid ({}{note})", ranges(&game.allowed_bids(player))))
        }
        Decision::Star { bid } => {
            let who = if alone { String::new() } else { format!("{player}: ") };
            format!("{who}Use the star to win this tie at {bid}? (y/n) ")
        }
        Decision::Move { may_let } => {
            let moves = game.walk().moves(player);
            if moves.is_empty() {
                let who = if alone { "You".to_string() } else { player.to_string() };
                return format!("{who} cannot move. let {} move, or end the game? (let/end) ", player.other());
            }
            let or_let = if may_let { ", or let" } else { "" };
            let has_bids = !matches!(game.view(None).stage, TurnStage::MovingAlone(_));
            let without = if has_bids { "" } else { " without a bid" };
            asked(player, alone, &format!("move{without} ({}{or_let})", listed(game, player, &moves)))
        }
    }
}

/// A short list of the moves, after `to` if they are named by their destinations.
fn listed(game: &Match, player: Player, moves: &[String]) -> String {
    let leads = |name: &String| {
        let mut walk = game.walk().boxed();
        walk.play(player, name).is_ok() && walk.notation() == *name
    };
    let to = if moves.iter().all(leads) { "to " } else { "" };
    format!("{to}{}", short_list(moves))
}

pub fn not_a_bid(text: &str) -> String {
    format!("{text:?} is not a bid: type a whole number of chips, such as 2; help lists the commands.")
}

/// A bid with the star that the player cannot use.
pub fn no_star_to_bid(player: Player) -> String {
    format!("{player} has no star to use in a tie: type the number alone.")
}

pub fn not_a_move(text: &str, moves: &[String]) -> String {
    format!("{text:?} is not a move here: type one of {}; help lists the commands.", short_list(moves))
}

/// A text that begins several moves.
pub fn ambiguous(text: &str, moves: &[String]) -> String {
    format!("{text:?} could be {}: type more of it.", short_list(moves))
}

/// `let` by a player who has to move or did not win the bid.
pub fn must_move(player: Player) -> String {
    format!("{player} has to move now; let is for the winner of a bid, where the rules have it.")
}

pub fn saved(path: &Path) -> String {
    format!("Saved to {}.", path.display())
}

pub fn replaces(path: &Path) -> String {
    format!("{} exists. Replace it? (y/n) ", path.display())
}

pub fn no_hint(reason: &str) -> String {
    format!("No hint here: {reason}")
}
