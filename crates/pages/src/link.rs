//! The public address of a page, for previews of its link on other sites. They need absolute
//! addresses, so there are pictures only if the server knows its public one.

use maud::{Markup, html};

use crate::Pages;

/// The width and height of pictures that sites expect.
pub const PREVIEW_SIZE: [u32; 2] = [1200, 630];

/// A link to `page` that holds what the page shows, for pages that nobody else reaches: the texts
/// of these fields stand in the fragment, and the script sends them as a form.
pub(crate) fn holding(page: &str, fields: &[(&str, &str)]) -> String {
    let given: Vec<&(&str, &str)> = fields.iter().filter(|(_, text)| !text.is_empty()).collect();
    format!("{page}#{}", serde_urlencoded::to_string(given).unwrap_or_default()) // texts always have a form
}

/// The font of text in these pictures.
pub const PREVIEW_FONT: &[u8] = include_bytes!("../assets/fonts/inter-600.ttf");

/// A page with its public address.
#[derive(Debug, Clone)]
pub struct SharedLink<'a> {
    /// The origin under which others reach the server.
    public: &'a str,
    /// The path of the page.
    page: String,
    /// The path of its picture.
    picture: Option<String>,
}

impl Pages {
    /// The page at `path` with the board of a listed game, if the server knows its public address.
    pub fn shared_link(&self, path: &str, board: Option<(&str, &str)>) -> Option<SharedLink<'_>> {
        let public = self.public.as_deref()?;
        let picture = board.and_then(|(game, position)| {
            let query = serde_urlencoded::to_string([("game", game), ("position", position)]).ok()?;
            Some(format!("/preview.png?{query}"))
        });
        Some(SharedLink { public, page: path.to_string(), picture })
    }
}

/// The tags in the head of a page.
pub fn tags(title: &str, about: &str, link: Option<&SharedLink>) -> Markup {
    html! {
        meta property="og:site_name" content="Richman";
        meta property="og:type" content="website";
        meta property="og:title" content=(title);
        meta property="og:description" content=(about);
        @if let Some(SharedLink { public, page, picture }) = link {
            meta property="og:url" content={ (public) (page) };
            @if let Some(picture) = picture {
                meta property="og:image" content={ (public) (picture) };
                meta property="og:image:type" content="image/png";
                meta property="og:image:width" content=(PREVIEW_SIZE[0]);
                meta property="og:image:height" content=(PREVIEW_SIZE[1]);
                meta property="og:image:alt" content="The board";
                meta name="twitter:card" content="summary_large_image";
            }
        }
    }
}
