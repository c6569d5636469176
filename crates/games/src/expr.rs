//! Games written as expressions of wedges (DP10): whoever moves in `G & H` may move to G or to H.
//!
//! | expression | position |
//! | --- | --- |
//! | `A`, `B` | Alice has won, Bob has won |
//! | `E` | whoever moves first wins: both players may move to `A` and to `B` |
//! | `A^n` | `A & A^(n-1)`, with `A^1 = E` |
//! | `B^n` | `B^(n-1) & B`, with `B^1 = E` |
//! | `~G` | G with the players exchanged |
//! | `G & H` | whoever moves may move to G or to H |
//!
//! `^` binds tightest, then `~`, then `&`, which needs parentheses when repeated. Equal
//! subexpressions are one position. Reading pushes `~` down to the letters.

mod parser;

use std::fmt;
use std::sync::Arc;

use richman_core::{ArenaSize, ByPlayer, Error, Game, PerfectIndex, Player, Terminal};
use rustc_hash::FxHashMap;

use crate::GameInfo;
use crate::grid::letter;

pub use parser::ExprError;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "expr",
    parameters: "EXPRESSION",
    description: "a game that you write yourself (with A, B, E, A^n, B^n, ~G and G & H, such as expr:(A & B^2) & B)",
    chips: 8,
    rules: "",
    title: "Expression",
    notation: "an expression that is part of the game",
    example: "expr:(A & B^2) & B",
    pictured: "",
};

/// The longest expression, in bytes.
pub const LONGEST_TEXT: usize = 1 << 20;
/// The largest exponent.
pub const LARGEST_EXPONENT: u32 = 10_000;
/// The deepest nesting of parentheses and `~`.
pub const DEEPEST_NESTING: u32 = 256;

/// A game given by an expression. A position is the number of a subexpression.
#[derive(Clone)]
pub struct Expr {
    table: Arc<Subexpressions>,
    start: u32,
}

impl Expr {
    /// Reads an expression.
    ///
    /// ```
    /// use richman_games::Expr;
    /// use richman_core::Game;
    ///
    /// let game = Expr::parse("~((A & B^2) & B)")?;
    /// assert_eq!(game.name(), "expr:(B & A^2) & A");
    /// let error = Expr::parse("A & B & E").err().unwrap();
    /// assert_eq!(error.offset, 6);
    /// # Ok::<(), richman_games::ExprError>(())
    /// ```
    ///
    /// # Errors
    /// An [`ExprError`] if the text is not an expression, nests deeper than 256, has an exponent
    /// above 10,000 or exceeds 1 MiB.
    pub fn parse(text: &str) -> Result<Expr, ExprError> {
        let mut table = Subexpressions::new();
        let start = parser::parse(text, &mut table)?;
        Ok(Expr { table: Arc::new(table), start })
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expr({})", self.notation(&self.start))
    }
}

impl Game for Expr {
    type Position = u32;

    fn name(&self) -> String {
        let name = |wedge| format!("{}:{}", INFO.name, self.table.print(self.start, wedge, usize::MAX));
        let spaced = name(" & ");
        // Without spaces, an expression is never longer than its source.
        if spaced.len() <= LONGEST_TEXT { spaced } else { name("&") }
    }

    fn start(&self) -> u32 {
        self.start
    }

    fn terminal(&self, &position: &u32) -> Option<Terminal> {
        match self.table.nodes[position as usize] {
            ExprNode::Won(player) => Some(Terminal::Win(player)),
            ExprNode::First | ExprNode::Wedge { .. } => None,
        }
    }

    fn moves(&self, &position: &u32, _player: Player, into: &mut Vec<u32>) {
        match self.table.nodes[position as usize] {
            ExprNode::Won(_) => {}
            ExprNode::First => into.extend([Subexpressions::won(Player::Alice), Subexpressions::won(Player::Bob)]),
            ExprNode::Wedge { left, right, .. } if left == right => into.push(left),
            ExprNode::Wedge { left, right, .. } => into.extend([left, right]),
        }
    }

    fn notation(&self, &position: &u32) -> String {
        const LONGEST_NOTATION: usize = 1000;
        self.table.print(position, " & ", LONGEST_NOTATION)
    }

    fn parse(&self, notation: &str) -> Result<u32, Error> {
        const LONGEST_NAME: usize = 60;
        let refused = |reason: String| {
            let game = format!("{}:{}", INFO.name, self.table.print(self.start, " & ", LONGEST_NAME));
            Error::bad_position(notation, game, reason)
        };
        let mut given = Subexpressions::new();
        let position = parser::parse(notation, &mut given).map_err(|error| refused(error.to_string()))?;
        let found = self.table.find(&given, position);
        found.ok_or_else(|| {
            refused("it is not a subexpression of the game; its positions are its subexpressions".into())
        })
    }

    /// Every move leads to a subexpression.
    fn about_arena(&self, _: &u32, most: u64) -> Option<ArenaSize> {
        let size = self.size();
        Some(ArenaSize { positions: size.min(most), longest_play: Some(size), margin: size })
    }

