//! Small solutions of every kind.

use richman_analysis::saved::win::{
    CellStage, ChipClaim, ChipClaims, ChipValue, MoneyClaim, MoneyValue, PeriodClaim, PurseClaim, PurseClaims,
    PurseValue, RuleValue, RulesClaim,
};
use richman_analysis::saved::{SavedSolution, SolutionClaim};
use richman_core::{
    Bidding, Bids, ByPlayer, Mechanism, Payment, PurseSide, PurseStage, Purses, Right, Rule, Share, ShareBounds, Stage,
    Threshold, Ties, Total,
};
use richman_formats::{AnyGraph, SavedGame, write};

use crate::documents::coin;

/// The document of a solution.
pub fn text(solution: &SavedSolution) -> String {
    let mut bytes = Vec::new();
    write(solution, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// The rules of the game that the first mover wins.
pub fn rules() -> SavedSolution {
    let rules = || vec![Rule::nothing(), Rule::unreachable(), Rule::new(vec![1], 1, 1).unwrap()];
    let period = PeriodClaim { block: 2, step: 1, from: 0 };
    let value = |position: &str, alice, bob| RuleValue { position: position.into(), alice, bob };
    let positions = vec![value("A", 0, 1), value("B", 1, 0), value("E", 2, 2)];
    let claim = RulesClaim { win: period, draw: period, alice: rules(), bob: rules(), positions };
    SavedSolution {
        game: SavedGame::Named("expr:E".into()),
        position: "E".into(),
        mechanism: Mechanism::default(),
        claim: claim.into(),
    }
}

/// Real money in the middle of a tug of war.
pub fn money() -> SavedSolution {
    let half = ShareBounds::exact(Share::dyadic(1, 1));
    let value = |position: &str, share: &ShareBounds| MoneyValue {
        position: position.into(),
        win: share.clone(),
        draw: share.clone(),
    };
    SavedSolution {
        game: SavedGame::Named("tug-of-war:length=2,at=1".into()),
        position: "1".into(),
        mechanism: Mechanism::default(),
        claim: MoneyClaim {
            positions: vec![
                value("0", &ShareBounds::exact(Share::ZERO)),
                value("1", &half),
                value("2", &ShareBounds::exact(Share::ONE)),
            ],
            win: half.clone(),
            draw: half,
        }
        .into(),
    }
}

/// Two totals of chips in a game without a name. The numbers only need the right form.
pub fn chips() -> SavedSolution {
    let stage = |within, plain, star| Stage { within, threshold: Threshold { plain, star } };
    let positions = vec![
        ChipValue { position: "heads".into(), wins: ByPlayer::new(vec![stage(0, 0, 0)], vec![]), guards: None },
        ChipValue {
            position: "toss".into(),
            wins: ByPlayer::new(vec![stage(1, 9, 8), stage(3, 9, 5), stage(4, 5, 4)], vec![stage(1, 5, 4)]),
            guards: None,
        },
    ];
    let claim = |total, plain, star, positions| {
        let threshold = Threshold { plain, star };
        ChipClaim { total: Total::new(total).unwrap(), win: threshold, draw: threshold, positions }
    };
    SavedSolution {
        game: SavedGame::File(AnyGraph::Win(coin().graph().unwrap())),
        position: "toss".into(),
        mechanism: Mechanism {
            payment: Payment::Taxman { numerator: 1, denominator: 2 },
            ties: Ties::Marker,
            bidding: Bidding::AliceFirst,
            right: Right::Moves,
            bids: Bids::Only(vec![0, 5]),
        },
        claim: ChipClaims { totals: vec![claim(8, 5, 4, positions), claim(0, 1, 0, vec![])] }.into(),
    }
}

/// The same game, if play may be undetermined.
pub fn holds() -> SavedSolution {
    let stage = |within, plain, star| Stage { within, threshold: Threshold { plain, star } };
    let mut solution = chips();
    solution.mechanism = Mechanism { ties: Ties::Marker, right: Right::Moves, ..Mechanism::default() };
    if let SolutionClaim::Chips(ChipClaims { totals }) = &mut solution.claim {
        totals.truncate(1);
        totals[0].positions[0].guards = Some(ByPlayer::new(vec![], vec![stage(0, 9, 9)]));
        totals[0].positions[1].guards = Some(ByPlayer::new(vec![stage(1, 0, 1), stage(2, 3, 4)], vec![]));
    }
    solution
}

/// Purses of each kind. The numbers only need the right form.
pub fn purses() -> SavedSolution {
    let stage = |star, other, within, least| CellStage { star, other, stage: PurseStage { within, least } };
    let never = PurseSide::NEVER;
    let heads = PurseValue {
        position: "heads".into(),
        wins: ByPlayer::new(
            vec![stage(false, 0, 0, 0), stage(false, 1, 0, 0), stage(true, 0, 0, 0), stage(true, 1, 0, 0)],
            vec![],
        ),
        guards: Some(ByPlayer::new(vec![], vec![stage(false, 0, 0, never), stage(true, 2, 0, never)])),
    };
    let toss = PurseValue {
        position: "toss".into(),
        wins: ByPlayer::new(
            vec![stage(false, 0, 1, 2), stage(false, 0, 4, 1), stage(true, 1, 2, 2)],
            vec![stage(true, 2, 7, 1)],
        ),
        guards: Some(ByPlayer::new(vec![stage(false, 1, 1, 1), stage(false, 1, 2, never)], vec![])),
    };
    let claim = |purses, positions| PurseClaim { purses, positions };
    SavedSolution {
        game: SavedGame::File(AnyGraph::Win(coin().graph().unwrap())),
        position: "toss".into(),
        mechanism: Mechanism { payment: Payment::Poorman, ties: Ties::Marker, ..Mechanism::default() },
        claim: PurseClaims {
            ranges: vec![
                claim(Purses::UpTo { alice: 2, bob: 1 }, vec![heads, toss]),
                claim(Purses::Together(3), vec![]),
                claim(Purses::Exactly(3), vec![]),
            ],
        }
        .into(),
    }
}
