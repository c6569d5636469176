//! Race in closed form: when Alice needs a points and Bob b, her threshold is the share
//!
//! ```text
//! R(a, b) = (C(n, 0) + C(n, 1) + ... + C(n, a - 1)) / 2^n,    n = a + b - 1,
//! ```
//!
//! of all the money, and the best bid is C(n - 1, a - 1) / 2^n.
//!
//! Proof. R(0, b) = 0 and R(a, 0) = 1. By Pascal's rule R(a, b) is the mean of R(a - 1, b) and R(a,
//! b - 1). The first is smaller, so the winner of a bid wants to move. So R satisfies the equations
//! of real-money thresholds, whose solution is unique because play ends. R is Bob's chance in a
//! race in which a fair coin decides who scores.
//!
//! With chips, each threshold follows from those after the two moves, row by row.
//!
//! Exact. For real money: Richman payment and all bids, where the winner chooses who moves. For
//! chips: the default rules. Time: for real money, a additions and multiplications of numbers with
//! n bits; for chips, a x b numbers, of which one row is stored. Checked against the arena in the
//! tests of all engines.
//!
//! ```
//! use richman_heaps::{board::RacePoints, engine::share};
//! assert_eq!(share(RacePoints { alice: 2, bob: 1 }).to_string(), "3/4");
//! ```

use std::sync::Arc;
use std::time::Duration;

use dashu_int::UBig;
use richman_core::{Bids, ByPlayer, Error, Mechanism, Player, Share, Total, Walk, Watch};
use richman_engine::{
    Cost, Engine, EngineRequest, EvaluatedMove, Evaluation, Grade, Look, Method, Offer, Origin, Source, Value, Way,
};
use richman_solvers::chips::local;

use crate::board::RacePoints;

/// Alice's threshold in real money.
pub fn share(race: RacePoints) -> Share {
    money(race).here
}

/// Thresholds as shares: at a position, and after a point of either player.
struct RaceShares {
    here: Share,
    after: [Share; 2],
}

fn money(RacePoints { alice, bob }: RacePoints) -> RaceShares {
    if alice == 0 || bob == 0 {
        let here = if alice == 0 { Share::ZERO } else { Share::ONE };
        return RaceShares { after: [here.clone(), here.clone()], here };
    }
    // The sequences of the other n - 1 points in which Alice scores fewer than a - 1 points, and
    // exactly a - 1.
    let others = alice + bob - 2;
    let (mut fewer, mut ways) = (UBig::ZERO, UBig::ONE);
    for scored in 0..alice - 1 {
        fewer += &ways;
        ways = ways * UBig::from(others - scored) / UBig::from(scored + 1);
    }
    let all = UBig::ONE << others as usize;
    let of = |ways: &UBig, all: &UBig| Share::ratio(ways.clone(), all.clone()).unwrap_or(Share::ONE); // ways <= all
    let more = &fewer + &ways;
    RaceShares { here: of(&(&fewer + &more), &(&all << 1)), after: [of(&fewer, &all), of(&more, &all)] }
}

/// Alice's thresholds in chips for 0, 1, ... points of Bob, and a fixed number of hers.
struct ChipRow(Vec<u32>);

impl ChipRow {
    /// The row where Alice needs no points.
    fn won(bob: u32) -> ChipRow {
        ChipRow(vec![0; bob as usize + 1])
    }

    /// The row where Alice needs one point more.
    fn next(&mut self, total: Total) {
        let mut before = total.unreachable();
        self.0[0] = before;
        for need in &mut self.0[1..] {
            *need = local::chooses(*need, before);
            before = *need;
        }
    }
}

/// The work, in positions, between checks of the watch.
const OFTEN: u64 = 1 << 20;

/// Alice's thresholds in chips: at a position, and after a point of either player.
fn chips(race: RacePoints, total: Total, watch: &dyn Watch) -> Result<(u32, [u32; 2]), Error> {
    let bob = race.bob as usize;
    let (mut row, mut before, mut filled) = (ChipRow::won(race.bob), 0, 0);
    for _ in 0..race.alice {
        before = row.0[bob];
        row.next(total);
        filled += bob as u64 + 1;
        if filled > OFTEN {
            filled = 0;
            if watch.cancelled() {
                return Err(Error::Cancelled);
            }
        }
    }
    Ok((row.0[bob], [before, row.0[bob - 1]]))
}

/// The position, unless the game is over.
fn at(walk: &dyn Walk) -> Option<RacePoints> {
    walk.board::<RacePoints>().filter(|_| walk.end().is_none())
}

/// Whether the closed form gives the thresholds in real money.
fn serves_money(mechanism: &Mechanism) -> bool {
    mechanism.payment.rate().is_richman() && mechanism.right.may_let() && mechanism.bids == Bids::All
}

