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
//! | `dots`, `movable` | dots on empty places to point at, rings around others and around pieces to move |
//! | `target` | after a place where a piece can go: shown after `next`, which the page sets once a piece is chosen |
//! | `marked` | the places of the moves to show as good, and the rings around them: `ring-alice`, `ring-bob` |
//! | `heat`, `heat-0` to `heat-9`, `heat-text` | places coloured by a quantity, and the number written there |
//! | `fresh`, `newest` | the pieces that the last move placed, and the rings on them |
//! | `went`, `left` | the places where the last move put something, and from where it took something |
//! | `falls` | a piece behind a board with holes: it falls into place |
//! | `moving` | set by the page, on the picture or around it, where `fresh` pieces should arrive before one's eyes |

mod diagram;
mod draw;
mod last;
mod pointing;
mod shapes;

use richman_core::{MarkRole, Player, Scene, Walk};

/// A style sheet for boards, light or dark as the reader prefers.
pub const STYLE: &str = include_str!("board/board.css");

/// What to show in addition to the position.
#[derive(Clone, Copy, Default)]
pub struct BoardOptions<'a> {
    /// The player whose moves can be pointed at.
    pub mover: Option<Player>,
    /// The player whose side is below, in games whose sides face each other; Alice if nobody is
    /// named.
    pub below: Option<Player>,
    /// Good moves to show: the player and the move's name.
    pub marked: &'a [(Player, String)],
    /// The position before the last move, to highlight what that move changed.
    pub last: Option<&'a dyn Walk>,
    /// Places with a colour and a number.
    pub heat: &'a [Heat],
    /// Whether the position is being set up: the places are exactly those of [`Walk::set_up`].
    pub set_up: bool,
}

richman_core::debug_by_name!(BoardOptions<'_> {});

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
    scene_of(walk, options).unwrap_or_else(|| diagram::scene(walk, options.marked))
}

fn scene_of(walk: &dyn Walk, options: &BoardOptions) -> Option<Scene> {
    options.below.map_or_else(|| walk.scene(), |below| walk.scene_for(below))
}

fn class(look: MarkRole) -> &'static str {
    match look {
        MarkRole::Board => "look-board",
        MarkRole::Field => "look-field",
        MarkRole::LightField => "look-light-field",
        MarkRole::DarkField => "look-dark-field",
        MarkRole::Of(Player::Alice) => "look-alice",
        MarkRole::Of(Player::Bob) => "look-bob",
        MarkRole::Side(Player::Alice) => "look-side-alice",
        MarkRole::Side(Player::Bob) => "look-side-bob",
        MarkRole::Figure(Player::Alice) => "look-figure-alice",
        MarkRole::Figure(Player::Bob) => "look-figure-bob",
        MarkRole::FigureLine(Player::Alice) => "look-line-alice",
        MarkRole::FigureLine(Player::Bob) => "look-line-bob",
        MarkRole::Neutral => "look-neutral",
        MarkRole::Block => "look-block",
        MarkRole::Track => "look-track",
        MarkRole::Won(Player::Alice) => "look-won-alice",
        MarkRole::Won(Player::Bob) => "look-won-bob",
        MarkRole::Guide => "look-guide",
        MarkRole::FieldName => "look-name",
        MarkRole::Clear => "look-clear",
    }
}

#[cfg(test)]
mod tests;
