//! Positions as SVG: the game's own scene, or where it has none a diagram of the position and its moves.
//!
//! Every colour is a class, so that the style sheet of a page decides; [`STYLE`] is one that works on its own.
//!
//! | class | what has it |
//! | --- | --- |
//! | `board` | the picture |
//! | `look-...` | everything drawn, by its [`Look`]: `look-field`, `look-alice`, `look-side-bob`, ... |
//! | `letter` | the letter on a disc of a player, for readers who do not see its colour |
//! | `place` | what has a name in the attribute `data-place`; `open` where a move of the mover points at it |
//! | `marked` | the places of the moves to show as good, and the rings around them: `ring-alice`, `ring-bob` |
//! | `heat`, `heat-0` to `heat-9`, `heat-text` | places coloured by how much they have of something, and the number written there |
//! | `fresh` | the pieces that the last move put where they are |

mod diagram;
mod draw;

use richman_core::{Look, Player, Scene, Walk};

/// A style sheet for boards: light, and dark where that is preferred.
pub const STYLE: &str = include_str!("board/board.css");

/// What a board is to show beside the position.
#[derive(Clone, Copy, Default)]
pub struct BoardOptions<'a> {
    /// Whose moves can be pointed at; nobody's where it is `None`.
    pub mover: Option<Player>,
    /// Moves to show as good ones: who makes them, and what they are called.
    pub marked: &'a [(Player, String)],
    /// The position before the last move, where what it changed is to be shown.
    pub last: Option<&'a dyn Walk>,
    /// Places with a colour and a number of their own.
    pub heat: &'a [Heat],
}

/// The colour of a place by how much of something it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heat {
    /// The place.
    pub place: String,
    /// How much, from 0 to [`Heat::MOST`].
    pub level: u8,
    /// What is written there.
    pub text: String,
    /// The same in words.
    pub label: String,
}

impl Heat {
    /// The highest level.
    pub const MOST: u8 = 9;
}

/// The position as SVG inside a page, without colours of its own. It takes the width it is given.
///
/// Places that `mover` can point at are buttons for keyboards and screen readers, and carry their names as `data-place`; [`places`] says
/// which move points at which. Nothing happens by itself: that is for the page.
///
/// ```
/// use richman_core::Player;
/// use richman_render::board::{BoardOptions, svg};
///
/// let game = richman_analysis::Subject::named("tic-tac-toe")?;
/// let options = BoardOptions { mover: Some(Player::Alice), ..BoardOptions::default() };
/// let board = svg(game.walk(Some("A.B/.A./..."))?.as_ref(), &options);
/// assert!(board.contains(r#"aria-label="b1, empty""#) && board.contains(r#"data-place="b1""#));
/// # Ok::<(), richman_analysis::Error>(())
/// ```
pub fn svg(walk: &dyn Walk, options: &BoardOptions) -> String {
    draw::document(walk, options).to_string()
}

/// The position as SVG for a file, with [`STYLE`] in it.
pub fn standalone_svg(walk: &dyn Walk, options: &BoardOptions) -> String {
    format!("{}\n", draw::with_style(draw::document(walk, options)))
}

/// The places to point at, in this order, for every move of `player`, in the order of [`Walk::moves`]: those of the game's scene, or of the
/// diagram that [`svg()`] draws in place of one. Empty for a move that can only be chosen by its name. Of many moves the diagram shows some,
/// so that places of the others are not drawn.
pub fn places(walk: &dyn Walk, player: Player) -> Vec<Vec<String>> {
    if walk.scene().is_some() {
        return walk.pointing(player);
    }
    (0..walk.moves(player).len()).map(|number| vec![diagram::place(player, number)]).collect()
}

/// What is drawn of a position.
fn scene(walk: &dyn Walk, options: &BoardOptions) -> Scene {
    walk.scene().unwrap_or_else(|| diagram::scene(walk, options.marked))
}

/// The class for what a mark means.
fn class(look: Look) -> &'static str {
    match look {
        Look::Board => "look-board",
        Look::Field => "look-field",
        Look::DarkField => "look-dark-field",
        Look::Of(Player::Alice) => "look-alice",
        Look::Of(Player::Bob) => "look-bob",
        Look::Side(Player::Alice) => "look-side-alice",
        Look::Side(Player::Bob) => "look-side-bob",
        Look::Neutral => "look-neutral",
        Look::Guide => "look-guide",
        Look::Clear => "look-clear",
    }
}

#[cfg(test)]
mod tests;
