//! Checks the needs of a part of a line board by the rules, given what other parts claim.
//!
//! A region has some fixed stones, and other cells that may be filled. Its needs are computed one
//! position at a time from the definition of a turn, and compared with the claims, if any. If every
//! region of a board agrees with its claims, all claims are right.
//!
//! Turns are judged by definition. A real-money share x wins iff some bid b leaves enough either
//! way: x - b for the player's best move, x + b for the other's. So 2x must be at least the sum of
//! both needs. With chips, holdings around a guess are tried. Bounds may be higher than the
//! computed needs, and begin with positions that `leaves` judges by the next turns.

mod leaves;

use std::collections::HashMap;

use rayon::prelude::*;
use richman_core::{ByPlayer, Effort, Error, Player, Total, cells};
use richman_lines::board::{BoardRegion, LineBoard};

use leaves::LeafNeeds;

/// The stake of the claims.
#[derive(Debug, Clone, Copy)]
pub enum RegionStake<'a> {
    /// Alice's win threshold in real money, in units of 2^-(open cells).
    Money,
    /// Her win threshold with each of these totals of chips, in half-steps.
    Chips(&'a [Total]),
    /// Upper bounds on her win threshold in real money, in units of 2^-`bits`, for positions with
    /// at most `leaves` stones.
    Bounds {
        /// At least 3 and at most 62.
        bits: u32,
        /// The most stones.
        leaves: u32,
    },
}

/// The claims about a board's positions.
pub trait RegionClaims: Sync {
    /// The claims at the positions with these fixed stones whose stones fill `shape`: for all sets
    /// of Alice's other stones, in order, a number for each total. `None` without a claim.
    ///
    /// # Errors
    /// [`Error::Storage`] if the claims cannot be read.
    fn block(&self, fixed: ByPlayer<u64>, shape: u64) -> Result<Option<Vec<u64>>, Error>;
}

/// A wrong claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegionFault {
    /// The stones of the position.
    pub stones: ByPlayer<u64>,
    /// The index of the total.
    pub lane: usize,
    /// The claimed number.
    pub claimed: u64,
    /// The number that follows from the rules and from other regions' claims.
    pub should_be: u64,
}

/// Computes every need of a region and compares it with the claim, if any. Returns a wrong claim
/// with the most stones, if there is one. A region in which the fixed stones have a line is over:
/// other regions do not read its claims, which are compared here.
///
/// # Errors
/// [`Error::TooMuchMemory`] if memory does not suffice for two layers of the region and its claims;
/// [`Error::Storage`] if claims cannot be read, or those where a stone leads are missing or out of
/// range; [`Error::Cancelled`].
pub fn check_region(
    board: &LineBoard,
    stake: RegionStake<'_>,
    region: BoardRegion,
    claims: &dyn RegionClaims,
    effort: &Effort<'_>,
) -> Result<Option<RegionFault>, Error> {
    let lanes = if let RegionStake::Chips(totals) = stake { totals.len() } else { 1 };
    let task = RegionCheck { board, stake, lanes, region, claims };
    let (mut layers, mut shapes) = (Vec::new(), vec![region.fixed.alice | region.fixed.bob]);
    while shapes.first().is_some_and(|shape| !task.is_beyond(*shape)) {
        let larger = shapes_after(board, &shapes, region.growing);
        layers.push(std::mem::replace(&mut shapes, larger));
    }
    if layers.is_empty() {
        return Ok(None);
    }
    let bytes = |(stones, shapes): (u32, &Vec<u64>)| {
        let positions = (shapes.len() as u64).saturating_mul(1_u64.checked_shl(stones).unwrap_or(u64::MAX));
        positions.saturating_mul(BYTES * task.lanes as u64)
    };
    let bytes: Vec<u64> = (0..).zip(&layers).map(bytes).collect();
    let two = bytes.windows(2).map(|pair| pair[0].saturating_add(pair[1])).max().unwrap_or(bytes[0]);
    // For each block in progress: its claims, and those after a stone of either player outside.
    let outside = |shape: &u64| 1 + 2 * u64::from((board.open(*shape) & !region.growing).count_ones());
    let at_work = layers.iter().zip(&bytes).map(|(shapes, bytes)| {
        let (count, threads) = (shapes.len() as u64, rayon::current_num_threads() as u64);
        let one = shapes.iter().map(outside).max().unwrap_or(0).saturating_mul(bytes / count);
        one.saturating_mul(threads.min(count))
    });
    let at_work = at_work.max().unwrap_or(0);
    effort.check_memory("proving a part of the board", two.saturating_add(at_work))?;
    let mut after: HashMap<u64, Vec<u64>> = HashMap::new();
    for shapes in layers.into_iter().rev() {
        let one = |shape: u64| {
            effort.check_cancelled()?;
            let needs = task.needs(shape, &after)?;
            let fault = match claims.block(region.fixed, shape)? {
                Some(claimed) => task.compare(shape, &needs, &claimed)?,
                None => None,
            };
            Ok((shape, needs, fault))
        };
        let checked: Vec<_> = shapes.into_par_iter().map(one).collect::<Result<_, Error>>()?;
        if let Some(fault) = checked.iter().find_map(|(_, _, fault)| *fault) {
            return Ok(Some(fault));
        }
        after = checked.into_iter().map(|(shape, needs, _)| (shape, needs)).collect();
    }
    Ok(None)
}

