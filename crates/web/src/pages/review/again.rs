//! Playing on from a turn of a review, against the computer or a friend.

use maud::{Markup, html};
use richman_analysis::GameInfo;
use richman_core::{ByPlayer, Holding, Mechanism};

use super::load::Reviewed;

/// Links to the form of a new match that starts at this position with these holdings.
pub fn play_from_here(reviewed: &Reviewed, position: &str, hands: ByPlayer<Holding>) -> Markup {
    let over = reviewed.subject.walk(Some(position)).map_or(true, |walk| walk.end().is_some());
    // The form takes a game file only as a text, which an address cannot hold.
    if over || reviewed.file.is_some() {
        return html! {};
    }
    let Some(info) = &reviewed.info else { return html! {} };
    let review = &reviewed.review;
    let start = NewMatchLink {
        game: game_fields(&review.game, info),
        position,
        hands,
        mechanism: &review.mechanism.0,
        limit: review.limit,
    };
    let link = |opponent: &str| start.link(opponent);
    html! {
        p.again {
            "Play from here: "
            a href=(link("computer")) { "against the computer" }
            " or "
            a href=(link("friend")) { "against a friend" }
        }
    }
}

/// The fields of the form that name a game: `game`, and one for each parameter, such as
/// `connect.rows`.
fn game_fields(game: &str, info: &GameInfo) -> Vec<(String, String)> {
    let given = game.split_once(':').map_or("", |(_, given)| given);
    let mut fields = vec![("game".to_string(), info.name.to_string())];
    let alone = info.parameters.split(',').next().filter(|first| !first.is_empty() && !first.contains('='));
    match alone {
        Some(alone) => fields.push((format!("{}.{alone}", info.name), given.to_string())),
        None => {
            let pairs = given.split(',').filter_map(|pair| pair.split_once('='));
            fields.extend(pairs.map(|(key, value)| (format!("{}.{key}", info.name), value.to_string())));
        }
    }
    fields
}

/// The start of a match.
struct NewMatchLink<'a> {
    game: Vec<(String, String)>,
    position: &'a str,
    hands: ByPlayer<Holding>,
    mechanism: &'a Mechanism,
    limit: Option<u32>,
}

impl NewMatchLink<'_> {
    /// The address of the form for a new match, filled in.
    fn link(&self, opponent: &str) -> String {
        let mut fields = self.game.clone();
        let mut add = |field: &str, value: &str| fields.push((field.to_string(), value.to_string()));
        add("position", self.position);
        add("opponent", opponent);
        let ByPlayer { alice, bob } = self.hands;
        add("alice_chips", &alice.chips().to_string());
        add("bob_chips", &bob.chips().to_string());
        if self.mechanism.has_star() {
            add("star", if alice.has_star() { "alice" } else { "bob" });
        }
        let (words, usual) = (self.mechanism.words(), Mechanism::default().words());
        for ((field, word), usual) in Mechanism::CHOICES.into_iter().zip(&words).zip(usual) {
            match word.split_once(':') {
                _ if *word == usual => {}
                Some((kind, part)) => {
                    add(field, kind);
                    add("taxman", part);
                }
                None => add(field, word),
            }
        }
        if let Some(limit) = self.limit {
            add("limit", &limit.to_string());
        }
        let fields = serde_urlencoded::to_string(&fields).unwrap_or_default(); // texts can always be written
        format!("/new?{fields}")
    }
}
