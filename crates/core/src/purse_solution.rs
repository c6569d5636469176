//! Solutions that depend on both purses, because money goes to the bank or more chips can hurt.

use std::ops::RangeInclusive;

use crate::groups::Groups;
use crate::{Arena, ByPlayer, Forces, Holding, Mechanism, Node, Player, Rank, StopReason};

/// The set of purses that a solution covers. Play never leaves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purses {
    /// Each player has at most this many chips; nobody is ever paid.
    UpTo {
        /// Alice's maximum.
        alice: u32,
        /// Bob's maximum.
        bob: u32,
    },
    /// Both players together have at most this many chips.
    Together(u32),
    /// Both players together have exactly this many chips.
    Exactly(u32),
}

impl Purses {
    /// The most chips of `player`.
    pub fn most(self, player: Player) -> u32 {
        match (self, player) {
            (Purses::UpTo { alice, .. }, Player::Alice) => alice,
            (Purses::UpTo { bob, .. }, Player::Bob) => bob,
            (Purses::Together(total) | Purses::Exactly(total), _) => total,
        }
    }

    /// The possible chips of `player` against `other` chips of the opponent; empty if impossible.
    pub fn against(self, player: Player, other: u32) -> RangeInclusive<u32> {
        match self {
            Purses::UpTo { .. } => 0..=self.most(player),
            Purses::Together(total) if other <= total => 0..=total - other,
            Purses::Exactly(total) if other <= total => total - other..=total - other,
            #[expect(clippy::reversed_empty_ranges, reason = "no purse is possible")]
            Purses::Together(_) | Purses::Exactly(_) => 1..=0,
        }
    }

    /// Whether the set contains these purses.
    pub fn contain(self, alice: u32, bob: u32) -> bool {
        bob <= self.most(Player::Bob) && self.against(Player::Alice, bob).contains(&alice)
    }
}

/// The least sufficient chips for some number of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PurseStage {
    /// The number of moves.
    pub within: u32,
    /// The least chips; [`PurseSide::NEVER`] if no purse suffices.
    pub least: u32,
}

/// A cell of a [`PurseSide`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PurseCell {
    /// The position.
    pub node: Node,
    /// Whether the player holds the star; false if there is no star.
    pub star: bool,
    /// The opponent's chips.
    pub other: u32,
}

/// What one player can force at every position, against every purse, with and without the star.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurseSide {
    positions: usize,
    /// One more than the most chips of the opponent.
    columns: u32,
    /// 2, or 1 if there is no star.
    stars: u32,
    /// The stages of each cell; empty if no cell has any.
    stages: Groups<PurseStage>,
}

impl PurseSide {
    /// More than any purse.
    pub const NEVER: u32 = u32::MAX;

    /// A side for `positions` positions and up to `most` chips of the opponent. The log lists every
    /// change of a value in order of moves. Cells out of range are ignored; an empty log allocates
    /// nothing.
    pub fn from_log(positions: usize, has_star: bool, most: u32, log: &[(PurseCell, PurseStage)]) -> PurseSide {
        const BLANK: PurseStage = PurseStage { within: 0, least: 0 };
        let (columns, stars) = (most + 1, if has_star { 2 } else { 1 });
        let none = Groups::of(0, BLANK, std::iter::empty);
        let mut side = PurseSide { positions, columns, stars, stages: none };
        if !log.is_empty() {
            let cells = positions * stars as usize * columns as usize;
            let indexed = |&(cell, stage)| Some((side.index(cell).filter(|&at| at < cells)?, stage));
            side.stages = Groups::of(cells, BLANK, || log.iter().filter_map(indexed));
        }
        side
    }

    fn index(&self, cell: PurseCell) -> Option<usize> {
        if cell.other >= self.columns || u32::from(cell.star) >= self.stars {
            return None;
        }
        let row = cell.node as usize * self.stars as usize + usize::from(cell.star);
        Some(row * self.columns as usize + cell.other as usize)
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.positions
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// About how many bytes are held.
    pub fn bytes(&self) -> u64 {
        self.stages.bytes()
    }

    /// The number of stages of all cells.
    pub fn stage_count(&self) -> usize {
        self.stages.value_count()
    }

    /// The most chips of the opponent.
    pub fn most_other(&self) -> u32 {
        self.columns - 1
    }

    /// Whether cells differ by the star.
    pub fn has_star(&self) -> bool {
        self.stars == 2
    }

    /// The cells of a position, in order.
    pub fn cells(&self, node: Node) -> impl Iterator<Item = PurseCell> + use<> {
        let (stars, columns) = (self.stars, self.columns);
        (0..stars).flat_map(move |star| (0..columns).map(move |other| PurseCell { node, star: star == 1, other }))
    }

    /// How the least sufficient chips change as more moves are allowed.
    pub fn stages(&self, cell: PurseCell) -> &[PurseStage] {
        self.index(cell).map_or(&[], |at| self.stages.get(at))
    }

    /// The least chips that force a win; [`PurseSide::NEVER`] if none do.
    pub fn least(&self, cell: PurseCell) -> u32 {
        self.stages(cell).last().map_or(PurseSide::NEVER, |stage| stage.least)
    }

    /// The fewest moves in which `own` chips force a win, if they can.
    pub fn rank(&self, cell: PurseCell, own: u32) -> Option<Rank> {
        self.stages(cell).iter().find(|stage| stage.least <= own).map(|stage| stage.within)
    }
}

/// What each player can force with every purse of a set, at every position of an arena.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurseSolution {
    /// How bids are made, won and paid.
    pub mechanism: Mechanism,
    /// The purses.
    pub purses: Purses,
    /// What each player can force, in that player's own chips against the other's.
    pub wins: ByPlayer<PurseSide>,
    /// What each player needs to force at least a draw. Stages rise; before the first, nothing is
    /// needed. `None` if play is determined: a player then draws where the other cannot win.
    pub guards: Option<ByPlayer<PurseSide>>,
    /// Why the solver stopped.
    pub stop: StopReason,
}

impl PurseSolution {
    /// Both sides, and the guards if any.
    pub fn sides(&self) -> impl Iterator<Item = &PurseSide> {
        self.wins.iter().chain(self.guards.iter().flat_map(ByPlayer::iter))
    }

    /// Whether the arena has the same number of positions.
    pub fn fits(&self, arena: &Arena) -> bool {
        self.sides().all(|side| side.len() == arena.len())
    }

    /// Whether `player` wins with `own` chips (and the star if `star`) against `other`.
    pub fn wins(&self, player: Player, node: Node, star: bool, own: u32, other: u32) -> bool {
        self.wins[player].least(PurseCell { node, star: star && self.mechanism.has_star(), other }) <= own
    }
}

impl Forces for PurseSolution {
    fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    fn wins_in(&self, player: Player, node: Node, own: Holding, other: Holding) -> Option<Rank> {
        let cell = PurseCell { node, star: own.has_star(), other: other.chips() };
        self.wins[player].rank(cell, own.chips())
    }

    fn holds_for(&self, moves: u32, player: Player, node: Node, own: Holding, other: Holding) -> bool {
        match &self.guards {
            Some(guards) => {
                let cell = PurseCell { node, star: own.has_star(), other: other.chips() };
                let stages = guards[player].stages(cell).iter().rev();
                let needed = stages.skip_while(|stage| stage.within > moves).map(|stage| stage.least).next();
                needed.is_none_or(|needed| needed <= own.chips())
            }
            None => self.wins_in(player.other(), node, other, own).is_none_or(|rank| rank > moves),
        }
    }
}