/// Bytes of a number in memory.
const BYTES: u64 = 8;

struct RegionCheck<'a> {
    board: &'a LineBoard,
    stake: RegionStake<'a>,
    lanes: usize,
    region: BoardRegion,
    claims: &'a dyn RegionClaims,
}

/// The needs after a stone on a cell.
enum StoneChild<'a> {
    /// In the region: the number of free stones below.
    Inside { bit: u32, needs: &'a [u64] },
    /// In two other regions, after a stone of each player.
    Outside(ByPlayer<Vec<u64>>),
}

impl StoneChild<'_> {
    /// The need after a stone of that player at a position.
    fn need(&self, position: u64, player: Player, lane: usize, lanes: usize) -> u64 {
        let (at, needs) = match self {
            StoneChild::Inside { bit, needs } => {
                let (below, stone) = ((1_u64 << bit) - 1, u64::from(player == Player::Alice));
                ((position & !below) << 1 | stone << bit | position & below, *needs)
            }
            StoneChild::Outside(needs) => (position, &needs[player][..]),
        };
        needs[at as usize * lanes + lane]
    }
}

impl RegionCheck<'_> {
    /// The player who has a line of these stones; Alice if both have one.
    fn winner(&self, stones: ByPlayer<u64>) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.board.has_line(*player, stones[*player]))
    }

    fn unreachable(&self, shape: u64, lane: usize) -> u64 {
        match self.stake {
            RegionStake::Money => 1 << (self.board.cells() - shape.count_ones()),
            RegionStake::Chips(totals) => totals[lane].unreachable().into(),
            RegionStake::Bounds { bits, .. } => 1 << bits,
        }
    }

    /// Whether positions with this many stones can have no claim.
    fn is_beyond(&self, shape: u64) -> bool {
        matches!(self.stake, RegionStake::Bounds { leaves, .. } if shape.count_ones() > leaves)
    }

    /// The bounds at the positions that fill a shape, if bounds begin there.
    fn leaves(&self, shape: u64) -> Option<LeafNeeds> {
        match self.stake {
            RegionStake::Bounds { bits, leaves } if shape.count_ones() == leaves => {
                Some(LeafNeeds::new(self.board, self.region.fixed, shape, bits))
            }
            _ => None,
        }
    }

    /// The claims of another region, which is over if its fixed stones have a line.
    fn claimed(&self, fixed: ByPlayer<u64>, shape: u64) -> Result<Vec<u64>, Error> {
        let count = self.lanes << (shape & !(fixed.alice | fixed.bob)).count_ones();
        match self.winner(fixed) {
            Some(Player::Alice) => Ok(vec![0; count]),
            Some(Player::Bob) => Ok((0..count).map(|at| self.unreachable(shape, at % self.lanes)).collect()),
            None => {
                let fits = |claimed: &Vec<u64>| {
                    let most = |at: usize| self.unreachable(shape, at % self.lanes);
                    claimed.len() == count && claimed.iter().enumerate().all(|(at, need)| *need <= most(at))
                };
                let claimed = self.claims.block(fixed, shape)?.filter(fits);
                claimed.ok_or_else(|| {
                    let what = format!("claims for {shape:#x} are missing, or larger than any need");
                    let stones = format!("with stones on {:#x} and {:#x}", fixed.alice, fixed.bob);
                    Error::Storage { what: format!("{stones}, {what}") }
                })
            }
        }
    }

    /// The needs at all positions that fill a shape.
    fn needs(&self, shape: u64, after: &HashMap<u64, Vec<u64>>) -> Result<Vec<u64>, Error> {
        let fixed = self.region.fixed;
        let free: Vec<u64> = cells(shape & !(fixed.alice | fixed.bob)).collect();
        // For each filled line that may be the player's: its free stones.
        let lines = ByPlayer::from_fn(|player| {
            let (own, other) = (fixed[player], fixed[player.other()]);
            let lines = self.board.lines(player).iter().filter(|line| **line & !shape == 0 && **line & other == 0);
            let rest =
                |line: &u64| free.iter().enumerate().map(|(bit, cell)| u64::from(line & !own & cell != 0) << bit).sum();
            lines.map(rest).collect::<Vec<u64>>()
        });
        let open = self.board.open(shape);
        let child = |cell: u64| -> Result<StoneChild<'_>, Error> {
            if let Some(needs) = after.get(&(shape | cell)) {
                let bit = free.iter().filter(|other| **other < cell).count() as u32;
                return Ok(StoneChild::Inside { bit, needs });
            }
            let alice = self.claimed(ByPlayer { alice: fixed.alice | cell, ..fixed }, shape | cell)?;
            let bob = self.claimed(ByPlayer { bob: fixed.bob | cell, ..fixed }, shape | cell)?;
            Ok(StoneChild::Outside(ByPlayer::new(alice, bob)))
        };
        let mut leaves = self.leaves(shape);
        let open = if leaves.is_some() { 0 } else { open };
        let children: Vec<StoneChild<'_>> = cells(open).map(child).collect::<Result<_, Error>>()?;
        let mut needs = Vec::with_capacity(self.lanes << free.len());
        for position in 0..1_u64 << free.len() {
            let alice_won = lines.alice.iter().any(|line| line & !position == 0);
            let bob_won = lines.bob.iter().any(|line| line & position == 0);
            for lane in 0..self.lanes {
                needs.push(if alice_won {
                    0
                } else if bob_won {
                    self.unreachable(shape, lane)
                } else if let Some(leaves) = &mut leaves {
                    leaves.need(position)
                } else if children.is_empty() {
                    self.unreachable(shape, lane)
                } else {
                    let after =
                        |player| children.iter().map(move |child| child.need(position, player, lane, self.lanes));
                    let least = after(Player::Alice).min().unwrap_or(0);
                    let most = after(Player::Bob).max().unwrap_or(0);
                    match self.stake {
                        RegionStake::Money => least + most,
                        RegionStake::Bounds { .. } => (least + most).div_ceil(2),
                        RegionStake::Chips(totals) => {
                            // A guess, checked by holdings around it.
                            let (low, high) = (least.min(most), least.max(most));
                            by_holdings(totals[lane], least, most, low.div_ceil(2) + high / 2)
                        }
                    }
                });
            }
        }
        Ok(needs)
    }

    fn compare(&self, shape: u64, needs: &[u64], claimed: &[u64]) -> Result<Option<RegionFault>, Error> {
        if needs.len() != claimed.len() {
            let what = format!("a region claims {} numbers where there are {}", claimed.len(), needs.len());
            return Err(Error::Storage { what });
        }
        let is_wrong = |(need, claimed): (&u64, &u64)| match self.stake {
            RegionStake::Bounds { .. } => claimed < need,
            RegionStake::Money | RegionStake::Chips(_) => claimed != need,
        };
        let Some(at) = needs.iter().zip(claimed).position(is_wrong) else { return Ok(None) };
        let (position, fixed) = (at / self.lanes, self.region.fixed);
        let free = cells(shape & !(fixed.alice | fixed.bob));
        let mut stones = fixed;
        free.enumerate().for_each(|(bit, cell)| {
            let player = if position >> bit & 1 == 1 { Player::Alice } else { Player::Bob };
            stones[player] |= cell;
        });
        Ok(Some(RegionFault { stones, lane: at % self.lanes, claimed: claimed[at], should_be: needs[at] }))
    }
}

