//! Averages as they are asked for and saved, and one file for several objectives.

use richman_analysis::{Answer, Games, Question, Reading, Report, Stake, Subject, ask, saved};
use richman_core::{Effort, Mechanism, Payment, Total};

/// The path of three as a file, with targets.
const SHIFTS: &str = r#"{"name":"shifts","start":"left","objective":"mean-payoff","positions":{
    "left":{"both":["left","middle"]},"middle":{"both":["left","right"]},
    "right":{"both":["middle","right"],"weight":1,"target":true}}}"#;

fn played_for(objective: Option<&str>, text: &str) -> Result<Subject, richman_analysis::Error> {
    let objective = objective.map(|objective| objective.parse().unwrap());
    Subject::read("a file", &mut text.as_bytes(), &Reading { objective, ..Reading::within(Effort::default()) })
}

fn asked(subject: &Subject, question: Question) -> Answer {
    ask(subject, &Question { aim: subject.aim(), ..question }, &Effort::default()).unwrap()
}

fn verified(text: &str) -> Result<(), String> {
    let saved = richman_formats::read("saved.json", text.as_bytes()).map_err(|error| error.to_string())?;
    let report = saved::verify(&Games::default(), saved, &Effort::default()).map_err(|error| error.to_string())?;
    report.wrong.map_or(Ok(()), Err)
}

/// A saved solution with `to` in place of every `from` is refused because of `what`.
fn refuses(text: &str, from: &str, to: &str, what: &str) {
    assert!(text.contains(from), "{from}: {text}");
    let flaw = verified(&text.replace(from, to)).expect_err(to);
    assert!(flaw.contains(what), "{flaw}");
}

