//! Corrupted games, mechanisms and starts.

use super::*;
use richman_analysis::saved::win::{ChipClaims, MoneyClaim};
use richman_formats::{AnyGraph, GameFile};

pub(super) fn head_kinds(kinds: &mut Vec<Kind>) {
    type Change = fn(&mut ChipClaim) -> &mut u32;
    let numbers: [(&str, &str, Change); 4] = [
        ("win plain", "win threshold", |claim| &mut claim.win.plain),
        ("win star", "win threshold", |claim| &mut claim.win.star),
        ("draw plain", "draw threshold", |claim| &mut claim.draw.plain),
        ("draw star", "draw threshold", |claim| &mut claim.draw.star),
    ];
    fn each_total(case: &Case, change: impl Fn(&mut ChipClaim)) -> Vec<Variant> {
        let one = |index: usize| {
            case.with(&format!("total {}", case.totals()[index].total), |solution| {
                if let SolutionClaim::Chips(ChipClaims { totals }) = &mut solution.claim {
                    change(&mut totals[index]);
                }
            })
        };
        (0..case.totals().len()).map(one).collect()
    }
    for (name, says, field) in numbers {
        kinds.push(kind(&format!("head: {name} one off"), Says::Words(says), move |case| {
            let mut variants = each_total(case, |claim| *field(claim) += 1);
            variants.extend(each_total(case, |claim| {
                let number = field(claim);
                *number = number.saturating_sub(1);
            }));
            variants
        }));
    }
    kinds.push(kind("head: win and draw exchanged", Says::Words("threshold"), |case| {
        each_total(case, |claim| std::mem::swap(&mut claim.win, &mut claim.draw))
    }));
    kinds.push(kind("head: another total", Says::Anything, |case| {
        let mut variants = Vec::new();
        for change in [|chips| chips + 1, |chips| chips - 1, |chips| chips * 2 + 1, |_| 0, |_| 1_000_000_000i64] {
            variants.extend(each_total(case, |claim| {
                let chips = change(i64::from(claim.total.chips()));
                claim.total = Total::new(chips.max(0).unsigned_abs() as u32).unwrap();
            }));
        }
        variants
    }));
    kinds.push(kind("head: two totals exchanged", Says::Anything, |case| {
        if case.totals().len() < 2 {
            return Vec::new();
        }
        vec![case.with("first and last", |solution| {
            if let SolutionClaim::Chips(ChipClaims { totals }) = &mut solution.claim {
                let (first, last) = (totals[0].total, totals[totals.len() - 1].total);
                totals[0].total = last;
                totals.last_mut().unwrap().total = first;
            }
        })]
    }));
    kinds.push(kind("mechanism: the other right", Says::Position, |case| {
        let right = match case.solution.mechanism.right {
            Right::Chooses => Right::Moves,
            Right::Moves => Right::Chooses,
        };
        // Without zugzwangs both rights can have the same solution.
        let variant = case.with("right", |solution| solution.mechanism.right = right);
        vec![variant].into_iter().filter(is_false).collect()
    }));
    type Other = fn(&mut Mechanism);
    let unserved: [(&str, Other); 3] = [
        ("poorman", |mechanism| mechanism.payment = Payment::Poorman),
        ("taxman", |mechanism| mechanism.payment = Payment::Taxman { numerator: 1, denominator: 2 }),
        ("bids", |mechanism| mechanism.bids = Bids::Only(vec![1, 5])),
    ];
    for (name, change) in unserved {
        kinds.push(kind(&format!("mechanism: {name}"), Says::Words("is not supported; supported: "), move |case| {
            // Every payment is served for real money.
            if case.totals().is_empty() && name != "bids" {
                return Vec::new();
            }
            vec![case.with(name, |solution| change(&mut solution.mechanism))]
        }));
    }
    let others: [(&str, Other); 4] = [
        ("some bids", |mechanism| mechanism.bids = Bids::Only(vec![0, 5])),
        ("a marker", |mechanism| mechanism.ties = Ties::Marker),
        ("no star", |mechanism| mechanism.ties = Ties::Alice),
        ("open bids and a marker", |mechanism| {
            (mechanism.ties, mechanism.bidding) = (Ties::Marker, Bidding::AliceFirst);
        }),
    ];
    for (name, change) in others {
        kinds.push(kind(&format!("mechanism: {name}"), Says::Anything, move |case| {
            // Neither ties nor who bids first changes thresholds for real money.
            if case.totals().is_empty() {
                return Vec::new();
            }
            let variant = case.with(name, |solution| change(&mut solution.mechanism));
            vec![variant].into_iter().filter(is_false).collect()
        }));
    }
    kinds.push(kind("mechanism: another payment", Says::Position, |case| {
        if case.money().is_empty() {
            return Vec::new();
        }
        let payments = ["richman", "poorman", "taxman:1/2", "taxman:1/3", "taxman:1/1000000"];
        let other = payments
            .iter()
            .filter(|text| text.parse::<Payment>().unwrap().rate() != case.solution.mechanism.payment.rate());
        // Wide bounds, and thresholds of 0 and 1, may also hold with another payment.
        other
            .map(|text| case.with(text, |solution| solution.mechanism.payment = text.parse().unwrap()))
            .filter(|variant| case.truth.is_none() && case.unfolding.arena().is_acyclic() && is_false(variant))
            .collect()
    }));
    kinds.push(kind("game: another name", Says::Anything, |case| {
        let names = [
            "tic-tac-toe",
            "tic-tac-toe:line=2",
            "tic-tac-toe:rows=2",
            "tic-tac-toe:rows=4",
            "connect:rows=3,cols=3,line=3",
            "connect:rows=3,cols=3,line=2",
            "connect",
            "tug-of-war",
            "tug-of-war:length=7",
            "tug-of-war:length=5",
            "tug-of-war:length=4",
            "ultimatum",
            "ultimatum:degree=2",
            "ultimatum:degree=4",
            "expr:(A & B^2) & B",
            "expr:(A & B^3) & B",
            "expr:(B & A^2) & A",
            "expr:E",
            "nothing",
            "",
            "standoff",
            "carousel",
        ];
        let mut variants = Vec::new();
        for name in names {
            // `at` is only the start, which the position gives too.
            let rules = |name: &str| name.replace(",at=1", "");
            if matches!(&case.solution.game, SavedGame::Named(own) if rules(own) == rules(name)) {
                continue;
            }
            variants.push(case.with(name, |solution| solution.game = SavedGame::Named(name.to_string())));
        }
        variants
    }));
    kinds.push(kind("game: another start", Says::Anything, |case| {
        let mut variants = Vec::new();
        for &at in &case.sample {
            let variant = case.with(&case.notation(at), |solution| solution.position = case.notation(at));
            if is_false(&variant) {
                variants.push(variant);
            }
        }
        variants
    }));
    kinds.push(kind("game: an unknown start", Says::Words("is not a position"), |case| {
        ["nowhere", "-99", "ABC", "..."]
            .iter()
            .map(|name| case.with(name, |solution| solution.position = name.to_string()))
            .collect()
    }));
    kinds.push(kind("game: a move of the game file leads elsewhere", Says::Anything, |case| {
        edit_file(case, &|positions, at, player, index, to| {
            let to = richman_core::GraphMove::from((positions[to].name.clone(), ()));
            let moves = &mut positions[at].moves[player];
            if let Some(step) = moves.get_mut(index) {
                *step = to;
            }
        })
    }));
    kinds.push(kind("game: a move of the game file more", Says::Anything, |case| {
        edit_file(case, &|positions, at, player, _, to| {
            let to = richman_core::GraphMove::from((positions[to].name.clone(), ()));
            let moves = &mut positions[at].moves[player];
            if !moves.is_empty() && !moves.contains(&to) {
                moves.push(to);
            }
        })
    }));
    kinds.push(kind("game: a move of the game file less", Says::Anything, |case| {
        edit_file(case, &|positions, at, player, index, _| {
            let moves = &mut positions[at].moves[player];
            if index < moves.len() {
                moves.remove(index);
            }
        })
    }));
    kinds.push(kind("game: an end of the game file belongs to another player", Says::Anything, |case| {
        edit_file(case, &|positions, at, player, index, _| {
            if let richman_core::NodeData::End(end) = &mut positions[at].data {
                *end = if index == 0 { Terminal::Win(player) } else { Terminal::Draw };
            }
        })
    }));
    kinds.push(kind("game: players of the game file exchanged", Says::Anything, |case| {
        let variant = case.with("all", |solution| {
            if let SavedGame::File(AnyGraph::Win(graph)) = &mut solution.game {
                let mut file = GameFile::from(&*graph);
                for position in &mut file.positions {
                    position.moves = std::mem::take(&mut position.moves).swapped();
                    position.data = position.data.mirror();
                }
                *graph = file.graph().unwrap();
            }
        });
        vec![variant].into_iter().filter(is_false).collect()
    }));
}

