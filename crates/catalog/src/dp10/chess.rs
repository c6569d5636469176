//! Section 1.2: a game of bidding chess whose printed colours and squares disagree.

use richman_analysis::Subject;
use richman_chess::board::ChessBoard;
use richman_core::{Player, Walk};

use super::super::{Finding, Session};
use crate::Error;

/// The printed moves.
const PRINTED: [(Player, &str); 6] = [
    (Player::Bob, "Nc6"),
    (Player::Alice, "e3"),
    (Player::Alice, "Bc4"),
    (Player::Alice, "Bxf7"),
    (Player::Bob, "Kxf7"),
    (Player::Bob, "Nf6"),
];

/// Plays the game with either player as White, while the moves are possible.
fn played(alice_is_white: bool) -> Result<(usize, Box<dyn Walk>), Error> {
    let mut walk = Subject::named("chess")?.walk(None)?;
    let mut possible = 0;
    for (player, name) in PRINTED {
        // The rules call White Alice.
        let mover = if alice_is_white { player } else { player.other() };
        if walk.play(mover, name).is_err() {
            break;
        }
        possible += 1;
    }
    Ok((possible, walk))
}

pub fn section_1_2(_: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("all moves printed, with either player as White");
    let (possible, walk) = played(true)?;
    for (at, (player, name)) in PRINTED.into_iter().enumerate() {
        finding.compare(|| format!("move {}: {player} {name}", at + 1), "possible", words(at < possible));
    }
    let (other_way, _) = played(false)?;
    let white = match (possible == PRINTED.len(), other_way == PRINTED.len()) {
        (true, false) => "Alice",
        (false, true) => "Bob",
        _ => "either or neither",
    };
    finding.compare(|| "White".to_string(), "Bob", white);
    // "moving her queen out to f3 to threaten his king", had Alice won the last bid.
    let before = played_before_last()?;
    finding.holds(attacks(before.as_ref())?.contains(&"Qf3".to_string()), || "Qf3 threatens the king".to_string());
    finding.compare(|| "the queen's threats at the end".to_string(), "Qh4", attacks(walk.as_ref())?.join(", "));
    Ok(finding)
}

fn words(possible: bool) -> &'static str {
    if possible { "possible" } else { "not possible" }
}

fn played_before_last() -> Result<Box<dyn Walk>, Error> {
    let mut walk = Subject::named("chess")?.walk(None)?;
    for (player, name) in &PRINTED[..PRINTED.len() - 1] {
        walk.play(*player, name)?;
    }
    Ok(walk)
}

/// The moves of Alice's queen that threaten to take the king.
fn attacks(walk: &dyn Walk) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    for name in walk.moves(Player::Alice).into_iter().filter(|name| name.starts_with('Q')) {
        let mut next = walk.boxed();
        next.play(Player::Alice, &name)?;
        if next.board::<ChessBoard>().is_some_and(|board| board.threatens_king(Player::Alice)) {
            found.push(name);
        }
    }
    Ok(found)
}
