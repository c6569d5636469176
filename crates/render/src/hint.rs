//! Hints from the solution of a game: the best bids, and the choices that force the most.

mod words;

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use richman_analysis::advice::advise;
use richman_analysis::chips::SolvedChips;
use richman_analysis::{Error, Insight, Scope, Subject};
use richman_core::{Bidding, ByPlayer, Effort, End, Holding, Player, ScoreState, Total, Unfolding, Watch};
use richman_engine::{Care, Source};
use richman_play::players::{Computer, EndlessChoice, PlayerError, Seat, SourcePlayer, corrected};
use richman_play::review::HintedPlay;
use richman_play::{Action, Decision, Match, MatchEnd, MatchRules, TurnStage, Voice};
use richman_solvers::scores;

use words::HintWords;

/// Larger games are not solved for a hint.
pub const MOST_POSITIONS: u64 = 4_000_000;

/// The solution behind hints for one game and its rules: made once, asked any number of times.
pub struct Hints {
    known: Insight,
}

richman_core::debug_by_name!(Hints {});

/// The best choice in a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// In words.
    pub text: String,
    /// The best choices for a star or a move; empty before a bid.
    pub best: Vec<Action>,
    /// Everything that the text suggests, also for later in the turn.
    pub suggests: Vec<HintedPlay>,
}

fn suggested(best: &[Action]) -> Vec<HintedPlay> {
    let of = |action: &Action| match action {
        Action::Bid(bid) => HintedPlay::Bids([*bid; 2]),
        other => HintedPlay::Action(other.clone()),
    };
    best.iter().map(of).collect()
}

/// The result that a player can force, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SureResult {
    /// The other player forces a win, in at least this many moves.
    Lost(u32),
    /// The other player cannot force a win, but this player cannot rule one out.
    Unsure,
    /// At least a draw.
    Held,
    /// A win in this many moves.
    Won(Reverse<u32>),
    /// A score, from this player's side.
    Score(i64),
}

impl Hints {
    /// Solves everything that hints about matches of `subject` from `position` need.
    ///
    /// # Errors
    /// Fails if the game is too large for `effort`; `Unsupported`; `Cancelled`.
    pub fn solve(
        subject: &Subject,
        position: Option<&str>,
        rules: &MatchRules,
        effort: &Effort,
    ) -> Result<Hints, Error> {
        let hands = rules.start.map(Holding::chips);
        let (mechanism, total) = (&rules.mechanism, Total::new(hands.into_iter().sum())?);
        let purses = mechanism.purses(hands, total.chips());
        let scope = Scope { subject, position, mechanism, total, purses };
        Ok(Hints { known: scope.open(effort)? })
    }

    /// Its size in bytes, roughly.
    pub fn bytes(&self) -> u64 {
        self.known.bytes()
    }

    /// The best choice for the pending `decision` of `player`, using only what `player` sees.
    ///
    /// # Errors
    /// Fails if the match is of another game; `Cancelled`.
    pub fn hint(&self, game: &Match, player: Player, decision: Decision, watch: &dyn Watch) -> Result<Hint, Error> {
        self.hint_in(Voice::default(), game, player, decision, watch)
    }

    /// The same in words to anybody, or to the player.
    ///
    /// # Errors
    /// As [`Hints::hint`].
    pub fn hint_in(
        &self,
        voice: Voice,
        game: &Match,
        player: Player,
        decision: Decision,
        watch: &dyn Watch,
    ) -> Result<Hint, Error> {
        let to = HintWords { player, voice };
        if let Insight::Seen(source) = &self.known {
            return hint_best(source, game, to, watch);
        }
        if let Some(hint) = hint_endless(&self.known, game, to)? {
            return Ok(hint);
        }
        if decision == Decision::Bid {
            return self.bids(game, to);
        }
        let options = outcomes(game, player).map(|(action, after)| Ok((action, self.worth(&after, player)?)));
        let options: Vec<(Action, SureResult)> = options.collect::<Result<_, Error>>()?;
        let worth = options.iter().map(|(_, worth)| *worth).max();
        let best: Vec<Action> =
            options.into_iter().filter(|(_, found)| Some(*found) == worth).map(|(action, _)| action).collect();
        let worth = worth.unwrap_or(SureResult::Unsure);
        let (best, answers) = match worth {
            SureResult::Lost(_) => self.hardest(game, player, best)?,
            _ => (best, None),
        };
        let text = to.hint(&best, worth, answers);
        Ok(Hint { text, suggests: suggested(&best), best })
    }

