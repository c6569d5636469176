//! The document that describes every address, and the page that introduces it.

use maud::{Markup, html};
use richman_pages::page;
use richman_pages::play::PageOrigin;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

/// Everything in the document but the addresses.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Richman",
        description = "Bidding games: two players bid for the right to make the next move; the higher bid wins, and \
                       its bidder pays. Set up matches and play them, against programs or people; look at matches, \
                       review them, solve positions.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    tags(
        (name = "games", description = "The games, mechanisms and levels to choose from."),
        (name = "matches", description = "Setting up a match, and what anybody may see of it."),
        (name = "invitation", description = "Taking the other seat, by the secret of the invitation."),
        (name = "seat", description = "What a player sees and does, by the secret of the seat."),
        (name = "records", description = "Records of matches, and their reviews."),
        (name = "solve", description = "Exact answers about a position."),
    ),
    modifiers(&Secrets),
)]
pub struct Document;

/// How secrets are sent.
struct Secrets;

impl Modify for Secrets {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("The secret of a seat or of an invitation. It is never part of an address."))
            .build();
        document.components.get_or_insert_default().add_security_scheme("token", SecurityScheme::Http(bearer));
    }
}

/// A match in four requests; `HERE` stands for the server.
const EXAMPLE: &str = r#"curl -s HERE/api/v1/matches -H 'Content-Type: application/json' -d '
  {"game": "tic-tac-toe", "total": 8, "seats": {"alice": "person", "bob": {"computer": "beginner"}}}'

curl -s HERE/api/v1/seat -H "Authorization: Bearer $TOKEN"

curl -s HERE/api/v1/seat/actions -H "Authorization: Bearer $TOKEN" \
  -H 'Content-Type: application/json' -d '{"step": 0, "action": {"bid": 1}}'

curl -s "HERE/api/v1/seat?after=$VERSION" -H "Authorization: Bearer $TOKEN""#;

/// The page that introduces the interface.
pub async fn introduction(origin: PageOrigin) -> Markup {
    let origin = Some(origin.text).filter(|origin| !origin.is_empty());
    let example = EXAMPLE.replace("HERE", origin.as_deref().unwrap_or("http://127.0.0.1:8080"));
    let content = html! {
        h1 { "For programs" }
        p {
            "Everything that can be played here can be played by programs too, as JSON over HTTP. "
            a href="/api/openapi.json" { "The OpenAPI document" }
            " lists every address with what it takes and gives, and "
            a href="/guide/api" { "the guide" } " has more on each."
        }
        ol {
            li {
                "Set up a match. The answer holds the secret of your seat, and an invitation if somebody else is to \
                 take the other one."
            }
            li {
                "Look at the match with that secret. " code { "decision" }
                " is the decision that is due from you, with every allowed bid or move."
            }
            li {
                "Act, with the number " code { "step" }
                " from the decision: an action is taken once, however often it is sent."
            }
            li {
                "Wait for a change: a request with " code { "after" }
                " is answered as soon as the version of the match differs. Start again at 2."
            }
        }
        pre tabindex="0" { code { (example) } }
        p {
            "An action is " code { r#"{"bid": 3}"# } ", " code { r#"{"use_star": true}"# } ", "
            code { r#"{"move": "b2"}"# } ", "
            code { r#""let""# } ", " code { r#""stay""# } " or " code { r#""resign""# }
            ". An action that is not allowed is answered with " code { r#"{"error": {"code", "message"}}"# }
            " and a status from 400 to 499, and changes nothing. Nobody is told a sealed bid before both are in."
        }
    };
    page("For programs", content)
}
