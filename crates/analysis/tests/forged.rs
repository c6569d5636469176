//! Saved solutions of random games, of every objective and stake and under every payment. What is
//! saved is proved; and no forged solution is, where numbers are replaced by those near them, plans
//! and potentials exchanged, positions dropped, or the mechanism is another, unless the judges of
//! `check` say that it is true.

mod change;
mod truth;

use std::collections::BTreeMap;
use std::sync::Mutex;

use dashu_ratio::RBig;
use fastrand::Rng;
use rayon::prelude::*;
use richman_analysis::chips::HoldingsQuery;
use richman_analysis::mean_payoff::NumberJson;
use richman_analysis::saved::parity::{ParityClaims, ParityMoneyClaim, PlanClaim};
use richman_analysis::saved::{SavedSolution, SolutionClaim};
use richman_analysis::{Error, Opened, Question, Stake, Subject, ask};
use richman_core::{Aim, Bidding, Effort, Holding, Mechanism, Player, Right, Share, Ties, Total, Unwatched};
use richman_formats::read;
use richman_formats::saved::AnyClaim;

use crate::judge::{PANIC, Verdict, judge, judge_text, text};
use crate::seeds::seeds;
use change::forged;
use truth::{judged, may_hold};

const PAYMENTS: [&str; 5] = ["richman", "poorman", "taxman:1/2", "taxman:1/3", "taxman:0"];

/// A random game file with the aim; few moves lead back, so that there are several components.
fn file(rng: &mut Rng, aim: Aim) -> String {
    let count = rng.usize(1..=4);
    let equal = rng.bool();
    let most = *rng.choice(&[1, 3]).unwrap();
    let position = |rng: &mut Rng, at: usize| {
        let owner = if equal || rng.u32(..3) > 0 { None } else { rng.choice(Player::BOTH) };
        let moves = |rng: &mut Rng| {
            let one = |rng: &mut Rng| {
                let ends = if aim == Aim::Win { &["win", "loss", "tie"][..] } else { &[] };
                if !ends.is_empty() && rng.u32(..3) == 0 {
                    return format!("\"{}\"", rng.choice(ends).unwrap());
                }
                let to = if rng.u32(..3) == 0 { rng.usize(..count) } else { rng.usize(at..count) };
                match aim {
                    Aim::MeanPayoff => format!("{{\"to\": \"p{to}\", \"weight\": {}}}", rng.i64(-most..=most)),
                    _ => format!("\"p{to}\""),
                }
            };
            (0..rng.usize(1..=2)).map(|_| one(rng)).collect::<Vec<_>>().join(", ")
        };
        let moves = match owner {
            Some(owner) => {
                let name = owner.either("alice", "bob");
                format!("\"kind\": \"{name}\", \"{name}\": [{}]", moves(rng))
            }
            None if equal => format!("\"both\": [{}]", moves(rng)),
            None => format!("\"alice\": [{}], \"bob\": [{}]", moves(rng), moves(rng)),
        };
        let priority = if aim == Aim::Parity { format!(", \"priority\": {}", rng.u32(..4)) } else { String::new() };
        format!("\"p{at}\": {{{moves}{priority}}}")
    };
    let mut positions: Vec<String> = (0..count).map(|at| position(rng, at)).collect();
    let objective = match aim {
        Aim::Parity => "\"objective\": \"parity\", ",
        Aim::MeanPayoff => "\"objective\": \"mean-payoff\", ",
        _ => {
            let ends = [("win", "alice"), ("loss", "bob"), ("tie", "none")];
            positions.extend(ends.map(|(name, winner)| format!("\"{name}\": {{\"winner\": \"{winner}\"}}")));
            ""
        }
    };
    format!("{{\"name\": \"random\", \"start\": \"p0\", {objective}\"positions\": {{{}}}}}", positions.join(", "))
}