/// Solves the game of a saved solution again, exactly if possible; `None` if it cannot be solved.
pub(super) fn solve_again(saved: &SavedSolution) -> Option<SavedSolution> {
    let subject = match &saved.game {
        SavedGame::Named(name) => Subject::named(name).ok()?,
        SavedGame::File(AnyGraph::Win(graph)) => graph.clone().into(),
        SavedGame::File(_) => return None,
    };
    let totals: Vec<u64> = match &saved.claim {
        SolutionClaim::Chips(ChipClaims { totals }) => totals.iter().map(|claim| claim.total.chips().into()).collect(),
        _ => Vec::new(),
    };
    let richman = saved.mechanism.payment.rate().is_richman();
    let exactness = if richman { Exactness::Required } else { Exactness::Preferred };
    solve(&subject, Some(&saved.position), &saved.mechanism, &totals, exactness)
}

/// Whether a variant with another game is false for that game as well.
pub(super) fn is_false(variant: &Variant) -> bool {
    let Corrupt::Solution(solution) = &variant.corrupt else { return true };
    let Some(truth) = solve_again(solution) else { return true };
    match (by_position(truth.claim), by_position(solution.claim.clone())) {
        (
            SolutionClaim::Money(MoneyClaim { win, draw, positions: truth }),
            SolutionClaim::Money(MoneyClaim { win: win_claimed, draw: draw_claimed, positions }),
        ) => {
            let head = |win, draw| MoneyValue { position: String::new(), win, draw };
            let same =
                |(value, truth): (&MoneyValue, &MoneyValue)| value.position == truth.position && may_hold(value, truth);
            positions.len() != truth.len()
                || !positions.iter().zip(&truth).all(same)
                || !may_hold(&head(win_claimed, draw_claimed), &head(win, draw))
        }
        (truth, claimed) => truth != claimed,
    }
}

