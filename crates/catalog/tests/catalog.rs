//! The catalog of published results.

use std::collections::HashSet;
use std::sync::LazyLock;

use richman_catalog::{Reproduction, Status, reproduce};
use richman_core::Effort;

fn run(key: &str) -> Reproduction {
    reproduce(key, false, &Effort::default()).unwrap()
}

/// All results, computed once.
static ALL: LazyLock<Reproduction> = LazyLock::new(|| run(""));

#[test]
fn every_result_is_as_recorded_and_every_difference_explained() {
    let report = &*ALL;
    let unexpected: Vec<_> =
        report.claims.iter().filter_map(|claim| claim.unexpected.as_ref().map(|why| (&claim.id, why))).collect();
    assert!(report.as_recorded && unexpected.is_empty(), "{unexpected:?}");
    let mut ids = HashSet::new();
    for claim in &report.claims {
        assert!(ids.insert(&claim.id), "{} is there twice", claim.id);
        assert!(!claim.what.is_empty(), "{}", claim.id);
        assert_eq!(claim.matching + claim.differ.len() as u64, claim.cells, "{}", claim.id);
        match claim.status {
            Status::Checked => assert!(claim.cells > 0 && claim.differ.is_empty(), "{}", claim.id),
            Status::Differs => {
                assert!(
                    !claim.differ.is_empty() && claim.why.as_ref().is_some_and(|why| why.len() > 40),
                    "{}",
                    claim.id
                );
                assert!(claim.differ.iter().all(|found| found.printed != found.computed), "{}", claim.id);
                let empty = |why: &String| why.trim().is_empty();
                assert!(!claim.differ.iter().any(|found| found.why.as_ref().is_some_and(empty)), "{}", claim.id);
            }
            Status::Answered => assert!(claim.cells > 0 && claim.why.is_some(), "{}", claim.id),
            Status::ByConstruction => assert!(claim.differ.is_empty() && claim.why.is_some(), "{}", claim.id),
            Status::Open | Status::NotInCopy => assert!(claim.cells == 0 && claim.why.is_some(), "{}", claim.id),
        }
        assert_eq!(claim.published, !claim.id.starts_with("BOARDS"), "{}", claim.id);
    }
    let of = |status| -> Vec<&str> {
        report.claims.iter().filter(|claim| claim.status == status).map(|claim| claim.id.as_str()).collect()
    };
    assert_eq!(of(Status::NotInCopy), ["G12 Figure 1", "G12 Figure 5"]);
    assert_eq!(of(Status::Open), ["DP10 Problem 3.15", "DP10 Problem 3.16"]);
    let counted = ["DP10 Example 5.1", "GSZ09 Lemma 3.9", "GSZ09 Lemma 3.12", "GSZ09 Lemma 3.14"];
    assert_eq!(of(Status::ByConstruction), counted);
    assert_eq!(of(Status::Answered).len(), 10);
}

/// `faults.toml` is tested in a build of its own. Here its claims, and those of `claims.toml`, must
/// exist once each.
#[test]
fn words_and_faults_are_recorded_of_claims_that_exist() {
    let ids: HashSet<String> = ALL.claims.iter().map(|claim| claim.id.clone()).collect();
    let words: toml::Table = toml::from_str(include_str!("../src/claims.toml")).unwrap();
    for (paper, claims) in &words {
        for place in claims.as_table().unwrap().keys() {
            assert!(ids.contains(&format!("{paper} {place}")), "there is no claim {paper} {place}");
        }
    }
    let recorded: toml::Table = toml::from_str(include_str!("../src/faults.toml")).unwrap();
    let mut seen = HashSet::new();
    for group in recorded["group"].as_array().unwrap() {
        for id in group["claims"].as_array().unwrap() {
            let id = id.as_str().unwrap();
            assert!(ids.contains(id), "there is no claim {id}");
            assert!(seen.insert(id), "{id} is in two groups");
        }
    }
    assert!(seen.len() < ids.len() && !seen.is_empty());
}