    fn bids(&self, game: &Match, to: HintWords) -> Result<Hint, Error> {
        let player = to.player;
        let position = game.walk().notation();
        if let (Insight::Chips(..), SureResult::Lost(_)) = (&self.known, self.worth(game, player)?)
            && let Some(found) = self.stubborn(game, player)?
        {
            let bids = richman_core::ranges(found.bids);
            let text = to.stubborn(&bids, [found.losing, found.all]);
            return Ok(Hint { text, best: Vec::new(), suggests: bids.into_iter().map(HintedPlay::Bids).collect() });
        }
        match &self.known {
            Insight::Chips(unfolding, solved) => {
                let [own, other] = game.hands().own_first(player);
                let advice = advise(unfolding.as_ref(), solved.forces(), &position, player, own, other, left(game))?;
                let named = game.named().filter(|(first, _)| *first != player).map(|(_, bid)| bid);
                let (text, bids) = to.bids(advice.as_ref(), named, self.worth(game, player)?);
                let mut suggests: Vec<HintedPlay> = bids.into_iter().map(HintedPlay::Bids).collect();
                if let Some(advice) = advice {
                    suggests.extend(advice.use_star.map(|used| HintedPlay::Action(Action::UseStar(used))));
                    suggests.extend(advice.moves.into_iter().map(|name| HintedPlay::Action(Action::Move(name))));
                    suggests.extend(advice.let_other_move.then_some(HintedPlay::Action(Action::Let)));
                }
                Ok(Hint { text, best: Vec::new(), suggests })
            }
            Insight::Scores(unfolding, solution) => {
                let matrix = scores::matrix(unfolding.arena(), solution, unfolding.node(&position)?, state(game));
                let (sure, bids) = match player {
                    Player::Alice => (matrix.value.low, matrix.alice_best()),
                    Player::Bob => (matrix.value.high, matrix.bob_best()),
                };
                let text = to.score(sure.saturating_add(so_far(game)), &bids);
                let suggests = bids.into_iter().flatten().map(|bid| HintedPlay::Bids([bid; 2])).collect();
                Ok(Hint { text, best: Vec::new(), suggests })
            }
            Insight::Endless(_) | Insight::Seen(_) => {
                let (text, _) = to.bids(None, None, SureResult::Unsure);
                Ok(Hint { text, best: Vec::new(), suggests: Vec::new() })
            }
        }
    }

    /// Of moves that lose equally fast, those after which the fewest bids of the other player still
    /// win, with the number of these bids and of all.
    fn hardest(
        &self,
        game: &Match,
        player: Player,
        best: Vec<Action>,
    ) -> Result<(Vec<Action>, Option<[u64; 2]>), Error> {
        let Insight::Chips(unfolding, solved) = &self.known else { return Ok((best, None)) };
        let count = |ranges: &[[u32; 2]]| ranges.iter().map(|[low, high]| u64::from(high - low) + 1).sum::<u64>();
        let mut answers = Vec::new();
        for action in &best {
            let mut after = game.clone();
            if !matches!(action, Action::Move(_)) || after.act(player, action).is_err() || after.closed().is_some() {
                return Ok((best, None));
            }
            if after.walk().owner().is_some() {
                return Ok((best, None)); // nobody bids there
            }
            let (position, other) = (after.walk().notation(), player.other());
            let [theirs, own] = after.hands().own_first(other);
            let advice = advise(unfolding.as_ref(), solved.forces(), &position, other, theirs, own, left(&after))?;
            let Some(advice) = advice else { return Ok((best, None)) };
            answers.push([count(&advice.bids), count(&after.allowed_bids(other))]);
        }
        let Some(fewest) = answers.iter().map(|[winning, _]| *winning).min() else { return Ok((best, None)) };
        let all = answers.first().map_or(0, |[_, all]| *all);
        let kept = best.into_iter().zip(answers).filter(|(_, [winning, _])| *winning == fewest);
        Ok((kept.map(|(action, _)| action).collect(), Some([fewest, all])))
    }

