//! The listed games with people's names, pictures and the levels that can play them. Computed once
//! per server.

use std::time::Duration;

use axum::body::Bytes;
use maud::{Markup, html};
use richman_analysis::{GameInfo, Games, Scope, Subject};
use richman_core::{Effort, Mechanism, Purses, Total};
use richman_play::players::{STRENGTHS, StrengthInfo};
use richman_render::board::{BoardOptions, standalone_svg};

use super::assets::Asset;
use super::{SVG, in_sentence};
use crate::Pages;

/// A listed game.
pub struct GameCard {
    /// Its entry in the list of games.
    pub info: GameInfo,
    /// Its picture.
    pub picture: Option<Asset>,
    /// The levels that can play it with the usual settings, strongest first.
    pub levels: Vec<&'static StrengthInfo>,
}

richman_core::debug_by_name!(GameCard {});

/// The cards of all games.
pub fn cards(games: &Games) -> Vec<GameCard> {
    let card = |info: GameInfo| {
        let usual = Subject::among(games, info.name).or_else(|_| Subject::among(games, info.example));
        let levels = usual.map_or_else(
            |_| STRENGTHS.iter().collect(),
            |subject| levels(&subject, None, &Mechanism::default(), info.chips),
        );
        GameCard { info, picture: picture(games, &info), levels }
    };
    games.list().into_iter().map(card).collect()
}

fn picture(games: &Games, info: &GameInfo) -> Option<Asset> {
    let position = Some(info.pictured).filter(|position| !position.is_empty());
    let walk = Subject::among(games, info.example).ok()?.walk(position).ok()?;
    let draw = || {
        // On a card the paper would show as a frame.
        let drawing = standalone_svg(walk.as_ref(), &BoardOptions::default());
        Bytes::from(drawing.replacen("class=\"paper\"", "fill=\"none\"", 1))
    };
    Some(Asset::known(&format!("game-{}", info.name), "svg", SVG, draw))
}

/// The levels that can play the game with `chips` chips each, strongest first.
pub fn levels(
    subject: &Subject,
    position: Option<&str>,
    mechanism: &Mechanism,
    chips: u32,
) -> Vec<&'static StrengthInfo> {
    /// Enough time to find that a game is too large.
    const TIME: Duration = Duration::from_millis(50);
    const MEMORY: u64 = 64 << 20;
    let Ok(total) = Total::new(chips.saturating_mul(2)) else { return STRENGTHS.iter().collect() };
    let scope = Scope { subject, position, mechanism, total, purses: Purses::Together(total.chips()) };
    let effort = || Effort { memory: MEMORY, ..Effort::default() }.within_time(TIME);
    STRENGTHS.iter().filter(|info| info.strength.may_play(&scope, &effort()).is_ok()).collect()
}

/// The games as pictures that lead to their forms.
pub fn gallery(app: &Pages) -> Markup {
    html! {
        ul class="gallery" {
            @for card in app.cards() {
                li {
                    a class="game-card" href={ "/new?game=" (card.info.name) } {
                        (pictured(card))
                        b { (card.info.title) }
                        span class="aside" { (in_sentence(card.info.summary())) }
                    }
                }
            }
        }
    }
}

/// The picture, or an empty frame. It needs no text, because the game's name is next to it.
pub fn pictured(card: &GameCard) -> Markup {
    html! {
        span class="game-picture" {
            @if let Some(picture) = &card.picture {
                img src=(picture.name) alt="" width="200" height="200" loading="lazy" decoding="async";
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_name_and_a_picture_of_a_game_under_way() {
        for card in cards(&Games::default()) {
            let GameInfo { name, title, example, pictured, .. } = card.info;
            assert!(title.starts_with(char::is_uppercase), "{name} is called {title:?}");
            assert!(card.picture.is_some(), "{name} has no picture: {example} at {pictured:?}");
            let walk = Subject::named(example).unwrap().walk(Some(pictured).filter(|text| !text.is_empty())).unwrap();
            assert_eq!(walk.end(), None, "{name}: the game of the picture goes on");
        }
    }

    /// A level is offered exactly if the hall does not refuse it.
    #[test]
    fn levels_that_cannot_play_are_not_offered() {
        let offered = |name: &str, mechanism: &str| -> Vec<&str> {
            let subject = Subject::named(name).unwrap();
            let mechanism = mechanism.parse::<richman_core::Preset>().unwrap().mechanism();
            levels(&subject, None, &mechanism, subject.usual_chips()).iter().map(|info| info.name).collect()
        };
        let usual = "develin-payne";
        for (game, missing) in [
            ("tic-tac-toe", &["monte-carlo"][..]),
            ("connect", &["perfect", "monte-carlo"]),
            ("connect:rows=4,cols=4", &["monte-carlo"]),
            ("hex", &["perfect"]),
            ("hex:size=3", &[]),
            ("chess", &["perfect", "monte-carlo"]),
            ("y:size=8", &["perfect", "monte-carlo"]),
            ("tug-of-war", &["monte-carlo"]),
            ("subtraction", &["rounding", "monte-carlo"]),
        ] {
            let expected: Vec<&str> =
                STRENGTHS.iter().map(|info| info.name).filter(|name| !missing.contains(name)).collect();
            assert_eq!(offered(game, usual), expected, "{game}");
        }
    }
}
