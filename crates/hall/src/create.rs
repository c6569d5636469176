//! A new match: its names, its secrets, and what is stored.

use richman_core::Player;

use crate::file_text::FileText;
use crate::refused::Refusal;
use crate::setup::{MatchSetup, SeatChoice};
use crate::token::{GameId, Token};
use crate::view::Viewer;
use crate::weight;

/// The result of setting up a match.
#[derive(Debug)]
pub struct Created {
    /// The public name, for spectators.
    pub id: GameId,
    /// The creator's secret for each of their sides; with one screen both are the same.
    pub tokens: [Option<Token>; 2],
    /// The secret with which a friend takes the other seat.
    pub invitation: Option<Token>,
    /// The bytes that the match adds to the store, with its game file even if others have it too.
    pub bytes: u64,
}

/// A match to store.
#[derive(Debug)]
pub struct NewMatchRow {
    /// Its public name.
    pub id: GameId,
    /// The setup in JSON, without the game file.
    pub setup: String,
    /// The game file.
    pub file: Option<FileText>,
    /// Hashes of tokens, with their roles.
    pub seats: Vec<([u8; 32], Viewer)>,
    /// The invitation, and the seat to which it invites.
    pub invitation: Option<(Token, Player)>,
}

impl NewMatchRow {
    /// A match of that setup, and the answer for its creator.
    ///
    /// # Errors
    /// [`Refusal::Internal`] if the setup cannot be written.
    pub fn of(setup: &MatchSetup) -> Result<(NewMatchRow, Created), Refusal> {
        let (tokens, seats) = if setup.one_screen {
            let both = Token::random();
            ([Some(both.clone()), Some(both.clone())], vec![(both.hash(), Viewer::Both)])
        } else {
            let tokens = Player::BOTH.map(|player| (setup.seats[player] == SeatChoice::Person).then(Token::random));
            let hash =
                |(player, token): (Player, &Option<Token>)| Some((token.as_ref()?.hash(), Viewer::Player(player)));
            let seats = Player::BOTH.into_iter().zip(&tokens).filter_map(hash).collect();
            (tokens, seats)
        };
        let invited = Player::BOTH.into_iter().find(|player| setup.seats[*player] == SeatChoice::Invited);
        let invitation = invited.map(|player| (Token::random(), player));
        let id = GameId::random();
        let json = serde_json::to_string(setup).map_err(Refusal::internal)?;
        let new = NewMatchRow { id, setup: json, file: setup.file.clone(), seats, invitation };
        let invitation = new.invitation.as_ref().map(|(token, _)| token.clone());
        let created = Created { id: new.id.clone(), tokens, invitation, bytes: new.bytes() };
        Ok((new, created))
    }

    /// The bytes that it adds to a store at most.
    pub fn bytes(&self) -> u64 {
        weight::of_match(&self.setup) + self.file.as_deref().map_or(0, weight::of_file)
    }
}
