//! Heat maps have the cells of their tables, in every order of holdings.

use std::collections::HashMap;

use richman_analysis::{Request, Subject, holdings, table};
use richman_core::{Effort, Mechanism, Payment, Player, Total};

use super::*;

fn with_request<T>(game: &str, mechanism: &Mechanism, then: impl FnOnce(&Request) -> T) -> T {
    let unfolding = Subject::named(game).unwrap().unfold(None, &Effort::default()).unwrap();
    then(&Request { unfolding: unfolding.as_ref(), mechanism, effort: Effort::default() })
}

fn totals(game: &str, mechanism: &Mechanism, (first, last): (u64, u64)) -> TableReport {
    let range = Total::new(first as u32).unwrap()..=Total::new(last as u32).unwrap();
    with_request(game, mechanism, |request| table::report(request, range, false).unwrap())
}

/// The class of every cell, by column and row from below.
fn cells_of(svg: &str) -> HashMap<(u32, u32), String> {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
    let mut found = HashMap::new();
    for path in document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "path"))) {
        let class = path.attribute("class").unwrap_or_default();
        for part in path.attribute("d").unwrap_or_default().split('M').skip(1) {
            let numbers: Vec<u32> =
                part.split(|letter: char| !letter.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect();
            let [x, y, 1, height, 1] = numbers[..] else { panic!("{part}") };
            for row in y..y + height {
                assert_eq!(found.insert((x, row), class.to_string()), None, "cells do not lie on each other");
            }
        }
    }
    found
}

#[test]
fn cells_are_the_thresholds_of_the_table() {
    for ties in ["advantage", "marker", "alice"] {
        for game in ["tic-tac-toe", "expr:A & B^2"] {
            let mechanism = Mechanism { ties: ties.parse().unwrap(), ..Mechanism::default() };
            let report = totals(game, &mechanism, (3, 12));
            for star in stars(&mechanism) {
                let svg = of_totals(&report, star);
                let cells = cells_of(&svg);
                assert_eq!(cells.len(), (3..=12).map(|chips| chips + 1).sum::<usize>());
                for ((column, alice), class) in cells {
                    let row = &report.rows[column as usize];
                    let need = |threshold: &richman_analysis::ThresholdJson| match star {
                        Some(Player::Alice) => threshold.star,
                        _ => threshold.plain,
                    };
                    let expected = match (alice >= need(&row.win), alice >= need(&row.draw)) {
                        (true, _) => "outcome-alice",
                        (_, true) => "outcome-neither",
                        (_, false) => "outcome-bob",
                    };
                    assert_eq!(class, expected, "{game} {ties} {star:?}: {alice} of {}", row.chips);
                }
            }
        }
    }
}

#[test]
fn holdings_that_are_not_upward_closed_are_drawn_as_they_are() {
    let mechanism = Mechanism { bids: "3".parse().unwrap(), ..Mechanism::default() };
    let report = totals("expr:E & B^2", &mechanism, (5, 12));
    let holes = report.rows.iter().filter_map(|row| row.win.wins.as_ref()).count();
    assert!(holes > 0, "more chips can hurt here");
    for star in stars(&mechanism) {
        for ((column, alice), class) in cells_of(&of_totals(&report, star)) {
            let Some(sets) = &report.rows[column as usize].win.wins else { continue };
            let sets = if star == Some(Player::Alice) { &sets.star } else { &sets.plain };
            let wins = sets.iter().any(|[low, high]| (*low..=*high).contains(&alice));
            assert_eq!(class == "outcome-alice", wins, "{alice} of {column}");
        }
    }
}

#[test]
fn purses_are_drawn_for_either_player() {
    let mechanism = Mechanism { payment: Payment::Poorman, ..Mechanism::default() };
    let range = || Total::new(0).unwrap()..=Total::new(6).unwrap();
    let tables = with_request("tic-tac-toe", &mechanism, |request| {
        Player::BOTH.map(|fixed| holdings::report(request, fixed, range()).unwrap())
    });
    for star in stars(&mechanism) {
        let [alice_fixed, bob_fixed] =
            Player::BOTH.map(|fixed| cells_of(&of_holdings(&tables[fixed as usize], fixed, star)));
        let mut both = 0;
        for ((alice, bob), class) in &alice_fixed {
            if let Some(other) = bob_fixed.get(&(*bob, *alice)) {
                assert_eq!(class, other, "{alice} against {bob}, {star:?}");
                both += 1;
            }
        }
        assert!(both >= 40, "{both}");
    }
}

#[test]
fn large_tables_stay_small() {
    let mechanism = Mechanism::default();
    let report = totals("expr:A & B^2", &mechanism, (1_000_000, 1_000_600));
    let svg = of_totals(&report, Some(Player::Alice));
    assert!(svg.len() < 250_000, "{}", svg.len());
    assert!(svg.contains("the first 512"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

#[test]
fn there_is_no_colour_outside_the_style() {
    let mechanism = Mechanism { ties: "marker".parse().unwrap(), ..Mechanism::default() };
    let svg = of_totals(&totals("tic-tac-toe", &mechanism, (0, 9)), Some(Player::Bob));
    assert!(!svg.contains('#') && !svg.contains("style"));
    let document = roxmltree::Document::parse(&svg).unwrap();
    let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).map(str::trim).collect();
    assert!(texts.contains(&"neither") && svg.contains("<title>"));
    let legend = ["Alice wins", "neither", "Bob wins", "not known"].map(|text| 25.0 + width(text, TEXT));
    assert!(LEGEND + legend.iter().sum::<f64>() <= WIDTH + 8.0, "the legend fits");
    for class in ["frame", "outcome-alice", "outcome-neither", "outcome-bob", "outcome-unknown"] {
        assert!(STYLE.contains(&format!(".heat .{class} ")), "{class}");
    }
    // Without a star there is one map.
    let ladies_first = Mechanism { ties: "alice".parse().unwrap(), ..Mechanism::default() };
    assert_eq!(stars(&ladies_first), [None]);
    assert!(of_totals(&totals("tic-tac-toe", &ladies_first, (5, 5)), None).contains("Who can force what"));
}
