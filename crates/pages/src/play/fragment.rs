//! A match as it stands: the part of the page that live updates replace.

use maud::{Markup, PreEscaped, html};
use richman_core::{ByPlayer, Player, Walk};
use richman_hall::setup::SeatChoice;
use richman_hall::{MatchView, Pace, Viewer};
use richman_play::review::HintedPlay;
use richman_play::{Action, Decision, MatchEnd, MatchTurn, TurnStage, View};
use richman_render::board::{self, BoardOptions};
use richman_render::hint::Hint;
use richman_render::words;

use super::visitor::{MatchLink, PageOrigin};
use super::{about, coach, decide, holdings, reveal};
use crate::{in_sentence, sentence};

/// The answer to a submitted form, shown once.
pub enum Notice {
    /// A refusal, and the bid that was typed.
    Refused(String, Option<String>),
    /// A hint.
    Hint(Hint),
}

/// A match on a page.
pub struct ShownMatch<'a> {
    pub viewed: &'a MatchView,
    pub view: View,
    /// The page's links to itself.
    pub link: &'a MatchLink,
    /// The origin that the browser uses, for links to share.
    pub origin: &'a PageOrigin,
    pub told: Option<Notice>,
    /// The earlier turn shown.
    pub turn: Option<PastTurn<'a>>,
}

/// An earlier turn to show.
pub struct PastTurn<'a> {
    /// Its number, from 1.
    pub number: usize,
    pub turn: &'a MatchTurn,
    before: Box<dyn Walk>,
    after: Box<dyn Walk>,
}

impl<'a> ShownMatch<'a> {
    /// The match on the page at `link`.
    pub fn new(viewed: &'a MatchView, link: &'a MatchLink, origin: &'a PageOrigin) -> ShownMatch<'a> {
        ShownMatch { view: viewed.view(), viewed, link, origin, told: None, turn: None }
    }

    /// The match with the board after a turn, counted from 1, if there is that turn. Earlier turns
    /// are not shown for game files, which are slow to read.
    pub fn at(self, turn: Option<usize>) -> ShownMatch<'a> {
        let turn = turn.and_then(|number| {
            let turns = self.viewed.turns();
            let index = number.checked_sub(1)?;
            let turn = turns.get(index)?;
            let after =
                turns.get(index + 1).map_or_else(|| self.viewed.walk().notation(), |next| next.position.clone());
            let (before, after) = (walk_to(self.viewed, &turn.position)?, walk_to(self.viewed, &after)?);
            Some(PastTurn { number, turn, before, after })
        });
        ShownMatch { turn, ..self }
    }

    /// Whether the page is that player's own.
    pub fn is_you(&self, player: Player) -> bool {
        self.viewed.viewer() == Viewer::Player(player)
    }

    /// The sitter in a word; `None` where both share one screen.
    pub fn sitter(&self, player: Player) -> Option<String> {
        if self.is_you(player) {
            return Some("you".to_string());
        }
        match &self.viewed.setup.seats[player] {
            SeatChoice::Computer(level) => Some(format!("computer, {level}")),
            _ if self.viewed.setup.one_screen => None,
            _ if self.is_open() && self.viewed.viewer() != Viewer::Spectator => Some("not here yet".to_string()),
            _ if matches!(self.viewed.viewer(), Viewer::Player(_)) => Some("your friend".to_string()),
            _ => None,
        }
    }

    /// Whether the friend's seat is still free, as far as the viewer knows.
    pub fn is_open(&self) -> bool {
        self.viewed.invitation.is_some()
    }

    /// Whether the match can still change without the viewer.
    pub fn is_live(&self) -> bool {
        if self.viewed.closed().is_none() {
            return true;
        }
        let by_link = self.viewed.setup.seats.iter().any(|seat| *seat == SeatChoice::Invited);
        by_link && self.viewed.next.is_none()
    }

    pub fn is_waiting(&self) -> bool {
        self.viewed.closed().is_none() && self.viewed.deciding().is_none()
    }

    /// Whether each player has bid.
    pub fn given(&self) -> ByPlayer<bool> {
        if let TurnStage::Bids { given, .. } = self.view.stage { given } else { ByPlayer::both(false) }
    }

