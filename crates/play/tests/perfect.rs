//! The perfect player against all play of the other player.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;
use richman_analysis::{Insight, Subject};
use richman_core::{
    ByPlayer, Effort, Forces, Holding, Mechanism, Node, Outcome, Player, Preset, Ties, Total, Unfolding,
};
use richman_play::duel::divisions;
use richman_play::players::{Knowledge, Perfect, Seat, Strength};
use richman_play::{Action, Decision, Match, MatchEnd, MatchRules};

fn perfect() -> Strength {
    "perfect".parse().unwrap()
}

/// All actions of `player` now.
fn all_actions(game: &Match, player: Player) -> Vec<Action> {
    let view = game.view(Some(player));
    match view.decision.unwrap() {
        Decision::Bid => view.bids.iter().flat_map(|range| range[0]..=range[1]).map(Action::Bid).collect(),
        Decision::Star { .. } => [true, false].map(Action::UseStar).to_vec(),
        Decision::Move { may_let } => {
            let stay = game.walk().stuck(player).map(|_| Action::Stay);
            let moves = view.moves.into_iter().map(Action::Move);
            moves.chain(may_let.then_some(Action::Let)).chain(stay).collect()
        }
    }
}

/// All ends of this turn if `player` follows `options` and the other does anything.
fn turn_ends(game: Match, player: Player, options: &dyn Fn(&Seat) -> Vec<Action>, into: &mut Vec<Match>) {
    if game.closed().is_some() || !game.turns().is_empty() {
        into.push(game);
        return;
    }
    let own = game.decision(player).is_some();
    let who = if own { player } else { player.other() };
    let actions = if own { options(&Seat::new(&game, player)) } else { all_actions(&game, who) };
    assert!(!actions.is_empty());
    for action in actions {
        let mut next = game.clone();
        next.act(who, &action).unwrap();
        turn_ends(next, player, options, into);
    }
}

type State = (Node, ByPlayer<Holding>);

/// A game with a mechanism and a total, seen by a perfect player.
struct Trial<'a> {
    subject: &'a Subject,
    mechanism: &'a Mechanism,
    unfolding: &'a dyn Unfolding,
    forces: &'a dyn Forces,
    perfect: &'a Perfect,
    player: Player,
}

