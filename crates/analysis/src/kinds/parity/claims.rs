//! What is saved of a parity game: thresholds, and the plans or moves that prove them.

use std::io::{self, Write};

use richman_core::{BidEnd, ByPlayer, MAX_TOTAL, Mechanism, Player, Share, ShareBounds, Threshold, Total};
use richman_formats::saved::{
    BadClaim, Claim, HEAD, HeldClaim, check_distinct, check_totals, held, listed_claims, share, write_claims,
    write_json, write_lines, write_share,
};
use richman_formats::{FormatError, JsonReader, JsonText};
use serde::{Deserialize, Serialize};

/// What Alice needs of totals of chips. In JSON a list of `{"total": 8, "needs": {"plain": 5,
/// "star": 4}, "positions": {"...": {"needs": [plain, star], "alice": [plan, plan], "bob": [plan,
/// plan]}}}`. The plans are those without and with the star, from exactly what the player needs:
/// `[bid, wins_tie, [won, lost, tie_won, tie_lost]]`, or `null` where there is none. `wins_tie`
/// says whether the player wins a tie that the player decides. The last list says what the player
/// does after each end of the bid: a position to move to, `true` to let the other player move, or
/// `null` for nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParityClaims {
    /// One claim for each total: at least one, with distinct totals.
    pub totals: Vec<ParityClaim>,
}

/// What Alice needs with real money. In JSON `{"needs": "1/2", "positions": {"...": ["1/2", alice,
/// bob]}}`: her share, and each player's move, by the name of the position after it, or `null`
/// where the player does not move. The moves prove the shares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParityMoneyClaim {
    /// What Alice needs at the solved position.
    pub needs: ShareBounds,
    /// The claims at every position.
    pub positions: Vec<ParityMoneyValue>,
}

/// The claim for one total of chips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParityClaim {
    /// The number of chips in the game.
    pub total: Total,
    /// What Alice needs at the solved position.
    pub needs: Threshold,
    /// The claims at every position.
    pub positions: Vec<ParityValue>,
}

/// What Alice needs at one position, and how both win.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParityValue {
    /// The position in the game's notation.
    pub position: String,
    /// What Alice needs.
    pub needs: Threshold,
    /// Each player's plans without and with the star.
    pub plans: ByPlayer<[Option<PlanClaim>; 2]>,
}

/// What Alice needs with real money at one position, and both players' moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParityMoneyValue {
    /// The position in the game's notation.
    pub position: String,
    /// The share that Alice needs, or bounds on it.
    pub needs: ShareBounds,
    /// The position after each player's move; `None` where the player does not move.
    pub moves: ByPlayer<Option<String>>,
}

/// A plan at a threshold. In JSON: `[bid, wins_tie, [won, lost, tie_won, tie_lost]]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanClaim(
    /// The bid.
    pub u32,
    /// Whether the player wins a tie that the player decides.
    pub bool,
    /// What the player does after each end of the bid.
    pub [Option<AfterClaim>; BidEnd::ALL.len()],
);

/// What a player does after a bid. In JSON: the name of a position, or `true`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AfterClaim {
    /// Moves there.
    Moves(String),
    /// Lets the other player move.
    Lets(Truth),
}

/// `true`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "bool", try_from = "bool")]
pub struct Truth;

impl From<Truth> for bool {
    fn from(Truth: Truth) -> bool {
        true
    }
}

impl TryFrom<bool> for Truth {
    type Error = &'static str;

    fn try_from(is_true: bool) -> Result<Truth, &'static str> {
        if is_true { Ok(Truth) } else { Err("write true to let the other player move, or null") }
    }
}

impl HeldClaim for ParityValue {
    fn position(&self) -> &str {
        &self.position
    }

    fn behind(&self) -> u64 {
        let name = |after: &AfterClaim| if let AfterClaim::Moves(to) = after { HEAD + to.len() } else { 0 };
        let plans = self.plans.iter().flatten().flatten();
        plans.flat_map(|plan| plan.2.iter().flatten()).map(name).sum::<usize>() as u64
    }
}

impl HeldClaim for ParityMoneyValue {
    fn position(&self) -> &str {
        &self.position
    }

    fn behind(&self) -> u64 {
        let moves = self.moves.iter().flatten().map(|to| HEAD + to.len()).sum::<usize>();
        moves as u64 + self.needs.heap_bytes()
    }
}

impl Claim for ParityClaims {
    const KEY: &'static str = "parity";