    /// In a lost position with sealed bids: the bids to which the fewest replies of the other
    /// player still win, with the number of these replies and of all. `None` if there are many
    /// bids.
    fn stubborn(&self, game: &Match, player: Player) -> Result<Option<StubbornBids>, Error> {
        const MOST: u64 = 64;
        let listed = |player: Player| {
            let ranges = game.allowed_bids(player);
            let count = ranges.iter().map(|[low, high]| u64::from(high - low) + 1).sum::<u64>();
            (count <= MOST).then(|| ranges.into_iter().flat_map(|[low, high]| low..=high).collect::<Vec<u32>>())
        };
        let (Some(bids), Some(replies)) = (listed(player), listed(player.other())) else { return Ok(None) };
        if game.rules().mechanism.bidding != Bidding::Sealed || replies.is_empty() {
            return Ok(None);
        }
        // A match of its own does not know a bid that the other player has sealed.
        let rules = MatchRules { start: game.hands(), limit: left(game), ..game.rules().clone() };
        let Ok(fresh) = Match::new(game.walk().boxed(), rules) else { return Ok(None) };
        let mut found: Option<StubbornBids> = None;
        for bid in bids {
            let mut losing = 0;
            for &reply in &replies {
                let mut after = fresh.clone();
                let acts = [(player, bid), (player.other(), reply)];
                if acts.into_iter().any(|(player, bid)| after.act(player, &Action::Bid(bid)).is_err()) {
                    return Ok(None);
                }
                losing += u64::from(matches!(self.worth(&after, player)?, SureResult::Lost(_)));
            }
            let all = replies.len() as u64;
            match &mut found {
                Some(best) if best.losing < losing => {}
                Some(best) if best.losing == losing => best.bids.push(bid),
                _ => found = Some(StubbornBids { bids: vec![bid], losing, all }),
            }
        }
        Ok(found.filter(|found| found.losing < found.all))
    }

    /// The result that `player` can force, whatever is decided before the turn ends.
    fn worth(&self, game: &Match, player: Player) -> Result<SureResult, Error> {
        if let Some(closed) = game.closed() {
            return Ok(match (closed, closed.winner()) {
                (MatchEnd::Game(End::Score(score)), _) => SureResult::Score(for_player(score, player)),
                (_, Some(winner)) if winner == player => SureResult::Won(Reverse(0)),
                (_, Some(_)) => SureResult::Lost(0),
                (_, None) => SureResult::Held,
            });
        }
        let decides = |who: &Player| matches!(game.decision(*who), Some(Decision::Star { .. } | Decision::Move { .. }));
        // A turn that begins with a move is solved like one that begins with bids.
        let begins = matches!(game.view(None).stage, TurnStage::Bids { .. } | TurnStage::MovingAlone(_));
        let Some(decider) = Player::BOTH.into_iter().filter(|_| !begins).find(decides) else {
            return match &self.known {
                Insight::Chips(unfolding, solved) => forced(unfolding.as_ref(), solved, game, player),
                Insight::Scores(unfolding, solution) => {
                    let score = solution.score(unfolding.node(&game.walk().notation())?, state(game));
                    let sure = if player == Player::Alice { score.low } else { score.high };
                    Ok(SureResult::Score(for_player(sure.saturating_add(so_far(game)), player)))
                }
                Insight::Endless(_) | Insight::Seen(_) => Ok(SureResult::Unsure),
            };
        };
        let worths = outcomes(game, decider).map(|(_, after)| self.worth(&after, player));
        let worths = worths.collect::<Result<Vec<SureResult>, Error>>()?.into_iter();
        Ok(if decider == player { worths.max() } else { worths.min() }.unwrap_or(SureResult::Unsure))
    }
}