/// The claim, if it suffices and a half-step less does not; else the least half-steps that suffice.
fn by_holdings(total: Total, alice: u64, bob: u64, claimed: u64) -> u64 {
    let end = u64::from(total.unreachable());
    let fits = claimed <= end
        && (claimed == end || suffices(total, claimed, alice, bob))
        && (claimed == 0 || !suffices(total, claimed - 1, alice, bob));
    if fits { claimed } else { (0..end).find(|held| suffices(total, *held, alice, bob)).unwrap_or(end) }
}

/// Whether `held` half-steps give Alice a bid that is good against every bid and use of the star,
/// given her thresholds after her best move and after Bob's.
fn suffices(total: Total, held: u64, alice: u64, bob: u64) -> bool {
    let (chips, star) = (held / 2, held % 2);
    // The winner of a bid decides who moves.
    let (best, worst) = (alice.min(bob), alice.max(bob));
    let bobs = u64::from(total.chips()).saturating_sub(chips);
    (0..=chips).any(|bid| {
        let wins = 2 * (chips - bid) + star >= best;
        let outbid = bid == bobs.max(bid) || 2 * (chips + bid + 1) + star >= worst;
        // In a tie the star's holder uses it and hands it over, or keeps it.
        let tie = match star {
            1 => 2 * (chips - bid) >= best || 2 * (chips + bid) + 1 >= worst,
            _ => 2 * (chips - bid) >= best && 2 * (chips + bid) + 1 >= worst,
        };
        // She must be content with winning against lower bids, if any. Higher bids of Bob only
        // leave her more.
        (bid == 0 || wins) && outbid && (bid > bobs || tie)
    })
}

