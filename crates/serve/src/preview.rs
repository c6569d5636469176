//! Pictures of boards, for previews of links on other sites.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use maud::{PreEscaped, html};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use richman_analysis::{Games, Subject};
use richman_hall::refused::Refusal;
use richman_pages::desk::Deadline;
use richman_pages::extract::QueryString;
use richman_pages::finished::FinishedPage;
use richman_pages::link::{PREVIEW_FONT, PREVIEW_SIZE as SIZE};
use richman_render::board::{BoardOptions, STYLE, svg};
use serde::Deserialize;

use crate::kept::AnswerCache;
use crate::{App, SharedState};

const TIME: Duration = Duration::from_secs(5);

/// Cached pictures, by the query of their address.
pub(crate) type Previews = AnswerCache<String, FinishedPage>;

/// The route of the pictures.
pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/preview.png", get(show))
}

#[derive(Deserialize)]
struct PreviewQuery {
    game: String,
    #[serde(default)]
    position: String,
}

async fn show(
    State(app): SharedState,
    QueryString(PreviewQuery { game, position }): QueryString<PreviewQuery>,
) -> Result<Response, Refusal> {
    const LONGEST: usize = 2000;
    if game.len() + position.len() > LONGEST {
        return Err(Refusal::TooLarge("a board this large has no picture".to_string()));
    }
    let key = format!("{game}\n{position}"); // neither has a line break
    let make = async {
        let games = app.games().clone();
        let draw = move |_: &Deadline| Ok(FinishedPage::of("image/png", png(&picture(&games, &game, &position)?)?));
        app.desk.run(TIME, draw).await
    };
    let picture = app.previews.answer(&key, FinishedPage::weight, make).await?;
    let mut answer = picture.as_ref().into_response();
    answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400"));
    Ok(answer)
}

/// The picture as SVG: the board, and the name of the game.
fn picture(games: &Games, game: &str, position: &str) -> Result<String, Refusal> {
    let subject = Subject::among(games, game)?;
    let walk = subject.walk(Some(position).filter(|position| !position.is_empty()))?;
    let name = games.info(game.split(':').next().unwrap_or(game)).map_or("A game", |info| info.title);
    let board = svg(walk.as_ref(), &BoardOptions::default());
    let board = board.replacen("<svg ", "<svg x=\"50\" y=\"40\" width=\"600\" height=\"550\" ", 1);
    let [width, height] = SIZE;
    Ok(html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height)
            viewBox={ "0 0 " (width) " " (height) } {
            style { (PreEscaped(in_the_light(STYLE))) }
            rect width=(width) height=(height) fill="#f7f4ee" {}
            (PreEscaped(board))
            text x="700" y="270" font-family="Inter" font-size="68" fill="#23211d" { (name) }
            text x="700" y="335" font-family="Inter" font-size="34" fill="#665f54" { "Bid for every move" }
            text x="700" y="560" font-family="Inter" font-size="34" fill="#2f6b3c" { "Richman" }
        }
    }
    .into_string())
}

/// The style with only the light colours, and without rules for certain screens.
fn in_the_light(style: &str) -> String {
    const CHOICE: &str = "light-dark(";
    let mut text = String::new();
    let mut rest = style;
    while let Some((before, choice)) = rest.split_once(CHOICE) {
        let (light, after) = choice.split_once(',').unwrap_or((choice, ""));
        text += before;
        text += light.trim();
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    text += rest;
    match text.split_once("@media") {
        Some((plain, _)) => plain.to_string(),
        None => text,
    }
}

/// Draws SVG as PNG.
fn png(picture: &str) -> Result<Vec<u8>, Refusal> {
    static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_data(PREVIEW_FONT.to_vec());
        fonts.set_sans_serif_family("Inter");
        Arc::new(fonts)
    });
    let options = Options { fontdb: Arc::clone(&FONTS), font_family: "Inter".to_string(), ..Options::default() };
    let tree = Tree::from_str(picture, &options).map_err(Refusal::internal)?;
    let none = || Refusal::internal(std::io::Error::other("no room for a picture"));
    let mut pixels = Pixmap::new(SIZE[0], SIZE[1]).ok_or_else(none)?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(Refusal::internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_picture_in_few_colours_of_the_light() {
        let games = Games::default();
        for info in games.list() {
            let drawn = picture(&games, info.example, info.pictured).unwrap();
            assert!(!drawn.contains("light-dark"), "{}", info.name);
            let png = png(&drawn).unwrap();
            let pixels = Pixmap::decode_png(&png).unwrap();
            assert_eq!([pixels.width(), pixels.height()], SIZE);
            let at = |x, y| pixels.pixel(x, y).unwrap().demultiply();
            assert_eq!([at(5, 5).red(), at(5, 5).green(), at(5, 5).blue()], [0xf7, 0xf4, 0xee]);
            let is_drawn = |xs: std::ops::Range<u32>, ys: std::ops::Range<u32>| {
                xs.clone().any(|x| ys.clone().any(|y| at(x, y) != at(5, 5)))
            };
            assert!(is_drawn(50..650, 40..590), "{} has a board", info.name);
            assert!(is_drawn(700..1100, 200..280), "{} has its name", info.name);
        }
        assert!(picture(&games, "tic-tac-toe", "nonsense").is_err());
    }
}