    /// The next step, in a line.
    pub fn headline(&self) -> String {
        if let Some(closed) = self.viewed.closed() {
            return match closed.winner() {
                Some(winner) if self.is_you(winner) => "You have won!".to_string(),
                Some(winner) if self.is_you(winner.other()) => "You have lost".to_string(),
                Some(winner) => format!("{winner} has won!"),
                None => {
                    let by_limit = matches!(closed, MatchEnd::Limit | MatchEnd::NoBids);
                    let so_far = self.viewed.so_far().filter(|_| by_limit);
                    sentence(&words::cut_off(so_far.as_ref())).0.trim_end_matches('.').to_string()
                }
            };
        }
        let Some((player, decision)) = self.viewed.deciding() else { return self.waited_for() };
        let alone = self.is_you(player);
        match decision {
            Decision::Bid if alone => "Your bid".to_string(),
            Decision::Bid => format!("{player}, your bid"),
            Decision::Star { bid } if alone => format!("A tie at {bid}: use the star?"),
            Decision::Star { bid } => format!("A tie at {bid}. {player}, use the star?"),
            Decision::Move { .. } => match (&self.view.stage, alone) {
                (TurnStage::MovingAlone(_), true) => "Your move, without a bid".to_string(),
                (TurnStage::MovingAlone(_), false) => format!("{player}, your move, without a bid"),
                (TurnStage::Moving { winner, .. }, true) if *winner == player => {
                    "You won the bid: your move".to_string()
                }
                (TurnStage::Moving { winner, .. }, true) => format!("{winner} lets you move"),
                (TurnStage::Moving { winner, .. }, false) if *winner != player => {
                    format!("{winner} lets you move, {player}")
                }
                _ => format!("{player}, your move"),
            },
        }
    }

    fn waited_for(&self) -> String {
        match &self.view.stage {
            TurnStage::Bids { given, .. } => {
                let missing: Vec<Player> = Player::BOTH.into_iter().filter(|player| !given[*player]).collect();
                match missing[..] {
                    [player] if self.is_open() => format!("{player} is not here yet"),
                    [player] => format!("Waiting for {player}'s bid"),
                    _ => "Waiting for both bids".to_string(),
                }
            }
            TurnStage::Tie { bid } => format!("A tie at {bid}: {} decides", self.viewed.tie_holder()),
            TurnStage::Moving { winner, mover, .. } if winner == mover => format!("{winner} won the bid and moves"),
            TurnStage::Moving { winner, mover, .. } => {
                let mover = if self.is_you(*mover) { "you".to_string() } else { mover.to_string().to_lowercase() };
                format!("{winner} lets {mover} move")
            }
            TurnStage::MovingAlone(mover) => format!("{mover} moves without a bid"),
            TurnStage::Over(_) => String::new(),
        }
    }

    /// The name under which the page listens for changes.
    pub fn listens_to(&self) -> String {
        let key = self.viewed.listening_key.as_ref().map_or_else(String::new, |key| format!(".{}", key.reveal()));
        format!("{}{key}", self.viewed.id)
    }

    /// The text to read aloud when the page changes.
    fn spoken(&self) -> String {
        let told = reveal::sentence(self).map_or_else(String::new, |told| told + " ");
        format!("{told}{}", in_sentence(&self.headline()))
    }
}

/// The match, replaced as a whole.
pub fn fragment(shown: &ShownMatch) -> Markup {
    let viewed = shown.viewed;
    let deciding = viewed.deciding();
    let key = deciding.map_or_else(String::new, |(player, _)| format!("{}-{}", player, viewed.steps[player]));
    let lesson = coach::lesson(shown);
    html! {
        section #match .match .coached[lesson.is_some()] data-match=(viewed.id) data-version=(viewed.version)
            data-base=(shown.link.base)
            data-role=(shown.link.role) data-page=(shown.link.page()) data-game=(about::titled(viewed))
            data-turns=(viewed.turns().len())
            data-listen=[shown.is_live().then(|| shown.listens_to())] data-key=(key) data-say=(shown.spoken()) {
            div class="screen" {
                div class="state" {
                    h1 id="state" tabindex="-1" { (shown.headline()) }
                    p class="turn-number" { (about::turn_number(shown)) }
                }
                (holdings::players(shown))
                (reveal::reveal(shown))
                (board(shown))
                // Below the board, whose top stays where it is when the words change.
                @if let Some(lesson) = lesson { (lesson) }
                div class="deciding" {
                    (alerts(shown))
                    @if let Some(token) = &viewed.invitation { (about::invitation(shown, token)) }
                    (decide::decision(shown))
                    (pace(shown))
                }
            }
            div class="below" {
                (about::turns(shown))
                (about::about(shown))
            }
        }
    }
}

