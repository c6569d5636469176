//! Setting up a match from a form. If fields are wrong, the form comes back with its contents, and
//! they are marked.

use axum::extract::multipart::MultipartRejection;
use axum::extract::{Multipart, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use richman_analysis::{Games, Subject};
use richman_core::{ByPlayer, Mechanism, Preset, Unwatched};
use richman_hall::FileText;
use richman_hall::refused::Refusal;
use richman_hall::setup::{LARGEST_FILE, MOST_CHIPS, MOST_TURNS, MatchSetup, SeatChoice, USUAL_TURNS, random_seed};
use richman_play::players::{STRENGTHS, Strength, StrengthInfo, USUAL_LEVEL};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::new;
use super::visitor::{self, PageOrigin};
use crate::SharedPages;
use crate::remedies::worded;
use crate::{each_field, gallery, in_sentence, whole_number};

/// The value of the field `game` that stands for a game file.
pub const FILE: &str = "file";
/// More fields than any form here has.
const MOST_FIELDS: usize = 200;
/// The longest value of a field, except files.
const LONGEST: usize = 20_000;

/// The form's contents, by field names.
#[derive(Debug, Default)]
pub struct TypedFields(pub BTreeMap<String, String>);

impl TypedFields {
    /// The content of the field, if it was sent.
    pub fn given(&self, field: &str) -> Option<&str> {
        self.0.get(field).map(|value| value.trim())
    }

    /// The content of the field; empty if it was not sent.
    pub fn text(&self, field: &str) -> &str {
        self.given(field).unwrap_or("")
    }

    /// The content of the field, or `otherwise` if it is empty.
    pub fn or<'a>(&'a self, field: &str, otherwise: &'a str) -> &'a str {
        self.given(field).filter(|text| !text.is_empty()).unwrap_or(otherwise)
    }
}

/// Errors by field names; the empty name stands for the whole form.
#[derive(Debug, Default)]
pub struct FieldErrors(BTreeMap<&'static str, String>);

impl FieldErrors {
    /// The error in the field.
    pub fn at(&self, field: &str) -> Option<&str> {
        self.0.get(field).map(String::as_str)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn note(&mut self, field: &'static str, error: impl ToString) {
        self.0.entry(field).or_insert_with(|| in_sentence(&error.to_string()));
    }

    fn take<T>(&mut self, field: &'static str, result: Result<T, impl ToString>) -> Option<T> {
        result.map_err(|error| self.note(field, error)).ok()
    }
}

pub async fn create(
    State(app): SharedPages,
    origin: PageOrigin,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Response, Refusal> {
    app.make_cards().await;
    let form = form.map_err(|error| Refusal::BadRequest(error.body_text()))?;
    let (mut typed, mut wrong) = (TypedFields::default(), FieldErrors::default());
    let unread = read(form, &mut typed, &mut wrong).await.err();
    if let Some(refused) = &unread {
        wrong.note(if typed.text("game") == FILE { "file_text" } else { "" }, refused);
    }
    // A game file may be long: reading it must not block others.
    let games = app.games().clone();
    let check = move || {
        let (setup, wrong) = setup(&games, &typed, wrong);
        let levels = levels(&games, &typed);
        Ok((typed, wrong, setup, levels))
    };
    let (typed, mut wrong, setup, levels) = app.desk.build(check).await?;
    if let Some(setup) = setup.filter(|_| wrong.is_empty()) {
        match app.hall.create(setup).await {
            Ok(created) => return visitor::sit_first(&app, &created, &origin).await,
            Err(refused @ (Refusal::Busy(_) | Refusal::Internal(_))) => return Err(refused),
            Err(refused) => wrong.note("", worded(&refused)),
        }
    }
    let shared = Arc::clone(&app);
    let write = move || new::page_of(&shared, &origin, &typed, &wrong, &levels);
    let status = unread.map_or(StatusCode::UNPROCESSABLE_ENTITY, |refused| refused.status());
    Ok((status, app.desk.write(write).await?).into_response())
}

/// Reads a form, as far as it can be read: a game file that is too large is left out.
async fn read(form: Multipart, typed: &mut TypedFields, wrong: &mut FieldErrors) -> Result<(), Refusal> {
    let too_large = || Refusal::TooLarge(format!("a game file has at most {LARGEST_FILE} bytes here"));
    let mut left_out = None;
    each_field(form, too_large, |name, bytes| {
        let is_file = name == "upload" || name == "file_text";
        if is_file && bytes.len() > LARGEST_FILE {
            left_out = Some(too_large());
            return Ok(());
        }
        if typed.0.len() >= MOST_FIELDS || name.len() > 80 || (!is_file && bytes.len() > LONGEST) {
            return Err(Refusal::TooLarge("this form has too many fields, or a field is too long".to_string()));
        }
        match (String::from_utf8(bytes), name) {
            // The text field keeps an uploaded file when the form comes back.
            (Ok(text), "upload") if text.is_empty() => {}
            (Ok(text), "upload") => drop(typed.0.insert("file_text".to_string(), text)),
            (Ok(text), "file_text") if typed.0.contains_key("file_text") && text.trim().is_empty() => {}
            (Ok(text), _) => drop(typed.0.insert(name.to_string(), text)),
            (Err(_), _) => wrong.note("file_text", "this is not text: a game file is JSON in UTF-8"),
        }
        Ok(())
    })
    .await?;
    left_out.map_or(Ok(()), Err)
}

/// The reading of a form, which notes its errors.
struct FormReader<'a> {
    games: &'a Games,
    typed: &'a TypedFields,
    wrong: FieldErrors,
}

/// The setup from the form, or its errors.
fn setup(games: &Games, typed: &TypedFields, wrong: FieldErrors) -> (Option<MatchSetup>, FieldErrors) {
    let mut form = FormReader { games, typed, wrong };
    (form.setup(), form.wrong)
}

/// The levels that can play the game in the form, as far as the form is valid.
pub fn levels(games: &Games, typed: &TypedFields) -> Vec<&'static StrengthInfo> {
    let mut form = FormReader { games, typed, wrong: FieldErrors::default() };
    let Some((subject, _)) = form.game() else { return STRENGTHS.iter().collect() };
    let position = form.position(&subject).flatten();
    let mechanism = form.mechanism().unwrap_or_default();
    let chips = whole_number(typed.text("chips")).unwrap_or(subject.usual_chips());
    gallery::levels(&subject, position.as_deref(), &mechanism, chips)
}

impl FormReader<'_> {
    fn setup(&mut self) -> Option<MatchSetup> {
        let game = self.game();
        let mechanism = self.mechanism();
        let limit = self.whole("limit", USUAL_TURNS, 1..=MOST_TURNS, "turns");
        let seats = self.seats();
        let position = game.as_ref().and_then(|(subject, _)| self.position(subject));
        let has_star = mechanism.as_ref().is_none_or(Mechanism::has_star);
        let each = game.as_ref().map_or(0, |(subject, _)| subject.usual_chips());
        let holdings = self.holdings(has_star, each);
        let (subject, file) = game?;
        let setup = MatchSetup {
            game: subject.name(),
            file: file.map(FileText::from),
            position: position?,
            mechanism: mechanism?.into(),
            holdings: holdings?,
            limit: limit?,
            seats: seats?,
            one_screen: self.typed.text("opponent") == "screen",
            guided: false,
            seed: self.wrong.take("", random_seed())?,
        };
        self.wrong.take("", setup.begin(self.games).map_err(|refused| worded(&refused)))?;
        Some(setup)
    }

    /// The game, and the text of its file if there is one.
    fn game(&mut self) -> Option<(Subject, Option<String>)> {
        let FormReader { games, typed, wrong } = self;
        let name = typed.text("game");
        if name == FILE {
            let text = typed.text("file_text");
            if text.is_empty() {
                wrong.note("file_text", "paste a game file here, or choose one below");
                return None;
            }
            let subject = Subject::from_file("the file", text.as_bytes(), &richman_hall::setup::reading(&Unwatched));
            return Some((wrong.take("file_text", subject)?, Some(text.to_string())));
        }
        let Some(info) = games.info(name) else {
            wrong.note("game", "choose a game");
            return None;
        };
        let filled: Vec<String> = new::parameters(&info)
            .into_iter()
            .filter_map(|parameter| {
                let value = typed.text(&parameter.field);
                // The size of a board determines its rows and columns, unless they are changed.
                let given = !value.is_empty() && (parameter.is_alone || value != parameter.default);
                given
                    .then(|| if parameter.is_alone { value.to_string() } else { format!("{}={value}", parameter.name) })
            })
            .collect();
        let spec = if filled.is_empty() { name.to_string() } else { format!("{name}:{}", filled.join(",")) };
        Some((wrong.take("parameters", Subject::among(games, &spec))?, None))
    }

    fn position(&mut self, subject: &Subject) -> Option<Option<String>> {
        let text = self.typed.text("position");
        let position = (!text.is_empty()).then(|| text.to_string());
        let walk = self.wrong.take("position", subject.walk(position.as_deref()))?;
        if walk.end().is_some() {
            self.wrong.note("position", "the game is over there: choose a position where it goes on");
            return None;
        }
        Some(position)
    }

    fn mechanism(&mut self) -> Option<Mechanism> {
        let FormReader { typed, wrong, .. } = self;
        let preset: Preset = wrong.take("preset", typed.or("preset", "develin-payne").parse::<Preset>())?;
        let mut mechanism = preset.mechanism();
        for choice in Mechanism::CHOICES {
            let word = match (choice, typed.text(choice)) {
                (_, "") => continue,
                ("payment", "taxman") => format!("taxman:{}", typed.or("taxman", "1/2")),
                ("bids", amounts) => amounts.replace([',', ' '], "+"),
                (_, word) => word.to_string(),
            };
            wrong.take(choice, mechanism.choose(choice, &word))?;
        }
        Some(mechanism)
    }

    /// The whole number in a field, or the usual one if it is empty.
    fn whole(&mut self, field: &'static str, usual: u32, range: RangeInclusive<u32>, what: &str) -> Option<u32> {
        let number = whole_number(self.typed.or(field, &usual.to_string())).filter(|number| range.contains(number));
        if number.is_none() {
            let (least, most) = range.into_inner();
            self.wrong.note(field, format!("write a whole number of {what} from {least} to {most}"));
        }
        number
    }

    /// Both holdings; `usual` chips each if none are given.
    fn holdings(&mut self, has_star: bool, usual: u32) -> Option<ByPlayer<String>> {
        let each = self.whole("chips", usual, 0..=MOST_CHIPS / 2, "chips")?;
        let alice = self.whole("alice_chips", each, 0..=MOST_CHIPS, "chips")?;
        let bob = self.whole("bob_chips", each, 0..=MOST_CHIPS, "chips")?;
        if u64::from(alice) + u64::from(bob) > u64::from(MOST_CHIPS) {
            self.wrong.note("chips", format!("take at most {MOST_CHIPS} chips in all"));
            return None;
        }
        let bob_has_star = self.typed.text("star") == "bob";
        let star = |held: bool| if held && has_star { "*" } else { "" };
        Some(ByPlayer::new(format!("{alice}{}", star(!bob_has_star)), format!("{bob}{}", star(bob_has_star))))
    }

    fn seats(&mut self) -> Option<ByPlayer<SeatChoice>> {
        let FormReader { typed, wrong, .. } = self;
        let other = match typed.or("opponent", "computer") {
            "computer" => {
                let level = typed.or("level", USUAL_LEVEL);
                wrong.take("level", level.parse::<Strength>())?;
                SeatChoice::Computer(level.to_string())
            }
            "friend" => SeatChoice::Invited,
            "screen" => return Some(ByPlayer::new(SeatChoice::Person, SeatChoice::Person)),
            _ => {
                wrong.note("opponent", "choose whom to play against");
                return None;
            }
        };
        let is_alice = match typed.or("side", "alice") {
            "bob" => false,
            "chance" => wrong.take("side", random_seed())? % 2 == 0,
            _ => true,
        };
        let seats = ByPlayer::new(SeatChoice::Person, other);
        Some(if is_alice { seats } else { seats.swapped() })
    }
}
