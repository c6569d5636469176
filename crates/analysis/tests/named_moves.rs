//! Moves named from bounds: certainly best moves, or all that may be best.

use std::time::Duration;

use richman_analysis::money::{self, MoneyReport, Moves, of_evaluation};
use richman_analysis::{ReportHead, Request, Subject};
use richman_core::{Effort, Exactness, Mechanism, Player};
use richman_lines::engine::deepen;

/// Compares the moves named by bounds with the best moves; returns whether any are decided and
/// whether any are not.
fn compare(about: &str, named: &Moves, best: &Moves) -> [bool; 2] {
    let mut seen = [false; 2];
    for player in Player::BOTH {
        let undecided = &named.undecided[player];
        let named = named.of(player);
        seen[usize::from(undecided.is_some())] = true;
        match undecided {
            None => assert!(named.iter().all(|name| best.of(player).contains(name)), "{about}: {named:?} {best:?}"),
            Some(undecided) => {
                assert!(named.is_empty() && undecided.moves.len() > 1, "{about}: {named:?} {undecided:?}");
                let has = |name: &String| undecided.moves.contains(name);
                assert!(best.of(player).iter().all(has), "{about}: {undecided:?} {best:?}");
                assert!(!undecided.keeping.is_empty() && undecided.keeping.iter().all(has), "{about}: {undecided:?}");
            }
        }
    }
    seen
}

#[test]
fn what_bounds_do_not_decide_is_not_named_as_best() {
    let mut seen = [false; 2];
    for (spec, position) in [
        ("tug-of-war:length=6", None),
        ("ultimatum:degree=3", None),
        ("expr:(A & B^2) & B", None),
        ("chess:size=4", Some("k3/4/2R1/3K")),
        ("chess:size=4", Some("3k/4/1Q2/K3")),
        ("chess:size=4", Some("k3/4/1B2/3K")),
    ] {
        let subject = Subject::named(spec).unwrap();
        let unfolding = subject.unfold(position, &Effort::default()).unwrap();
        let report = |exactness, width| -> MoneyReport {
            let effort = Effort { exactness, width, ..Effort::default() };
            let request = Request { unfolding: unfolding.as_ref(), mechanism: &Mechanism::default(), effort };
            money::report(&request).unwrap().0
        };
        let exact = report(Exactness::Required, 0.0);
        for moves in [&exact.moves, &exact.draw_moves] {
            assert_eq!(moves.undecided, Default::default(), "{spec}: exact thresholds decide");
        }
        for width in [0.9, 0.5, 0.2, 0.05, 1e-3, 1e-9] {
            let found = report(Exactness::Bounds, width);
            let about = format!("{spec} {position:?} {width}");
            let judged = [(&found.moves, &exact.moves), (&found.draw_moves, &exact.draw_moves)];
            for (named, best) in judged {
                for (seen, now) in seen.iter_mut().zip(compare(&about, named, best)) {
                    *seen |= now;
                }
            }
            assert!(!found.zugzwang || exact.zugzwang, "{about}");
        }
    }
    assert!(seen[0], "narrow bounds decide");
}

#[test]
fn bounds_on_boards_name_what_they_decide() {
    let (mechanism, mut seen) = (Mechanism::default(), [false; 2]);
    for (spec, position) in [
        ("connect:rows=4,cols=5,line=4", None),
        ("connect:rows=5,cols=4,line=4", Some("..../..../B.../A.B./BAAB")),
        ("connect:rows=4,cols=5,line=3", None),
        ("connect:rows=4,cols=5,line=4", Some("...../...../.AA../.BBA.")),
    ] {
        let walk = Subject::named(spec).unwrap().walk(position).unwrap();
        let deepen = |width: f64, memory: u64| {
            let effort = Effort { memory, ..Effort::default() }.within_time(Duration::from_secs(100));
            let evaluation = deepen(walk.as_ref(), width, None, &effort).unwrap().unwrap();
            of_evaluation(ReportHead::at(walk.as_ref(), &mechanism), &evaluation)
        };
        let exact = deepen(0.0, 1 << 30);
        assert!(exact.exact, "{spec}");
        for width in [0.9, 0.5, 0.3, 0.2] {
            let found = deepen(width, 300_000);
            let now = compare(&format!("{spec} {width}"), &found.moves, &exact.moves);
            seen = [seen[0] | now[0], seen[1] | now[1]];
        }
    }
    assert!(seen[1], "wide bounds do not decide");
}
