//! What reports with real money say about the ends of the range: where one player has all the
//! money, where the best bid is always made, where bounds are wider than asked for. The judges
//! write turns out bid by bid, enumerate strategies, or play.

use std::sync::atomic::{AtomicU32, Ordering};

use dashu_ratio::RBig;
use fastrand::Rng;
use rayon::prelude::*;
use richman_analysis::mean_payoff::{AverageReport, OneSidedAverage};
use richman_analysis::money::{BidSuffices, EndWin, MoneyReport};
use richman_analysis::{Error, Question, Report, Subject, ask};
use richman_check::averages::averages;
use richman_check::one_sided_judge::{OneSidedGame, priority_of_end};
use richman_check::policies::{chance, parity_chance};
use richman_check::zielonka::TurnGame;
use richman_core::{
    Aim, ByPlayer, Effort, Exactness, LabelledArena, MeanPayoff, Mechanism, Node, NodeData, Parity, Payment,
    PayoffBounds, Player, Rate, Right, Share, Ties, WinLose, Winnable,
};

use crate::seeds::seeds;

const PAYMENTS: [&str; 5] = ["richman", "richman", "poorman", "taxman:1/2", "taxman:1/3"];

/// A game of up to five positions and two ends, as a file. `label` writes what a position has
/// beside its moves.
fn drawn(
    rng: &mut Rng,
    kinds: &[&str],
    equal: bool,
    label: impl Fn(&mut Rng) -> String,
    (ends, objective): (bool, &str),
) -> (Subject, String) {
    let count = rng.usize(1..=5);
    let mut positions = Vec::new();
    for at in 0..count {
        let moves = |rng: &mut Rng| {
            let to = |rng: &mut Rng| match ends && rng.u32(..5) == 0 {
                true => format!("\"{}\"", rng.choice(["hers", "his"]).unwrap()),
                false => format!("\"{}\"", rng.usize(..count)),
            };
            let mut moves: Vec<String> = (0..rng.usize(1..=2)).map(|_| to(rng)).collect();
            moves.dedup();
            moves.join(",")
        };
        let kind = *rng.choice(kinds).unwrap();
        let (alice, bob) = (moves(rng), moves(rng));
        let moves = match kind {
            "bid" if equal || rng.bool() => format!("\"both\": [{alice}]"),
            "bid" => format!("\"alice\": [{alice}], \"bob\": [{bob}]"),
            owner => format!("\"kind\": \"{owner}\", \"{owner}\": [{alice}]"),
        };
        positions.push(format!("\"{at}\": {{{moves}{}}}", label(rng)));
    }
    if ends {
        positions.push("\"hers\": {\"winner\": \"alice\"}, \"his\": {\"winner\": \"bob\"}".to_string());
    }
    let positions = positions.join(",\n");
    let file = format!("{{\"name\": \"drawn\", {objective} \"start\": \"0\", \"positions\": {{{positions}}}}}");
    (
        Subject::from_file("drawn.json", file.as_bytes(), &Effort::default())
            .unwrap_or_else(|error| panic!("{error}: {file}")),
        file,
    )
}

fn priority(rng: &mut Rng) -> String {
    format!(", \"priority\": {}", rng.u32(..4))
}

fn mechanism(rng: &mut Rng, right: &[Right]) -> Mechanism {
    Mechanism {
        payment: rng.choice(PAYMENTS).unwrap().parse::<Payment>().unwrap(),
        ties: rng.choice(Ties::ALL).unwrap(),
        right: *rng.choice(right).unwrap(),
        ..Mechanism::default()
    }
}

fn money(subject: &Subject, mechanism: &Mechanism) -> Result<Box<MoneyReport>, Error> {
    let question = Question { aim: subject.aim(), ..Question::new(mechanism.clone()) };
    match ask(subject, &question, &Effort::default())?.report {
        Report::Money(report) => Ok(report),
        report => panic!("{report:?}"),
    }
}

fn wins(end: EndWin, star: Player) -> bool {
    match end {
        EndWin::Yes => true,
        EndWin::No => false,
        EndWin::WithStar(player) => player == star,
    }
}

