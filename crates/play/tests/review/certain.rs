//! What is certain in one turn, judged by the definition of the game: players do it, and reviews
//! say where it was overlooked.

use std::collections::BTreeSet;

use fastrand::Rng;
use richman_check::oracle::{Oracle, OracleState};
use richman_core::{Bidding, Effort, Player, Terminal};
use richman_play::players::{Certain, Computer, Random, Seat};
use richman_play::review::{MistakeGrade, MistakeKind, RestsOn, ResultJson, review};
use richman_play::{Action, Decision, Match};

use super::judge::{Judge, node, part, random_game, random_match, random_mechanism};

/// The options of a turn that make certain of a win at once, or that the game goes on; with open
/// bids the answers to `named`.
struct OneTurn<'a> {
    judge: Judge<'a>,
    state: OracleState,
    player: Player,
    named: Option<u32>,
}

impl OneTurn<'_> {
    fn good(&self, win: bool) -> impl Fn(OracleState) -> bool {
        move |state| {
            let end = self.judge.arena.terminal(state.node);
            if win { end == Some(Terminal::Win(self.player)) } else { end != Some(Terminal::Win(self.player.other())) }
        }
    }

    fn forces(&self, bid: u32, win: bool) -> bool {
        let (oracle, good) = (self.judge.oracle, self.good(win));
        match self.named {
            Some(named) => oracle.resolved(self.player, self.state, Some(bid), Some(named), &good),
            None => oracle.bid_forces(self.player, self.state, bid, &good),
        }
    }

    /// The bids that force the most that a bid can force; `None` if no bid forces anything.
    fn best(&self) -> Option<(bool, Vec<u32>)> {
        let bids = self.judge.oracle.bids(self.player, self.state);
        let of = |win: bool| bids.iter().copied().filter(|&bid| self.forces(bid, win)).collect::<Vec<u32>>();
        [true, false].map(|win| (win, of(win))).into_iter().find(|(_, bids)| !bids.is_empty())
    }
}

fn answers(bidding: Bidding, player: Player) -> bool {
    matches!((bidding, player), (Bidding::AliceFirst, Player::Bob) | (Bidding::BobFirst, Player::Alice))
}

fn check_action(judge: &Judge, played: &Match, player: Player, action: &Action) -> bool {
    let at = |game: &Match| judge.state(&game.walk().notation(), game.hands());
    let named = played.named().filter(|(first, _)| *first != player).map(|(_, bid)| bid);
    let turn = OneTurn { judge: Judge { ..*judge }, state: at(played), player, named };
    match (played.decision(player).unwrap(), action) {
        (Decision::Bid, Action::Bid(bid)) => {
            let Some((_, bids)) = turn.best() else { return false };
            assert!(bids.contains(bid), "{bid} of {bids:?}");
            true
        }
        (Decision::Move { .. }, action) => {
            let after = |action: &Action| {
                let mut after = played.clone();
                after.act(player, action).unwrap();
                after
            };
            let moves = played.view(Some(player)).moves;
            let wins = |name: &str| judge.arena.terminal(node(name)) == Some(Terminal::Win(player));
            if moves.iter().any(|name| wins(name)) {
                assert!(matches!(action, Action::Move(name) if wins(name)), "{action:?}");
                return true;
            }
            let lost = |name: &String| {
                let state = at(&after(&Action::Move(name.clone())));
                match judge.arena.terminal(state.node) {
                    Some(end) => end == Terminal::Win(player.other()),
                    None => judge.oracle.rank(player.other(), state) == Some(1),
                }
            };
            match action {
                Action::Move(name) => assert!(!lost(name) || moves.iter().all(lost), "{name} of {moves:?}"),
                _ => assert_eq!(*action, Action::Let),
            }
            moves.iter().any(|name| !lost(name)) && moves.iter().any(lost)
        }
        _ => false,
    }
}

#[test]
fn players_do_what_is_certain_by_the_definition() {
    let mut rng = Rng::with_seed(27);
    let mut checked = 0;
    for _ in 0..2000 {
        let (game, arena) = random_game(&mut rng);
        let mechanism = random_mechanism(&mut rng);
        let total = rng.u32(1..=5);
        let oracle = Oracle::new(&arena, &mechanism, total, None);
        let judge = Judge { oracle: &oracle, arena: &arena, mechanism: &mechanism };
        let mut played = random_match(&game, &mechanism, total, false, &mut rng);
        let mut certain = Certain { player: Box::new(Random::new(rng.u64(..))) };
        for _ in 0..12 {
            let Some(player) = Player::BOTH.into_iter().find(|&player| played.decision(player).is_some()) else {
                break;
            };
            let action = certain.act(&Seat::new(&played, player), &Effort::default()).unwrap();
            checked += usize::from(check_action(&judge, &played, player, &action));
            played.act(player, &action).unwrap();
        }
    }
    assert!(checked > 400, "{checked}");
}

