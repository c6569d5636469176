//! The parser of a player. Other values are read by every door alike, in
//! [`richman_analysis::parse`].

use richman_core::Player;

pub fn side(text: &str) -> Result<Player, String> {
    match text.to_lowercase().as_str() {
        "alice" | "a" => Ok(Player::Alice),
        "bob" | "b" => Ok(Player::Bob),
        _ => Err(format!("{text:?} is not a player: write alice or bob")),
    }
}