/// What the judge says about `poor`, with the chances of random-turn play.
fn judged<L: Winnable>(
    arena: &LabelledArena<L>,
    mechanism: &Mechanism,
    poor: Player,
    chances: &[Share],
    priority: impl Fn(Node) -> u32,
) -> ByPlayer<bool> {
    let game = OneSidedGame::new(arena, mechanism, poor, |_| 0);
    let won = game.wins(|node| chances[node as usize] == Share::ONE, priority);
    ByPlayer::from_fn(|star| won(arena.start(), star))
}

/// Every game that somebody wins, at both ends.
#[test]
fn who_wins_without_money_is_who_wins_bid_by_bid() {
    let seen: Vec<AtomicU32> = (0..4).map(|_| AtomicU32::new(0)).collect();
    let count = |at: usize| seen[at].fetch_add(1, Ordering::Relaxed);
    seeds("RICHMAN_ARENAS", 1_000).into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0xE7D5);
        let is_parity = rng.bool();
        let kinds = ["bid", "bid", "alice", "bob"];
        let (subject, file) = if is_parity {
            let ends = rng.bool();
            drawn(&mut rng, &kinds, false, priority, (ends, ""))
        } else {
            drawn(&mut rng, &kinds, false, |_| String::new(), (true, ""))
        };
        let mechanism = mechanism(&mut rng, &[Right::Chooses, Right::Chooses, Right::Moves]);
        let about = format!("seed {seed}, {mechanism}: {file}");
        let Ok(report) = money(&subject, &mechanism) else { return }; // a zugzwang, where the winner must move
        let (effort, most) = (Effort::default(), 1 << 12);
        for poor in Player::BOTH {
            let (threshold, end) = poor.either((&report.win, Share::ZERO), (&report.draw, Share::ONE));
            let truth = if is_parity {
                let unfolding = subject.unfold_for::<Parity>(None, &effort).unwrap();
                let arena = unfolding.arena();
                let Some(chances) = parity_chance(arena, poor, most) else { return };
                let of = |node: Node| match arena.data(node) {
                    NodeData::On(label) => label.priority.0,
                    NodeData::End(winner) => winner.either(0, 1),
                };
                let any = chances[arena.start() as usize] == Share::ONE;
                (any, judged(arena, &mechanism, poor, &chances, of))
            } else {
                let unfolding = subject.unfold_for::<WinLose>(None, &effort).unwrap();
                let arena = unfolding.arena();
                let Some(chances) = chance(arena, poor, most) else { return };
                let any = chances[arena.start() as usize] == Share::ONE;
                (any, judged(arena, &mechanism, poor, &chances, |node| priority_of_end(arena, node, poor)))
            };
            let (any, truth) = truth;
            assert_eq!(any, threshold.0.as_exact() == Some(&end), "{about}");
            if !any {
                continue;
            }
            // Payment to the bank under which the winner must move is left open.
            let Some(said) = report.at_end[poor] else {
                assert!(mechanism.payment.rate() == Rate::POORMAN && mechanism.right == Right::Moves, "{about}");
                continue;
            };
            count(usize::from(said == EndWin::Yes));
            for star in Player::BOTH {
                assert_eq!(
                    wins(said, star),
                    truth[star],
                    "{poor} without money, {star} holds the star: {report:?} {about}"
                );
            }
            if is_parity {
                let other = report.at_end[poor.other()].expect("one of the two wins");
                Player::BOTH.iter().for_each(|&star| assert!(wins(other, star) != truth[star], "{about}"));
                count(2);
            }
            if matches!(said, EndWin::WithStar(_)) {
                count(3);
            }
        }
        // With all the money nobody wins a game that ends if no other share is enough.
        if !is_parity {
            let unfolding = subject.unfold_for::<WinLose>(None, &effort).unwrap();
            let arena = unfolding.arena();
            for rich in Player::BOTH {
                let Some(chances) = chance(arena, rich, most) else { return };
                if chances[arena.start() as usize] == Share::ZERO {
                    assert_eq!(report.at_end[rich], Some(EndWin::No), "{about}");
                    let game = OneSidedGame::new(arena, &mechanism, rich.other(), |_| 0);
                    let held = game
                        .wins(|node| chances[node as usize] == Share::ZERO, |node| priority_of_end(arena, node, rich));
                    assert!(Player::BOTH.iter().all(|&star| held(arena.start(), star)), "{about}");
                }
            }
        }
    });
    let seen: Vec<u32> = seen.iter().map(|seen| seen.load(Ordering::Relaxed)).collect();
    assert!(seen.iter().all(|&seen| seen > 5), "{seen:?}");
}

