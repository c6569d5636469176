//! Whether a player who always bids exactly the best bid wins, where play can come back.
//!
//! **Method.** A player with a little more than the threshold who always makes the best bid keeps
//! that surplus. The other player can outbid it by smaller and smaller amounts, and so decides who
//! moves, except where winning the bid would take all the money. So this is a game with no chips in
//! which the other player wins all ties: theorem 37 (always the best bid) of `docs/design.md`.
//!
//! **Accepts** every arena with exact thresholds at all positions. **Result:** exact, or `None`.
//! **Stops**, **time** and **memory** as two solutions with a total of 0 chips, and a copy of the
//! arena. **Checked by** play with exact bids against replies drawn from all bids, in the tests of
//! `richman-analysis`.
//!
//! ```
//! use richman_core::{ArenaBuilder, Effort, Player, Terminal};
//! use richman_solvers::exact_bids;
//!
//! // Tug of war on 0, 1, 2, 3: a player who loses a bid of 1/3 by a little regains it by the next
//! // one.
//! let mut arena = ArenaBuilder::new();
//! arena.terminal(Terminal::Win(Player::Alice));
//! arena.position(&[0, 2], &[0, 2]);
//! arena.position(&[1, 3], &[1, 3]);
//! arena.terminal(Terminal::Win(Player::Bob));
//! let arena = arena.build(1)?;
//! let needs = |node| format!("{node}/3").parse().ok();
//! assert_eq!(exact_bids::win(&arena, Player::Alice, &needs, &Effort::default())?, Some(false));
//! # Ok::<(), richman_core::Error>(())
//! ```

use richman_core::{
    Arena, Bidding, Effort, Error, LabelledArena, LabelledArenaBuilder, Mechanism, Node, NodeData, ParityArena,
    ParityLabel, Player, PositionKind, Right, Share, Terminal, Ties, Total, Winnable,
};

use crate::without_money::holding;
use crate::{chips, parity};

/// Whether `player`, with any surplus over the threshold, wins a game that ends by always making
/// the best bid. `needs` gives the exact share that the player needs at each position. `None` if
/// these are unknown.
///
/// # Errors
/// [`Error::TooMuchMemory`], [`Error::OutOfTime`] or [`Error::Cancelled`].
pub fn win(
    arena: &Arena,
    player: Player,
    needs: &dyn Fn(Node) -> Option<Share>,
    effort: &Effort,
) -> Result<Option<bool>, Error> {
    decided(arena, player, needs, effort, |part| {
        let none = Total::new(0)?;
        let table = chips::table(&part, &rules(player), none..=none, &Effort { within: None, ..*effort })?;
        let needs = player.either(table[0].win, table[0].draw);
        Ok(needs.is_met_by(holding(player.other())) == (player == Player::Alice))
    })
}

/// The same in a parity game.
///
/// # Errors
/// As [`win`], and those of [`parity::chips`].
pub fn parity(
    arena: &ParityArena,
    player: Player,
    needs: &dyn Fn(Node) -> Option<Share>,
    effort: &Effort,
) -> Result<Option<bool>, Error> {
    decided(arena, player, needs, effort, |part| {
        let needs = parity::chips(&part, &rules(player), Total::new(0)?, effort)?.thresholds[part.start() as usize];
        Ok(needs.is_met_by(holding(player.other())) == (player == Player::Alice))
    })
}

/// The other player wins every bid, and decides who moves.
fn rules(player: Player) -> Mechanism {
    let ties = player.either(Ties::Bob, Ties::Alice);
    Mechanism { ties, bidding: Bidding::AliceFirst, right: Right::Chooses, ..Mechanism::default() }
}

/// Objectives whose positions may be given to a player.
trait Ownable: Winnable {
    fn owned(label: Self::Position, owner: Player) -> Self::Position;
    fn won(winner: Player) -> Self::End;
}

impl Ownable for richman_core::WinLose {
    fn owned(_: PositionKind, owner: Player) -> PositionKind {
        PositionKind::Owned(owner)
    }

    fn won(winner: Player) -> Terminal {
        Terminal::Win(winner)
    }
}

impl Ownable for richman_core::Parity {
    fn owned(label: ParityLabel, owner: Player) -> ParityLabel {
        ParityLabel { kind: PositionKind::Owned(owner), ..label }
    }

    fn won(winner: Player) -> Player {
        winner
    }
}

fn decided<L: Ownable>(
    arena: &LabelledArena<L>,
    player: Player,
    needs: &dyn Fn(Node) -> Option<Share>,
    effort: &Effort,
    wins: impl Fn(LabelledArena<L>) -> Result<bool, Error>,
) -> Result<Option<bool>, Error> {
    let shares: Option<Vec<Share>> = arena.nodes().map(needs).collect();
    let Some(shares) = shares else { return Ok(None) };
    effort.check_memory("the game of exact bids", 2 * arena.bytes())?;
    // The other player can make its best moves forever without giving anything away.
    if !wins(part(arena, player, &shares, true)?)? {
        return Ok(Some(false));
    }
    Ok(wins(part(arena, player, &shares, false)?)?.then_some(true))
}

/// The positions with the player's moves that keep to the shares; with `both` also the other
/// player's.
fn part<L: Ownable>(
    arena: &LabelledArena<L>,
    player: Player,
    shares: &[Share],
    both: bool,
) -> Result<LabelledArena<L>, Error> {
    let share = |to: Node| &shares[to as usize];
    let mut part = LabelledArenaBuilder::new();
    for node in arena.nodes() {
        let label = match arena.data(node) {
            NodeData::End(end) => {
                part.terminal(end);
                continue;
            }
            _ if *share(node) == Share::ONE => {
                part.terminal(L::won(player.other()));
                continue;
            }
            NodeData::On(label) => label,
        };
        let [least, most] = [
            arena.moves(node, player).iter().map(|&to| share(to)).min(),
            arena.moves(node, player.other()).iter().map(|&to| share(to)).max(),
        ];
        let kept = |mover: Player| {
            let best = if mover == player { least } else { most.filter(|_| both) };
            let moves = arena.labelled(node, mover).filter(|(to, _)| best.is_none_or(|best| share(*to) == best));
            moves.collect::<Vec<_>>()
        };
        let [mut alice, mut bob] = Player::BOTH.map(kept);
        // A player who would need all the money to win the bid does not win it.
        let mut label = label;
        if let (None, Some(least), Some(most)) = (arena.owner(node), least, most)
            && *least.max(most) == Share::ONE
        {
            let mover = if least < most { player } else { player.other() };
            label = L::owned(label, mover);
            mover.either(&mut bob, &mut alice).clear();
        }
        part.labelled(&alice, &bob, label);
    }
    part.build(arena.start())
}