    fn perfect_index(&self) -> Option<&dyn PerfectIndex<u32>> {
        Some(self)
    }
}

impl PerfectIndex<u32> for Expr {
    fn size(&self) -> u64 {
        self.table.nodes.len() as u64
    }

    fn rank(&self, position: &u32) -> u64 {
        u64::from(*position)
    }
}

#[derive(Debug, Clone, Copy)]
enum ExprNode {
    Won(Player),
    First,
    Wedge {
        left: u32,
        right: u32,
        /// Set if the wedge is a power of a letter.
        power: Option<(Player, u32)>,
    },
}

/// The distinct subexpressions, parts before wholes.
struct Subexpressions {
    nodes: Vec<ExprNode>,
    wedges: FxHashMap<(u32, u32), u32>,
    /// Each player's powers found so far, from the first.
    powers: ByPlayer<Vec<u32>>,
}

impl Subexpressions {
    const FIRST: u32 = 2;

    fn new() -> Subexpressions {
        let nodes = vec![ExprNode::Won(Player::Alice), ExprNode::Won(Player::Bob), ExprNode::First];
        Subexpressions { nodes, wedges: FxHashMap::default(), powers: ByPlayer::both(vec![Subexpressions::FIRST]) }
    }

    fn won(player: Player) -> u32 {
        player as u32
    }

    fn wedge(&mut self, left: u32, right: u32) -> u32 {
        if let Some(&known) = self.wedges.get(&(left, right)) {
            return known;
        }
        let power = if left == Subexpressions::won(Player::Alice) {
            self.exponent(right, Player::Alice).map(|n| (Player::Alice, n + 1))
        } else if right == Subexpressions::won(Player::Bob) {
            self.exponent(left, Player::Bob).map(|n| (Player::Bob, n + 1))
        } else {
            None
        };
        // A larger power prints as a wedge, because it would not be read back.
        let power = power.filter(|&(_, exponent)| exponent <= LARGEST_EXPONENT);
        let node = self.nodes.len() as u32;
        self.nodes.push(ExprNode::Wedge { left, right, power });
        self.wedges.insert((left, right), node);
        node
    }

    /// The power of the player's letter; the exponent is at most [`LARGEST_EXPONENT`].
    fn power(&mut self, player: Player, exponent: u32) -> u32 {
        let wanted = exponent.clamp(1, LARGEST_EXPONENT) as usize;
        let mut last = Subexpressions::FIRST;
        for at in 0..wanted {
            last = match self.powers[player].get(at) {
                Some(&known) => known,
                None => {
                    let next = match player {
                        Player::Alice => self.wedge(Subexpressions::won(player), last),
                        Player::Bob => self.wedge(last, Subexpressions::won(player)),
                    };
                    self.powers[player].push(next);
                    next
                }
            };
        }
        last
    }

    /// The n for which `node` is the n-th power of the player's letter.
    fn exponent(&self, node: u32, player: Player) -> Option<u32> {
        match self.nodes[node as usize] {
            ExprNode::First => Some(1),
            ExprNode::Wedge { power: Some((letter, exponent)), .. } if letter == player => Some(exponent),
            _ => None,
        }
    }

    /// The position of this table that equals `position` of `other`.
    fn find(&self, other: &Subexpressions, position: u32) -> Option<u32> {
        let mut here: Vec<Option<u32>> = Vec::with_capacity(other.nodes.len());
        for node in &other.nodes {
            here.push(match *node {
                ExprNode::Won(player) => Some(Subexpressions::won(player)),
                ExprNode::First => Some(Subexpressions::FIRST),
                ExprNode::Wedge { left, right, .. } => match (here[left as usize], here[right as usize]) {
                    (Some(left), Some(right)) => self.wedges.get(&(left, right)).copied(),
                    _ => None,
                },
            });
        }
        here[position as usize]
    }

    /// The expression of a position, cut after about `longest` bytes.
    fn print(&self, position: u32, wedge: &str, longest: usize) -> String {
        let mut text = String::new();
        self.print_part(position, wedge, longest, false, &mut text);
        if text.len() > longest {
            text.truncate(longest);
            text.push_str("...");
        }
        text
    }