/// The value of a position with a total of chips, or in real money.
fn see(walk: &dyn Walk, race: RacePoints, total: Option<Total>, watch: &dyn Watch) -> Result<Evaluation, Error> {
    let (here, after, origin) = match total {
        Some(total) => {
            let (here, after) = chips(race, total, watch)?;
            let value = |need: u32| Value::chips(need, total);
            let how = "row by row, every position evaluated once".to_string();
            (value(here), after.map(value), Origin::exact(how, race.numbers()))
        }
        None => {
            let RaceShares { here, after } = money(race);
            let how = "in closed form: a sum of binomial coefficients".to_string();
            (Value::share(here), after.map(Value::share), Origin { how, ..Origin::default() })
        }
    };
    let named = |player: Player, value: Value| {
        walk.moves(player).into_iter().map(|name| EvaluatedMove::new(name, value.clone())).collect::<Vec<_>>()
    };
    let [alice, bob] = after;
    let after = ByPlayer::new(named(Player::Alice, alice), named(Player::Bob, bob));
    Ok(Evaluation { here, after, origin })
}

/// The engine of races.
#[derive(Debug)]
pub struct Races;

/// The most positions that are solved with chips at every turn.
const MOST_NUMBERS: u64 = 1 << 24;

impl Engine for Races {
    fn method(&self) -> &'static Method {
        &Method {
            name: "formula",
            rests_on: "exact thresholds, by a formula",
            summary: "By a formula, which is exact",
            has_chips: true,
            unproved: None,
        }
    }

    fn serves(&self, walk: &dyn Walk, mechanism: &Mechanism) -> bool {
        walk.board::<RacePoints>().is_some() && serves_money(mechanism)
    }

    fn open(&self, asked: &EngineRequest) -> Result<Option<Arc<dyn Source>>, Error> {
        let Some(race) = at(asked.walk).filter(|_| serves_money(asked.mechanism)) else { return Ok(None) };
        let total = asked.total.filter(|_| asked.mechanism.is_develin_payne() && race.numbers() <= MOST_NUMBERS);
        Ok((total.is_some() || !asked.is_exact()).then(|| Arc::new(RaceSource { total }) as Arc<dyn Source>))
    }

    fn ways(&self) -> &'static [&'static dyn Way] {
        &[&BinomialSum, &RowByRow]
    }
}

impl RacePoints {
    /// The number of reachable positions, including this one.
    fn numbers(self) -> u64 {
        (u64::from(self.alice) + 1) * (u64::from(self.bob) + 1)
    }
}

struct RaceSource {
    /// The total, if positions are solved with chips.
    total: Option<Total>,
}

impl Source for RaceSource {
    fn see(&self, walk: &dyn Walk, look: &Look) -> Result<Option<Evaluation>, Error> {
        at(walk).map(|race| see(walk, race, self.total, look.effort.watch)).transpose()
    }

    fn is_exact(&self) -> bool {
        self.total.is_some()
    }

    fn bytes(&self) -> u64 {
        0
    }
}

const RACES_ONLY: &str = "only races that are not over";

/// Real money, by the closed form.
struct BinomialSum;

impl Way for BinomialSum {
    fn name(&self) -> &'static str {
        "a sum of binomial coefficients"
    }

    fn offer(&self, asked: &EngineRequest) -> Result<Offer, String> {
        /// Nanoseconds for each word of each number.
        const EACH: f64 = 4.0;
        asked.is_money()?;
        let race = at(asked.walk).ok_or(RACES_ONLY)?;
        if !serves_money(asked.mechanism) {
            return Err("only where bids go to the other player and the winner chooses who moves".to_string());
        }
        let words = f64::from(race.alice + race.bob) / 64.0 + 1.0;
        let time = Duration::from_secs_f64(f64::from(race.alice) * words * EACH / 1e9);
        Ok(Offer { grade: Grade::Exact, cost: Cost::About { time, memory: Some(64 * words as u64) } })
    }

    fn see(&self, asked: &EngineRequest) -> Result<Option<Evaluation>, Error> {
        at(asked.walk).map(|race| see(asked.walk, race, None, asked.effort.watch)).transpose()
    }
}

/// Chips, row by row.
struct RowByRow;

impl Way for RowByRow {
    fn name(&self) -> &'static str {
        "row by row"
    }

    fn offer(&self, asked: &EngineRequest) -> Result<Offer, String> {
        /// Nanoseconds for each position.
        const EACH: u64 = 2;
        asked.chips()?;
        let race = at(asked.walk).ok_or(RACES_ONLY)?;
        if !asked.mechanism.is_develin_payne() {
            return Err("only the default rules of bidding".to_string());
        }
        let cost =
            Cost::About { time: Duration::from_nanos(EACH * race.numbers()), memory: Some(4 * u64::from(race.bob)) };
        Ok(Offer { grade: Grade::Exact, cost })
    }

    fn see(&self, asked: &EngineRequest) -> Result<Option<Evaluation>, Error> {
        at(asked.walk).map(|race| see(asked.walk, race, asked.total, &asked.effort.until())).transpose()
    }
}
