//! Whether a player who has no money at all can force a win.
//!
//! A real-money threshold says who wins with a larger and with a smaller share. Where a player wins
//! with every share above 0, it says nothing about a share of 0: ties decide there.
//!
//! **Method.** If bids are paid to the other player, the player with all the money loses by any bid
//! above 0, because it gives the other player some money. So both bid 0, and the game is the one
//! with no chips in which the positions where some money is not enough are lost. If all of a bid
//! goes to the bank, the player with all the money can win every bid. This is theorem 36 (no money)
//! of `docs/design.md`.
//!
//! **Accepts** every arena. With payment `poorman` the winner of a bid must choose who moves.
//! **Result:** exact. **Stops**, **time** and **memory** as the solver with chips for a total of 0,
//! and a copy of the arena. **Checked by** a judge in the tests of `richman-analysis` that writes
//! the bids at the end of the range out.
//!
//! ```
//! use richman_core::{ArenaBuilder, ByPlayer, Effort, Mechanism, Player, Ties};
//! use richman_solvers::without_money;
//!
//! // Alice wins by one move; Bob can only stay. Any money is enough for her.
//! let (mut arena, [won, _]) = ArenaBuilder::with_wins();
//! let start = arena.position(&[won], &[2]);
//! let arena = arena.build(start)?;
//! let wins = |ties| {
//!     let mechanism = Mechanism { ties, ..Mechanism::default() };
//!     without_money::win(&arena, &mechanism, Player::Alice, &|node| node != 1, &Effort::default())
//! };
//! assert_eq!(wins(Ties::Alice)?, Some(ByPlayer::both(true)));
//! assert_eq!(wins(Ties::Bob)?, Some(ByPlayer::both(false)));
//! // The star's holder uses it; if Bob does, she holds it then.
//! assert_eq!(wins(Ties::Advantage)?, Some(ByPlayer::both(true)));
//! # Ok::<(), richman_core::Error>(())
//! ```

use dashu_ratio::RBig;
use richman_core::{
    Arena, Bidding, Bids, ByPlayer, Effort, Error, Holding, LabelledArena, LabelledArenaBuilder, MAX_WEIGHT,
    MeanPayoffArena, Mechanism, Node, NodeData, ParityArena, Payment, Player, PositionKind, Rate, Terminal, Threshold,
    Ties, Total, Winnable,
};

use crate::{chips, mean_payoff, parity};

/// Whether `poor` wins a game that ends, for each holder of the star; the same twice without a
/// star. `is_enough` tells where any share above 0 suffices for `poor`. `None` if the rules leave
/// it open.
///
/// # Errors
/// [`Error::TooMuchMemory`], [`Error::OutOfTime`] or [`Error::Cancelled`].
pub fn win(
    arena: &Arena,
    mechanism: &Mechanism,
    poor: Player,
    is_enough: &dyn Fn(Node) -> bool,
    effort: &Effort,
) -> Result<Option<ByPlayer<bool>>, Error> {
    let Some(mechanism) = with_no_chips(mechanism, poor) else { return Ok(None) };
    let part = part(arena, is_enough, effort, |part, _| part.terminal(Terminal::Win(poor.other())))?;
    let none = Total::new(0)?;
    let table = chips::table(&part, &mechanism, none..=none, &Effort { within: None, ..*effort })?;
    Ok(table.first().map(|needs| wins(poor, poor.either(needs.win, needs.draw))))
}

/// The same in a parity game.
///
/// # Errors
/// As [`win`], and those of [`parity::chips`].
pub fn parity(
    arena: &ParityArena,
    mechanism: &Mechanism,
    poor: Player,
    is_enough: &dyn Fn(Node) -> bool,
    effort: &Effort,
) -> Result<Option<ByPlayer<bool>>, Error> {
    let Some(mechanism) = with_no_chips(mechanism, poor) else { return Ok(None) };
    let part = part(arena, is_enough, effort, |part, _| part.terminal(poor.other()))?;
    let solved = parity::chips(&part, &mechanism, Total::new(0)?, effort)?;
    Ok(Some(wins(poor, solved.thresholds[part.start() as usize])))
}

/// The same if Alice wants an average of at least `least`.
///
/// # Errors
/// As [`win`], and those of [`mean_payoff::chips`].
pub fn at_least(
    arena: &MeanPayoffArena,
    mechanism: &Mechanism,
    (poor, least): (Player, &RBig),
    is_enough: &dyn Fn(Node) -> bool,
    effort: &Effort,
) -> Result<Option<ByPlayer<bool>>, Error> {
    let Some(mechanism) = with_no_chips(mechanism, poor) else { return Ok(None) };
    let lost = poor.either(-MAX_WEIGHT, MAX_WEIGHT);
    let part = part(arena, is_enough, effort, |part, node| {
        part.labelled(&[(node, lost)], &[(node, lost)], PositionKind::Bid)
    })?;
    let solved = mean_payoff::chips(&part, &mechanism, Total::new(0)?, effort)?;
    Ok(Some(wins(poor, solved.needed(part.start(), least))))
}

/// The rules for a total of 0 that give the results of real money if `poor` has none; `None` if
/// none are known.
pub fn with_no_chips(mechanism: &Mechanism, poor: Player) -> Option<Mechanism> {
    let ties = match mechanism.payment.rate() {
        Rate::POORMAN if mechanism.right.may_let() => poor.either(Ties::Bob, Ties::Alice),
        Rate::POORMAN => return None,
        _ => mechanism.ties,
    };
    // All bids are 0, so their order does not matter.
    let (payment, bidding, bids) = (Payment::Richman, Bidding::AliceFirst, Bids::All);
    Some(Mechanism { payment, ties, bidding, bids, ..mechanism.clone() })
}

/// Alice's holding of no chips, if `star` holds the star.
pub fn holding(star: Player) -> Holding {
    Holding::from_half_steps(star.either(1, 0))
}

fn wins(poor: Player, needs: Threshold) -> ByPlayer<bool> {
    ByPlayer::from_fn(|star| needs.is_met_by(holding(star)) == (poor == Player::Alice))
}

/// The positions where any share above 0 suffices; `lost` makes the others.
fn part<L: Winnable>(
    arena: &LabelledArena<L>,
    is_enough: &dyn Fn(Node) -> bool,
    effort: &Effort,
    lost: impl Fn(&mut LabelledArenaBuilder<L>, Node) -> Node,
) -> Result<LabelledArena<L>, Error> {
    effort.check_memory("the game without money", 2 * arena.bytes())?;
    let mut part = LabelledArenaBuilder::new();
    for node in arena.nodes() {
        match arena.data(node) {
            _ if !is_enough(node) => lost(&mut part, node),
            NodeData::End(end) => part.terminal(end),
            NodeData::On(label) => {
                let [alice, bob] = Player::BOTH.map(|player| arena.labelled(node, player).collect::<Vec<_>>());
                part.labelled(&alice, &bob, label)
            }
        };
    }
    part.build(arena.start())
}