fn average(subject: &Subject, mechanism: &Mechanism, share: &Share) -> Box<AverageReport> {
    let share = Some(share.clone());
    let question = Question { aim: subject.aim(), share, ..Question::new(mechanism.clone()) };
    match ask(subject, &question, &Effort::default()).unwrap().report {
        Report::Average(report) => report,
        report => panic!("{report:?}"),
    }
}

/// Where one player has all the money the average is that of play bid by bid; between the ends it
/// is that of play with a coin.
#[test]
fn averages_at_the_ends_are_those_of_play_bid_by_bid() {
    let seen = [AtomicU32::new(0), AtomicU32::new(0)];
    seeds("RICHMAN_ARENAS", 500).into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0xE7D6);
        let equal = rng.bool();
        let weight = |rng: &mut Rng| format!(", \"weight\": {}", rng.i64(-2..=2));
        let kinds: &[&str] = if equal { &["bid"] } else { &["bid", "bid", "alice", "bob"] };
        let (subject, file) = drawn(&mut rng, kinds, equal, weight, (false, "\"objective\": \"mean-payoff\","));
        let rights: &[Right] = if equal { &[Right::Chooses, Right::Moves] } else { &[Right::Chooses] };
        let mechanism = mechanism(&mut rng, rights);
        let unfolding = subject.unfold_for::<MeanPayoff>(None, &Effort::default()).unwrap();
        let (arena, rate) = (unfolding.arena(), mechanism.payment.rate());
        let about = format!("seed {seed}, {mechanism}: {file}");
        for (share, poor) in [(Share::ZERO, Player::Alice), (Share::ONE, Player::Bob)] {
            let report = average(&subject, &mechanism, &share);
            let Some(nearby) = averages(arena, &rate.coin(&share), 1 << 10) else { return };
            assert!(!report.any_share, "{about}");
            assert_eq!(report.one_sided.is_some(), rate != Rate::POORMAN, "{about}");
            let whole = &report.average;
            let (star_alice, star_bob) = match &report.one_sided {
                Some(OneSidedAverage { star_alice, star_bob, .. }) => (star_alice, star_bob),
                None => (whole, whole),
            };
            let game = OneSidedGame::of_averages(arena, &mechanism, poor);
            for (star, PayoffBounds { low, high }) in [(Player::Alice, star_alice), (Player::Bob, star_bob)] {
                let keeps = |player, least: &RBig| game.keeps(player, least, &nearby)(arena.start(), star);
                assert!(keeps(Player::Alice, low), "{star} holds the star, share {share}: {report:?}, {about}");
                assert!(keeps(Player::Bob, high), "{star} holds the star, share {share}: {report:?}, {about}");
            }
            seen[0].fetch_add(u32::from(report.one_sided.is_some() && report.exact), Ordering::Relaxed);
            let differs = report.one_sided.as_ref().is_some_and(|one| one.nearby != *whole);
            seen[1].fetch_add(u32::from(differs), Ordering::Relaxed);
        }
        let between = average(&subject, &mechanism, &Share::dyadic(1, 2));
        assert!(between.any_share == rate.is_richman() && between.one_sided.is_none(), "{about}");
    });
    let seen = seen.map(|seen| seen.into_inner());
    assert!(seen.iter().all(|&seen| seen > 50), "{seen:?}");
}

/// The game in which `player` always makes the best bid, and the other player decides who moves
/// wherever that does not take all the money: whether `player` wins it.
struct ExactBids<'a, L: Winnable> {
    arena: &'a LabelledArena<L>,
    player: Player,
    /// What `player` needs at each position.
    needs: Vec<Share>,
}

