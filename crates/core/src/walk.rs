//! A game walked move by move, without unfolding.

use std::any::Any;
use std::sync::Arc;

use crate::{Aim, ArenaSize, Effort, Error, Game, Mark, Playable, Player, Priority, Scene, Unfolding, WinLose, unfold};

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// That player won.
    Win(Player),
    /// Nobody won.
    Draw,
    /// A scoring game ended with this score for Alice.
    Score(i64),
}

/// A position from which moves can be played.
pub trait Walk: Send + Sync {
    /// The name of the game with its parameters.
    fn game(&self) -> String;
    /// The objective of the game.
    fn aim(&self) -> Aim;
    /// The start of the game, in its notation.
    fn start(&self) -> String;
    /// For a game outside the list: its description of itself.
    fn description(&self) -> Option<String>;
    /// The position in the game's notation.
    fn notation(&self) -> String;
    /// The position drawn as text.
    fn picture(&self) -> String;
    /// The position as a drawing, if the game has one.
    fn scene(&self) -> Option<Scene>;
    /// The drawing with that player's side below, if the game has sides that face each other; else
    /// [`Walk::scene`].
    fn scene_for(&self, below: Player) -> Option<Scene>;
    /// For each of [`Walk::moves`], the places of the scene to click, in order; empty if only its
    /// name selects it.
    fn pointing(&self, player: Player) -> Vec<Vec<String>>;
    /// The places to press for setting a position up by hand, drawn over the scene, each with the
    /// position after it, in the game's notation. Empty if positions can only be typed.
    fn set_up(&self) -> Vec<(Mark, String)>;
    /// The board of the position, if the game has one for engines and computer players.
    fn structure(&self) -> Option<Structure>;
    /// A quick estimate of the arena reachable from here, counting at most `most` positions; `None`
    /// if unknown.
    fn about_arena(&self, most: u64) -> Option<ArenaSize>;
    /// The player who moves here without a bid; `None` where both bid, and at an end.
    fn owner(&self) -> Option<Player>;
    /// The priority of the position, in a parity game that goes on.
    fn priority(&self) -> Option<Priority>;
    /// Alice's lead by a measure without lookahead: the score so far, or piece values.
    fn lead(&self) -> i64;
    /// How the game ended here, or `None` if it goes on.
    fn end(&self) -> Option<End>;
    /// The moves of `player`, each name once, in the game's order; none at an end or if stuck.
    fn moves(&self, player: Player) -> Vec<String>;
    /// Each of [`Walk::moves`] with the position after it, in time proportional to their number.
    fn after_moves(&self, player: Player) -> Vec<(String, Box<dyn Walk>)>;
    /// Makes a move; if there is no such move, the position does not change.
    ///
    /// # Errors
    /// [`Error::NotAMove`] if there is no such move.
    fn play(&mut self, player: Player, name: &str) -> Result<(), Error>;
    /// How a scoring game ends if `player` is to move and cannot; `None` if they can.
    fn stuck(&self, player: Player) -> Option<End>;
    /// The score so far, if this is a scoring game.
    fn score(&self) -> Option<i64>;
    /// The sum of the weights of all moves so far; 0 without weights.
    fn weights(&self) -> i64;
    /// Bytes held by the rules, which clones share.
    fn bytes(&self) -> u64;
    /// The most moves of a player at any position of a game file; `None` for rules that are code.
    fn most_moves(&self) -> Option<usize>;
    /// A clone of the position.
    fn boxed(&self) -> Box<dyn Walk>;
}

/// The board of a position, in a type known to its engine.
pub struct Structure(Box<dyn Any>);

crate::debug_by_name!(Structure {});

impl Structure {
    /// Wraps a board.
    pub fn new<Board: Any>(board: Board) -> Structure {
        Structure(Box::new(board))
    }

    /// The board, if it has that type.
    pub fn into_board<Board: Any>(self) -> Option<Board> {
        self.0.downcast().ok().map(|board| *board)
    }
}

impl dyn Walk + '_ {
    /// The position as a board of that type, if it is one.
    pub fn board<Board: Any>(&self) -> Option<Board> {
        self.structure()?.into_board()
    }

    /// Whether surely more than `positions` positions can follow, by a quick estimate.
    pub fn is_surely_larger(&self, positions: u64) -> bool {
        const WIDEST_MARGIN: u64 = 1 << 20;
        let about = self.about_arena(positions.saturating_mul(WIDEST_MARGIN).saturating_add(1));
        about.is_some_and(|arena| arena.positions / arena.margin > positions)
    }
}

impl Clone for Box<dyn Walk> {
    fn clone(&self) -> Box<dyn Walk> {
        self.boxed()
    }
}

/// A game, the current position and the score so far. Clones share the rules.
#[derive(Clone)]
pub struct Walker<G: Game<L>, L: Playable = WinLose> {
    game: Arc<G>,
    position: G::Position,
    score: i64,
}

crate::debug_by_name!([G: Game<L>, L: Playable] Walker<G, L> {});

impl<L: Playable, G: Game<L>> Walker<G, L> {
    /// `game` at `position`, with nothing scored yet.
    pub fn new(game: G, position: G::Position) -> Walker<G, L> {
        Walker { game: Arc::new(game), position, score: 0 }
    }

