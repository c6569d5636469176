//! Matches without a terminal: input comes from a list, and output is kept.

use std::collections::VecDeque;

use richman_core::{Aim, ByPlayer, Mechanism, Preset};
use richman_play::MatchRules;
use richman_play::players::PlayerError;

use super::*;

/// A drawn screen for people who type these lines.
#[derive(Default)]
struct Script {
    lines: VecDeque<&'static str>,
    said: Vec<String>,
    asked: Vec<(String, bool)>,
}

impl Screen for Script {
    fn is_drawn(&self) -> bool {
        true
    }

    fn say(&mut self, text: &str) -> Result<(), CliError> {
        self.said.push(text.to_string());
        Ok(())
    }

    fn ask(&mut self, prompt: &str) -> Result<ScreenInput, CliError> {
        self.answer(prompt, false)
    }

    fn ask_hidden(&mut self, prompt: &str) -> Result<ScreenInput, CliError> {
        self.answer(prompt, true)
    }
}

impl Script {
    fn answer(&mut self, prompt: &str, hidden: bool) -> Result<ScreenInput, CliError> {
        self.asked.push((prompt.to_string(), hidden));
        Ok(self.lines.pop_front().map_or(ScreenInput::End, |line| ScreenInput::Line(line.into())))
    }
}

/// Bids one chip, keeps the star, makes the first move.
struct Steady;

impl Computer for Steady {
    fn act(&mut self, seat: &Seat, _: &Effort) -> Result<Action, PlayerError> {
        assert_eq!(seat.view.own_bid, None);
        Ok(match seat.decision() {
            Some(Decision::Bid) => Action::Bid(1.min(seat.own().chips())),
            Some(Decision::Star { .. }) => Action::UseStar(false),
            _ => Action::Move(seat.walk().moves(seat.player)[0].clone()),
        })
    }
}

fn steady() -> Controller {
    Controller::Computer(Box::new(Steady), "steady".to_string())
}

fn play(
    game: &str,
    mechanism: Mechanism,
    start: [&str; 2],
    sides: ByPlayer<Controller>,
    lines: &[&'static str],
) -> (Script, PlayEnd) {
    let subject = Arc::new(Subject::named(game).unwrap());
    let rules = MatchRules { mechanism, start: start.map(|hand| hand.parse().unwrap()).into(), limit: None };
    let mut script = Script { lines: lines.iter().copied().collect(), ..Script::default() };
    let game = Match::new(subject.walk(None).unwrap(), rules).unwrap();
    let setting = MatchSetting { subject, position: None, file: None, memory: 1 << 30, figures: false };
    let left = Session::new(game, sides, setting, &mut script).play().unwrap();
    (script, left)
}

fn against_steady() -> ByPlayer<Controller> {
    ByPlayer::new(Controller::Person, steady())
}

#[test]
fn the_first_screen_says_what_to_do() {
    let (script, left) = play("tic-tac-toe", Mechanism::default(), ["4*", "4"], against_steady(), &[]);
    assert_eq!(left, PlayEnd::Quietly);
    let welcome = &script.said[0];
    assert!(welcome.contains("You are Alice. Bob is the computer, level steady."), "{welcome}");
    assert_eq!(welcome.lines().filter(|line| line.starts_with(['1', '2', '3'])).count(), 3);
    assert!(welcome.ends_with("help lists the other commands."));
    assert!(script.said[1].contains("Alice (A, you)     ●●●● 4*\nBob (B, computer)  ●●●● 4"), "{}", script.said[1]);
    assert_eq!(script.asked, [("Your bid (0 to 4): ".to_string(), false)]);
    assert_eq!(script.said[2], words::INPUT_ENDED);
}

#[test]
fn every_mechanism_has_its_three_lines() {
    let preset = |preset: Preset| preset.mechanism();
    let gasarch = words::rules(&preset(Preset::Gasarch), Aim::Win).join("\n");
    assert!(gasarch.contains("Bob sees it and answers") && gasarch.contains("Alice wins the bid"), "{gasarch}");
    let larsson = words::rules(&preset(Preset::Larsson), Aim::Score).join("\n");
    assert!(larsson.contains("must move") && larsson.contains("Alice wants a high score"), "{larsson}");
    let poorman =
        Mechanism { payment: "poorman".parse().unwrap(), bids: "0+5".parse().unwrap(), ..Mechanism::default() };
    let poorman = words::rules(&poorman, Aim::Win).join("\n");
    assert!(poorman.contains("one of 0, 5") && poorman.contains("paid to the bank"), "{poorman}");
}

#[test]
fn a_turn_is_told_and_can_be_taken_back() {
    let lines = ["2", "b2", "undo", "undo", "0", "undo", "1*", "hint", "c3", "save", "quit"];
    let (script, _) = play("tic-tac-toe", Mechanism::default(), ["4*", "4"], against_steady(), &lines);
    let said = script.said.join("\n");
    for told in [
        "Alice bids 2, Bob bids 1. Alice wins the bid and pays 2 to Bob.\nAlice moves b2.",
        words::NOTHING_TO_UNDO,
        // A star typed with the bid is used without asking.
        "Alice uses the star. Alice wins the bid and pays 1 to Bob; the star goes to Bob.",
        "Hint for Alice: ",
        words::SAVE_WHERE,
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
    assert_eq!(said.matches(words::UNDONE).count(), 2, "{said}");
    assert!(!script.asked.iter().any(|(prompt, _)| prompt.contains("(y/n)")));
}

#[test]
fn after_the_end_there_is_review_undo_and_another_match() {
    let lines = ["review", "1", "1", "0", "review", "3", "undo", "1", "resign", "again", "quit"];
    let (script, _) = play("tug-of-war:length=2,at=1", Mechanism::default(), ["1", "0*"], against_steady(), &lines);
    let said = script.said.join("\n");
    assert!(said.contains(words::NOT_OVER), "{said}");
    assert!(said.contains("Alice has won!") && said.contains("rests on") && said.contains(words::IS_OVER), "{said}");
    assert!(said.contains("Alice resigns: Bob has won!"), "{said}");
    assert!(said.ends_with(words::LEFT), "{said}");
}

#[test]
fn open_bids_are_answered_knowing_them_and_stuck_players_are_told() {
    let gasarch = Preset::Gasarch.mechanism();
    let sides = [steady(), Controller::Person];
    let (script, _) = play("tug-of-war:length=2,at=1", gasarch.clone(), ["3", "3"], sides.into(), &["2", "let"]);
    let said = script.said.join("\n");
    assert!(said.contains("Alice bids 1.\nAlice bids 1, Bob bids 2. Bob wins the bid and pays 2 to Alice."), "{said}");
    assert!(said.contains("Bob lets Alice move.\nAlice moves to 0."), "{said}");
    let (script, _) =
        play("tic-tac-toe", gasarch, ["3", "3"], ByPlayer::new(Controller::Person, Controller::Person), &["1"]);
    assert!(script.asked.iter().all(|(_, hidden)| !hidden), "open bids are shown");
    let people = ByPlayer::new(Controller::Person, Controller::Person);
    let (script, _) = play("tic-tac-toe", Mechanism::default(), ["3*", "3"], people, &["1"]);
    assert!(script.asked.iter().all(|(prompt, hidden)| *hidden && prompt.contains("not shown")));
    assert!(script.said.contains(&has_bid(Player::Alice)));
}