#[test]
fn reviews_name_every_bid_that_overlooks_what_is_certain() {
    let mut rng = Rng::with_seed(2713);
    let (mut named, mut exactly) = (0, 0);
    for _ in 0..600 {
        let (game, arena) = random_game(&mut rng);
        let mechanism = random_mechanism(&mut rng);
        let total = rng.u32(1..=5);
        let oracle = Oracle::new(&arena, &mechanism, total, None);
        let judge = Judge { oracle: &oracle, arena: &arena, mechanism: &mechanism };
        let played = random_match(&game, &mechanism, total, false, &mut rng);
        let mut expected = BTreeSet::new();
        for (index, turn) in played.turns().iter().enumerate() {
            let last = turn.played.as_ref().map(|name| arena.terminal(node(name)));
            for player in Player::BOTH {
                let Some(bid) = turn.bids[player] else { continue };
                let named = turn.bids[player.other()].filter(|_| answers(mechanism.bidding, player));
                let state = judge.state(&turn.position, turn.hands);
                let one = OneTurn { judge: Judge { ..judge }, state, player, named };
                let Some((win, bids)) = one.best() else { continue };
                if !bids.contains(&bid) && last != Some(Some(Terminal::Win(player))) {
                    expected.insert((index + 1, player, win, bids));
                }
            }
        }
        // Without memory nothing is solved.
        let unsolved = review(&game, &played, &Effort { memory: 0, ..Effort::default() }).unwrap();
        assert!(matches!(unsolved.rests_on, RestsOn::Samples | RestsOn::Nothing), "{:?}", unsolved.rests_on);
        let bids = unsolved.mistakes.iter().filter(|mistake| part(mistake.kind) == "bid");
        let found: BTreeSet<_> = bids
            .map(|m| {
                assert_eq!(m.grade, MistakeGrade::AtOnce);
                let better = m.better.bids.iter().flat_map(|range| range[0]..=range[1]).collect::<Vec<u32>>();
                (m.turn, m.player, m.before == ResultJson::Win, better)
            })
            .collect();
        assert_eq!(found, expected, "{mechanism} {:?}", played.turns());
        named += found.len();
        // Moves after which the other player is certain to win at once are lost, and the others not
        // at once.
        for mistake in unsolved.mistakes.iter().filter(|m| m.kind == MistakeKind::WrongMove) {
            let turn = &played.turns()[mistake.turn - 1];
            let after = played.turns().get(mistake.turn).map_or(played.hands_before(), |next| next.hands);
            let rank = |name: &str| oracle.rank(turn.mover.other(), judge.state(name, after));
            let wins = |name: &String| arena.terminal(node(name)) == Some(Terminal::Win(turn.mover));
            if mistake.before == ResultJson::Win {
                assert!(mistake.better.moves.iter().all(wins));
            } else {
                assert!(rank(turn.played.as_ref().unwrap()).is_some_and(|rank| rank <= 1));
                assert!(mistake.better.moves.iter().all(|name| rank(name).is_none_or(|rank| rank > 1)));
            }
        }
        // Where the game is solved, every loss at once is named too, as such or as a changed
        // result.
        let solved = review(&game, &played, &Effort::default()).unwrap();
        if solved.rests_on == RestsOn::Chips {
            for (turn, player, win, _) in expected.iter().filter(|(_, _, win, _)| !win) {
                let is_it = |m: &&richman_play::review::Mistake| {
                    (m.turn, m.player, part(m.kind)) == (*turn, *player, "bid")
                        && matches!(m.grade, MistakeGrade::Result | MistakeGrade::AtOnce)
                };
                assert!(solved.mistakes.iter().any(|mistake| is_it(&mistake)), "{win} {:#?}", solved.mistakes);
                exactly += 1;
            }
        }
    }
    assert!(named > 30 && exactly > 15, "{named} {exactly}");
}

#[test]
fn a_review_without_time_says_what_it_did_not_look_for() {
    let mut rng = Rng::with_seed(7);
    let game = richman_analysis::Subject::named("tic-tac-toe:rows=4,cols=4").unwrap();
    let played = random_match(&game, &richman_core::Mechanism::default(), 20, false, &mut rng);
    assert!(!played.turns().is_empty());
    let few = Effort { positions: 10, ..Effort::default() };
    let said = |effort: &Effort| review(&game, &played, effort).unwrap().reason.unwrap_or_default();
    let unseen = "from turn 1 on there was no time to look for what is certain at once";
    assert!(said(&few.within_time(std::time::Duration::ZERO)).ends_with(unseen));
    assert!(!said(&few).contains("no time"));
}