    fn named(&self, player: Player) -> NamedMoves<G::Position, L::Move> {
        let (mut next, mut labels) = (Vec::new(), Vec::new());
        if self.game.terminal(&self.position).is_none() {
            self.game.moves(&self.position, player, &mut next);
            self.game.labels(&self.position, player, next.len(), &mut labels);
        }
        let names = self.game.move_names(&self.position, &next, player);
        once_each(names.into_iter().zip(next.into_iter().zip(labels)))
    }

    /// The label of the position, unless play has ended.
    fn label(&self) -> Option<L::Position> {
        let has_ended = self.game.terminal(&self.position).is_some();
        (!has_ended).then(|| self.game.label(&self.position))
    }

    fn moved(&self, to: G::Position, label: L::Move) -> Walker<G, L> {
        let score = self.score.saturating_add(L::weight(label));
        Walker { game: Arc::clone(&self.game), position: to, score }
    }
}

/// Moves by name, with their targets and labels.
type NamedMoves<P, M> = Vec<(String, (P, M))>;

fn once_each<T>(moves: impl Iterator<Item = (String, T)>) -> Vec<(String, T)> {
    let mut seen = std::collections::HashSet::new();
    moves.filter(|(name, _)| seen.insert(name.clone())).collect()
}

fn not_a_move(player: Player, name: &str, moves: Vec<String>) -> Error {
    const SHOWN: usize = 24;
    let more = if moves.len() > SHOWN { ", ..." } else { "" };
    let moves = format!("{}{more}", moves[..moves.len().min(SHOWN)].join(", "));
    Error::NotAMove { player, text: crate::error::excerpt(name), moves }
}

impl<L: Playable, G: Game<L> + Clone + 'static> Walk for Walker<G, L> {
    fn game(&self) -> String {
        self.game.name()
    }

    fn aim(&self) -> Aim {
        L::AIM
    }

    fn start(&self) -> String {
        self.game.notation(&self.game.start())
    }

    fn description(&self) -> Option<String> {
        self.game.description()
    }

    fn notation(&self) -> String {
        self.game.notation(&self.position)
    }

    fn picture(&self) -> String {
        self.game.picture(&self.position)
    }

    fn structure(&self) -> Option<Structure> {
        self.game.structure(&self.position)
    }

    fn about_arena(&self, most: u64) -> Option<ArenaSize> {
        let moment = Effort { positions: 500, memory: 4 << 20, ..Effort::default() };
        if let Some(about) = self.game.about_arena(&self.position, most) {
            return Some(about);
        }
        let all = unfold((*self.game).clone(), self.position.clone(), &moment).ok();
        let (positions, longest_play, margin) = match all.as_ref().map(Unfolding::arena) {
            Some(arena) => (arena.len() as u64, arena.is_acyclic().then_some(arena.len() as u64), 1),
            None => (self.game.perfect_index()?.size(), None, 64), // it has no large gaps
        };
        Some(ArenaSize { positions: positions.min(most), longest_play, margin })
    }

    fn owner(&self) -> Option<Player> {
        self.label().and_then(L::owner)
    }

    fn priority(&self) -> Option<Priority> {
        self.label().and_then(L::priority)
    }

    fn lead(&self) -> i64 {
        self.score.saturating_add(self.game.lead(&self.position))
    }

    fn scene(&self) -> Option<Scene> {
        self.game.scene(&self.position)
    }

    fn scene_for(&self, below: Player) -> Option<Scene> {
        self.game.scene_for(&self.position, below)
    }

    fn pointing(&self, player: Player) -> Vec<Vec<String>> {
        self.named(player).iter().map(|(_, (to, _))| self.game.pointing(&self.position, to, player)).collect()
    }

    fn set_up(&self) -> Vec<(Mark, String)> {
        let written = |(mark, to)| (mark, self.game.notation(&to));
        self.game.set_up(&self.position).into_iter().map(written).collect()
    }

    fn end(&self) -> Option<End> {
        self.game.terminal(&self.position).map(|end| L::end(self.score, end))
    }

    fn moves(&self, player: Player) -> Vec<String> {
        self.named(player).into_iter().map(|(name, _)| name).collect()
    }

    fn after_moves(&self, player: Player) -> Vec<(String, Box<dyn Walk>)> {
        let after = |(name, (to, label))| (name, Box::new(self.moved(to, label)) as Box<dyn Walk>);
        self.named(player).into_iter().map(after).collect()
    }

    fn play(&mut self, player: Player, name: &str) -> Result<(), Error> {
        match self.named(player).into_iter().find(|(known, _)| known == name) {
            Some((_, (to, label))) => {
                *self = self.moved(to, label);
                Ok(())
            }
            None => Err(not_a_move(player, name, self.moves(player))),
        }
    }

    fn stuck(&self, player: Player) -> Option<End> {
        let end = L::stuck(self.score, self.game.label(&self.position), player);
        end.filter(|_| self.end().is_none() && self.named(player).is_empty())
    }

    fn score(&self) -> Option<i64> {
        L::FACTS.counts_points.then_some(self.score)
    }

    fn weights(&self) -> i64 {
        self.score
    }

    fn bytes(&self) -> u64 {
        self.game.bytes()
    }

    fn most_moves(&self) -> Option<usize> {
        self.game.most_moves()
    }

    fn boxed(&self) -> Box<dyn Walk> {
        Box::new(self.clone())
    }
}