/// Bids in a lost position: to `losing` of `all` replies they lose.
struct StubbornBids {
    bids: Vec<u32>,
    losing: u64,
    all: u64,
}

/// The time limit of a search.
const SEARCH: Duration = Duration::from_secs(1);

/// The best player's choice.
fn hint_best(source: &Arc<dyn Source>, game: &Match, to: HintWords, watch: &dyn Watch) -> Result<Hint, Error> {
    const SEED: u64 = 0; // any number: the same question has the same answer
    // An endless search runs as long as it may.
    let thinking = if source.ends() { Effort::watched(watch) } else { Effort::watched(watch).at_most(SEARCH) };
    let mut best = SourcePlayer::new(source, Care::Usual, SEED);
    let seat = Seat::new(game, to.player);
    let action = best.act(&seat, &thinking).map(|action| corrected(&seat, action, &thinking));
    let text = |action: &Action| to.best(action, best.is_sure());
    let hint = |best: &[Action], text| Hint { text, suggests: suggested(best), best: best.to_vec() };
    match action {
        Ok(action @ Action::Bid(_)) => {
            let text = text(&action);
            Ok(Hint { best: Vec::new(), ..hint(&[action], text) })
        }
        Ok(action) => {
            let text = text(&action);
            Ok(hint(&[action], text))
        }
        Err(PlayerError::Analysis(error)) => Err(error),
        Err(error) => Ok(hint(&[], error.to_string())),
    }
}

/// The best choices in a game that need not end.
fn hint_endless(known: &Insight, game: &Match, to: HintWords) -> Result<Option<Hint>, Error> {
    let choice = match EndlessChoice::of(known, &Seat::new(game, to.player)) {
        Ok(Some(choice)) => choice,
        Ok(None) | Err(PlayerError::NotNow { .. }) => return Ok(None),
        Err(PlayerError::Analysis(error)) => return Err(error),
        Err(error) => return Ok(Some(Hint { text: error.to_string(), best: Vec::new(), suggests: Vec::new() })),
    };
    let bid = |action: &Action| if let Action::Bid(bid) = action { Some(*bid) } else { None };
    let bids = richman_core::ranges(choice.options.iter().filter_map(bid));
    let text = to.endless(&choice, &bids);
    let best = if bids.is_empty() { choice.options.clone() } else { Vec::new() };
    Ok(Some(Hint { text, suggests: suggested(&choice.options), best }))
}

/// The result that `player` can force before a bid.
fn forced(unfolding: &dyn Unfolding, solved: &SolvedChips, game: &Match, player: Player) -> Result<SureResult, Error> {
    let moves = left(game).unwrap_or(u32::MAX);
    let node = unfolding.node(&game.walk().notation())?;
    let forces = solved.forces();
    let [own, other] = game.hands().own_first(player);
    let wins = |who, own, other| forces.wins_in(who, node, own, other).filter(|rank| *rank <= moves);
    Ok(match (wins(player, own, other), wins(player.other(), other, own)) {
        (Some(rank), _) => SureResult::Won(Reverse(rank)),
        (None, Some(rank)) => SureResult::Lost(rank),
        (None, None) if forces.holds_for(moves, player, node, own, other) => SureResult::Held,
        (None, None) => SureResult::Unsure,
    })
}

fn for_player(score: i64, player: Player) -> i64 {
    if player == Player::Alice { score } else { -score }
}

/// The score so far, in a scoring game.
fn so_far(game: &Match) -> i64 {
    game.walk().score().unwrap_or(0)
}

fn state(game: &Match) -> ScoreState {
    let ByPlayer { alice, .. } = game.hands();
    ScoreState { alice: alice.chips(), star: if alice.has_star() { Player::Alice } else { Player::Bob } }
}

/// The turns left under a limit.
fn left(game: &Match) -> Option<u32> {
    game.rules().limit.map(|limit| limit.saturating_sub(u32::try_from(game.turns().len()).unwrap_or(u32::MAX)))
}

/// The player's options for the star or a move, each with the resulting match.
fn outcomes(game: &Match, player: Player) -> impl Iterator<Item = (Action, Match)> {
    choices(game, player).into_iter().filter_map(move |action| {
        let mut after = game.clone();
        after.act(player, &action).ok()?;
        Some((action, after))
    })
}