/// Averages with chips are saved for every holding, and each part of them counts.
#[test]
fn saved_averages_with_chips_are_proved() {
    let subject = played_for(None, SHIFTS).unwrap();
    let stake = Stake::Total(Total::new(2).unwrap());
    let answer = asked(&subject, Question { stake, all: true, ..Question::default() });
    let Report::Averages(report) = &answer.report else { panic!("averages") };
    assert_eq!(serde_json::to_string(&report.averages.star).unwrap(), r#"[[0,0,"0"],[1,2,"1/4"]]"#);
    let mut text = Vec::new();
    answer.saving(&subject, &Effort::default()).unwrap().unwrap().write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(verified(&text), Ok(()));
    let line = text.lines().find(|line| line.contains("\"middle\": [\"")).unwrap();
    let parts: Vec<&str> = line.split('"').collect();
    let [ranks, alice] = [parts[3], parts[5]];
    assert_eq!(ranks, "0 1 1 1 1 2");
    refuses(&text, "\"total\": 2", "\"total\": 3", "8 numbers of each kind");
    refuses(&text, "\"1/4\"", "\"1/5\"", "no bid that keeps to an average");
    refuses(&text, "\"1/4\"", "\"1/4..1/3\"", "one number");
    refuses(&text, "[\"0\",\"1/4\"", "[\"1/4\",\"0\"", "ascending order");
    refuses(&text, ranks, "0 1 1 1 2 2", "no bid that keeps to an average");
    refuses(&text, ranks, "0 1 0 1 1 2", "worth less");
    refuses(&text, ranks, "0 1 1 1 1 9", "no such average");
    refuses(&text, ranks, "0 1 1 1 1 -2", "something else in it");
    refuses(&text, &format!("\"{alice}\""), "\"0 0 0 0 0 0\"", "no bid that keeps to an average");
    refuses(&text, &format!("\"{alice}\""), "\"0 0 0\"", "6 numbers of each kind");
    refuses(&text, &format!("{line}\n"), "", "missing");
    refuses(&text, "\"weight\":1", "\"weight\":2", "no bid that keeps to an average");
    refuses(&text, "\"ties\":\"advantage\"", "\"ties\":\"alice\"", "3 numbers of each kind");
    refuses(&text, "\"payment\":\"richman\"", "\"payment\":\"poorman\"", "payment richman");
}

/// A saved average is proved, and a saved one that was changed is refused for each of its parts.
#[test]
fn saved_averages_are_proved() {
    let subject = played_for(None, SHIFTS).unwrap();
    let payment = Question {
        share: Some("2/3".parse().unwrap()),
        all: true,
        ..Question::new(Mechanism { payment: Payment::Poorman, ..Mechanism::default() })
    };
    let answer = asked(&subject, payment);
    let Report::Average(report) = &answer.report else { panic!("an average") };
    assert_eq!((report.bounds()[0].to_string().as_str(), report.any_share), ("4/7", false));
    assert_eq!(report.moves.alice, ["middle"]);
    let rows: Vec<String> = answer.positions().unwrap().rows().map(|row| row.position).collect();
    assert_eq!(rows, ["left", "middle", "right"]);
    let mut text = Vec::new();
    answer.saving(&subject, &Effort::default()).unwrap().unwrap().write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(verified(&text), Ok(()));
    let forged = |from: &str, to: &str, what: &str| refuses(&text, from, to, what);
    let potential = text.lines().find(|line| line.contains("\"right\": \"")).unwrap();
    forged("\"share\": \"2/3\"", "\"share\": \"3/4\"", "a move here is worth");
    forged("\"share\": \"2/3\"", "\"share\": \"4/3\"", "is not a share");
    forged("\"average\": \"4/7\"", "\"average\": \"4/7..3/7\"", "is not an average");
    forged("\"average\": \"4/7\"", "\"average\": \"5/7\"", "a move here is worth");
    forged("\"denominator\": \"", "\"denominator\": \"-", "is below 1");
    forged(potential, "\"right\": \"1e9\"", "is not a whole number");
    forged(potential, "\"right\": \"123\"", "a move here is worth");
    forged(&format!(",\n{potential}"), "", "missing");
    forged("\"weight\":1", "\"weight\":2", "a move here is worth");
    forged("\"payment\":\"poorman\"", "\"payment\":\"richman\"", "a move here is worth");
}

/// One file for several objectives: targets and priorities mean the same.
#[test]
fn objectives_of_one_file() {
    let by_priorities = |priorities: [u32; 3]| {
        let [left, middle, right] = priorities;
        let text = format!(
            r#"{{"name":"shifts","start":"left","positions":{{
                "left":{{"both":["left","middle"],"priority":{left}}},
                "middle":{{"both":["left","right"],"priority":{middle}}},
                "right":{{"both":["middle","right"],"priority":{right}}}}}}}"#
        );
        text
    };
    let needs = |subject: &Subject| -> Vec<String> {
        let stake = Stake::Total(Total::new(5).unwrap());
        let answer = asked(subject, Question { stake, all: true, ..Question::default() });
        answer.positions().unwrap().rows().map(|row| serde_json::to_string(&row).unwrap()).collect()
    };
    for (objective, priorities) in [("buechi", [1, 1, 2]), ("cobuechi", [1, 1, 0])] {
        let aimed = played_for(Some(objective), SHIFTS).unwrap();
        assert_eq!(needs(&aimed), needs(&played_for(None, &by_priorities(priorities)).unwrap()), "{objective}");
    }
    // The least priority of any set, or the other parity, mean the same by other numbers.
    for (objective, priorities) in
        [("parity-max-odd", [0, 0, 1]), ("parity-min-even", [3, 3, 2]), ("parity-min-odd", [4, 4, 3])]
    {
        let aimed = played_for(Some(objective), &by_priorities(priorities)).unwrap();
        assert_eq!(needs(&aimed), needs(&played_for(None, &by_priorities([1, 1, 2])).unwrap()), "{objective}");
    }
    // Play ends where Alice wants to come.
    let reach = needs(&played_for(Some("reach"), SHIFTS).unwrap());
    let ended = SHIFTS.replace(r#"{"both":["middle","right"],"weight":1,"target":true}"#, r#"{"winner":"alice"}"#);
    assert_eq!(reach, needs(&played_for(Some("reach"), &ended).unwrap()));
    assert!(reach[2].contains("\"end\":\"alice\""), "{}", reach[2]);
}
