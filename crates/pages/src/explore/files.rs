//! Visitors' game files, kept as records of matches without turns so that links stay short.

use std::sync::Arc;

use axum::extract::State;
use axum::extract::multipart::Multipart;
use axum::response::{IntoResponse, Redirect, Response};
use richman_analysis::Subject;
use richman_core::{Holding, Watch};
use richman_formats::Record;
use richman_hall::FileText;
use richman_hall::ShownRecord;
use richman_hall::refused::Refusal;
use richman_hall::setup;
use richman_hall::token::GameId;

use super::answer::TIME;
use super::asked::ExploreFields;
use super::form::PastedFile;
use super::page;
use super::question::RulesSource;
use crate::desk::Deadline;
use crate::each_field;
use crate::remedies::worded;
use crate::{Pages, SharedPages};

/// The largest game file to explore, in bytes.
pub const LARGEST: usize = 64 << 10;

/// Keeps a valid game file.
async fn keep(app: &Pages, text: String) -> Result<GameId, Refusal> {
    let games = app.games().clone();
    let read = move |deadline: &Deadline| {
        let name = subject(&text, deadline)?.name();
        let hands = [Holding::new(1, true)?, Holding::new(1, false)?];
        let record = Record { file: Some(file_name(&name)), ..Record::new(&name, hands.into()) };
        let game = ShownRecord { text: record.to_string(), file: Some(FileText::from(text.clone())) };
        game.check(&games)?;
        Ok(game)
    };
    app.hall.keep_game(app.desk.run(TIME, read).await?).await
}

fn subject(text: &str, watch: &dyn Watch) -> Result<Subject, Refusal> {
    Ok(Subject::from_file("the game file", text.as_bytes(), &setup::reading(watch))?)
}

/// The text of the game file of a match or a kept record, small enough to be explored.
pub async fn text(app: &Pages, id: &str) -> Result<FileText, Refusal> {
    let text = kept(app, id).await?;
    check_size(&text)?;
    Ok(text)
}

/// The text of the game file of a match or a kept record.
pub async fn kept(app: &Pages, id: &str) -> Result<FileText, Refusal> {
    const WHAT: &str = "game file";
    let id = GameId::read(id).ok_or(Refusal::NotFound(WHAT))?;
    let shown = app.hall.shown(&id).await.map_err(|refused| match refused {
        Refusal::NotFound(_) => Refusal::NotFound(WHAT),
        other => other,
    });
    shown?.0.file.ok_or(Refusal::NotFound(WHAT))
}

/// The rules in the text of a game file.
pub fn source(text: &str, watch: &dyn Watch) -> Result<RulesSource, Refusal> {
    let subject = subject(text, watch)?;
    Ok(RulesSource { name: file_name(&subject.name()), is_file: true, subject: Arc::new(subject) })
}

fn check_size(text: &str) -> Result<(), Refusal> {
    if text.len() > LARGEST {
        return Err(Refusal::TooLarge(format!("a game file that is explored has at most {LARGEST} bytes here")));
    }
    Ok(())
}

/// The file name for a game.
pub fn file_name(game: &str) -> String {
    const LONGEST: usize = 40;
    let letter = |letter: char| if letter.is_ascii_alphanumeric() || "-_".contains(letter) { letter } else { '-' };
    let name: String = game.chars().take(LONGEST).map(letter).collect();
    format!("{}.json", if name.is_empty() { "game" } else { &name })
}

/// Accepts a game file and shows its game, or the form again with the error.
pub async fn upload(State(app): SharedPages, form: Multipart) -> Result<Response, Refusal> {
    let mut texts = [const { String::new() }; 2];
    let read = read(form, ["file", "text"], LARGEST, &mut texts).await;
    let [file, text] = texts;
    let text = if file.trim().is_empty() { text } else { file };
    let kept = async {
        read?;
        if text.trim().is_empty() {
            return Err(Refusal::BadRequest("choose a game file, or paste one".to_string()));
        }
        keep(&app, text.clone()).await
    };
    match kept.await {
        Ok(id) => {
            let asked = ExploreFields { file: id.to_string(), ..ExploreFields::default() };
            Ok(Redirect::to(&asked.link("/explore")).into_response())
        }
        Err(refused) if refused.is_of_server() => Err(refused),
        Err(refused) => {
            let (shared, error) = (Arc::clone(&app), worded(&refused));
            let write = move || page::unread(shared.games(), &PastedFile { text, error: Some(error) });
            Ok(refused.with_body(app.desk.write(write).await?))
        }
    }
}

/// Reads the texts of the named form fields, each of at most `largest` bytes, as far as the form
/// can be read.
pub async fn read<const N: usize>(
    form: Multipart,
    names: [&str; N],
    largest: usize,
    texts: &mut [String; N],
) -> Result<(), Refusal> {
    let too_large = || Refusal::TooLarge(format!("a file has at most {largest} bytes here"));
    each_field(form, too_large, |name, bytes| {
        let is_too_large = bytes.len() > largest;
        if let Some(at) = names.iter().position(|known| *known == name) {
            let reason = "this is not text: a file is JSON or a record, in UTF-8. Unpack it if it is compressed; \
                          `richman convert FILE game.json` writes a game in another form as JSON";
            texts[at] = String::from_utf8(bytes).map_err(|_| Refusal::BadRequest(reason.to_string()))?;
        }
        if is_too_large { Err(too_large()) } else { Ok(()) }
    })
    .await
}
