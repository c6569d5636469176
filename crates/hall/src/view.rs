//! A match as each viewer may see it.

use std::sync::Arc;

use richman_analysis::{GameInfo, Games, Subject};
use richman_core::{ByPlayer, Holding, Player, Unwatched};
use richman_formats::Record;
use richman_play::{BegunTurn, Decision, Match, MatchEnd, MatchRules, MatchTurn, PlaySoFar, View};

use crate::refused::Refusal;
use crate::setup::{MatchSetup, SeatChoice};
use crate::state::{MatchState, Pace};
use crate::token::{GameId, Token};

/// The role of a viewer. All but spectators hold a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// One player.
    Player(Player),
    /// Both players at one screen: acts for both, sees no sealed bid.
    Both,
    /// Anybody else.
    Spectator,
}

impl Viewer {
    /// The viewer named by a word.
    pub fn read(word: &str) -> Option<Viewer> {
        let [alice, bob] = Player::BOTH.map(Viewer::Player);
        [alice, bob, Viewer::Both, Viewer::Spectator].into_iter().find(|viewer| viewer.word() == word)
    }

    /// The word in JSON, in the database and in addresses.
    pub fn word(self) -> &'static str {
        match self {
            Viewer::Player(Player::Alice) => "alice",
            Viewer::Player(Player::Bob) => "bob",
            Viewer::Both => "both",
            Viewer::Spectator => "spectator",
        }
    }

    /// The viewer after the players exchange sides.
    #[must_use]
    pub fn exchanged(self) -> Viewer {
        match self {
            Viewer::Player(player) => Viewer::Player(player.other()),
            other => other,
        }
    }

    /// The player whose action the viewer makes, who must be named at one screen.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] for the other player's seat, and for spectators;
    /// [`Refusal::BadRequest`] at one screen without `player`.
    pub fn acting(self, player: Option<Player>) -> Result<Player, Refusal> {
        match (self, player) {
            (Viewer::Player(own), None) => Ok(own),
            (Viewer::Player(own), Some(player)) if own == player => Ok(own),
            (Viewer::Both, Some(player)) => Ok(player),
            (Viewer::Both, None) => {
                Err(Refusal::BadRequest("two players share this screen: say whose action it is".to_string()))
            }
            (Viewer::Player(own), Some(_)) => Err(Refusal::Forbidden(format!("this is {own}'s seat"))),
            (Viewer::Spectator, _) => Err(Refusal::Forbidden("spectators cannot play".to_string())),
        }
    }

    /// The players for whom the viewer acts.
    pub fn players(self) -> impl Iterator<Item = Player> {
        Player::BOTH.into_iter().filter(move |player| match self {
            Viewer::Player(own) => own == *player,
            Viewer::Both => true,
            Viewer::Spectator => false,
        })
    }
}

/// A match as one viewer sees it. It does not expose others' sealed bids.
pub struct MatchView {
    game: Arc<Match>,
    viewer: Viewer,
    /// The public name.
    pub id: GameId,
    /// The setup.
    pub setup: Arc<MatchSetup>,
    games: Games,
    /// Grows with every event in the match, visible or not.
    pub version: u64,
    /// Distinguishes this view from all earlier ones, of any match.
    pub serial: u64,
    /// The number of accepted actions of each player. An action names it, so that no action is
    /// taken twice.
    pub steps: ByPlayer<u32>,
    /// The invitation while the other seat is free, for the match's creator alone.
    pub invitation: Option<Token>,
    /// Whether each player has asked for a return match.
    pub rematch: ByPlayer<bool>,
    /// The return match.
    pub next: Option<GameId>,
    /// With it, a page listens as a player of the match, without the secret of a seat; `None` for
    /// spectators.
    pub listening_key: Option<Token>,
    /// The reason why a computer player cannot go on.
    pub trouble: Option<String>,
    /// How much thought the computer gives to the match.
    pub pace: Pace,
}

richman_core::debug_by_name!(MatchView {});

impl MatchView {
    /// The match of that name and setup in the given state, as `viewer` may see it.
    pub fn of(
        id: &GameId,
        setup: &Arc<MatchSetup>,
        state: &MatchState,
        viewer: Viewer,
        games: &Games,
        listening_key: &Token,
    ) -> MatchView {
        let may_invite = |player: Player| setup.seats[player] == SeatChoice::Person;
        let invitation = state.invitation.as_ref().filter(|_| viewer.players().any(may_invite));
        MatchView {
            game: Arc::clone(&state.game),
            viewer,
            id: id.clone(),
            setup: Arc::clone(setup),
            games: games.clone(),
            version: state.version(),
            serial: state.serial,
            steps: state.steps,
            invitation: invitation.map(|(token, _)| token.clone()),
            rematch: state.wishes,
            next: state.next.clone(),
            listening_key: (viewer != Viewer::Spectator).then(|| listening_key.clone()),
            trouble: state.trouble.clone(),
            pace: state.pace,
        }
    }