impl Trial<'_> {
    /// Whether the player can force a win, or at least a draw.
    fn can(&self, (node, hands): State) -> [bool; 2] {
        let [own, other] = [self.player, self.player.other()].map(|player| hands[player]);
        let win = self.forces.outcome(node, hands.alice, hands.bob) == Outcome::Win(self.player);
        [win, win || self.forces.holds(self.player, node, own, other)]
    }

    /// Follows all plays from the states. If `win`, every one must end in a win, else none in a
    /// loss. Returns the number of states met.
    fn follow(&self, starts: &[State], win: bool) -> usize {
        let mut numbers: HashMap<State, usize> = HashMap::new();
        let mut states: Vec<State> = Vec::new();
        for &start in starts {
            numbers.insert(start, states.len());
            states.push(start);
        }
        let mut after: Vec<Vec<usize>> = Vec::new();
        while let Some(&state) = states.get(after.len()) {
            let (node, hands) = state;
            let walk = self.subject.walk(Some(&self.unfolding.notation(node))).unwrap();
            let rules = MatchRules { mechanism: self.mechanism.clone(), start: hands, limit: None };
            let mut ends = Vec::new();
            let options = |seat: &Seat| self.perfect.options(seat).unwrap();
            turn_ends(Match::new(walk, rules).unwrap(), self.player, &options, &mut ends);
            let mut next = Vec::new();
            for end in ends {
                match end.closed() {
                    Some(closed) => {
                        let winner = closed.winner();
                        let context = || format!("{} {} {state:?} {:?}", self.player, self.mechanism, end.turns());
                        assert_ne!(winner, Some(self.player.other()), "{}", context());
                        assert!(!win || winner == Some(self.player), "{}", context());
                    }
                    None => {
                        let state = (self.unfolding.node(&end.walk().notation()).unwrap(), end.hands());
                        next.push(*numbers.entry(state).or_insert_with(|| {
                            states.push(state);
                            states.len() - 1
                        }));
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            after.push(next);
        }
        if win {
            assert!(is_acyclic(&after), "{} {}: a won play goes on forever", self.player, self.mechanism);
        }
        states.len()
    }
}

/// Removes states without predecessors until none is left.
fn is_acyclic(after: &[Vec<usize>]) -> bool {
    let mut before = vec![0; after.len()];
    after.iter().flatten().for_each(|&to| before[to] += 1);
    let mut free: Vec<usize> = (0..after.len()).filter(|&state| before[state] == 0).collect();
    let mut taken = 0;
    while let Some(state) = free.pop() {
        taken += 1;
        for &to in &after[state] {
            before[to] -= 1;
            if before[to] == 0 {
                free.push(to);
            }
        }
    }
    taken == after.len()
}

/// Both players, every division of the total, from the start or from every position. Returns the
/// number of states met.
fn never_spoils(game: &str, mechanism: &Mechanism, total: u32, everywhere: bool) -> usize {
    let subject = Subject::named(game).unwrap();
    let total = Total::new(total).unwrap();
    let options = Effort::default();
    let knowledge = Knowledge::of(&subject, None, mechanism, total, &[perfect()], &options)
        .unwrap_or_else(|error| panic!("{game} {mechanism}: {error}"));
    let Some(Insight::Chips(unfolding, solved)) = knowledge.solved() else { panic!("it is won with chips") };
    let forces = solved.forces();
    let arena = unfolding.arena();
    let mut met = 0;
    for player in Player::BOTH {
        let perfect = Perfect::new(Arc::clone(&knowledge), 0);
        let trial =
            Trial { subject: &subject, mechanism, unfolding: unfolding.as_ref(), forces, perfect: &perfect, player };
        let nodes: Vec<Node> = if everywhere {
            arena.nodes().filter(|&node| arena.terminal(node).is_none()).collect()
        } else {
            vec![arena.start()]
        };
        let all = divisions(mechanism, total).unwrap();
        let states: Vec<State> = nodes.iter().flat_map(|&node| all.iter().map(move |&hands| (node, hands))).collect();
        for win in [true, false] {
            let starts: Vec<State> =
                states.iter().copied().filter(|&state| trial.can(state)[usize::from(!win)]).collect();
            met += trial.follow(&starts, win);
        }
    }
    met
}

#[test]
fn never_spoils_a_position_on_boards_of_nine() {
    let games = ["tic-tac-toe", "connect:rows=3,cols=3,line=3"];
    let cases: Vec<(&str, u32)> = games.into_iter().flat_map(|game| (0..=8).map(move |total| (game, total))).collect();
    let mechanism = Mechanism::default();
    let met: usize = cases.par_iter().map(|&(game, total)| never_spoils(game, &mechanism, total, total <= 2)).sum();
    println!("{met} states");
    assert!(met > 10_000);
}

fn mechanism(changes: &[&str]) -> Mechanism {
    let mut mechanism = Mechanism::default();
    for change in changes {
        match change.split_once('=').unwrap() {
            ("payment", value) => mechanism.payment = value.parse().unwrap(),
            ("ties", value) => mechanism.ties = value.parse().unwrap(),
            ("bidding", value) => mechanism.bidding = value.parse().unwrap(),
            ("right", value) => mechanism.right = value.parse().unwrap(),
            ("bids", value) => mechanism.bids = value.parse().unwrap(),
            (choice, _) => panic!("{choice}"),
        }
    }
    mechanism
}

fn mechanisms() -> Vec<Mechanism> {
    let changes: [&[&str]; 14] = [
        &[],
        &["payment=poorman"],
        &["payment=taxman:1/2"],
        &["ties=marker", "right=moves"],
        &["ties=marker"],
        &["bidding=alice-first", "ties=alice"],
        &["bidding=bob-first"],
        &["ties=loser"],
        &["ties=winner"],
        &["ties=bob", "right=moves"],
        &["bids=0+1+3"],
        &["bids=1+2", "ties=marker"],
        &["bids=1+3"],
        &["payment=poorman", "ties=marker", "right=moves", "bidding=alice-first", "bids=0+2"],
    ];
    changes.into_iter().map(mechanism).collect()
}

#[test]
fn never_spoils_a_position_where_play_comes_back() {
    let games = ["tug-of-war:length=4,at=2", "tug-of-war:length=5,at=2", "ultimatum:degree=1", "ultimatum:degree=2"];
    let mut cases = Vec::new();
    for game in games {
        for mechanism in mechanisms() {
            let least = if mechanism.is_ordered_by_chips() { 0 } else { 2 * mechanism.bids.least() - 1 };
            cases.extend((least..=4).map(|total| (game, mechanism.clone(), total)));
        }
    }
    let met: usize = cases.par_iter().map(|(game, mechanism, total)| never_spoils(game, mechanism, *total, true)).sum();
    println!("{met} states");
    assert!(met > 10_000);
}

#[test]
fn keeps_to_a_limit_on_turns() {
    let subject = Subject::named("tug-of-war:length=4,at=2").unwrap();
    let mechanism = Mechanism::default();
    let total = Total::new(6).unwrap();
    let knowledge = Knowledge::of(&subject, None, &mechanism, total, &[perfect()], &Effort::default()).unwrap();
    let Some(Insight::Chips(unfolding, solved)) = knowledge.solved() else { panic!("it is won with chips") };
    let forces = solved.forces();
    for start in divisions(&mechanism, total).unwrap() {
        let rank = forces.wins_in(Player::Alice, unfolding.arena().start(), start.alice, start.bob);
        for limit in 1..=8 {
            let rules = MatchRules { mechanism: mechanism.clone(), start, limit: Some(limit) };
            let mut game = Match::new(subject.walk(None).unwrap(), rules).unwrap();
            let mut players = [0, 1].map(|seed| perfect().computer(&knowledge, seed).unwrap());
            let [alice, bob] = &mut players;
            let thinking = Effort::default();
            let closed = richman_play::duel::play_out(&mut game, [alice.as_mut(), bob.as_mut()], &thinking).unwrap();
            let wins = closed.winner() == Some(Player::Alice);
            assert_eq!(wins, rank.is_some_and(|rank| rank <= limit), "{start:?} within {limit}");
        }
    }
}

/// From every state the perfect player gets at least the solution's value, whatever the other
/// player does.
#[test]
fn makes_sure_of_the_score() {
    let subject = Subject::named("subtraction:heap=6,set=1+3").unwrap();
    let advantage = Mechanism { ties: Ties::Advantage, ..Preset::Larsson.mechanism() };
    for mechanism in [Preset::Larsson.mechanism(), advantage, Mechanism::default()] {
        for total in 0..=5 {
            let total = Total::new(total).unwrap();
            let knowledge = Knowledge::of(&subject, None, &mechanism, total, &[perfect()], &Effort::default()).unwrap();
            let Some(Insight::Scores(unfolding, solution)) = knowledge.solved() else { panic!("it is for a score") };
            for player in Player::BOTH {
                let perfect = Perfect::new(Arc::clone(&knowledge), 0);
                let options = |seat: &Seat| perfect.options(seat).unwrap();
                for start in divisions(&mechanism, total).unwrap() {
                    let star = if start.alice.has_star() { Player::Alice } else { Player::Bob };
                    let state = richman_core::ScoreState { alice: start.alice.chips(), star };
                    let value = solution.score(unfolding.arena().start(), state);
                    let mut known = HashMap::new();
                    let walk = subject.walk(None).unwrap();
                    let worst = worst(walk, start, &mechanism, player, &options, &mut known);
                    let sure = if player == Player::Alice { value.low } else { -value.high };
                    assert_eq!(worst, sure, "{player} {mechanism} {start:?}");
                }
            }
        }
    }
}

/// The least that `player` gets from here on, in their own score.
fn worst(
    walk: Box<dyn richman_core::Walk>,
    start: ByPlayer<Holding>,
    mechanism: &Mechanism,
    player: Player,
    options: &dyn Fn(&Seat) -> Vec<Action>,
    known: &mut HashMap<(String, ByPlayer<Holding>), i64>,
) -> i64 {
    let key = (walk.notation(), start);
    if let Some(&worst) = known.get(&key) {
        return worst;
    }
    let before = walk.score().unwrap();
    let sign = if player == Player::Alice { 1 } else { -1 };
    let rules = MatchRules { mechanism: mechanism.clone(), start, limit: None };
    let mut ends = Vec::new();
    turn_ends(Match::new(walk, rules).unwrap(), player, options, &mut ends);
    let mut least = i64::MAX;
    for end in ends {
        let value = match end.closed() {
            Some(MatchEnd::Game(richman_core::End::Score(score))) => sign * (score - before),
            Some(closed) => panic!("{closed:?}"),
            None => {
                let gained = sign * (end.walk().score().unwrap() - before);
                gained + worst(end.walk().boxed(), end.hands(), mechanism, player, options, known)
            }
        };
        least = least.min(value);
    }
    known.insert(key, least);
    least
}
