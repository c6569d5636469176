//! Until the drawings come.
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
