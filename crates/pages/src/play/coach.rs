//! The coach of a guided match: the last events, and advice for now.

use maud::{Markup, html};
use richman_core::Player;
use richman_hall::{CoachedTurn, Viewer};
use richman_play::{Decision, MatchEnd, MatchTurn, TurnStage};
use richman_render::words::counted;

use super::fragment::ShownMatch;

struct Lesson {
    title: String,
    says: Vec<String>,
}

fn lesson_of(title: impl Into<String>, says: impl IntoIterator<Item = String>) -> Lesson {
    Lesson { title: title.into(), says: says.into_iter().collect() }
}

/// The coach's words, in a guided match.
pub fn lesson(shown: &ShownMatch) -> Option<Markup> {
    let Viewer::Player(you) = shown.viewed.viewer() else { return None };
    if !shown.viewed.setup.guided {
        return None;
    }
    let lesson = Learner::of(shown, you).lesson();
    Some(html! {
        aside class="coach" aria-label="Coach" {
            h2 { (lesson.title) }
            @for line in lesson.says { p { (line) } }
        }
    })
}

/// The pupil and the situation.
struct Learner<'a> {
    shown: &'a ShownMatch<'a>,
    you: Player,
    /// The computer.
    it: Player,
    has_star: bool,
    turn: CoachedTurn,
}