    /// The viewer's role.
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// The game of the match.
    ///
    /// # Errors
    /// [`Refusal::Unfit`] if a game file can no longer be read.
    pub fn subject(&self) -> Result<Subject, Refusal> {
        self.setup.subject(&self.games, &Unwatched)
    }

    /// The game's entry in the list of games; `None` for a game file.
    pub fn info(&self) -> Option<GameInfo> {
        self.games.info(&self.setup.game).filter(|_| self.setup.file.is_none())
    }

    /// Whether it is quick to show.
    pub fn is_small(&self) -> bool {
        is_small(&self.setup, &self.game)
    }

    /// The match including sealed bids, for careful callers.
    pub fn game(&self) -> &Arc<Match> {
        &self.game
    }

    /// The players whose decision is due. Who has bid is public; the bids are not.
    pub fn waiting_for(&self) -> impl Iterator<Item = Player> {
        Player::BOTH.into_iter().filter(|player| self.game.decision(*player).is_some())
    }

    /// Whether the match waits for a computer that can go on.
    pub fn waits_for_computer(&self) -> bool {
        self.trouble.is_none() && self.waiting_for().any(|player| self.setup.seats[player].is_computer())
    }

    /// The viewer's pending decision; at one screen Alice's before Bob's.
    pub fn deciding(&self) -> Option<(Player, Decision)> {
        let of = |player: Player| self.game.decision(player).map(|decision| (player, decision));
        match self.viewer {
            Viewer::Player(player) => of(player),
            Viewer::Both => Player::BOTH.into_iter().find_map(of),
            Viewer::Spectator => None,
        }
    }

    /// The visible part. At one screen: a spectator's view and the options of the player who
    /// decides.
    pub fn view(&self) -> View {
        match (self.viewer, self.deciding()) {
            (Viewer::Player(player), _) | (Viewer::Both, Some((player, _))) => self.game.view(Some(player)),
            (Viewer::Both, None) | (Viewer::Spectator, _) => self.game.view(None),
        }
    }

    /// The rules of the match.
    pub fn rules(&self) -> &MatchRules {
        self.game.rules()
    }

    /// The position.
    pub fn walk(&self) -> &dyn richman_core::Walk {
        self.game.walk()
    }

    /// The finished turns.
    pub fn turns(&self) -> &[MatchTurn] {
        self.game.turns()
    }

    /// The current turn, once both bids are known.
    pub fn begun(&self) -> Option<BegunTurn> {
        self.game.begun()
    }

    /// How the match ended, if it did.
    pub fn closed(&self) -> Option<MatchEnd> {
        self.game.closed()
    }

    /// The result so far, in a game that need not end.
    pub fn so_far(&self) -> Option<PlaySoFar> {
        self.game.so_far()
    }

    /// The holdings of Alice and Bob at the start of the current turn.
    pub fn hands_before(&self) -> ByPlayer<Holding> {
        self.game.hands_before()
    }

    /// Chips that went to the bank.
    pub fn bank(&self) -> u64 {
        self.game.bank()
    }

    /// The least bid that the other player cannot beat, by public knowledge.
    pub fn sure_bid(&self, player: Player) -> Option<u32> {
        self.game.sure_bid(player)
    }

    /// The player who holds the star, or wins ties without one.
    pub fn tie_holder(&self) -> Player {
        self.game.tie_holder()
    }

    /// The match as a record, without sealed bids.
    pub fn record(&self) -> Record {
        let tags = Player::BOTH.into_iter().filter_map(|player| match &self.setup.seats[player] {
            SeatChoice::Computer(strength) => Some((format!("{player}Computer"), strength.clone())),
            SeatChoice::Person | SeatChoice::Invited => None,
        });
        let record = richman_play::record::to_record(&self.game, tags.collect());
        Record { file: self.setup.file.as_ref().map(|_| self.setup.game.clone()), ..record }
    }

    /// The match itself once it is over, for a review.
    pub fn finished(&self) -> Option<&Match> {
        self.game.closed().is_some().then_some(self.game.as_ref())
    }
}

/// Whether a match is quick to show and to act in: it has few turns and a small board. Game files
/// may have many moves and long names.
pub fn is_small(setup: &MatchSetup, game: &Match) -> bool {
    const TURNS: usize = 60;
    /// Bytes of a position: a board of Connect Four or chess has fewer.
    const POSITION: usize = 100;
    setup.file.is_none() && game.turns().len() <= TURNS && game.walk().notation().len() <= POSITION
}
