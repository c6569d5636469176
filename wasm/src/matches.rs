//! Matches. The program keeps the document of a match and sends it with each request, so a worker
//! that ends takes no match with it.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use richman::analysis::QuestionDocument;
use richman::core::{Effort, Instant, Player};
use richman::games::Games;
use richman::render::hint::MOST_POSITIONS;
use richman_hall::computer::{self, waited};
use richman_hall::kept_match::{self, KeptMatch};
use richman_hall::setup::{MatchSetup, SeatChoice, random_seed};
use richman_hall::token::{GameId, Token};
use richman_hall::{MatchJson, MatchState, MatchView, NewMatch, ShownRecord, Viewer, hint, refused};
use richman_play::Action;
use richman_requests::PlayerJson;
use richman_tab::Solutions;
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

/// A match, and whether it still waits for a computer.
#[derive(Serialize)]
pub struct Decided {
    r#match: KeptMatch,
    waits: bool,
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
    /// What was solved for computer players and hints, and within which limits.
    static KNOWN: RefCell<(Limits, Solutions)> = RefCell::default();
}

impl Replayed {
    fn of(kept: &KeptMatch) -> Result<Replayed, Refusal> {
        let (games, stored) = (Games::default(), kept.stored()?);
        let state = MatchState::replayed(&games, &stored).map_err(|refusal| match refusal {
            refused::Refusal::Internal(_) => kept_match::changed(),
            other => other,
        })?;
        Ok(Replayed { setup: Arc::new(stored.setup), state, games })
    }

    fn view(&self, viewer: Viewer) -> MatchView {
        // A name that does not tell the seed.
        let setup = MatchSetup { seed: 0, ..(*self.setup).clone() };
        let file = setup.file.as_deref().unwrap_or_default();
        let id = GameId::of_content(&(serde_json::to_string(&setup).unwrap_or_default() + file));
        MatchView::of(&id, &self.setup, &self.state, viewer, &self.games, &Token::random())
    }

    fn act(&mut self, kept: &mut KeptMatch, player: Player, action: Action) -> Result<(), Refusal> {
        self.state = self.state.after(player, &action).map_err(refused::Refusal::from)?;
        kept.add_action(player, action);
        Ok(())
    }
}

/// What one decision, or what is solved for it, may take. There is no clock unless `time` is given,
/// so that the same seed gives the same match.
fn within<T>(
    limits: &Limits,
    usual_positions: u64,
    work: impl FnOnce(&Told, &Effort) -> Result<T, refused::Refusal>,
) -> Result<T, Refusal> {
    let document = limits.of(QuestionDocument::default())?;
    // Who decides in time decides by what is known then; nobody takes twice the time.
    let watch = Told::strictly(&QuestionDocument { time: document.time.map(|time| 2 * time), ..document.clone() });
    let effort = document.effort(&watch, |_| None);
    let effort = Effort { positions: document.positions.unwrap_or(usual_positions), ..effort };
    Ok(work(&watch, &document.time.map_or(effort, |time| effort.within_time(time)))?)
}

/// Works with what was solved within the same limits.
fn with_known<T>(limits: &Limits, work: impl FnOnce(&Solutions) -> T) -> T {
    KNOWN.with_borrow_mut(|(of, known)| {
        if of != limits {
            (*of, *known) = (limits.clone(), Solutions::default());
        }
        work(known)
    })
}

/// Makes room for another question, if what is known takes much.
pub fn make_room() {
    const MOST: u64 = 64 << 20;
    KNOWN.with_borrow_mut(|(_, known)| {
        if known.bytes() > MOST {
            *known = Solutions::default();
        }
    });
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

/// Lets computer players decide for a while, until a person has to, or the match ends.
pub fn computers(Of { r#match: mut kept }: Of, limits: &Limits) -> Result<Decided, Refusal> {
    const WHILE: Duration = Duration::from_millis(200);
    let (mut replayed, begun) = (Replayed::of(&kept)?, Instant::now());
    while let Some((player, strength)) = waited(&replayed.setup, &replayed.state) {
        if begun.elapsed() > WHILE {
            return Ok(Decided { r#match: kept, waits: true });
        }
        let (setup, now) = (&replayed.setup, &replayed.state);
        let known = with_known(limits, |known| {
            known.knowledge(setup, now, strength, |key| {
                within(limits, Effort::default().positions, |watch, effort| {
                    key.knowledge(setup, &replayed.games, strength, watch, effort)
                })
            })
        })?;
        let seed = computer::seed(setup, player, now.steps[player]);
        let action = within(limits, Effort::default().positions, |_, effort| {
            computer::act(strength, &known, seed, &now.game, player, effort)
        })?;
        replayed.act(&mut kept, player, action)?;
    }
    Ok(Decided { r#match: kept, waits: false })
}

pub fn hinted(Deciding { r#match: mut kept, player }: Deciding, limits: &Limits) -> Result<Hinted, Refusal> {
    let (Replayed { setup, state, games }, player) = (Replayed::of(&kept)?, Player::from(player));
    let Some(decision) = state.game.decision(player) else {
        return Err(Refusal::because(format!("no decision is due from {player} now")));
    };
    let hints = with_known(limits, |known| {
        known.hints(&setup, &state.game, || {
            within(limits, MOST_POSITIONS, |watch, effort| computer::hints(&setup, &games, &state.game, watch, effort))
        })
    })?;
    let (hint, given) = within(limits, MOST_POSITIONS, |watch, _| {
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
    let setup = replayed.setup.exchanged();
    Ok(KeptMatch::alone(&MatchSetup { seed: setup.seed % (1 << EXACT_BITS), ..setup }))
}
