//! Runs the catalog on wrong solvers: which claims notice a fault planted in the turn.
//!
//! `src/faults.toml` lists the faults that each claim survives, and why. A claim that survives
//! another fault, or notices a listed one, fails the test. Needs the feature `faults`, which no
//! other build has:
//!
//!     cargo test -p richman-catalog --features faults --test faults

use std::collections::{BTreeMap, BTreeSet};
use std::panic::catch_unwind;

use richman_catalog::reproduce;
use richman_core::Effort;
use richman_solvers::fault::{self, Fault};
use serde::Deserialize;

const EXPECTED: &str = include_str!("../src/faults.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    group: Vec<Group>,
}

/// Claims that survive the same faults for the same reasons.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    /// The unnoticed faults, each with the reason.
    survives: BTreeMap<String, String>,
    claims: Vec<String>,
}

fn word(fault: Fault) -> &'static str {
    match fault {
        Fault::TiesSwapped => "ties",
        Fault::FloorForCeiling => "floor",
        Fault::GreaterOfBoth => "greater",
        Fault::Exchanged => "exchanged",
        Fault::LoserPays => "loser",
    }
}

/// Whether a claim's result is as recorded. A solver that fails or panics notices its fault too.
fn survives(id: &str) -> bool {
    let run = || reproduce(id, false, &Effort::default()).is_ok_and(|report| report.as_recorded);
    catch_unwind(run).unwrap_or(false)
}

#[test]
fn every_claim_notices_the_faults_that_it_rests_on() {
    let expected: Expected = toml::from_str(EXPECTED).unwrap();
    let all = reproduce("", false, &Effort::default()).unwrap();
    let unexpected: Vec<_> = all.claims.iter().filter(|claim| claim.unexpected.is_some()).collect();
    assert!(unexpected.is_empty(), "without a fault everything is as recorded in this build too: {unexpected:#?}");
    let ids: Vec<&str> = all.claims.iter().map(|claim| claim.id.as_str()).collect();
    let mut found: BTreeMap<&str, BTreeSet<&str>> = ids.iter().map(|&id| (id, BTreeSet::new())).collect();
    std::panic::set_hook(Box::new(|_| {}));
    for planted in Fault::ALL {
        let survivors: Vec<&str> =
            fault::with(planted, || ids.iter().copied().filter(|id| survives(id)).collect()).unwrap();
        println!("{}: {} of {} survive: {}", word(planted), survivors.len(), ids.len(), survivors.join("; "));
        survivors.iter().for_each(|id| {
            found.get_mut(id).unwrap().insert(word(planted));
        });
    }
    let _ = std::panic::take_hook();
    let mut recorded: BTreeMap<&str, BTreeSet<&str>> = ids.iter().map(|&id| (id, BTreeSet::new())).collect();
    let mut wrong = Vec::new();
    for group in &expected.group {
        assert!(group.survives.values().all(|why| why.len() > 15), "{:?}", group.survives);
        for id in &group.claims {
            match recorded.get_mut(id.as_str()) {
                Some(known) if known.is_empty() => *known = group.survives.keys().map(String::as_str).collect(),
                Some(_) => wrong.push(format!("{id} is in two groups")),
                None => wrong.push(format!("there is no claim {id}")),
            }
        }
    }
    for id in ids {
        if found[id] != recorded[id] {
            wrong.push(format!("{id} survives {:?}, on record are {:?}", found[id], recorded[id]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