fn question(rng: &mut Rng, aim: Aim) -> Question {
    let has_money = rng.bool();
    let has_bank = !has_money && aim == Aim::Win && rng.u32(..3) == 0;
    let payment = match (has_money, has_bank) {
        (true, _) => *rng.choice(&PAYMENTS).unwrap(),
        (_, true) => *rng.choice(&["poorman", "taxman:1/2"]).unwrap(),
        _ => "richman",
    };
    let mechanism = Mechanism {
        payment: payment.parse().unwrap(),
        ties: rng.choice(Ties::ALL).unwrap(),
        bidding: rng.choice([Bidding::Sealed, Bidding::AliceFirst, Bidding::BobFirst]).unwrap(),
        right: rng.choice([Right::Chooses, Right::Moves]).unwrap(),
        ..Mechanism::default()
    };
    let stake = match (has_money, has_bank) {
        (true, _) => Stake::Money,
        (_, true) => {
            let [alice, bob] = [mechanism.has_star(), false].map(|star| Holding::new(rng.u32(..=2), star).unwrap());
            Stake::Hands(HoldingsQuery { alice, bob, trace: false })
        }
        _ => Stake::Total(Total::new(rng.u32(..=3)).unwrap()),
    };
    let share = ["0", "1/3", "1/2", "1"][rng.usize(..4)];
    let least = RBig::from_parts(rng.i64(-4..=4).into(), rng.u8(1..=3).into());
    let at_least = (has_money && rng.u32(..3) > 0 && aim == Aim::MeanPayoff).then_some(NumberJson(least));
    let share = (has_money && at_least.is_none() && aim == Aim::MeanPayoff).then(|| share.parse().unwrap());
    let credits = aim == Aim::MeanPayoff && !has_money && rng.bool();
    Question { mechanism, aim, stake, share, at_least, credits, all: true, ..Question::default() }
}

/// What `solve --save` writes.
fn solved(subject: &Subject, question: &Question) -> Result<Option<SavedSolution>, Error> {
    let Some(saving) = ask(subject, question, &Effort::default())?.saving(subject, &Effort::default())? else {
        return Ok(None);
    };
    let mut text = Vec::new();
    saving.write(&mut text).unwrap();
    Ok(Some(read("solution.json", &text).unwrap()))
}

struct Case {
    subject: Subject,
    about: String,
    saved: SavedSolution,
}

/// The saved solution of a random game, if the question is served; for some questions with chips
/// the certificate of all totals.
fn case(seed: u64) -> Option<Case> {
    let mut rng = Rng::with_seed(seed ^ 0xF0463D);
    let aim = [Aim::Win, Aim::Parity, Aim::MeanPayoff, Aim::MeanPayoff][(seed % 4) as usize];
    let file = file(&mut rng, aim);
    let subject = Subject::from_file("game.json", file.as_bytes(), &Effort::default())
        .unwrap_or_else(|error| panic!("{error}: {file}"));
    let question = question(&mut rng, aim);
    let about = format!("seed {seed}, {question:?}: {file}");
    let is_rule = aim == Aim::Win && matches!(question.stake, Stake::Total(_)) && rng.bool();
    let found = match is_rule {
        true => Opened::new(&subject, &question, &Effort::default())
            .and_then(|opened| opened.certificate(&subject, &Unwatched).map(Some)),
        false => solved(&subject, &question),
    };
    match found {
        Ok(saved) => Some(Case { subject, about, saved: saved? }),
        Err(Error::Core(_) | Error::NotServed { .. } | Error::NoTotal { .. } | Error::OneSidedAverage) => None,
        Err(error) => panic!("{error}, {about}"),
    }
}

#[test]
fn what_is_saved_is_proved_and_what_is_forged_is_not() {
    const FORGED: usize = 5;
    let counts: Mutex<BTreeMap<(&str, &str), [u32; 2]>> = Mutex::default();
    let mut complaints: Vec<String> = seeds("RICHMAN_FORGED", 1_300)
        .into_par_iter()
        .flat_map_iter(|seed| {
            let Some(Case { subject, about, saved }) = case(seed) else { return Vec::new() };
            let kind = saved.claim.key();
            let mut complaints = Vec::new();
            let text = String::from_utf8(text(&saved)).unwrap();
            let (verdict, right) = (judge_text(text.as_bytes()), judged(&subject, &saved));
            if !matches!(verdict, Verdict::Valid) || right.is_err() {
                complaints.push(format!("{verdict:?}, {right:?}, {about}\n{text}"));
            }
            let mut rng = Rng::with_seed(seed);
            for _ in 0..FORGED {
                let (change, forged) = forged(&saved, &mut rng);
                if forged == saved {
                    continue;
                }
                let verdict = judge(forged.clone());
                let count = |at: usize| counts.lock().unwrap().entry((kind, change)).or_default()[at] += 1;
                match verdict {
                    Verdict::Wrong(wrong) if wrong == PANIC => complaints.push(format!("a panic, {change}, {about}")),
                    Verdict::Wrong(_) | Verdict::Error(_) => count(0),
                    Verdict::Valid => {
                        count(1);
                        if let Err(why) = may_hold(&subject, &saved, &forged) {
                            let text = String::from_utf8(self::text(&forged)).unwrap();
                            complaints.push(format!("{change}, but {why}: {about}\n{text}"));
                        }
                    }
                }
            }
            complaints
        })
        .collect();
    let counts = counts.into_inner().unwrap();
    println!("refused and accepted: {counts:#?}");
    complaints.truncate(5);
    assert!(complaints.is_empty(), "such as:\n{}", complaints.join("\n"));
    let of = |kind: &str| counts.iter().filter(|(key, _)| key.0 == kind).map(|(_, [refused, _])| refused).sum::<u32>();
    for kind in SolutionClaim::KEYS {
        assert!(of(kind) >= 5, "{kind}: {}", of(kind));
    }
}

