//! A position without a drawing of its own: its name in the middle, where Alice can move at the left and Bob at the right.

use std::collections::HashSet;

use richman_core::{End, Look, Mark, Player, Scene, Shape, Walk};

use crate::page::{fitted, shortened};

/// More moves of a player are counted, not drawn.
const MOST: usize = 12;
const WIDTH: i32 = 900;
/// The width of a box with a name, and the height it takes with the room below it.
const BOX: i32 = 250;
const ROW: i32 = 64;
const HEIGHT: i32 = 48;
const TEXT: i32 = 26;
/// Where the boxes begin: Alice's, that of the position, Bob's.
const LEFT: [i32; 3] = [4, (WIDTH - BOX) / 2, WIDTH - BOX - 4];
const LONGEST_LABEL: usize = 160;

/// The name of the place of a player's move, counted from 0.
pub(super) fn place(player: Player, number: usize) -> String {
    format!("{}{}", if player == Player::Alice { 'A' } else { 'B' }, number + 1)
}

/// The diagram of a position; good moves are among those drawn.
pub(super) fn scene(walk: &dyn Walk, good: &[(Player, String)]) -> Scene {
    let columns = Player::BOTH.map(|player| Column::new(walk, player, good));
    let rows = columns.iter().map(Column::rows).max().unwrap_or(0).max(2) as i32;
    let (height, middle) = (rows * ROW + TEXT, rows * ROW / 2);
    let mut marks = Vec::new();
    for column in &columns {
        marks.extend(column.marks(rows, middle));
    }
    marks.extend(named(LEFT[1], middle, &walk.notation(), Look::Neutral));
    if let Some(end) = walk.end() {
        let at = [WIDTH / 2, middle + HEIGHT];
        marks.push(Mark::seen(Shape::Text { at, size: TEXT, text: ended(end) }, Look::Guide));
    }
    Scene { width: WIDTH, height, marks }
}

fn ended(end: End) -> String {
    match end {
        End::Win(player) => format!("{player} has won"),
        End::Draw => "a draw".to_string(),
        End::Score(score) => format!("score {score}"),
    }
}

/// The moves of a player.
struct Column {
    player: Player,
    /// Number and name of those that are drawn.
    drawn: Vec<(usize, String)>,
    /// How many more there are.
    more: usize,
}

impl Column {
    fn new(walk: &dyn Walk, player: Player, good: &[(Player, String)]) -> Column {
        let good: HashSet<&str> = good.iter().filter(|one| one.0 == player).map(|one| one.1.as_str()).collect();
        let mut moves: Vec<(usize, String)> = walk.moves(player).into_iter().enumerate().collect();
        let count = moves.len();
        // Good ones are drawn before others are, but all in their order.
        moves.sort_by_key(|(_, name)| !good.contains(name.as_str()));
        moves.truncate(MOST);
        moves.sort_unstable();
        Column { player, more: count - moves.len(), drawn: moves }
    }

    fn rows(&self) -> usize {
        self.drawn.len() + usize::from(self.more > 0)
    }

    fn marks(&self, rows: i32, middle: i32) -> Vec<Mark> {
        let (left, from, to) = self.player.either((LEFT[0], LEFT[1], LEFT[0] + BOX), (LEFT[2], LEFT[1] + BOX, LEFT[2]));
        let first = (rows - self.rows() as i32) * ROW / 2 + ROW / 2;
        let mut marks = Vec::new();
        for (row, (number, name)) in (0..).zip(&self.drawn) {
            let y = first + row * ROW;
            marks.push(Mark::seen(Shape::Line { from: [from, middle], to: [to, y] }, Look::Side(self.player)));
            let mut names = named(left, y, name, Look::Side(self.player));
            if let Some(mark) = names.first_mut() {
                mark.place = Some(place(self.player, *number));
                mark.label = format!("{} to {}", self.player, shortened(name, LONGEST_LABEL));
            }
            marks.extend(names);
        }
        if self.more > 0 {
            let at = [left + BOX / 2, first + self.drawn.len() as i32 * ROW];
            let text = format!("and {} more", self.more);
            marks.push(Mark::seen(Shape::Text { at, size: TEXT, text }, Look::Guide));
        }
        marks
    }
}

/// A box with a name in it.
fn named(left: i32, middle: i32, name: &str, look: Look) -> Vec<Mark> {
    let rectangle = Shape::Rectangle { at: [left, middle - HEIGHT / 2], width: BOX, height: HEIGHT };
    let text = fitted(name, f64::from(TEXT), f64::from(BOX - 20));
    let text = Shape::Text { at: [left + BOX / 2, middle], size: TEXT, text };
    vec![Mark::seen(rectangle, look), Mark::seen(text, Look::Guide)]
}
