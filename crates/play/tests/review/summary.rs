//! Summaries are true by the definition of the game, under every mechanism, also where play is not
//! determined.

use fastrand::Rng;
use richman_analysis::{Games, Subject};
use richman_check::oracle::{Oracle, OracleState};
use richman_core::{Bidding, ByPlayer, Effort, Player, StarUse, Ties};
use richman_formats::Record;
use richman_play::review::{MistakeGrade, RestsOn};
use richman_play::{Match, record};

use super::judge::{Judge, node, random_game, random_match, random_mechanism};
use super::of;

const SETTLED: &str = "gave nothing away, so nothing that";

/// One turn, possibly unfinished.
struct Part<'a> {
    position: &'a str,
    state: OracleState,
    bids: ByPlayer<Option<u32>>,
    /// Whether the star was used in a tie, the winner of the bid, and the mover.
    won: Option<(bool, [Player; 2])>,
    to: Option<&'a str>,
}

impl Judge<'_> {
    /// Whether `player` could force a win before the turn, and their choices kept it against all
    /// that the other player did or could have done.
    fn keeps_the_win(&self, player: Player, part: &Part) -> bool {
        let wins = |state: OracleState| self.oracle.rank(player, state).is_some();
        let Part { state, bids, .. } = *part;
        if let Some(owner) = self.arena.owner(state.node) {
            let to = part.to.map(|name| OracleState { node: node(name), ..state });
            return self.by(player, owner, state, &wins) && to.is_none_or(wins);
        }
        let (own, other) = (bids[player], player.other());
        let replies = self.oracle.bids(other, state);
        let answers =
            self.mechanism.bidding == if player == Player::Alice { Bidding::BobFirst } else { Bidding::AliceFirst };
        let answer = |reply, bid| self.oracle.resolved(player, state, bid, Some(reply), &wins);
        let bid_is_good = match own {
            Some(bid) if !answers || replies.is_empty() => self.oracle.bid_forces(player, state, bid, &wins),
            _ if !answers => replies.iter().all(|&reply| answer(reply, None)),
            _ => replies.iter().all(|&reply| match self.oracle.bids(player, state) {
                _ if bids[other] == Some(reply) => answer(reply, own),
                bids if bids.is_empty() => answer(reply, None),
                bids => bids.into_iter().any(|bid| answer(reply, Some(bid))),
            }),
        };
        let rest_is_good = part.won.is_none_or(|(used, [winner, mover])| {
            let paid = self.oracle.after_bid(state, winner, bids[winner].unwrap(), StarUse::of(used));
            let to = part.to.map(|name| OracleState { node: node(name), ..paid });
            self.moved(player, winner, paid, &wins)
                && (winner == mover || self.by(player, mover, paid, &wins))
                && to.is_none_or(wins)
        });
        wins(state) && bid_is_good && rest_is_good
    }

    /// Whether, from that turn on (counted from 0), nothing that the other player did or could have
    /// done mattered.
    fn is_forced(&self, player: Player, played: &Match, from: usize) -> bool {
        let turns = played.turns().iter().map(|turn| Part {
            position: &turn.position,
            state: self.state(&turn.position, turn.hands),
            bids: turn.bids,
            won: Some((turn.star_used == Some(true), [turn.winner, turn.mover])),
            to: turn.played.as_deref(),
        });
        let position = played.walk().notation();
        let state = self.state(&position, played.hands_before());
        let begun = played.begun().map(|begun| Part {
            position: &position,
            state,
            bids: begun.bids,
            won: begun.won.map(|won| (begun.star_used == Some(true), won)),
            to: None,
        });
        let named_badly = played.named().is_some_and(|(first, bid)| {
            let wins = |state: OracleState| self.oracle.rank(player, state).is_some();
            first == player && !self.oracle.bid_forces(player, state, bid, &wins)
        });
        let is_won = from > played.turns().len() || self.oracle.rank(player, state).is_some();
        is_won && (from > played.turns().len() || !named_badly) && {
            let mut parts = turns.chain(begun).skip(from);
            parts.all(|part| {
                assert!(!part.position.is_empty());
                self.keeps_the_win(player, &part)
            })
        }
    }
}

/// The number after `words`.
fn number_after(text: &str, words: &str) -> Option<usize> {
    let (_, rest) = text.split_once(words)?;
    rest.split(':').next().unwrap().parse().ok()
}