    /// The recursion is no deeper than the nesting of the text, because powers print at once.
    fn print_part(&self, position: u32, wedge: &str, longest: usize, inner: bool, text: &mut String) {
        if text.len() > longest {
            return;
        }
        match self.nodes[position as usize] {
            ExprNode::Won(player) => text.push(letter(Some(player))),
            ExprNode::First => text.push('E'),
            ExprNode::Wedge { power: Some((player, exponent)), .. } => {
                text.push_str(&format!("{}^{exponent}", letter(Some(player))));
            }
            ExprNode::Wedge { left, right, power: None } => {
                text.push_str(if inner { "(" } else { "" });
                self.print_part(left, wedge, longest, true, text);
                text.push_str(wedge);
                self.print_part(right, wedge, longest, true, text);
                text.push_str(if inner { ")" } else { "" });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use fastrand::Rng;
    use richman_core::{Effort, Instant, Unfolding, unfold};

    use super::*;
    use crate::testing::{has_ends, moves, reachable};

    fn printed(text: &str) -> String {
        let game = Expr::parse(text).unwrap_or_else(|error| panic!("{error}"));
        game.notation(&game.start())
    }

    #[test]
    fn expressions_print_with_few_parentheses_and_powers() {
        for (text, expected) in [
            ("A", "A"),
            (" ( (E) ) ", "E"),
            ("A^1", "E"),
            ("B ^ 1", "E"),
            ("A&B", "A & B"),
            ("A & E", "A^2"),
            ("E & A", "E & A"),
            ("E & B", "B^2"),
            ("A & (A & (A & E))", "A^4"),
            ("(B^31 & B)", "B^32"),
            ("B & B^2", "B & B^2"),
            ("(A & B^2) & B", "(A & B^2) & B"),
            ("A & (B & (E & E))", "A & (B & (E & E))"),
            ("~A", "B"),
            ("~~A", "A"),
            ("~E", "E"),
            ("~A^3", "B^3"),
            ("~A & B", "B & B"),
            ("~(A & B^2) & ~(B)", "(B & A^2) & A"),
            ("~(A & ~(A & B))", "B & (A & B)"),
            ("A^10000", "A^10000"),
            ("A & A^10000", "A & A^10000"),
            ("A & (A & A^10000)", "A & (A & A^10000)"),
        ] {
            assert_eq!(printed(text), expected, "{text}");
            assert_eq!(printed(expected), expected);
        }
    }

    #[test]
    fn equal_subexpressions_are_one_position() {
        for (text, positions) in [
            ("A", 1),
            ("E", 3),
            ("A & A", 2),
            ("A & B", 3),
            ("A^5", 7),
            ("A^3 & (A & (A & E))", 6),
            ("(A & B) & (A & B)", 4),
            ("(A & B^2) & B", 6),
        ] {
            let game = Expr::parse(text).unwrap();
            let unfolded = unfold(game.clone(), game.start(), &Effort::default()).unwrap();
            assert_eq!(unfolded.arena().len(), positions, "{text}");
        }
    }

    #[test]
    fn moves_and_ends() {
        let game = Expr::parse("(A & B^2) & B").unwrap();
        for player in Player::BOTH {
            for (from, expected) in
                [("(A & B^2) & B", vec!["A & B^2", "B"]), ("B^2", vec!["E", "B"]), ("E", vec!["A", "B"])]
            {
                assert!(moves(&game, from, player).into_iter().map(|(_, to)| to).eq(expected), "{from}");
            }
        }
        has_ends(&game, &[("A", Some(Terminal::Win(Player::Alice))), ("E", None)]);
    }

    #[test]
    fn positions_are_found_by_any_expression_for_them() {
        let game = Expr::parse("(A & B^2) & B").unwrap();
        assert_eq!(game.parse("~~(A & (E & B))"), game.parse("A & B^2"));
        assert_eq!(game.parse("((A & B^2)) & ~A"), Ok(game.start()));
        let message = game.parse("A^2").unwrap_err().to_string();
        assert!(message.contains("it is not a subexpression of the game"), "{message}");
        assert!(game.parse("A &").unwrap_err().to_string().contains('^'));
    }

    fn random_expression(random: &mut Rng, depth: u64) -> String {
        match if depth == 0 { random.u64(..5) } else { random.u64(..9) } {
            0 => "A".to_string(),
            1 => "B".to_string(),
            2 => "E".to_string(),
            3 => format!("A^{}", 1 + random.u64(..6)),
            4 => format!("B^{}", 1 + random.u64(..6)),
            5 => format!("~({})", random_expression(random, depth - 1)),
            _ => format!("({})&({})", random_expression(random, depth - 1), random_expression(random, depth - 1)),
        }
    }

    #[test]
    fn notation_round_trips() {
        let mut random = Rng::with_seed(3);
        for _ in 0..2000 {
            let game = Expr::parse(&random_expression(&mut random, 5)).unwrap();
            for position in reachable(&game) {
                let notation = game.notation(&position);
                if notation.len() < 1000 {
                    assert_eq!(game.parse(&notation), Ok(position), "{notation}");
                }
            }
        }
    }

    #[test]
    fn hostile_text_is_served_or_refused_quickly() {
        let began = Instant::now();
        let powers: Vec<String> = (0..128).map(|_| "A^10000".to_string()).collect();
        let mut text = powers.join("&(");
        text.push_str(&")".repeat(127));
        assert!(Expr::parse(&text).is_ok());
        let mut level: Vec<String> = (0..1 << 15).map(|k| format!("A^{}", 9000 + k % 1000)).collect();
        while level.len() > 1 {
            level = level.chunks(2).map(|pair| format!("({}&{})", pair[0], pair[1])).collect();
        }
        let game = Expr::parse(&level[0]).unwrap();
        assert!(game.notation(&game.start()).len() < 1100);
        let name = game.name();
        assert!(crate::Games::default().find(&name).is_ok_and(|again| again.name() == name));
        assert!(began.elapsed() < Duration::from_secs(20), "took {:?}", began.elapsed());
    }
}