/// The player's options for the star or a move.
fn choices(game: &Match, player: Player) -> Vec<Action> {
    match game.decision(player) {
        Some(Decision::Star { .. }) => vec![Action::UseStar(true), Action::UseStar(false)],
        Some(Decision::Move { may_let }) => {
            let moves = game.walk().moves(player);
            let stay = moves.is_empty().then_some(Action::Stay);
            let others = may_let.then_some(Action::Let);
            moves.into_iter().map(Action::Move).chain(stay).chain(others).collect()
        }
        Some(Decision::Bid) | None => Vec::new(),
    }
}

#[cfg(test)]
mod judged;
#[cfg(test)]
mod tests {
    use richman_core::{Mechanism, Preset, Right, Unwatched};

    use super::*;

    fn set_up(game: &str, mechanism: Mechanism, start: [&str; 2]) -> (Match, Result<Hints, Error>) {
        let subject = Arc::new(Subject::named(game).unwrap());
        let rules = MatchRules { mechanism, start: start.map(|hand| hand.parse().unwrap()).into(), limit: None };
        let effort = Effort { positions: 10_000, ..Effort::default() };
        let hints = Hints::solve(&subject, None, &rules, &effort);
        (Match::new(subject.walk(None).unwrap(), rules).unwrap(), hints)
    }

    #[test]
    fn hints_can_be_shared_and_asked_again() {
        fn shared<T: Send + Sync>(_: &T) {}
        let (mut game, hints) = set_up("tic-tac-toe", Mechanism::default(), ["4*", "4"]);
        let hints = hints.unwrap();
        shared(&hints);
        let ask = |game: &Match, player: Player| {
            hints.hint(game, player, game.decision(player).unwrap(), &Unwatched).unwrap()
        };
        let first = ask(&game, Player::Alice);
        assert_eq!(
            first.text,
            "Hint for Alice: bid 1, use the star in a tie and move b2 (Alice can force a win within 7 moves)."
        );
        assert_eq!((ask(&game, Player::Alice), first.best.len()), (first, 0));
        for player in Player::BOTH {
            game.act(player, &Action::Bid(1)).unwrap();
        }
        assert_eq!(ask(&game, Player::Alice).best, [Action::UseStar(true)]);
        game.act(Player::Alice, &Action::UseStar(true)).unwrap();
        let hint = ask(&game, Player::Alice);
        assert_eq!(hint.best, [Action::Move("b2".to_string())]);
        assert!(hint.text.starts_with("Hint for Alice: move b2 (Alice can "), "{}", hint.text);
    }

    #[test]
    fn a_hint_for_a_sealed_bid_does_not_know_the_other() {
        let (game, hints) = set_up("tic-tac-toe", Mechanism::default(), ["4*", "4"]);
        let hints = hints.unwrap();
        let before = hints.hint(&game, Player::Alice, Decision::Bid, &Unwatched).unwrap();
        for bid in 0..=4 {
            let mut game = game.clone();
            game.act(Player::Bob, &Action::Bid(bid)).unwrap();
            assert_eq!(hints.hint(&game, Player::Alice, Decision::Bid, &Unwatched).unwrap(), before, "{bid}");
        }
    }

    /// One move decides. Alice's 0 loses to every bid of Bob, and her 1 only to his 1, with the
    /// star, 2 and 3.
    #[test]
    fn in_a_lost_position_the_bid_to_which_fewest_replies_win_is_best() {
        let (game, hints) = set_up("tug-of-war:length=2,at=1", Mechanism::default(), ["1", "3*"]);
        let hint = hints.unwrap().hint(&game, Player::Alice, Decision::Bid, &Unwatched).unwrap();
        assert_eq!(hint.text, "Hint for Alice: bid 1 (Bob can force a win, but then only 3 of 4 bids of Bob keep it).");
        assert_eq!(hint.suggests, [HintedPlay::Bids([1, 1])]);
    }

