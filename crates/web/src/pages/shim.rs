//! Until the drawings come.
pub mod board {
    use richman_core::{Player, Walk};
    #[derive(Default)]
    pub struct BoardOptions<'a> { pub mover: Option<Player>, pub marked: &'a [(Player, String)], pub last: Option<&'a dyn Walk> }
    pub fn svg(walk: &dyn Walk, options: &BoardOptions) -> String {
        let _ = (options.mover, options.marked, options.last.is_some());
        maud::html! { pre { (walk.picture()) } }.into_string()
    }
    pub fn places(walk: &dyn Walk, player: Player) -> Vec<Vec<String>> { walk.pointing(player) }
}
pub mod heat { pub fn svg(_: &richman_analysis::plot::Figure) -> String { "<svg></svg>".into() } }
pub mod plot { pub fn svg(_: &richman_analysis::plot::Figure) -> String { "<svg></svg>".into() } }
pub mod review_plot { pub fn svg(_: &richman_play::review::Review) -> Option<String> { Some("<svg></svg>".into()) } }
pub mod tree { pub mod svg { pub fn render(_: &richman_analysis::tree::TreeReport) -> String { "<svg></svg>".into() } } }
pub mod rows {
    type R = Vec<Vec<String>>;
    pub fn money(_: &richman_analysis::money::MoneyReport) -> R { vec![] }
    pub fn chips(_: &richman_analysis::chips::ChipsReport) -> R { vec![] }
    pub fn purses(_: &richman_analysis::chips::PursesReport) -> R { vec![] }
    pub fn scores(_: &richman_analysis::scores::ScoresReport) -> R { vec![] }
    pub fn table(_: &richman_analysis::table::TableReport) -> R { vec![] }
    pub fn holdings(_: &richman_analysis::holdings::HoldingsTable) -> R { vec![] }
}
#[derive(Default)]
pub struct Frame { pub again: Option<u32>, pub wide: bool }
pub fn page_with(title: &str, frame: &Frame, content: maud::Markup) -> maud::Markup { let _ = (frame.again, frame.wide); super::page(title, content) }
pub fn in_sentence(t: &str) -> String { format!("{t}.") }