    fn read(json: &mut JsonReader) -> Result<ParityClaims, FormatError> {
        Ok(ParityClaims { totals: listed_claims(json, Self::KEY, of_total)? })
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write_claims(out, &self.totals, |out, claim| {
            let Threshold { plain, star } = claim.needs;
            write!(out, "\"total\": {},\n      ", claim.total)?;
            write!(out, "\"needs\": {{\"plain\":{plain},\"star\":{star}}},\n      \"positions\": ")?;
            write_lines(out, "      ", &claim.positions, |out, value| {
                let Threshold { plain, star } = value.needs;
                write_json(out, &value.position)?;
                write!(out, ": {{\"needs\":[{plain},{star}]")?;
                for player in Player::BOTH {
                    write!(out, ",\"{}\":", player.either("alice", "bob"))?;
                    write_json(out, &value.plans[player])?;
                }
                write!(out, "}}")
            })
        })
    }

    fn check(&self, _: &Mechanism) -> Result<(), BadClaim> {
        check_totals(self.totals.iter().map(|claim| claim.total))?;
        self.totals.iter().try_for_each(|claim| check_distinct(&claim.positions))
    }

    fn bytes(&self) -> u64 {
        self.totals.iter().map(|claim| held(&claim.positions)).sum()
    }
}

impl Claim for ParityMoneyClaim {
    const KEY: &'static str = "parity_money";

    fn read(json: &mut JsonReader) -> Result<ParityMoneyClaim, FormatError> {
        let (mut needs, mut positions) = (ShareBounds::exact(Share::ZERO), Vec::new());
        json.object("the claim for money", &["needs", "positions"], 2, |json, key| {
            match key {
                "needs" => needs = json.text(&"a share as text", share)?,
                _ => positions = json.claims(money_value)?,
            }
            Ok(())
        })?;
        Ok(ParityMoneyClaim { needs, positions })
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{{\n    \"needs\": ")?;
        write_share(out, &self.needs)?;
        write!(out, ",\n    \"positions\": ")?;
        write_lines(out, "    ", &self.positions, |out, value| {
            write_json(out, &value.position)?;
            write!(out, ": [")?;
            write_share(out, &value.needs)?;
            for to in value.moves.iter() {
                write!(out, ",")?;
                write_json(out, to)?;
            }
            write!(out, "]")
        })?;
        write!(out, "\n  }}")
    }

    fn check(&self, _: &Mechanism) -> Result<(), BadClaim> {
        check_distinct(&self.positions)
    }

    fn bytes(&self) -> u64 {
        held(&self.positions)
    }
}

fn of_total(json: &mut JsonReader) -> Result<ParityClaim, FormatError> {
    let (mut total, mut needs, mut positions) = (0, Threshold::NOTHING, Vec::new());
    json.object("the claim for a total of chips", &["total", "needs", "positions"], 3, |json, key| {
        match key {
            "total" => total = json.whole(&"the total", MAX_TOTAL)?,
            "needs" => {
                let [plain, star] = json.numbers("a threshold", ["plain", "star"], MAX_TOTAL + 1)?;
                needs = Threshold { plain, star };
            }
            _ => positions = json.claims(value)?,
        }
        Ok(())
    })?;
    let total = Total::new(total).map_err(|error| json.bad_value(error.to_string()))?;
    Ok(ParityClaim { total, needs, positions })
}

fn value(json: &mut JsonReader, position: String) -> Result<ParityValue, FormatError> {
    let (mut needs, mut plans) = (Threshold::NOTHING, ByPlayer::both([None, None]));
    json.object("the claim for a position", &["needs", "alice", "bob"], 3, |json, key| {
        match key {
            "needs" => {
                let expected = "the list [plain, star] of 2 whole numbers";
                let [plain, star] = json.value(&expected, |json| <[u32; 2]>::deserialize(json))?;
                needs = Threshold { plain, star };
            }
            key => {
                let expected = "two plans [bid, wins_tie, [won, lost, tie_won, tie_lost]], or null";
                let player = if key == "alice" { Player::Alice } else { Player::Bob };
                plans[player] = json.value(&expected, |json| <[Option<PlanClaim>; 2]>::deserialize(json))?;
            }
        }
        Ok(())
    })?;
    Ok(ParityValue { position, needs, plans })
}

fn money_value(json: &mut JsonReader, position: String) -> Result<ParityMoneyValue, FormatError> {
    let expected = "the list [needs, alice, bob] of a share as text and two moves, each a position or null";
    let made = json.value(&expected, |json| {
        let (needs, alice, bob) = <(JsonText, Option<JsonText>, Option<JsonText>)>::deserialize(json)?;
        let name = |to: Option<JsonText>| to.map(|to| to.0.into_owned());
        Ok(share(&needs.0).map(|needs| (needs, ByPlayer::new(name(alice), name(bob)))))
    })?;
    let (needs, moves) = made.map_err(|reason| json.bad_value(reason))?;
    Ok(ParityMoneyValue { position, needs, moves })
}
