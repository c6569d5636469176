//! Game files of visitors: kept under a name that cannot be guessed, so that a link to a view of one stays short.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Extension;
use axum::extract::multipart::Multipart;
use axum::extract::State;
use axum::response::Redirect;
use lru::LruCache;
use richman_analysis::Subject;

use super::asked::Asked;
use super::question::Source;
use super::{Answers, Shared};
use crate::App;
use crate::pages::PageError;
use crate::refused::Refused;
use crate::token::GameId;

/// The largest game file that is explored, in bytes.
pub const LARGEST: usize = 64 << 10;
/// How many are kept in memory.
const MOST: NonZeroUsize = NonZeroUsize::new(256).unwrap();

/// Kept game files.
pub struct Files {
    texts: Mutex<LruCache<GameId, Arc<str>>>,
}

impl Files {
    /// None yet.
    pub fn new() -> Files {
        Files { texts: Mutex::new(LruCache::new(MOST)) }
    }

    /// Keeps a game file that is one.
    async fn keep(&self, _app: &App, text: String) -> Result<GameId, Refused> {
        Subject::from_file("the game file", text.as_bytes())?;
        let id = GameId::new();
        self.texts.lock().unwrap_or_else(PoisonError::into_inner).put(id.clone(), text.into());
        Ok(id)
    }

    /// The rules in the file of that name.
    pub async fn source(&self, _app: &App, id: &str) -> Result<Source, Refused> {
        let id = GameId::read(id).ok_or(Refused::NotFound("game file"))?;
        let known = self.texts.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
        let text = known.ok_or(Refused::NotFound("game file"))?;
        let name = file_name(&Subject::from_file("the game file", text.as_bytes())?.name());
        Ok(Source::File { name, text })
    }
}

/// What to call the file of a game.
pub fn file_name(game: &str) -> String {
    const LONGEST: usize = 40;
    let letter = |letter: char| if letter.is_ascii_alphanumeric() || "-_".contains(letter) { letter } else { '-' };
    let name: String = game.chars().take(LONGEST).map(letter).collect();
    format!("{}.json", if name.is_empty() { "game" } else { &name })
}

/// Takes a game file and shows its game.
pub async fn upload(
    State(app): State<Arc<App>>,
    Extension(answers): Shared,
    form: Multipart,
) -> Result<Redirect, PageError> {
    let [file, text] = read(form, ["file", "text"], LARGEST).await?;
    let text = if file.trim().is_empty() { text } else { file };
    if text.trim().is_empty() {
        return Err(Refused::BadRequest("choose a game file, or paste one".to_string()).into());
    }
    let answers: &Answers = &answers;
    let id = answers.files.keep(&app, text).await?;
    let asked = Asked { file: id.to_string(), ..Asked::default() };
    Ok(Redirect::to(&asked.link("/explore")))
}

/// The texts of the fields of a form with those names, each of at most `largest` bytes.
pub async fn read<const N: usize>(
    mut form: Multipart,
    names: [&str; N],
    largest: usize,
) -> Result<[String; N], Refused> {
    let broken = |error: axum::extract::multipart::MultipartError| match error.status().as_u16() {
        413 => Refused::TooLarge(format!("a file has at most {largest} bytes here")),
        _ => Refused::BadRequest(error.body_text()),
    };
    let mut texts = [const { String::new() }; N];
    while let Some(mut field) = form.next_field().await.map_err(broken)? {
        let at = names.iter().position(|name| field.name() == Some(*name));
        let mut bytes = Vec::new();
        while let Some(chunk) = field.chunk().await.map_err(broken)? {
            if bytes.len() + chunk.len() > largest {
                return Err(Refused::TooLarge(format!("a file has at most {largest} bytes here")));
            }
            bytes.extend_from_slice(&chunk);
        }
        if let Some(text) = at.and_then(|at| texts.get_mut(at)) {
            let reason = "this is no text: a file is JSON or a record, in UTF-8";
            *text = String::from_utf8(bytes).map_err(|_| Refused::BadRequest(reason.to_string()))?;
        }
    }
    Ok(texts)
}