/// A saved strategy has a move, and a plan, exactly where its player makes one.
#[test]
fn moves_and_plans_are_given_exactly_where_they_are_made() {
    let file = r#"{"name": "gate", "objective": "parity", "start": "a", "positions": {
        "a": {"kind": "alice", "alice": ["b", "c"], "priority": 1},
        "b": {"both": ["a", "c"], "priority": 2},
        "c": {"kind": "bob", "bob": ["a"], "priority": 1}}}"#;
    let subject = Subject::from_file("game.json", file.as_bytes(), &Effort::default()).unwrap();
    let save = |stake: Stake| {
        let question = Question { aim: Aim::Parity, stake, all: true, ..Question::default() };
        let saved = solved(&subject, &question).unwrap().unwrap();
        assert!(matches!(judge(saved.clone()), Verdict::Valid));
        saved
    };
    let refused = |forged: SavedSolution, what: &str| {
        let verdict = judge(forged);
        assert!(matches!(&verdict, Verdict::Wrong(wrong) if wrong.contains(what)), "{what}: {verdict:?}");
    };
    let of_money = save(Stake::Money);
    for (at, player) in (0..3).flat_map(|at| Player::BOTH.map(|player| (at, player))) {
        let mut forged = of_money.clone();
        let SolutionClaim::ParityMoney(ParityMoneyClaim { positions, .. }) = &mut forged.claim else {
            panic!("parity with real money")
        };
        let to = &mut positions[at].moves[player];
        let (changed, what) = match to {
            Some(_) => (None, "a move must be given"),
            None => (Some("a".to_string()), "the move must be null"),
        };
        *to = changed;
        refused(forged, what);
    }
    let with_chips = save(Stake::Total(Total::new(3).unwrap()));
    let mut needless = 0;
    for (at, player) in (0..3).flat_map(|at| Player::BOTH.map(|player| (at, player))) {
        let mut forged = with_chips.clone();
        let SolutionClaim::Parity(ParityClaims { totals }) = &mut forged.claim else { panic!("parity with chips") };
        let plan = &mut totals[0].positions[at].plans[player][0];
        let what = if plan.is_some() { "it is missing" } else { "there is none to make here" };
        needless += u32::from(plan.is_none());
        *plan = match plan {
            Some(_) => None,
            None => Some(PlanClaim(0, false, [const { None }; 4])),
        };
        refused(forged, what);
    }
    assert!(needless >= 2, "{needless}");
}

/// Potentials say what happens with a share near the saved one, not who wins the ties of a player
/// who has all the money.
#[test]
fn no_average_is_proved_where_one_player_has_all_the_money() {
    let file = r#"{"name": "hours", "objective": "mean-payoff", "start": "gate", "positions": {
        "left": {"both": ["left", "gate"]}, "gate": {"both": ["left", "right"]},
        "right": {"both": ["gate", "right"], "weight": 1}}}"#;
    let subject = Subject::from_file("game.json", file.as_bytes(), &Effort::default()).unwrap();
    for payment in PAYMENTS {
        let mechanism = Mechanism { payment: payment.parse().unwrap(), ..Mechanism::default() };
        let share = Some("1/2".parse().unwrap());
        let question = Question { mechanism, aim: Aim::MeanPayoff, share, ..Question::default() };
        let mut saved = solved(&subject, &question).unwrap().unwrap();
        assert!(matches!(judge(saved.clone()), Verdict::Valid), "{payment}");
        for share in [Share::ZERO, Share::ONE] {
            let SolutionClaim::MeanPayoff(claim) = &mut saved.claim else { panic!("an average with real money") };
            claim.share = share;
            assert!(matches!(judge(saved.clone()), Verdict::Wrong(_)), "{payment}");
        }
    }
}