impl<L: Winnable> ExactBids<'_, L> {
    /// The best moves of a player by what `player` needs after them, and that need.
    fn best(&self, node: Node, mover: Player) -> (Vec<Node>, Option<&Share>) {
        let moves = self.arena.moves(node, mover);
        let shares = moves.iter().map(|&to| &self.needs[to as usize]);
        let best = if mover == self.player { shares.min() } else { shares.max() };
        (moves.iter().copied().filter(|&to| Some(&self.needs[to as usize]) == best).collect(), best)
    }

    /// The players who may get to move, by the other player's choice.
    fn movers(&self, node: Node) -> Vec<Player> {
        let (player, other) = (self.player, self.player.other());
        if let Some(owner) = self.arena.owner(node) {
            return vec![owner];
        }
        let [own, others] = [player, other].map(|mover| self.best(node, mover).1.unwrap());
        match own.max(others) == &Share::ONE {
            true if own < others => vec![player],
            true => vec![other],
            false => vec![player, other],
        }
    }

    fn is_won(&self, priority: impl Fn(Node) -> u32, anywhere: bool) -> bool {
        let (player, other) = (self.player, self.player.other());
        let mut game = TurnGame::default();
        for node in self.arena.nodes() {
            game.add(other, priority(node));
        }
        let lost = game.add(other, other.either(0, 1));
        game.set_moves(lost, vec![lost]);
        for node in self.arena.nodes() {
            let at = node as usize;
            let to = match self.arena.terminal(node) {
                Some(_) => vec![at],
                None if self.needs[at] == Share::ONE => vec![lost],
                None => {
                    let moved = |mover: Player| {
                        let moves = match mover == player || !anywhere {
                            true => self.best(node, mover).0,
                            false => self.arena.moves(node, mover).to_vec(),
                        };
                        let point = game.add(mover, 0);
                        game.set_moves(point, moves.into_iter().map(|to| to as usize).collect());
                        point
                    };
                    self.movers(node).into_iter().map(moved).collect()
                }
            };
            game.set_moves(at, to);
        }
        game.won_by_alice()[self.arena.start() as usize] == (player == Player::Alice)
    }

    /// Plays with exact money: the other player outbids by ever less, or does not, by lot.
    fn play(&self, rng: &mut Rng, about: &str) {
        let one = Share::ONE;
        let (mut at, mut excess) = (self.arena.start(), Share::dyadic(1, 30));
        let Some(mut share) = plus(&self.needs[at as usize], &excess) else { return };
        for _ in 0..30 {
            let need = &self.needs[at as usize];
            if self.arena.terminal(at).is_some() || *need == one {
                return;
            }
            let surplus = share.rational() - need.rational();
            assert!(
                surplus >= *Share::dyadic(1, 30).rational() && surplus < *Share::dyadic(1, 28).rational(),
                "{about}"
            );
            let mover = rng.choice(self.movers(at)).unwrap();
            let (moves, after) = self.best(at, mover);
            if self.arena.owner(at).is_none() {
                let [own, others] = [self.player, self.player.other()].map(|mover| self.best(at, mover).1.unwrap());
                let bid = Share::half_difference(own, others);
                // Who has the right to choose who moves: the winner, at a zugzwang to let the
                // other.
                let wins = (mover == self.player) == (own <= others);
                share = if wins {
                    Rate::RICHMAN.after_win(&share, &bid).expect("the best bid can be paid")
                } else {
                    excess = Share::half_difference(&excess, &Share::ZERO);
                    let more = plus(&bid, &excess).expect("a little more than the best bid is a bid");
                    Rate::RICHMAN.after_loss(&share, &more).unwrap_or_else(|| panic!("{bid} cannot be outbid: {about}"))
                };
            }
            assert!(after.is_some());
            at = *rng.choice(&moves).unwrap();
        }
    }
}

fn plus(one: &Share, two: &Share) -> Option<Share> {
    let sum = one.rational() + two.rational();
    sum.to_string().parse().ok()
}

