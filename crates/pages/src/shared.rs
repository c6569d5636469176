//! What every page can use.

use std::sync::{Arc, OnceLock};

use richman_analysis::Games;

use crate::assets;
use crate::desk::Jobs;
use crate::gallery::{self, GameCard};
use crate::needs::{PageAnswers, PageDesk, PageHall};

/// The extractor that gives handlers the [`Pages`].
pub type SharedPages = axum::extract::State<Arc<Pages>>;

/// What every page can use.
pub struct Pages {
    /// The matches.
    pub hall: Arc<dyn PageHall>,
    /// Time to compute.
    pub desk: Jobs,
    pub(crate) answers: Arc<dyn PageAnswers>,
    /// The origin under which others reach the server, such as `https://play.example`.
    pub(crate) public: Option<String>,
    /// Whether nobody else reaches the pages.
    pub(crate) is_alone: bool,
    games: Games,
    cards: OnceLock<Vec<GameCard>>,
}

richman_core::debug_by_name!(Pages {});

impl Pages {
    /// The pages of these games. `public` is the origin under which others reach the server.
    pub fn new(
        games: Games,
        hall: Arc<dyn PageHall>,
        desk: Arc<dyn PageDesk>,
        answers: Arc<dyn PageAnswers>,
        public: Option<String>,
    ) -> Pages {
        Pages { hall, desk: Jobs::at(desk), answers, public, is_alone: false, games, cards: OnceLock::new() }
    }

    /// The same pages in a browser tab, which nobody else reaches.
    #[must_use]
    pub fn alone(self) -> Pages {
        Pages { is_alone: true, ..self }
    }

    /// The games that can be played and explored.
    pub fn games(&self) -> &Games {
        &self.games
    }

    /// Makes the cards of games and the files of pages as a job of their own, unless they are made.
    pub async fn make_cards(self: &Arc<Pages>) {
        if self.cards.get().is_none() {
            let app = Arc::clone(self);
            // If it fails, they are made on first use.
            let _ = self.desk.build(move || Ok(assets::make() + app.cards().len())).await;
        }
    }

    /// The games with their pictures, made on first use.
    pub(crate) fn cards(&self) -> &[GameCard] {
        self.cards.get_or_init(|| gallery::cards(self.games()))
    }
}
