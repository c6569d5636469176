//! The ends of the range of shares: whether a player can force a win with all the money, or with
//! none of it.

use richman_core::{Arena, ByPlayer, Effort, Error as CoreError, Mechanism, MoneySolution, Node, Player, Share};
use richman_solvers::{exact_bids, without_money};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::{LEAST_TIME, MoneyReport};
use crate::{BoundsJson, Error};

/// Whether a player can force a win at the end of the range of shares at which the threshold lies:
/// with all the money if no smaller share is enough, with none if every share above 0 is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema)]
#[schemars(with = "String", extend("enum" = ["yes", "no", "star_alice", "star_bob"]))]
pub enum EndWin {
    /// The player can.
    Yes,
    /// The player cannot.
    No,
    /// The player can only if this player holds the star.
    WithStar(Player),
}

impl EndWin {
    /// By whether the player wins for each holder of the star.
    pub(crate) fn of(wins: ByPlayer<bool>) -> EndWin {
        match (wins.alice, wins.bob) {
            (true, true) => EndWin::Yes,
            (false, false) => EndWin::No,
            (true, false) => EndWin::WithStar(Player::Alice),
            (false, true) => EndWin::WithStar(Player::Bob),
        }
    }

    /// The other player's, where one of the two wins.
    fn opposite(self) -> EndWin {
        match self {
            EndWin::Yes => EndWin::No,
            EndWin::No => EndWin::Yes,
            EndWin::WithStar(player) => EndWin::WithStar(player.other()),
        }
    }
}

/// `yes`, `no`, or who has to hold the star: `star_alice` or `star_bob`.
impl Serialize for EndWin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            EndWin::Yes => "yes",
            EndWin::No => "no",
            EndWin::WithStar(Player::Alice) => "star_alice",
            EndWin::WithStar(Player::Bob) => "star_bob",
        })
    }
}

/// Whether each player wins at an end, where that is known.
pub type EndWins = ByPlayer<Option<EndWin>>;

/// Where play can come back: whether a player with a little more than the threshold, however
/// little, wins by bidding exactly the best bid every time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BidSuffices {
    /// The player wins by it.
    Yes,
    /// The other player can lead play round in circles, so some bids must be others, as close to
    /// the best bid as the player likes.
    No,
    /// Not found out.
    Unknown,
}

/// The answer for each player; `None` where play cannot come back or the player cannot win.
pub type BidsSuffice = ByPlayer<Option<BidSuffices>>;

pub(super) fn are_unknown<T>(known: &ByPlayer<Option<T>>) -> bool {
    known.iter().all(Option::is_none)
}

/// What the thresholds alone say about play that ends: where no share below 1 is enough for a
/// player, all the money is not enough either (theorem 36 (no money) of `docs/design.md`).
pub(super) fn of_thresholds(win: &BoundsJson, draw: &BoundsJson) -> EndWins {
    let no = |is_end: bool| is_end.then_some(EndWin::No);
    ByPlayer::new(no(win.0.as_exact() == Some(&Share::ONE)), no(draw.0.as_exact() == Some(&Share::ZERO)))
}

/// Adds who wins without money in play that ends, where any money is enough. Nothing is added where
/// that takes more than the memory, or some time after the deadline.
pub(super) fn add_to_win(
    report: &mut MoneyReport,
    arena: &Arena,
    mechanism: &Mechanism,
    solution: &MoneySolution,
    effort: &Effort,
) -> Result<(), Error> {
    for poor in Player::BOTH {
        let (shares, end) = poor.either((&solution.win, Share::ZERO), (&solution.draw, Share::ONE));
        let is_enough = |node: Node| shares.get(node).as_exact() == Some(&end);
        if is_enough(arena.start()) {
            let found = in_time(effort, |effort| without_money::win(arena, mechanism, poor, &is_enough, effort))?;
            report.at_end[poor] = found.map(EndWin::of);
        }
    }
    Ok(())
}

/// Both players at the end at which the one threshold of a game lies that somebody wins. `wins`
/// finds whether a player without money wins.
pub(crate) fn of_one_threshold(
    threshold: &BoundsJson,
    effort: &Effort,
    wins: impl Fn(Player, &Share, &Effort) -> Result<Option<ByPlayer<bool>>, CoreError>,
) -> Result<EndWins, Error> {
    let (poor, end) = match threshold.0.as_exact() {
        Some(share) if *share == Share::ZERO => (Player::Alice, Share::ZERO),
        Some(share) if *share == Share::ONE => (Player::Bob, Share::ONE),
        _ => return Ok(ByPlayer::both(None)),
    };
    let found = in_time(effort, |effort| wins(poor, &end, effort))?.map(EndWin::of);
    Ok(ByPlayer::from_fn(|player| if player == poor { found } else { found.map(EndWin::opposite) }))
}

/// Runs a solver that may find nothing for lack of time or memory.
fn in_time<T>(effort: &Effort, find: impl FnOnce(&Effort) -> Result<Option<T>, CoreError>) -> Result<Option<T>, Error> {
    let brief = Effort { deadline: None, ..*effort }.at_most(LEAST_TIME);
    let until = brief.until();
    match find(&Effort { watch: &until, deadline: None, ..*effort }) {
        Ok(found) => Ok(found),
        Err(CoreError::Cancelled) if effort.watch.cancelled() => Err(CoreError::Cancelled.into()),
        // Also a mechanism that is not served, or too many priorities.
        Err(_) => Ok(None),
    }
}

/// Whether each player wins by the best bid alone where play can come back. `needs` gives the
/// shares that a player needs, and `suffices` solves that for one player.
pub(crate) fn bids_suffice(
    [win, draw]: [&BoundsJson; 2],
    edges: usize,
    effort: &Effort,
    suffices: impl Fn(Player, &Effort) -> Result<Option<bool>, CoreError>,
) -> Result<BidsSuffice, Error> {
    /// Larger arenas take too long for a remark.
    const LARGEST: usize = 1 << 18;
    let mut found = ByPlayer::both(None);
    for player in Player::BOTH {
        let can_win = player.either(win.0.low < Share::ONE, draw.0.high > Share::ZERO);
        if can_win {
            let known = match edges <= LARGEST {
                true => in_time(effort, |effort| suffices(player, effort))?,
                false => None,
            };
            found[player] = Some(match known {
                Some(true) => BidSuffices::Yes,
                Some(false) => BidSuffices::No,
                None => BidSuffices::Unknown,
            });
        }
    }
    Ok(found)
}

/// Adds this for play that ends, if play can come back to the start.
pub(super) fn add_bids_to_win(
    report: &mut MoneyReport,
    arena: &Arena,
    solution: &MoneySolution,
    effort: &Effort,
) -> Result<(), Error> {
    let comes_back = arena.components().is_cyclic(arena.components().component(arena.start()) as usize);
    if !comes_back || report.bid.is_none() {
        return Ok(());
    }
    report.bid_suffices = bids_suffice([&report.win, &report.draw], arena.edges(), effort, |player, effort| {
        let needs = |node: Node| match player {
            Player::Alice => solution.win.get(node).as_exact().cloned(),
            Player::Bob => solution.draw.get(node).as_exact().map(Share::complement),
        };
        exact_bids::win(arena, player, &needs, effort)
    })?;
    Ok(())
}
