//! Links that begin a match at the position.

use richman_analysis::{Games, Stake};
use richman_core::{Aim, Holding};

use super::question::Inquiry;

/// The link to the form of a new match from the position, against such an opponent; `None` for a
/// game file, whose text has no room in a link.
pub fn new_match(games: &Games, question: &Inquiry, opponent: &str) -> Option<String> {
    if question.source.is_file {
        return None;
    }
    let asked = &question.asked;
    let info = games.info(&question.source.name)?;
    let mut fields = vec![("game".to_string(), info.name.to_string())];
    let given = question.source.name.split_once(':').map_or("", |(_, given)| given);
    if !info.parameters.contains('=') && !given.is_empty() {
        fields.push((format!("{}.{}", info.name, info.parameters), given.to_string())); // an expression has commas
    } else {
        let pairs = given.split(',').filter_map(|pair| pair.split_once('='));
        fields.extend(pairs.map(|(name, value)| (format!("{}.{}", info.name, name.trim()), value.trim().to_string())));
    }
    let mut add = |name: &str, value: &str| {
        if !value.is_empty() {
            fields.push((name.to_string(), value.to_string()));
        }
    };
    add("position", &asked.position);
    add("opponent", opponent);
    if let Stake::Hands(hands) = question.of.stake {
        let chips = |holding: Holding| holding.chips().to_string();
        add("alice_chips", &chips(hands.alice));
        add("bob_chips", &chips(hands.bob));
        if question.of.mechanism.has_star() {
            add("star", if hands.alice.has_star() { "alice" } else { "bob" });
        }
    }
    for (name, value) in asked.mechanism_flags() {
        match (name, value.split_once(':')) {
            // Scoring games are explored by other rules than they are played by as a rule.
            ("preset", _) if value.is_empty() && question.of.aim == Aim::Score => add(name, "larsson"),
            ("payment", Some((kind, part))) => {
                add(name, kind);
                add(kind, part);
            }
            _ => add(name, value),
        }
    }
    Some(format!("/new?{}", serde_urlencoded::to_string(&fields).ok()?))
}
