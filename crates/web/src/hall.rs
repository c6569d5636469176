//! The hall: every match, who may see and do what in it, and who is told of changes.
//!
//! A match is its [`Setup`] and the list of accepted actions, both in the [store](crate::store); what is kept in memory can be thrown
//! away and played again from there. An action is answered when it is on the disk.

use std::sync::Arc;

use richman_core::Player;
use richman_formats::Record;
use richman_play::{Action, Begun, Closed, Decision, Match, Rules, Turn, View};
use tokio::sync::watch;

use crate::refused::Refused;
use crate::setup::Setup;
use crate::token::{GameId, Token};

/// As whom a match is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    /// One player.
    Player(Player),
    /// Both players at one screen: acts for both, sees no sealed bid.
    Both,
    /// Anybody else.
    Spectator,
}

/// Every match.
pub struct Hall {}

/// What setting up a match gives.
#[derive(Debug)]
pub struct Created {
    /// The public name, for spectators.
    pub id: GameId,
    /// The secret of whoever set it up, per side that is theirs; with one screen both are the same.
    pub tokens: [Option<Token>; 2],
    /// The secret by which a friend takes the other seat.
    pub invitation: Option<Token>,
}

/// A match as one viewer sees it. Sealed bids of others cannot be had from it.
pub struct Sight {
    game: Match,
    viewer: Viewer,
    /// The public name.
    pub id: GameId,
    /// What was set up.
    pub setup: Arc<Setup>,
    /// Grows with everything that happens in the match, seen or not.
    pub version: u64,
    /// Actions accepted from Alice and Bob so far: an action has to name the number of its player, so that none is taken twice.
    pub steps: [u32; 2],
    /// The invitation, as long as nobody has taken the other seat; only for whoever set the match up.
    pub invitation: Option<Token>,
    /// Who asked for a return match.
    pub rematch: [bool; 2],
    /// The return match.
    pub next: Option<GameId>,
    /// What went wrong with a computer player, if it cannot go on.
    pub trouble: Option<String>,
}

impl Sight {
    /// As whom the match is looked at.
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// What is waited for from the viewer; at one screen Alice's decision before Bob's.
    pub fn deciding(&self) -> Option<(Player, Decision)> {
        let of = |player: Player| self.game.decision(player).map(|decision| (player, decision));
        match self.viewer {
            Viewer::Player(player) => of(player),
            Viewer::Both => Player::BOTH.into_iter().find_map(of),
            Viewer::Spectator => None,
        }
    }

    /// What the viewer may see. At one screen what a spectator may, and the options of whoever decides.
    pub fn view(&self) -> View {
        match (self.viewer, self.deciding()) {
            (Viewer::Player(player), _) | (Viewer::Both, Some((player, _))) => self.game.view(Some(player)),
            (Viewer::Both, None) | (Viewer::Spectator, _) => self.game.view(None),
        }
    }

    /// What the match is played under.
    pub fn rules(&self) -> &Rules {
        self.game.rules()
    }

    /// The position.
    pub fn walk(&self) -> &dyn richman_core::Walk {
        self.game.walk()
    }

    /// The completed turns.
    pub fn turns(&self) -> &[Turn] {
        self.game.turns()
    }

    /// The turn that is being played, once both bids are known.
    pub fn begun(&self) -> Option<Begun> {
        self.game.begun()
    }

    /// How the match ended, if it did.
    pub fn closed(&self) -> Option<Closed> {
        self.game.closed()
    }

    /// Chips that went to the bank.
    pub fn bank(&self) -> u64 {
        self.game.bank()
    }

    /// Who holds the star, or wins ties without one.
    pub fn tie_holder(&self) -> Player {
        self.game.tie_holder()
    }

    /// The match as a record; what is sealed is not in it.
    pub fn record(&self) -> Record {
        let tags = Vec::new();
        richman_play::record::to_record(&self.game, tags)
    }

    /// The match itself once it is over, for a review.
    pub fn finished(&self) -> Option<&Match> {
        self.game.closed().is_some().then_some(&self.game)
    }
}

impl Hall {
    /// Sets up a match.
    ///
    /// # Errors
    /// [`Refused`] for a setup that makes no sense, or a full hall.
    pub async fn create(&self, setup: Setup) -> Result<Created, Refused> {
        let _ = setup;
        todo!()
    }

    /// The match in which the token has a seat, as that player sees it.
    ///
    /// # Errors
    /// [`Refused::NotFound`].
    pub async fn seat(&self, token: &Token) -> Result<Sight, Refused> {
        let _ = token;
        todo!()
    }

    /// A match as a spectator sees it.
    ///
    /// # Errors
    /// [`Refused::NotFound`].
    pub async fn watch(&self, id: &GameId) -> Result<Sight, Refused> {
        let _ = id;
        todo!()
    }

    /// What an invitation is to: as a spectator sees it, and the seat that is free.
    ///
    /// # Errors
    /// [`Refused::NotFound`] also when somebody took it.
    pub async fn invited(&self, invitation: &Token) -> Result<(Sight, Player), Refused> {
        let _ = invitation;
        todo!()
    }

    /// Takes the seat of an invitation, which is then void.
    ///
    /// # Errors
    /// [`Refused::NotFound`] also when somebody took it.
    pub async fn accept(&self, invitation: &Token) -> Result<Token, Refused> {
        let _ = invitation;
        todo!()
    }

    /// Takes an action of the player who has the seat, as number `step` of theirs; at one screen `player` says whose it is. It is on the
    /// disk when this returns.
    ///
    /// # Errors
    /// [`Refused::Illegal`]; [`Refused::Conflict`] if the player's action of that number was taken before; [`Refused::Forbidden`] for
    /// the other player's seat.
    pub async fn act(
        &self,
        token: &Token,
        player: Option<Player>,
        step: u32,
        action: Action,
    ) -> Result<Sight, Refused> {
        let _ = (token, player, step, action);
        todo!()
    }

    /// Asks for a return match with the sides exchanged. It begins when everybody wants it, at once against the computer and at one screen; the
    /// token is from then on for the new match.
    ///
    /// # Errors
    /// [`Refused::Conflict`] before the end.
    pub async fn rematch(&self, token: &Token) -> Result<Sight, Refused> {
        let _ = token;
        todo!()
    }

    /// Hears of the version of a match.
    ///
    /// # Errors
    /// [`Refused::NotFound`], [`Refused::Busy`] where too many listen.
    pub async fn listen(&self, id: &GameId) -> Result<Listener, Refused> {
        let _ = id;
        todo!()
    }

    /// Keeps a record that somebody wants to show, and names it.
    ///
    /// # Errors
    /// [`Refused`] for a record that is none, or no match.
    pub async fn keep_record(&self, text: String, _file: Option<String>) -> Result<GameId, Refused> {
        let _ = text;
        todo!()
    }

    /// A kept record.
    ///
    /// # Errors
    /// [`Refused::NotFound`].
    pub async fn record(&self, id: &GameId) -> Result<Shown, Refused> {
        let _ = id;
        todo!()
    }
}

/// Hears of every change of a match; while it is there, it counts among the listeners.
pub struct Listener {
    /// The version.
    pub version: watch::Receiver<u64>,
}
/// A record that somebody wants to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The record.
    pub text: String,
    /// The text of the game file, where the rules are in one.
    pub file: Option<String>,
}
