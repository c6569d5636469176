//! What the engines offer for a question, for people.

use bytesize::ByteSize;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use richman_analysis::Considered;

/// The engines in the order in which they are tried, then those that are not.
pub fn text(offers: &[Considered]) -> String {
    let mut offers: Vec<&Considered> = offers.iter().collect();
    offers.sort_by_key(|offer| (offer.turn.unwrap_or(usize::MAX), offer.refused.is_some()));
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["tried", "engine", "answer", "takes about"]);
    for offer in offers {
        let tried = offer.turn.map_or("no".to_string(), |turn| turn.to_string());
        let answer = match (&offer.answer, &offer.refused) {
            (Some(answer), _) => answer.clone(),
            (None, Some(why)) => format!("none: {why}"),
            (None, None) => String::new(),
        };
        table.add_row([tried, offer.engine.to_string(), answer, cost(offer)]);
    }
    super::lines(table)
}

fn cost(offer: &Considered) -> String {
    let (Some(seconds), Some(memory)) = (offer.seconds, offer.memory) else {
        return match (&offer.answer, offer.turn) {
            (None, _) => String::new(),
            (Some(_), None) => "more than there is room for".to_string(),
            (Some(_), Some(_)) => "not known before it is tried".to_string(),
        };
    };
    let time = match seconds {
        0.0 => "the time there is".to_string(),
        seconds if seconds < 1.0 => "less than a second".to_string(),
        seconds if seconds < 1e7 => format!("{seconds:.0} s"),
        seconds => format!("{seconds:.0e} s"),
    };
    let memory = if memory == 0 { String::new() } else { format!(", {}", ByteSize(memory)) };
    format!("{time}{memory}")
}
