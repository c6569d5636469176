//! The figure of a chip table as plain data: the distance of the thresholds from their share of the
//! total, and the winner by both players' chips.

use richman_core::{Holding, Player, Share, ShareBounds, Threshold, Thresholds, Total};
use richman_solvers::{chips, money};

use crate::table::{PeriodReport, TableReport};
use crate::{Error, ReportHead, Request, ThresholdJson};

/// The most points of a curve; with more totals, only the extremes are kept.
pub const MAX_POINTS: usize = 4096;

/// The most chips of one player in the maps of outcomes; with more, the cells would be too small.
pub const MAX_SIDE: u32 = 63;

/// A table's figure.
#[derive(Debug, Clone, PartialEq)]
pub struct TableFigure {
    /// Game, position and mechanism.
    pub head: ReportHead,
    /// The limit of moves, if any; longer plays are draws.
    pub truncated: Option<u32>,
    /// The least and the greatest total of the table.
    pub totals: (u32, u32),
    /// The win threshold.
    pub win: PlottedThreshold,
    /// The draw threshold.
    pub draw: PlottedThreshold,
    /// The number of totals that share two points of a curve, the least and the greatest value;
    /// `None` if all are kept.
    pub thinned: Option<u32>,
    /// The winner by both players' chips.
    pub outcomes: OutcomeSquare,
}

/// One of the two thresholds.
#[derive(Debug, Clone, PartialEq)]
pub struct PlottedThreshold {
    /// The real-money threshold; `None` in a zugzwang without one, where half the total takes its
    /// place.
    pub share: Option<ShareBounds>,
    /// One curve, or two if holdings have no order.
    pub curves: Vec<Curve>,
    /// The period of the threshold, if known.
    pub period: Option<PeriodReport>,
}

/// The holdings that a threshold is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holdings {
    /// All, in the order 0 < 0* < 1 < ...
    Ordered,
    /// Those without the star.
    Plain,
    /// Those with the star.
    Star,
}

/// The difference between a threshold and its share of the total, against the total.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The holdings.
    pub holdings: Holdings,
    /// Total and difference, both in chips; the star counts half a chip. Totals ascend.
    pub points: Vec<(u32, f64)>,
}

/// The winner by both players' chips: a square of at most [`MAX_SIDE`] chips each, up to the
/// greatest total of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct OutcomeSquare {
    /// The most chips of one player.
    pub side: u32,
    /// The most chips of both together.
    pub total: u32,
    /// For each total, from 0.
    thresholds: Vec<Thresholds>,
}

impl OutcomeSquare {
    /// The player who can force a win, if either can, while `star` holds the star. `None` outside
    /// the map.
    pub fn winner(&self, alice: u32, bob: u32, star: Player) -> Option<Option<Player>> {
        let thresholds = self.thresholds.get(alice.checked_add(bob)? as usize)?;
        if alice > self.side || bob > self.side {
            return None;
        }
        let holding = Holding::new(alice, star == Player::Alice).ok()?;
        Some(thresholds.winner(holding))
    }
}

/// The figure of the table `report`, made from the same request.
///
/// The maps of outcomes begin at total 0, so smaller totals are solved too.
///
/// # Errors
/// `Unsupported`, `TooMuchMemory` or `Cancelled`.
pub fn figure(request: &Request, report: &TableReport) -> Result<TableFigure, Error> {
    let rows = &report.rows;
    if rows.iter().any(|row| row.win.wins.is_some() || row.draw.wins.is_some()) {
        let what = "a figure of thresholds where more chips can hurt";
        return Err(richman_core::Error::unsupported(what, "bids with 0 among them").into());
    }
    let totals = (rows.first().map_or(0, |row| row.chips), rows.last().map_or(0, |row| row.chips));
    let shares = shares(request)?;
    let (win_share, draw_share) = shares.map_or((None, None), |(win, draw)| (Some(win), Some(draw)));
    let of = |goal: fn(&crate::table::TableRow) -> &ThresholdJson| -> Vec<(u32, Threshold)> {
        rows.iter().map(|row| (row.chips, threshold(goal(row)))).collect()
    };
    let run = run(rows.len());
    Ok(TableFigure {
        head: report.head.clone(),
        truncated: report.truncated,
        totals,
        win: PlottedThreshold {
            curves: curves(&of(|row| &row.win), win_share.as_ref(), run),
            share: win_share,
            period: report.period.win.clone(),
        },
        draw: PlottedThreshold {
            curves: curves(&of(|row| &row.draw), draw_share.as_ref(), run),
            share: draw_share,
            period: report.period.draw.clone(),
        },
        thinned: (run > 1).then_some(run as u32),
        outcomes: outcomes(request, report, totals)?,
    })
}

