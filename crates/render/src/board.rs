//! Positions as SVG: the game's own scene, or else a diagram of the position and its moves.
//!
//! Colours are CSS classes for the page's style sheet; [`STYLE`] works on its own.
//!
//! | class | marks |
//! | --- | --- |
//! | `board` | the picture |
//! | `look-...` | every drawn element, by its [`MarkRole`]: `look-field`, `look-alice`, `look-side-bob`, ... |
//! | `letter` | the letter on a player's disc, for readers who do not see its colour |
//! | `place` | an element named by the attribute `data-place`; `open` if a move of the mover points at it |
//! | `marked` | the places of the moves to show as good, and the rings around them: `ring-alice`, `ring-bob` |
//! | `heat`, `heat-0` to `heat-9`, `heat-text` | places coloured by a quantity, and the number written there |
//! | `fresh` | the pieces that the last move placed |

mod diagram;
mod draw;

use richman_core::{MarkRole, Player, Scene, Walk};

/// A style sheet for boards, light or dark as the reader prefers.
pub const STYLE: &str = include_str!("board/board.css");

/// What to show besides the position.
#[derive(Clone, Copy, Default)]
pub struct BoardOptions<'a> {
    /// The player whose moves can be pointed at.
    pub mover: Option<Player>,
    /// Good moves to show: the player and the move's name.
    pub marked: &'a [(Player, String)],
    /// The position before the last move, to highlight what that move changed.
    pub last: Option<&'a dyn Walk>,
    /// Places with a colour and a number.
    pub heat: &'a [Heat],
}

/// A place coloured by a quantity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heat {
    /// The place.
    pub place: String,
    /// The quantity, from 0 to [`Heat::MOST`].
    pub level: u8,
    /// The text written there.
    pub text: String,
    /// The text in words.
    pub label: String,
}

impl Heat {
    /// The highest level.
    pub const MOST: u8 = 9;
}

/// The position as SVG for embedding in a page, without colours or size.
///
/// Places that `mover` can point at are buttons for keyboards and screen readers, and carry their
/// names as `data-place`; [`places`] maps moves to places. The page must supply the behaviour.
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

/// The position as an SVG file, with [`STYLE`] embedded.
pub fn standalone_svg(walk: &dyn Walk, options: &BoardOptions) -> String {
    format!("{}\n", draw::with_style(draw::document(walk, options)))
}

/// For every move of `player`, in the order of [`Walk::moves`]: the places to point at, in order.
/// They belong to the game's scene, or to the diagram that [`svg()`] draws instead. A move that can
/// only be chosen by name has none. The diagram draws only some of many moves; places of the others
/// are listed all the same.
pub fn places(walk: &dyn Walk, player: Player) -> Vec<Vec<String>> {
    if walk.scene().is_some() {
        return walk.pointing(player);
    }
    (0..walk.moves(player).len()).map(|number| vec![diagram::place(player, number)]).collect()
}

fn scene(walk: &dyn Walk, options: &BoardOptions) -> Scene {
    walk.scene().unwrap_or_else(|| diagram::scene(walk, options.marked))
}

fn class(look: MarkRole) -> &'static str {
    match look {
        MarkRole::Board => "look-board",
        MarkRole::Field => "look-field",
        MarkRole::DarkField => "look-dark-field",
        MarkRole::Of(Player::Alice) => "look-alice",
        MarkRole::Of(Player::Bob) => "look-bob",
        MarkRole::Side(Player::Alice) => "look-side-alice",
        MarkRole::Side(Player::Bob) => "look-side-bob",
        MarkRole::Neutral => "look-neutral",
        MarkRole::Guide => "look-guide",
        MarkRole::Clear => "look-clear",
    }
}

#[cfg(test)]
mod tests;