/// The sets with one more filled cell of `among`, ascending.
fn shapes_after(board: &LineBoard, sets: &[u64], among: u64) -> Vec<u64> {
    let next = |set: &u64| {
        let set = *set;
        cells(board.open(set) & among).map(move |cell| set | cell)
    };
    let mut sets: Vec<u64> = sets.iter().flat_map(next).collect();
    sets.sort_unstable();
    sets.dedup();
    sets
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// All needs of a board by the plainest recursion; one of them may be falsified.
    struct KnownNeeds {
        board: LineBoard,
        totals: Option<Vec<Total>>,
        known: Mutex<HashMap<[u64; 2], Vec<u64>>>,
        /// A position whose claims are one too high.
        wrong: Option<[u64; 2]>,
        /// Tells which positions with fewer stones have no claim.
        hidden: fn([u64; 2], u64) -> bool,
    }

    impl KnownNeeds {
        fn lanes(&self) -> usize {
            self.totals.as_ref().map_or(1, Vec::len)
        }

        fn needs(&self, stones: [u64; 2]) -> Vec<u64> {
            if let Some(known) = self.known.lock().unwrap().get(&stones) {
                return known.clone();
            }
            let (shape, open) = (stones[0] | stones[1], self.board.open(stones[0] | stones[1]));
            let lost = |lane: usize| match &self.totals {
                None => 1 << (self.board.cells() - shape.count_ones()),
                Some(totals) => u64::from(totals[lane].unreachable()),
            };
            let needs: Vec<u64> = if self.board.has_line(Player::Alice, stones[0]) {
                vec![0; self.lanes()]
            } else if self.board.has_line(Player::Bob, stones[1]) || open == 0 {
                (0..self.lanes()).map(lost).collect()
            } else {
                let alice: Vec<_> = cells(open).map(|cell| self.needs([stones[0] | cell, stones[1]])).collect();
                let bob: Vec<_> = cells(open).map(|cell| self.needs([stones[0], stones[1] | cell])).collect();
                let need = |lane: usize| {
                    let least = alice.iter().map(|needs| needs[lane]).min().unwrap();
                    let most = bob.iter().map(|needs| needs[lane]).max().unwrap();
                    let total = self.totals.as_ref().map(|totals| totals[lane]);
                    total.map_or(least + most, |total| by_holdings(total, least, most, u64::MAX))
                };
                (0..self.lanes()).map(need).collect()
            };
            self.known.lock().unwrap().insert(stones, needs.clone());
            needs
        }
    }

    impl RegionClaims for KnownNeeds {
        fn block(&self, fixed: ByPlayer<u64>, shape: u64) -> Result<Option<Vec<u64>>, Error> {
            let fixed = [fixed.alice, fixed.bob];
            if (self.hidden)(fixed, shape) {
                return Ok(None);
            }
            let free: Vec<u64> = cells(shape & !(fixed[0] | fixed[1])).collect();
            let claims = |number: u64| {
                let bits = free.iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1);
                let alice = bits.map(|(_, cell)| cell).sum::<u64>();
                let stones = [fixed[0] | alice, fixed[1] | shape & !fixed[0] & !fixed[1] & !alice];
                let needs = self.needs(stones);
                needs.into_iter().map(|need| need + u64::from(self.wrong == Some(stones))).collect::<Vec<_>>()
            };
            Ok(Some((0..1 << free.len()).flat_map(claims).collect()))
        }
    }

    /// Three columns of three cells, numbered row by row; three in a row win.
    fn board() -> LineBoard {
        let lines = vec![0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
        let support = (0..9).map(|cell| if cell < 3 { 0 } else { 1 << (cell - 3) }).collect();
        LineBoard::new(support, ByPlayer::both(lines)).unwrap()
    }

    fn known(totals: Option<Vec<Total>>) -> KnownNeeds {
        KnownNeeds { board: board(), totals, known: Mutex::default(), wrong: None, hidden: |_, _| false }
    }

    /// The regions of the board whose lowest row is fixed.
    fn regions() -> Vec<BoardRegion> {
        let region = |alice: u64, bob: u64| {
            let columns = (0..3).filter(|column| (alice | bob) >> column & 1 == 1);
            BoardRegion { fixed: ByPlayer::new(alice, bob), growing: columns.map(|column| 0o110 << column).sum() }
        };
        (0..8).flat_map(|alice| (0..8).filter(move |bob| alice & bob == 0).map(move |bob| region(alice, bob))).collect()
    }

    fn faults(claims: &KnownNeeds) -> Vec<RegionFault> {
        let check = |region| {
            let stake = claims.totals.as_deref().map_or(RegionStake::Money, RegionStake::Chips);
            let checked = check_region(&claims.board, stake, region, claims, &Effort::default());
            // A wrong claim may exceed any need; then the regions that read it refuse it.
            checked.unwrap_or_else(|error| claims.wrong.map_or_else(|| panic!("{error}"), |_| None))
        };
        regions().into_iter().filter_map(check).collect()
    }

    #[test]
    fn right_claims_are_accepted_and_each_wrong_one_is_found() {
        for totals in [None, Some([3, 8].map(|chips| Total::new(chips).unwrap()).to_vec())] {
            let mut claims = known(totals);
            assert_eq!(faults(&claims), []);
            claims.hidden = |fixed, shape| fixed[0] | fixed[1] == 0o007 && shape == 0o777;
            assert_eq!(faults(&claims), [], "nobody outside needs the full boards");
            claims.hidden = |_, _| false;
            for wrong in [[0, 0], [1, 2], [0o001, 0o110], [0o013, 0o124], [0o020, 0o002]] {
                claims.wrong = Some(wrong);
                let found = faults(&claims);
                let named = found
                    .iter()
                    .any(|fault| fault.stones == ByPlayer::from(wrong) && fault.claimed == fault.should_be + 1);
                assert!(named, "{wrong:?}: {found:?}");
            }
        }
    }

    #[test]
    fn missing_claims_are_errors() {
        let mut claims = known(None);
        claims.hidden = |fixed, _| fixed == [1, 0];
        let start = BoardRegion { fixed: ByPlayer::both(0), growing: 0 };
        let missing = check_region(&claims.board, RegionStake::Money, start, &claims, &Effort::default()).unwrap_err();
        assert!(missing.to_string().contains("claims for 0x1 are missing"), "{missing}");
    }
}
