//! Every sentence about chips is a claim; the oracle judges the sentences of reports and hints on
//! random games, including extreme cases: no chips, all ties one player's, bids that nobody can
//! make.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;

use fastrand::Rng;
use richman_analysis::chips::HoldingsQuery;
use richman_analysis::{Question, Report, Stake, ask};
use richman_check::arenas::{ArenaShape, random};
use richman_check::oracle::{Oracle, OracleState};
use richman_core::{Arena, Bids, Mechanism, Node, Outcome, Payment, Right, Terminal, Ties, Unwatched};
use serde_json::{Value, json};

use super::*;

/// The number of games; `RICHMAN_SENTENCES` sets another.
fn games() -> u32 {
    std::env::var("RICHMAN_SENTENCES").map_or(2_000, |text| text.parse().expect("a number of games"))
}

/// A game file; position i is called `pi`.
fn file(arena: &Arena) -> Value {
    let positions = arena.nodes().map(|node| {
        let names = |mover| arena.moves(node, mover).iter().map(|to| json!(format!("p{to}"))).collect::<Vec<Value>>();
        let [alice, bob] = Player::BOTH.map(names);
        let kind = arena.owner(node).map_or("bid", |owner| owner.either("alice", "bob"));
        let position = match arena.terminal(node) {
            Some(Terminal::Win(winner)) => json!({"winner": winner.either("alice", "bob")}),
            Some(Terminal::Draw) => json!({"winner": "none"}),
            None => json!({"kind": kind, "alice": alice, "bob": bob}),
        };
        (format!("p{node}"), position)
    });
    let positions: serde_json::Map<String, Value> = positions.collect();
    json!({"name": "random", "start": format!("p{}", arena.start()), "positions": positions})
}

fn mechanism(rng: &mut Rng) -> Mechanism {
    const BIDS: [&[u32]; 3] = [&[0, 2], &[1, 2, 3], &[2]];
    Mechanism {
        payment: rng.choice(["richman", "richman", "poorman", "taxman:1/2"]).unwrap().parse::<Payment>().unwrap(),
        ties: rng.choice(Ties::ALL).unwrap(),
        bidding: rng.choice([Bidding::Sealed, Bidding::AliceFirst, Bidding::BobFirst]).unwrap(),
        right: rng.choice([Right::Chooses, Right::Moves]).unwrap(),
        bids: if rng.bool() { Bids::All } else { Bids::Only(rng.choice(BIDS).unwrap().to_vec()) },
    }
}

struct Turn<'a> {
    oracle: &'a Oracle<'a>,
    state: OracleState,
    /// 1 if the sentence is about the position after a best move.
    moved: u32,
}

impl Turn<'_> {
    fn rank(&self, player: Player) -> Option<u32> {
        self.oracle.rank(player, self.state).map(|rank| rank - self.moved)
    }

    fn holds(&self, player: Player) -> bool {
        self.oracle.can_draw(player, self.state)
    }

    fn nobody_wins(&self) -> bool {
        Player::BOTH.into_iter().all(|player| self.rank(player).is_none())
    }

    /// Whether the number of moves in a sentence is that of the fastest win.
    fn is_fastest(&self, winner: Player, text: &str) -> bool {
        let Some((_, after)) = text.split_once(" within ") else { return true };
        let number = after.split(' ').next().and_then(|number| number.parse().ok());
        number == self.rank(winner)
    }

    /// Bids of the other player, among all, to which a bid loses.
    fn losing(&self, player: Player, bid: u32) -> [usize; 2] {
        let other = player.other();
        let loses = |reply: &u32| {
            let is_held = |next| self.oracle.rank(other, next).is_none();
            !self.oracle.resolved(player, self.state, Some(bid), Some(*reply), &is_held)
        };
        let replies = self.oracle.bids(other, self.state);
        [replies.iter().filter(|reply| loses(reply)).count(), replies.len()]
    }
}