/// The printed fact holds; the proof that uses it has a wrong strategy.
#[test]
fn gsz09_fact_3_7_holds_and_the_proof_around_it_does_not() {
    let status = |id: &str| run(id).claims[0].status;
    assert_eq!(status("GSZ09 Fact 3.7"), Status::Checked);
    assert_eq!(status("GSZ09 Theorem 3.5"), Status::Checked);
    assert_eq!(status("GSZ09 Theorem 3.5 (b), proof"), Status::Differs);
}

#[test]
fn printed_tables_are_compared_cell_by_cell() {
    for (id, cells, differ) in [
        ("DP10 Figure 3", 256, vec![]),
        ("DP10 Figure 4", 256, vec!["56", "120", "155", "184", "248"]),
        ("DP10 6.2 table 1a'", 64, vec!["39", "52", "56", "60"]),
        ("DP10 6.2 table 1b", 128, vec![]),
        ("G12 Connect Three table", 512, vec!["0", "12"]),
        ("G12 Connect Three table 4g", 16, vec!["13"]),
        ("LPR20 Example 11", 20, vec![]),
        ("LPR20 Example 12", 84, vec!["heap of table 2"]),
        ("LPR20 Figure 2", 24, vec![]),
    ] {
        let report = run(id);
        assert_eq!(report.claims.len(), 1, "{id}");
        let claim = &report.claims[0];
        let places: Vec<&str> = claim.differ.iter().map(|found| found.at.as_str()).collect();
        assert_eq!((claim.cells, places), (cells, differ), "{id}");
    }
}

#[test]
fn keys_choose() {
    assert!(run("G12").claims.iter().all(|claim| claim.id.starts_with("G12 ")));
    assert!(run("K").claims.iter().all(|claim| claim.id.starts_with("K ")));
    assert!(run("GSZ09 Lemma 3").claims.len() >= 8);
    assert!(run("DP10 Theorem").claims.len() >= 8);
    assert_eq!(run("DP10 7").claims.len(), 6);
    let message = reproduce("XYZ", false, &Effort::default()).unwrap_err().to_string();
    assert!(message.contains("DP10, G12, K, GSZ09, LPR20, BOARDS"), "{message}");
    assert!(reproduce("DP10 Theorem 99", false, &Effort::default()).is_err());
}

/// Boards that need more memory are named and omitted; the others are computed.
#[test]
fn boards_are_computed_as_memory_allows() {
    let effort = Effort { memory: 1 << 20, ..Effort::default() };
    let report = reproduce("BOARDS Connect Four", true, &effort).unwrap();
    let claim = &report.claims[0];
    assert_eq!(
        (claim.id.as_str(), claim.status, claim.unexpected.is_none()),
        ("BOARDS Connect Four", Status::Checked, true)
    );
    assert!(claim.cells >= 22, "{}", claim.cells);
    let [larger] = &claim.not_computed[..] else { panic!("{:?}", claim.not_computed) };
    assert!(larger.why.contains("--memory"), "{larger:?}");
    assert!(larger.what.ends_with(&["5 x 6 (15.8 GiB)".to_string(), "6 x 5 (8.8 GiB)".to_string()]), "{larger:?}");
}

/// Boards omitted without --deep are named and counted.
#[test]
fn boards_that_were_not_computed_are_named() {
    let claim = ALL.claims.iter().find(|claim| claim.id == "BOARDS Connect Four").unwrap();
    assert_eq!((claim.matching, claim.cells, claim.omitted()), (22, 22, 7));
    let named: Vec<&str> =
        claim.not_computed.iter().flat_map(|omission| &omission.what).map(|what| &what[..5]).collect();
    for (rows, cols) in [(4, 5), (5, 4), (5, 5), (4, 6), (6, 4), (5, 6), (6, 5)] {
        assert!(named.contains(&format!("{rows} x {cols}").as_str()), "{rows} x {cols}: {named:?}");
    }
    assert!(claim.not_computed.iter().all(|omission| omission.why.contains("--deep")), "{:?}", claim.not_computed);
}