fn alerts(shown: &ShownMatch) -> Markup {
    html! {
        @match &shown.told {
            Some(Notice::Refused(why, _)) => {
                p class="notice" role="alert" id="refused" data-told { (sentence(why)) }
            }
            Some(Notice::Hint(hint)) => (hinted(shown, hint)),
            None => {}
        }
        @if shown.link.is_unseated {
            p class="hint" role="status" {
                "This browser holds no seat in this match, so you are watching. To play, open the link of your seat \
                 again, and let this site keep cookies."
            }
        }
        @if let Some(trouble) = &shown.viewed.trouble {
            p class="notice" role="alert" { (sentence(trouble)) }
        }
    }
}

/// Whether the computer had its time, below the decision, which stays where it is.
fn pace(shown: &ShownMatch) -> Markup {
    let said = match shown.viewed.pace {
        Pace::Usual => return html! {},
        Pace::Hurried => "The server is busy: the computer thought less.",
        Pace::Waiting => "The server is busy: the computer waits for its turn to think.",
    };
    html! { p class="hint" role="status" { (said) } }
}

/// A hint in words, with a button that fills in its bid, or its move where moves are chosen from a
/// list. The board shows its moves.
fn hinted(shown: &ShownMatch, hint: &Hint) -> Markup {
    let bid = hint.suggests.iter().find_map(|play| match play {
        HintedPlay::Bids([low, _]) => Some(low.to_string()),
        HintedPlay::Action(_) => None,
    });
    let fill = match shown.viewed.deciding() {
        Some((_, Decision::Bid)) => bid.map(|bid| ("bid", bid)),
        Some((_, Decision::Move { .. })) => hinted_moves(hint).next().map(|name| ("move", name.to_string())),
        _ => None,
    };
    html! {
        div class="hint" role="status" data-told {
            (hint.text) " "
            @if let Some((field, value)) = fill.filter(|(field, _)| *field == "bid" || decide::has_list(shown)) {
                button type="button" class="quiet small needs-script" data-fill=(field) data-value=(value) {
                    "Fill in " (decide::short(&value))
                }
            }
        }
    }
}

fn hinted_moves(hint: &Hint) -> impl Iterator<Item = &str> {
    hint.suggests.iter().filter_map(|play| match play {
        HintedPlay::Action(Action::Move(name)) => Some(name.as_str()),
        _ => None,
    })
}

fn board(shown: &ShownMatch) -> Markup {
    let viewed = shown.viewed;
    let mover = match viewed.deciding() {
        Some((player, Decision::Move { .. })) => Some(player),
        _ => None,
    };
    let last = viewed.turns().last().and_then(|turn| walk_to(viewed, &turn.position));
    let below = if let Viewer::Player(player) = viewed.viewer() { Some(player) } else { None };
    let svg = match &shown.turn {
        Some(past) => {
            let options = BoardOptions { below, last: Some(past.before.as_ref()), ..BoardOptions::default() };
            board::svg(past.after.as_ref(), &options)
        }
        None => {
            let hinted: Vec<(Player, String)> = match (&shown.told, viewed.deciding()) {
                (Some(Notice::Hint(hint)), Some((player, _))) => {
                    hinted_moves(hint).map(|name| (player, name.to_string())).collect()
                }
                _ => Vec::new(),
            };
            let last = last.as_deref();
            let options = BoardOptions { mover, below, last, marked: &hinted, ..BoardOptions::default() };
            board::svg(viewed.walk(), &options)
        }
    };
    html! {
        div id="board" class="frame" {
            @if let Some(past) = &shown.turn { (about::past(shown, past)) }
            (PreEscaped(svg))
        }
    }
}

/// An earlier position; `None` for game files, which are slow to read again.
fn walk_to(viewed: &MatchView, position: &str) -> Option<Box<dyn Walk>> {
    if viewed.setup.file.is_some() {
        return None;
    }
    viewed.subject().ok()?.walk(Some(position)).ok()
}