    /// Of equally losing moves, the best are those after which the fewest bids of the other player
    /// win.
    #[test]
    fn in_a_lost_position_not_all_moves_are_best() {
        let (mut game, hints) = set_up("tic-tac-toe", Mechanism::default(), ["3*", "7"]);
        for (player, bid) in [(Player::Alice, 1), (Player::Bob, 0)] {
            game.act(player, &Action::Bid(bid)).unwrap();
        }
        let hints = hints.unwrap();
        let decision = game.decision(Player::Alice).unwrap();
        let hint = hints.hint(&game, Player::Alice, decision, &Unwatched).unwrap();
        assert_eq!(hint.best, [Action::Move("b2".to_string())], "{}", hint.text);
        let winning = |text: &str| {
            let (_, after) = text.split_once("must find one of ").unwrap();
            after.split(' ').next().unwrap().parse::<usize>().unwrap()
        };
        // The winning bids, counted by playing every bid against the best replies.
        game.act(Player::Alice, &hint.best[0]).unwrap();
        let wins = |bid: &u32| {
            let mut after = game.clone();
            after.act(Player::Bob, &Action::Bid(*bid)).unwrap();
            (0..=game.hands().alice.chips()).all(|reply| {
                let mut after = after.clone();
                after.act(Player::Alice, &Action::Bid(reply)).unwrap();
                matches!(hints.worth(&after, Player::Bob).unwrap(), SureResult::Won(_))
            })
        };
        assert_eq!((0..=game.hands().bob.chips()).filter(wins).count(), winning(&hint.text), "{}", hint.text);
    }

    #[test]
    fn boards_too_large_to_unfold_have_hints_of_the_best_player() {
        for (game, rests_on) in [
            ("hex:size=4", ""),
            ("hex:size=6", "in real money"),
            ("connect:rows=4,cols=5", ""),
            ("connect", "in real money"),
        ] {
            let (mut game, hints) = set_up(game, Mechanism::default(), ["10*", "10"]);
            let hints = hints.unwrap();
            let ask = |game: &Match| {
                hints.hint(game, Player::Alice, game.decision(Player::Alice).unwrap(), &Unwatched).unwrap()
            };
            let hint = ask(&game);
            assert!(hint.text.starts_with("Hint for Alice: bid ") && hint.text.contains(rests_on), "{}", hint.text);
            assert_eq!(hint.text.contains("not proved"), !rests_on.is_empty());
            game.act(Player::Alice, &Action::Bid(9)).unwrap();
            game.act(Player::Bob, &Action::Bid(1)).unwrap();
            let hint = ask(&game);
            let [Action::Move(cell)] = hint.best.as_slice() else { panic!("{}", hint.text) };
            assert!(hint.text.contains(&format!("move {cell}")) && game.walk().moves(Player::Alice).contains(cell));
        }
    }

    #[test]
    fn chess_with_few_pieces_is_solved_and_with_more_is_searched() {
        for (game, solved) in [("chess:size=4,pieces=KQK", true), ("chess:pieces=KQKR", false)] {
            let (game, hints) = set_up(game, Mechanism::default(), ["4*", "4"]);
            let hint = hints.unwrap().hint(&game, Player::Alice, Decision::Bid, &Unwatched).unwrap();
            assert_eq!(hint.text.contains("can force a win"), solved, "{}", hint.text);
            assert_eq!(hint.text.contains("not proved"), !solved, "{}", hint.text);
        }
    }

    #[test]
    fn scores_have_hints_and_large_games_are_refused() {
        let (game, hints) = set_up("subtraction", Preset::Larsson.mechanism(), ["6*", "3"]);
        let hint = hints.unwrap().hint(&game, Player::Alice, Decision::Bid, &Unwatched).unwrap();
        assert_eq!(hint.text, "Hint for Alice: bid 0, 1 or 2 (Alice can be sure of a final score of 1).");
        let moves = Mechanism { right: Right::Moves, ..Mechanism::default() };
        let (_, refused) = set_up("tic-tac-toe:rows=4,cols=4", moves, ["4*", "4"]);
        assert!(matches!(refused, Err(Error::Core(richman_core::Error::TooManyPositions { limit: 10_000 }))));
    }
}