/// A sentence with `{}` for a player's name, and the condition under which it is true.
type Sentence = (&'static str, fn(&Turn, Player, &str) -> bool);

const SENTENCES: [Sentence; 9] = [
    ("{} has won", |turn, player, _| turn.rank(player) == Some(0)),
    ("{} can force a win within ", |turn, player, text| {
        turn.rank(player).is_some_and(|rank| rank > 0) && turn.is_fastest(player, text)
    }),
    ("{} can force a win, but then only ", |turn, player, _| turn.rank(player).is_some()),
    ("this holds out longest", |turn, _, _| !turn.nobody_wins()),
    ("both can force a draw", |turn, _, _| turn.oracle.outcome(turn.state) == Outcome::Draw),
    ("nobody can force anything", |turn, _, _| {
        turn.nobody_wins() && !Player::BOTH.into_iter().any(|player| turn.holds(player))
    }),
    ("nobody can force a win, and only {} is sure of a draw", |turn, player, _| {
        turn.nobody_wins() && turn.holds(player) && !turn.holds(player.other())
    }),
    ("{} can be sure of a draw", |turn, player, _| turn.rank(player).is_none() && turn.holds(player)),
    ("nothing is sure here", |turn, _, text| {
        let hinted = Player::BOTH.into_iter().find(|player| text.starts_with(&format!("Hint for {player}: ")));
        turn.nobody_wins() && hinted.is_some_and(|player| !turn.holds(player))
    }),
];

/// How often each sentence was said.
type Seen = Mutex<BTreeMap<&'static str, usize>>;

fn judge(turn: &Turn, text: &str, seen: &Seen) -> usize {
    let mut said = 0;
    for (sentence, holds) in SENTENCES {
        for player in Player::BOTH {
            let is_once = !sentence.contains("{}") && player == Player::Bob;
            if !is_once && text.contains(&sentence.replace("{}", &player.to_string())) {
                assert!(holds(turn, player, text), "{sentence:?} of {player} is false: {text:?} at {:?}", turn.state);
                *seen.lock().unwrap().entry(sentence).or_default() += 1;
                said += 1;
            }
        }
    }
    said
}

/// A random game with its holdings.
fn drawn(round: u32, rng: &mut Rng) -> (Arena, Mechanism, ByPlayer<Holding>) {
    let arena = random(ArenaShape::small(rng), rng).unwrap();
    let mut mechanism = mechanism(rng);
    if round.is_multiple_of(2) {
        // Where play need not be determined.
        (mechanism.ties, mechanism.bidding) = (Ties::Marker, Bidding::Sealed);
    }
    let chips: [u32; 2] = [rng.u32(0..=4), rng.u32(0..=4)];
    let star = mechanism.has_star().then(|| rng.bool());
    let hands = ByPlayer::new(
        Holding::new(chips[0], star == Some(true)).unwrap(),
        Holding::new(chips[1], star == Some(false)).unwrap(),
    );
    (arena, mechanism, hands)
}

#[test]
fn every_sentence_about_chips_is_true_bid_by_bid() {
    let rounds = Mutex::new((0..games(), Rng::with_seed(5)));
    let next = || {
        let (rounds, rng) = &mut *rounds.lock().unwrap();
        rounds.next().map(|round| drawn(round, rng))
    };
    let seen = Seen::default();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((arena, mechanism, hands)) = next() {
                    judge_game(&arena, &mechanism, hands, &seen);
                }
            });
        }
    });
    let seen = seen.into_inner().unwrap();
    // Positions where nobody can force anything are too rare.
    assert!(seen.len() >= SENTENCES.len(), "each sentence is said somewhere: {seen:?}");
}

/// Judges all sentences about a game.
fn judge_game(arena: &Arena, mechanism: &Mechanism, hands: ByPlayer<Holding>, seen: &Seen) {
    let file = file(arena).to_string();
    let subject = Subject::from_file("random.json", file.as_bytes(), &Effort::default()).unwrap();
    let holder = match mechanism.ties {
        Ties::Alice => Player::Alice,
        Ties::Bob => Player::Bob,
        _ if hands.alice.has_star() => Player::Alice,
        _ => Player::Bob,
    };
    let [alice, bob] = [hands.alice.chips(), hands.bob.chips()];
    let oracle = Oracle::new(arena, mechanism, alice + bob, None);
    let state = OracleState { node: arena.start(), alice, bob, star: holder };
    let turn = Turn { oracle: &oracle, state, moved: 0 };
    let components = arena.components();
    let own = components.component(arena.start());
    let comes_back = |to: Node| components.component(to) == own && components.is_cyclic(own as usize);

    let query = HoldingsQuery { alice: hands.alice, bob: hands.bob, trace: false };
    let question = Question { stake: Stake::Hands(query), ..Question::new(mechanism.clone()) };
    // Few chips may leave nobody a bid.
    let Ok(answer) = ask(&subject, &question, &Effort::default()) else { return };
    let holdings = match answer.report {
        Report::Chips(report) => report.holdings.unwrap(),
        Report::Purses(report) => report.holdings,
        report => panic!("{report:?}"),
    };
    let text = crate::reports::chips::outcome(&holdings);
    assert!(judge(&turn, &text, seen) > 0 || text.starts_with("undetermined"), "{text}");

    let rules = MatchRules { mechanism: mechanism.clone(), start: hands, limit: None };
    let game = Match::new(subject.walk(None).unwrap(), rules.clone()).unwrap();
    let hints = Hints::solve(&subject, None, &rules, &Effort::default()).unwrap();
    for player in Player::BOTH {
        let Some(decision) = game.decision(player) else { continue };
        let hint = hints.hint(&game, player, decision, &Unwatched).unwrap();
        let context = format!("{} {mechanism} {state:?} {file}", hint.text);
        let moved = u32::from(decision != Decision::Bid);
        assert!(judge(&Turn { moved, ..turn }, &hint.text, seen) > 0, "{context}");
        let bids = hint.suggests.iter().filter_map(|play| match play {
            HintedPlay::Bids([_, bid]) => Some(*bid),
            HintedPlay::Action(_) => None,
        });
        for bid in bids {
            let forces = |good: &dyn Fn(OracleState) -> bool| oracle.bid_forces(player, state, bid, good);
            match turn.rank(player) {
                Some(rank) => {
                    // If play cannot come back, a player who keeps the win need not come
                    // nearer.
                    let comes_nearer = |next: OracleState| {
                        oracle.rank(player, next).is_some_and(|after| after < rank || !comes_back(next.node))
                    };
                    assert!(forces(&comes_nearer), "{context}");
                }
                None if turn.holds(player) => assert!(forces(&|next| oracle.can_draw(player, next)), "{context}"),
                None if hint.text.contains("holds out longest") => {
                    let rank = turn.rank(player.other()).unwrap();
                    let holds_out = |next| oracle.rank(player.other(), next).is_none_or(|after| after + 1 >= rank);
                    // Otherwise perhaps neither can force how long play lasts.
                    assert!(forces(&holds_out) || !mechanism.is_determined(), "{context}");
                }
                None if hint.text.contains("nothing is sure here") => {}
                None => {
                    let [losing, all] = turn.losing(player, bid);
                    assert!(hint.text.contains(&format!("only {losing} of {all} bids of ")), "{context}");
                    *seen.lock().unwrap().entry("stubborn").or_default() += 1;
                }
            }
        }
    }
}
