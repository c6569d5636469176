//! Matches. The program keeps the document of a match and sends it with each request, so a worker
//! that ends takes no match with it.

use std::cell::RefCell;
use std::sync::Arc;

use richman::analysis::QuestionDocument;
use richman::core::{Effort, Player};
use richman::games::Games;
use richman_hall::computer::{self, waited};
use richman_hall::kept_match::KeptMatch;
use richman_hall::setup::{MatchSetup, SeatChoice, random_seed};
use richman_hall::token::{GameId, Token};
use richman_hall::{MatchJson, MatchState, MatchView, NewMatch, ShownRecord, Viewer, hint, refused};
use richman_play::Action;
use richman_requests::PlayerJson;
use richman_tab::Computers;
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;
use crate::watch::{Limits, Told};

/// A match to begin.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Begin {
    setup: NewMatch,
    /// The seed of the computer's choices; random if left out.
    seed: Option<u64>,
}

/// A match.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Of {
    r#match: KeptMatch,
}

/// A match for one viewer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    r#match: KeptMatch,
    /// alice, bob, both, or spectator.
    viewer: String,
}

/// An action of a player.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acted {
    r#match: KeptMatch,
    player: PlayerJson,
    action: Action,
}

/// A player of a match.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deciding {
    r#match: KeptMatch,
    player: PlayerJson,
}

/// A record, with the game file that it names: what a review asks for.
#[derive(Serialize)]
pub struct RecordJson {
    record: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

/// A hint, and the match, which remembers it for its review.
#[derive(Serialize)]
pub struct Hinted {
    r#match: KeptMatch,
    hint: HintJson,
}

/// The best choice in words, and as the actions that it suggests for now.
#[derive(Serialize)]
struct HintJson {
    text: String,
    best: Vec<Action>,
}

/// A number that JavaScript keeps exactly.
const EXACT_BITS: u32 = 53;

/// A match replayed.
struct Replayed {
    setup: Arc<MatchSetup>,
    state: MatchState,
    games: Games,
}

thread_local! {
    static COMPUTERS: RefCell<Computers> = RefCell::default();
}

impl Replayed {
    fn of(kept: &KeptMatch) -> Result<Replayed, Refusal> {
        let (games, stored) = (Games::default(), kept.stored()?);
        let state = MatchState::replayed(&games, &stored)?.numbered();
        Ok(Replayed { setup: Arc::new(stored.setup), state, games })
    }

    fn view(&self, viewer: Viewer) -> MatchView {
        let id = GameId::of_content(&serde_json::to_string(&*self.setup).unwrap_or_default());
        MatchView::of(&id, &self.setup, &self.state, viewer, &self.games, &Token::random())
    }

    fn act(&mut self, kept: &mut KeptMatch, player: Player, action: Action) -> Result<(), Refusal> {
        self.state = self.state.after(player, &action).map_err(refused::Refusal::from)?.numbered();
        kept.add_action(player, action);
        Ok(())
    }
}

/// What the computer may take for one call.
fn within<T>(limits: &Limits, work: impl FnOnce(&Told, &Effort) -> Result<T, refused::Refusal>) -> Result<T, Refusal> {
    let document = limits.of(QuestionDocument::default())?;
    let watch = Told::of(&document);
    Ok(work(&watch, &limits.effort(&document, &watch))?)
}

pub fn begin(asked: Begin) -> Result<KeptMatch, Refusal> {
    let seed = asked.seed.map_or_else(|| random_seed().map(|seed| seed >> (u64::BITS - EXACT_BITS)), Ok)?;
    if seed >> EXACT_BITS != 0 {
        return Err(Refusal::because("write a seed below 2^53"));
    }
    let setup = asked.setup.setup(seed)?;
    if setup.seats.iter().any(|seat| *seat == SeatChoice::Invited) {
        return Err(Refusal::because("write person for a friend: whoever has the match acts for all persons"));
    }
    setup.start(&Games::default())?;
    Ok(KeptMatch::alone(&setup))
}

pub fn view(Seen { r#match, viewer }: &Seen) -> Result<MatchJson, Refusal> {
    let viewer = Viewer::read(viewer).ok_or_else(|| Refusal::because("viewer is alice, bob, both or spectator"))?;
    Ok(MatchJson::from(&Replayed::of(r#match)?.view(viewer)))
}

pub fn act(Acted { r#match: mut kept, player, action }: Acted) -> Result<KeptMatch, Refusal> {
    let (mut replayed, player) = (Replayed::of(&kept)?, Player::from(player));
    if replayed.setup.seats[player].is_computer() {
        return Err(Refusal::because(format!("the computer plays for {player}: let it decide")));
    }
    replayed.act(&mut kept, player, action)?;
    Ok(kept)
}

/// Lets computer players decide until a person has to, or the match ends.
pub fn computers(Of { r#match: mut kept }: Of, limits: &Limits) -> Result<KeptMatch, Refusal> {
    let mut replayed = Replayed::of(&kept)?;
    within(limits, |watch, effort| {
        while let Some((player, strength)) = waited(&replayed.setup, &replayed.state) {
            let (setup, now) = (&replayed.setup, &replayed.state);
            let known = COMPUTERS.with_borrow(|computers| {
                computers.knowledge(setup, now, strength, |key| {
                    key.knowledge(setup, &replayed.games, strength, watch, effort)
                })
            })?;
            let seed = computer::seed(setup, player, now.steps[player]);
            let action = computer::act(strength, &known, seed, &now.game, player, effort)?;
            replayed.state = now.after(player, &action)?.numbered();
            kept.add_action(player, action);
        }
        Ok(())
    })?;
    Ok(kept)
}

pub fn hinted(Deciding { r#match: mut kept, player }: Deciding, limits: &Limits) -> Result<Hinted, Refusal> {
    let (Replayed { setup, state, games }, player) = (Replayed::of(&kept)?, Player::from(player));
    let Some(decision) = state.game.decision(player) else {
        return Err(Refusal::because(format!("no decision is due from {player} now")));
    };
    let (hint, given) = within(limits, |watch, effort| {
        let hints = COMPUTERS.with_borrow(|computers| {
            computers.hints(&setup, &state.game, || computer::hints(&setup, &games, &state.game, watch, effort))
        })?;
        hint(&hints, &state.game, Viewer::Player(player), (player, decision), watch)
    })?;
    kept.add_hints(given.hint_words());
    Ok(Hinted { r#match: kept, hint: HintJson { text: hint.text, best: hint.best } })
}

/// The record; once the match is over, with the hints given in it.
pub fn record(Of { r#match }: &Of) -> Result<RecordJson, Refusal> {
    let viewed = Replayed::of(r#match)?.view(Viewer::Spectator);
    let ShownRecord { text, file } = ShownRecord::of_match(&viewed, &r#match.hints())?;
    Ok(RecordJson { record: text, file: file.as_deref().map(str::to_string) })
}

/// The return match, with the sides exchanged.
pub fn rematch(Of { r#match }: &Of) -> Result<KeptMatch, Refusal> {
    let replayed = Replayed::of(r#match)?;
    replayed.state.rematch(Viewer::Both)?;
    Ok(KeptMatch::alone(&replayed.setup.exchanged()))
}