#[test]
fn a_summary_is_true_by_the_oracle() {
    let mut rng = Rng::with_seed(731);
    let (mut settled, mut risked, mut last_chances, mut undetermined) = (0, 0, 0, 0);
    for i in 0..6000 {
        let (game, arena) = random_game(&mut rng);
        let mut mechanism = random_mechanism(&mut rng);
        if i % 2 == 0 {
            (mechanism.ties, mechanism.bidding) = (Ties::Marker, Bidding::Sealed); // play need not be determined
        }
        let total = rng.u32(1..=4);
        let oracle = Oracle::new(&arena, &mechanism, total, None);
        let judge = Judge { oracle: &oracle, arena: &arena, mechanism: &mechanism };
        for _ in 0..6 {
            let played = random_match(&game, &mechanism, total, true, &mut rng);
            let found = of(&game, &played);
            if found.rests_on == RestsOn::Nothing {
                continue;
            }
            let text = found.summary.as_str();
            let context = || format!("{mechanism}\n{:?}\n{:?}\n{found:#?}", played.turns(), played.closed());
            let first = played.turns().first().map_or_else(|| played.walk().notation(), |turn| turn.position.clone());
            let at_start = judge.state(&first, played.rules().start);
            let at_end = judge.state(&played.walk().notation(), ByPlayer::new(found.now.alice.0, found.now.bob.0));
            let start = Player::BOTH.map(|player| judge.level(player, at_start));
            let now = Player::BOTH.map(|player| judge.level(player, at_end));
            undetermined += u32::from(start.iter().sum::<i64>() < 2);
            for player in Player::BOTH {
                let other = player.other();
                let [own, theirs] = [player, other].map(|player| start[player as usize]);
                let says = |words: &str| text.contains(&format!("{player} {words}"));
                let won = found.now.winner == Some(player);
                let costly = found.mistakes.iter().any(|m| m.player == player && m.grade == MistakeGrade::Result);
                // The sentence appears exactly if it is true.
                assert_eq!(says(SETTLED), won && judge.is_forced(player, &played, 0), "{}", context());
                assert!(!(says(SETTLED) && costly), "{}", context());
                settled += u32::from(says(SETTLED));
                risked += u32::from(says("risked the win"));
                let checks = [
                    (says("was lost from the start"), theirs == 2 && found.now.winner == Some(other)),
                    (says("could have won from the start"), own == 2 && !won),
                    (says("could have held a draw from the start"), own == 1 && !won),
                    (says("was sure of a draw, and"), [own, theirs] == [1, 0]),
                    (text.contains("neither player was sure"), start == [0, 0]),
                    (text.contains("as best play"), start == [1, 1]),
                    (says("can force a win"), now[player as usize] == 2),
                    (says("is sure of a draw, and"), [now[player as usize], now[other as usize]] == [1, 0]),
                    (text.contains("both players can hold a draw"), now == [1, 1]),
                    (text.contains("neither player is sure"), now == [0, 0]),
                ];
                for (said, is_true) in checks {
                    assert!(!said || is_true, "{}", context());
                }
                let before = |turn: usize, level: i64, mover: Player| {
                    // A turn broken off is not among those of the judge.
                    played.turns().get(turn - 1).is_none_or(|turn| {
                        judge
                            .decisions(turn)
                            .iter()
                            .any(|&(_, by, before, after)| by == mover && after < before && before >= level)
                    })
                };
                if let Some(turn) = number_after(text, &format!("{player} let go of the win at turn ")) {
                    assert!(before(turn, 2, player), "{}", context());
                }
                if let Some(turn) = number_after(text, &format!("{player} risked the win at turn ")) {
                    assert!(before(turn, 2, player), "{}", context());
                }
                if let Some(turn) = number_after(text, "The last chance was at turn ").filter(|_| won) {
                    last_chances += 1;
                    assert!(before(turn, 1, other) && judge.is_forced(player, &played, turn), "{}", context());
                }
                if let Some(turn) = number_after(text, "could have won, the last time at turn ")
                    .filter(|_| says("could have won, the last time"))
                    .filter(|_| !text.contains(&format!("{other} could have won, the last time")))
                {
                    assert!(before(turn, 2, player), "{}", context());
                    for later in &played.turns()[turn.min(played.turns().len())..] {
                        assert!(judge.level(player, judge.state(&later.position, later.hands)) < 2, "{}", context());
                    }
                }
            }
        }
    }
    println!("{settled} settled, {risked} risked, {last_chances} last chances, {undetermined} undetermined");
    assert!(settled > 500 && risked > 50 && last_chances > 500 && undetermined > 5);
}

/// The smallest match found in which the winner gave the win away and got it back without a mistake
/// of the loser.
#[test]
fn where_play_is_undetermined_a_win_may_come_back_by_itself() {
    let game = r#"{"name": "rnd", "start": "p4", "positions": {"p0": {"winner": "alice"}, "p1": {"winner": "bob"},
        "p2": {"alice": ["p1"], "bob": ["p0"]}, "p3": {"alice": ["p2"], "bob": ["p1", "p0"]},
        "p4": {"alice": ["p0", "p3"], "bob": ["p0", "p2"]}}}"#;
    let text = r#"[Game "rnd"] [File "rnd.json"] [Payment "poorman"] [Ties "marker"] [Right "moves"]
        [Alice "2*"] [Bob "1"]
        1. 1-0 Alice p3  2. 0*-0 Alice p2  3. 0-1 Bob p0"#;
    let read = Record::parse("record", text.as_bytes()).unwrap();
    let played = record::replay(
        record::walk(&Games::default(), &read, Some(game.as_bytes()), &Effort::default()).unwrap(),
        &read,
    )
    .unwrap();
    let found = of(&Subject::from_file("rnd.json", game.as_bytes(), &Effort::default()).unwrap(), &played);
    assert_eq!(
        found.summary,
        "Alice won. With 2* against 1 Bob was lost from the start against best play: 2 chips short of a draw. Alice \
         let go of the win at turn 1: Alice played p3: p0 would have kept the win. No single decision of Bob gave it \
         back."
    );
}

/// A sealed bid that was too low and met no higher one is a risk, not "nothing given away".
#[test]
fn a_risk_that_nobody_punished_is_told() {
    let text = r#"[Game "tug-of-war:length=2,at=1"] [Alice "2*"] [Bob "1"]  1. 0*-0 Alice 0"#;
    let read = Record::parse("record", text.as_bytes()).unwrap();
    let played =
        record::replay(record::walk(&Games::default(), &read, None, &Effort::default()).unwrap(), &read).unwrap();
    let found = of(&Subject::named(&read.game).unwrap(), &played);
    assert_eq!(
        found.summary,
        "Alice won. With 2* against 1 Bob was lost from the start against best play: 1 chip short of a draw. Alice \
         risked the win at turn 1: Alice bid 0, too low: 1 to 2 would have kept the win. Bob did not punish it."
    );
}