/// A claim that the best bid alone wins, or does not, is that of play in which the other player
/// decides who moves; and money allows that player to.
#[test]
fn the_best_bid_alone_wins_or_does_not() {
    let seen = [AtomicU32::new(0), AtomicU32::new(0)];
    seeds("RICHMAN_ARENAS", 1_000).into_par_iter().for_each(|seed| {
        let mut rng = Rng::with_seed(seed ^ 0xE7D7);
        let (is_parity, kinds) = (rng.bool(), ["bid", "bid", "bid", "alice", "bob"]);
        let (subject, file) = match is_parity {
            true => {
                let ends = rng.bool();
                drawn(&mut rng, &kinds, false, priority, (ends, ""))
            }
            false => drawn(&mut rng, &kinds, false, |_| String::new(), (true, "")),
        };
        let report = money(&subject, &Mechanism::default()).unwrap();
        for player in Player::BOTH {
            let about = format!("seed {seed}, {player}: {file}");
            let said = match report.bid_suffices[player] {
                Some(BidSuffices::Yes) => true,
                Some(BidSuffices::No) => false,
                // One of the player's best moves may lose what another wins.
                Some(BidSuffices::Unknown) | None => continue,
            };
            seen[usize::from(said)].fetch_add(1, Ordering::Relaxed);
            let needs = |chances: Vec<Share>| chances.iter().map(Share::complement).collect::<Vec<_>>();
            if is_parity {
                let unfolding = subject.unfold_for::<Parity>(None, &Effort::default()).unwrap();
                let Some(chances) = parity_chance(unfolding.arena(), player, 1 << 12) else { continue };
                let game = ExactBids { arena: unfolding.arena(), player, needs: needs(chances) };
                let of = |node: Node| match game.arena.data(node) {
                    NodeData::On(label) => label.priority.0,
                    NodeData::End(winner) => winner.either(0, 1),
                };
                assert_eq!(game.is_won(of, said), said, "{about}");
                game.play(&mut rng, &about);
            } else {
                let unfolding = subject.unfold_for::<WinLose>(None, &Effort::default()).unwrap();
                let Some(chances) = chance(unfolding.arena(), player, 1 << 12) else { continue };
                let game = ExactBids { arena: unfolding.arena(), player, needs: needs(chances) };
                assert_eq!(game.is_won(|node| priority_of_end(game.arena, node, player), said), said, "{about}");
                game.play(&mut rng, &about);
            }
        }
    });
    let seen = seen.map(|seen| seen.into_inner());
    assert!(seen.iter().all(|&seen| seen > 20), "{seen:?}");
}

/// A width that is asked for is reached, or the report says how wide the bounds are.
#[test]
fn a_width_that_is_not_reached_is_said() {
    let path = Subject::named("tug-of-war:length=5").unwrap();
    let poorman = Question::new(Mechanism { payment: Payment::Poorman, ..Mechanism::default() });
    let hours = Subject::from_file("hours.json", HOURS.as_bytes(), &Effort::default()).unwrap();
    let average = Question { aim: hours.aim(), ..Question::new(Mechanism::default()) };
    for (subject, question) in [(&path, &poorman), (&hours, &average)] {
        for width in [2f64.powi(-40), 1e-9, 1e-18, 1e-40] {
            // The game for an average is exact unless exact values are left out.
            let exactness = Exactness::Bounds;
            let effort = Effort { width, exactness, ..Effort::default() };
            let (reached, stop) = match ask(subject, question, &effort).unwrap().report {
                Report::Money(report) => (report.win.0.width().max(report.draw.0.width()), report.stop),
                Report::Average(report) => {
                    let [low, high] = report.bounds();
                    (high.to_f64() - low.to_f64(), report.stop)
                }
                report => panic!("{report:?}"),
            };
            let is_chosen = width != Effort::default().width || matches!(subject.aim(), Aim::Win);
            assert_eq!(stop.contains("wide, wider than"), reached > width && is_chosen, "{width}, {reached}: {stop}");
        }
    }
}

const HOURS: &str = r#"{"name": "hours", "start": "gate", "objective": "mean-payoff", "positions": {
    "left": {"both": ["left", "gate"]}, "gate": {"both": ["left", "right"]},
    "right": {"both": ["gate", "right"], "weight": 1}}}"#;