impl<'a> Learner<'a> {
    fn of(shown: &'a ShownMatch<'a>, you: Player) -> Learner<'a> {
        let it = you.other();
        let hands = shown.view.hands;
        let turn = CoachedTurn::of(shown.viewed.walk(), hands, you);
        Learner { shown, you, it, has_star: hands[you].has_star(), turn }
    }

    fn lesson(&self) -> Lesson {
        let turns = self.shown.viewed.turns();
        match (self.shown.viewed.closed(), self.shown.view.decision) {
            (Some(closed), _) => self.end(closed),
            (None, Some(Decision::Star { bid })) => self.tie(bid),
            (None, Some(Decision::Move { may_let })) => self.moving(may_let),
            (None, Some(Decision::Bid)) => match turns.last() {
                None => self.first_bid(),
                Some(last) => self.bid(last, turns.len()),
            },
            (None, None) => self.waiting(),
        }
    }

    fn first_bid(&self) -> Lesson {
        let (it, [own, its]) = (self.it, self.turn.chips);
        let aim = self.you.either("You are Alice, the red stones.", "You are Bob, the blue stones.");
        lesson_of(
            "Moves are for sale",
            [
                format!(
                    "Both secretly bid chips for every move. The higher bid moves, and its chips go to the other \
                     player. Try {}.",
                    self.turn.first_bid()
                ),
                format!(
                    "{aim} Three in a line win. A bid of all your {own} chips would win this move, but then {it} would \
                     have {} chips to buy the next ones.",
                    own + its
                ),
            ],
        )
    }

    fn moving(&self, may_let: bool) -> Lesson {
        let (you, it, [own, its]) = (self.you, self.it, self.turn.chips);
        let mut says = Vec::new();
        if let TurnStage::Moving { bids, winner, .. } = &self.shown.view.stage {
            let bid = bids[you].unwrap_or(0);
            match *winner == you {
                true if bid == 0 => says.push("You won the bid and paid nothing.".to_string()),
                true => says
                    .push(format!("You paid your {bid} to {it} for this move: now you have {own} and {it} has {its}.")),
                false => says.push(format!("{it} won the bid, but lets you move.")),
            }
        }
        let first = self.shown.viewed.turns().is_empty();
        match self.turn.wins.first() {
            Some(name) => says.push(format!("Look: {name} completes your line and wins!")),
            None if !self.turn.threats.is_empty() => {
                says.push(format!(
                    "{it} would win at {}, so it may be wise to take that square yourself.",
                    self.turn.threats.join(" and ")
                ));
            }
            None if first => says.push("Now point at a square. The one in the middle lies on four lines.".to_string()),
            None => says.push("Now point at a square.".to_string()),
        }
        if may_let && first {
            says.push(format!(
                "You could also let {it} move. In some games a move hurts, but in this one it never does."
            ));
        }
        lesson_of("Your move", says)
    }

    fn tie(&self, bid: u32) -> Lesson {
        let it = self.it;
        let price =
            if bid == 0 { "It costs only the star.".to_string() } else { format!("It costs your {bid} and the star.") };
        let mut says = vec![
            format!("You both bid {bid}, and you hold the star ★, so you decide."),
            format!("Use it: you win the bid, and the star goes to {it}. {price}"),
            format!("Keep it: {it} wins the bid and pays you; you keep the star for the next tie."),
        ];
        says.push(match (self.turn.wins.first(), self.turn.threats.first()) {
            (Some(name), _) => format!("This move is worth it: {name} wins the game."),
            (None, Some(name)) => format!("Careful: if {it} gets this move, it wins with {name}."),
            (None, None) => "The star is worth a little less than a chip.".to_string(),
        });
        lesson_of("A tie! Now the star decides", says)
    }

    fn bid(&self, last: &MatchTurn, turns: usize) -> Lesson {
        let mut says = vec![self.what_happened(last)];
        says.extend(self.danger());
        if says.len() == 1 {
            says.push(self.thought(turns));
        }
        lesson_of(if turns == 1 { "What the move cost" } else { "Your next bid" }, says)
    }

    fn what_happened(&self, last: &MatchTurn) -> String {
        let (you, it, [own, its]) = (self.you, self.it, self.turn.chips);
        let bid = |player: Player| last.bids[player].unwrap_or(0);
        let paid = bid(last.winner);
        let now = format!("Now you have {own} and {it} has {its}.");
        if last.star_used == Some(true) {
            let from = if last.winner == you { "You" } else { "The computer" };
            return format!(
                "Both bid {paid}. {from} used the star to win the tie, so the star has changed hands. {now}"
            );
        }
        match (last.winner == you, bid(you) == bid(it)) {
            (true, true) => format!("Both bid {paid}, and {it} kept the star, so you won the bid. {now}"),
            (false, true) => format!("Both bid {paid}; {it} won the tie and paid you {paid}. {now}"),
            (true, false) if paid > bid(it) + 1 => {
                format!("You won the move for {paid}, and {} would have been enough. {now}", bid(it) + 1)
            }
            (true, false) => format!("You won the move for {paid}. {now}"),
            (false, false) => format!(
                "{it} bid {paid} against your {} and moved, but {} yours now: losing a bid makes you stronger for the \
                 next. {now}",
                bid(you),
                if paid == 1 { "that chip is".to_string() } else { format!("those {paid} chips are") }
            ),
        }
    }

    /// The threat of an immediate win.
    fn danger(&self) -> Option<String> {
        let (it, [own, its], has_star) = (self.it, self.turn.chips, self.has_star);
        let name = self.turn.wins.first().or(self.turn.threats.first())?;
        let what = match self.turn.wins.is_empty() {
            false => format!("If you win this bid, {name} wins the game!"),
            true => format!("Careful: {it} wins with {name} if it gets the next move."),
        };
        let how = match (self.turn.sure_bid, has_star) {
            (Some(sure), false) => {
                format!("{it} cannot bid more than {its}, so a bid of {sure} is sure to win this move.")
            }
            (Some(sure), true) => format!(
                "{it} cannot bid more than {its}, so a bid of {sure} is sure to win this move: you would win a tie \
                 with the star."
            ),
            (None, _) => format!("{it} has {its} chips and can outbid your {own}. Will it?"),
        };
        Some(format!("{what} {how}"))
    }

    fn thought(&self, turns: usize) -> String {
        let it = self.it;
        match turns {
            1 => "How many chips is the next move worth to you? Bid about that many. If you win, you get the move; if \
                 you lose, you are paid at least as much."
                .to_string(),
            2 if self.has_star => {
                "You hold the star ★. If both bids are the same, you decide whether to win the tie.".to_string()
            }
            2 => format!(
                "{it} holds the star ★. If both bids are the same, {it} decides who wins the tie, so bid one more than \
                 you expect from it."
            ),
            3 => {
                "Chips left over at the end are worth nothing; only the line counts. Save at first, and spend when it \
                 matters."
                    .to_string()
            }
            _ => format!(
                "How much can {it} bid, and how badly does it need this move? There is a hint below if you want one."
            ),
        }
    }

    fn waiting(&self) -> Lesson {
        let it = self.it;
        match self.shown.view.stage {
            TurnStage::Bids { .. } => {
                lesson_of("Sealed", [format!("{it} decides without seeing your bid. Then both are shown at once.")])
            }
            TurnStage::Tie { bid } => lesson_of(
                "A tie!",
                [format!("You both bid {bid}. {it} holds the star ★ and decides whether to use it.")],
            ),
            _ => {
                let own = counted(u64::from(self.turn.chips[0]), "chip");
                let paid = self.shown.viewed.begun().and_then(|begun| begun.bids[it]).unwrap_or(0);
                let said = match paid {
                    0 => format!("It paid nothing for it: you still have {own}."),
                    _ => format!("It has paid you for it: you have {own} now."),
                };
                lesson_of(format!("{it} won the move"), [said])
            }
        }
    }

    /// How the computer came to the last move.
    fn last_move(&self) -> String {
        let (it, you) = (self.it, self.you);
        let Some(MatchTurn { bids, winner, played: Some(name), .. }) = self.shown.viewed.turns().last() else {
            return "What a move is worth takes practice.".to_string();
        };
        let [own, its] = [you, it].map(|player| bids[player].unwrap_or(0));
        match (*winner == it, own == its) {
            (true, false) => format!("It bid {its} against your {own} for the last move, {name}, which won."),
            (true, true) => format!("Both bid {its} for the last move, and it won the tie and the game with {name}."),
            (false, _) => format!("You let {it} move, and it won with {name}."),
        }
    }

    fn end(&self, closed: MatchEnd) -> Lesson {
        let (you, it, [own, _]) = (self.you, self.it, self.turn.chips);
        let next =
            "Look at the review to see which bids were good, or play again with the sides exchanged.".to_string();
        match closed.winner() {
            Some(winner) if winner == you => lesson_of(
                "Well played!",
                [
                    format!(
                        "You have won your first bidding game, with {} left over. Chips are worth nothing at the end, \
                         so it was right to spend the others.",
                        counted(u64::from(own), "chip")
                    ),
                    next,
                ],
            ),
            Some(_) if matches!(closed, MatchEnd::Resigned(_)) => lesson_of("You resigned", [next]),
            Some(_) => lesson_of(
                format!("{it} has won"),
                [
                    format!(
                        "{} Only a higher bid stops a player who needs one more move to win, so keep enough chips for \
                         that.",
                        self.last_move()
                    ),
                    next,
                ],
            ),
            None => lesson_of("A draw", ["The board is full and nobody has a line.".to_string(), next]),
        }
    }
}