/// The real-money thresholds of the start; `None` in a zugzwang without any.
fn shares(request: &Request) -> Result<Option<(ShareBounds, ShareBounds)>, Error> {
    let start = request.unfolding.arena().start();
    match money::solve(request.unfolding.arena(), request.mechanism, &request.effort) {
        Ok(solution) => Ok(Some((solution.win.get(start), solution.draw.get(start)))),
        Err(
            richman_core::Error::Zugzwang { .. }
            | richman_core::Error::PerhapsZugzwang { .. }
            | richman_core::Error::Unsupported { .. },
        ) => Ok(None),
        Err(error) => Err(request.translate(error)),
    }
}

fn threshold(json: &ThresholdJson) -> Threshold {
    Threshold { plain: json.plain, star: json.star }
}

/// The number of totals that share two points of a curve within [`MAX_POINTS`]; 1 if every total
/// has its own.
fn run(totals: usize) -> usize {
    if totals <= MAX_POINTS { 1 } else { totals.div_ceil(MAX_POINTS / 2) }
}

fn curves(thresholds: &[(u32, Threshold)], share: Option<&ShareBounds>, run: usize) -> Vec<Curve> {
    let share = share.map_or(0.5, |share| Share::mean(&share.low, &share.high).to_f64());
    let curve = |holdings, chips: fn(u32, Threshold) -> f64| {
        let point =
            |&(total, threshold): &(u32, Threshold)| (total, chips(total, threshold) - share * f64::from(total));
        Curve { holdings, points: thin(thresholds.iter().map(point).collect(), run) }
    };
    if thresholds.iter().all(|(_, threshold)| threshold.holding().is_some()) {
        return vec![curve(Holdings::Ordered, |_, threshold| f64::from(threshold.plain + threshold.star) / 2.0)];
    }
    vec![
        curve(Holdings::Plain, |_, threshold| f64::from(threshold.plain)),
        // Total + 1 means that no holding suffices: there is no star to count.
        curve(Holdings::Star, |total, threshold| {
            f64::from(threshold.star) + if threshold.star <= total { 0.5 } else { 0.0 }
        }),
    ]
}

fn thin(points: Vec<(u32, f64)>, run: usize) -> Vec<(u32, f64)> {
    if run <= 1 {
        return points;
    }
    let extremes = |points: &[(u32, f64)]| {
        let by_value = |a: &&(u32, f64), b: &&(u32, f64)| a.1.total_cmp(&b.1);
        let mut kept: Vec<(u32, f64)> =
            points.iter().min_by(by_value).into_iter().chain(points.iter().max_by(by_value)).copied().collect();
        kept.sort_by_key(|point| point.0);
        kept.dedup();
        kept
    };
    points.chunks(run).flat_map(extremes).collect()
}