/// Whether the claimed bounds are compatible with the true share or bounds.
pub(super) fn may_hold(value: &MoneyValue, truth: &MoneyValue) -> bool {
    let meet = |bounds: &ShareBounds, truth: &ShareBounds| bounds.low <= truth.high && truth.low <= bounds.high;
    meet(&value.win, &truth.win) && meet(&value.draw, &truth.draw)
}

pub(super) fn by_position(mut claim: SolutionClaim) -> SolutionClaim {
    match &mut claim {
        SolutionClaim::Money(MoneyClaim { positions, .. }) => positions.sort_by(|a, b| a.position.cmp(&b.position)),
        SolutionClaim::Chips(ChipClaims { totals }) => {
            totals.iter_mut().for_each(|claim| claim.positions.sort_by(|a, b| a.position.cmp(&b.position)));
        }
        _ => unreachable!("these have tests of their own"),
    }
    claim
}

type Edit<'a> = &'a dyn Fn(&mut Vec<richman_core::GraphPosition>, usize, Player, usize, usize);

/// Every edit of an embedded game file, by position, player, number of the move and another
/// position.
pub(super) fn edit_file(case: &Case, edit: Edit) -> Vec<Variant> {
    let SavedGame::File(AnyGraph::Win(graph)) = &case.solution.game else { return Vec::new() };
    let file = &GameFile::from(graph);
    let mut variants = Vec::new();
    let count = file.positions.len();
    for at in 0..count {
        for player in Player::BOTH {
            for index in 0..2 {
                for to in 0..count {
                    let mut changed = file.clone();
                    edit(&mut changed.positions, at, player, index, to);
                    if changed == *file {
                        continue;
                    }
                    let Ok(changed) = changed.graph() else { continue }; // no game, which reading refuses
                    let what = format!("{}, {player}, {index}, {}", file.positions[at].name, file.positions[to].name);
                    let game = SavedGame::File(AnyGraph::Win(changed));
                    let variant = case.with(&what, |solution| solution.game = game);
                    if is_false(&variant) {
                        variants.push(variant);
                    }
                }
            }
        }
    }
    variants
}
