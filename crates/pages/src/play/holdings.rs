//! Both holdings, as a picture and as text.

use maud::{Markup, html};
use richman_core::{ByPlayer, Holding, Player, Priority};

use super::fragment::ShownMatch;
use crate::class_of;

/// Above this many chips no coins are drawn.
const COINS: u32 = 24;

/// Both players and their holdings.
pub fn players(shown: &ShownMatch) -> Markup {
    let hands = shown.view.hands;
    let most = hands.iter().map(|hand| hand.chips()).max().unwrap_or(0);
    let given = shown.given();
    let bank = shown.viewed.rules().mechanism.has_bank().then(|| shown.viewed.bank());
    html! {
        section class="players" aria-label="Players" {
            @for player in Player::BOTH {
                @let sitter = if given[player] { Some("has bid".to_string()) } else { shown.sitter(player) };
                (one(player, sitter.as_deref(), hands[player], most))
            }
            @if most > COINS { (balance(hands, bank.unwrap_or(0))) }
            @if let Some(bank) = bank { p class="bank" { "In the bank: " b { (bank) } } }
            @if let Some(score) = shown.viewed.walk().score() {
                p class="score" {
                    "Score so far: " b { (score) } " " span class="aside" { "(Alice wants it high, Bob low)" }
                }
            }
            @if let Some(average) = shown.viewed.so_far().and_then(|so_far| so_far.average) {
                p class="score" {
                    "Average so far: " b { (average) } " "
                    span class="aside" { "(Alice wants it high, Bob low)" }
                }
            }
            @if let Some(Priority(priority)) = shown.viewed.walk().priority() {
                p class="score" {
                    "Priority here: " b { (priority) } " "
                    span class="aside" { "(Alice wants even ones, Bob odd ones)" }
                }
            }
        }
    }
}

/// One player's holding; coins are drawn if `most`, the larger number of chips, is not too great.
pub fn one(player: Player, sitter: Option<&str>, hand: Holding, most: u32) -> Markup {
    let chips = hand.chips();
    html! {
        div class={ "player " (class_of(player)) } {
            p class="name" {
                (player)
                @if let Some(sitter) = sitter { " " span class="sitter" { (sitter) } }
            }
            p class="holding" {
                b class="number" { (chips) } " " (if chips == 1 { "chip" } else { "chips" })
                @if hand.has_star() { " " span class="star" { "★" span class="unseen" { " and the star" } } }
            }
            @if most <= COINS { p class="coins" aria-hidden="true" { @for _ in 0..chips { i class="coin" {} } } }
        }
    }
}

/// The division of the chips, as one bar.
fn balance(hands: ByPlayer<Holding>, bank: u64) -> Markup {
    let ByPlayer { alice, bob } = hands.map(|hand| f64::from(hand.chips()));
    let all = (alice + bob + bank as f64).max(1.0);
    let width = |part: f64| format!("{:.2}", 100.0 * part / all);
    html! {
        svg class="balance" viewBox="0 0 100 5" preserveAspectRatio="none" aria-hidden="true" {
            rect class="rest" x="0" y="0" width="100" height="5" {}
            rect class="alice" x="0" y="0" width=(width(alice)) height="5" {}
            rect class="bob" x=(width(all - bob)) y="0" width=(width(bob)) height="5" {}
        }
    }
}