fn outcomes(request: &Request, report: &TableReport, (first, last): (u32, u32)) -> Result<OutcomeSquare, Error> {
    let side = last.min(MAX_SIDE);
    let total = last.min(2 * side);
    let mut thresholds = Vec::new();
    if first > 0 {
        let below = Total::new(0)?..=Total::new(total.min(first - 1))?;
        thresholds = chips::table(request.unfolding.arena(), request.mechanism, below, &request.effort)?;
    }
    let missing = total as usize + 1 - thresholds.len();
    let row = |row: &crate::table::TableRow| Thresholds { win: threshold(&row.win), draw: threshold(&row.draw) };
    thresholds.extend(report.rows.iter().take(missing).map(row));
    Ok(OutcomeSquare { side, total, thresholds })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Subject, table};
    use richman_core::{Effort, Mechanism, Right};

    fn drawn(game: &Subject, totals: (u32, u32), mechanism: &Mechanism, within: Option<u32>) -> TableFigure {
        let unfolding = game.unfold(None, &Effort::default()).unwrap();
        let effort = Effort { within, ..Effort::default() };
        let request = Request { unfolding: unfolding.as_ref(), mechanism, effort };
        let totals = Total::new(totals.0).unwrap()..=Total::new(totals.1).unwrap();
        let report = table::report(&request, totals, false).unwrap();
        figure(&request, &report).unwrap()
    }

    #[test]
    fn curves_are_thresholds_less_their_share() {
        let figure = drawn(&Subject::named("tic-tac-toe").unwrap(), (8, 10), &Mechanism::default(), None);
        assert_eq!(figure.win.share.unwrap().to_string(), "133/256");
        assert_eq!(figure.win.curves.len(), 1);
        assert_eq!(figure.win.curves[0].points[0], (8, 4.5 - 8.0 * 133.0 / 256.0)); // 4*
        assert_eq!(figure.thinned, None);
        assert_eq!((figure.outcomes.side, figure.outcomes.total), (10, 10));

        let within = drawn(&Subject::named("tic-tac-toe").unwrap(), (0, 0), &Mechanism::default(), Some(0));
        assert_eq!(within.win.share.unwrap().to_string(), "1");
        assert_eq!(within.win.curves[0].points, [(0, 1.0)]);
    }

    #[test]
    fn outcomes_do_not_depend_on_where_the_table_begins() {
        let game = Subject::named("connect:rows=3,cols=3,line=3").unwrap();
        let mechanism = Mechanism::default();
        let whole = drawn(&game, (0, 130), &mechanism, None).outcomes;
        assert_eq!((whole.side, whole.total), (63, 126));
        for first in [1, 60, 126, 127, 130] {
            assert_eq!(drawn(&game, (first, 130), &mechanism, None).outcomes, whole, "{first}");
        }
        let corner = drawn(&game, (0, 100), &mechanism, None).outcomes;
        for (alice, bob) in (0..=64).flat_map(|alice| (0..=64).map(move |bob| (alice, bob))) {
            for star in Player::BOTH {
                let inside = alice <= 63 && bob <= 63 && alice + bob <= 100;
                let expected = if inside { whole.winner(alice, bob, star) } else { None };
                assert_eq!(corner.winner(alice, bob, star), expected, "{alice} {bob}");
            }
        }
        assert_eq!(whole.winner(64, 0, Player::Alice), None);
    }

    #[test]
    fn holdings_without_order_have_two_curves_and_a_zugzwang_no_share() {
        let game = br#"{"name": "z", "start": "z", "positions": {"z": {"alice": ["l"], "bob": ["w"]},
            "w": {"winner": "alice"}, "l": {"winner": "bob"}}}"#;
        let game = Subject::from_file("z.json", game, &Effort::default()).unwrap();
        let mechanism = Mechanism { right: Right::Moves, ..Mechanism::default() };
        let figure = drawn(&game, (8, 8), &mechanism, None);
        assert_eq!(figure.win.share, None);
        let curves: Vec<_> = figure.win.curves.iter().map(|curve| (curve.holdings, curve.points[0])).collect();
        assert_eq!(curves, [(Holdings::Plain, (8, 5.0)), (Holdings::Star, (8, -3.5))]);
    }

    #[test]
    fn thinning_keeps_the_extremes() {
        let points = [(0, 1.0), (1, 3.0), (2, 0.0), (3, 2.0), (4, 2.0), (5, 2.0), (6, 7.0)];
        assert_eq!(thin(points.to_vec(), 3), [(1, 3.0), (2, 0.0), (3, 2.0), (5, 2.0), (6, 7.0)]);
        assert_eq!(thin(points.to_vec(), 1), points);
        assert_eq!((run(MAX_POINTS), run(MAX_POINTS + 1), run(100_001)), (1, 3, 49));
        let figure = drawn(&Subject::named("expr:E").unwrap(), (0, 5000), &Mechanism::default(), None);
        assert_eq!(figure.thinned, Some(3));
        assert!(figure.win.curves[0].points.len() <= MAX_POINTS);
    }
}
