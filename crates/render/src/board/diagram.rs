//! A diagram for positions without a scene: the position's name in the middle, Alice's moves on the
//! left, Bob's on the right.

use std::collections::HashSet;

use richman_core::{End, Mark, MarkRole, MarkShape, Player, Scene, Walk};

use crate::page::{fitted, shortened};

/// Each player's further moves are counted, not drawn.
const MOST: usize = 12;
const WIDTH: i32 = 720;
/// The width of a box, and its height including the gap below.
const BOX: i32 = 212;
const ROW: i32 = 68;
const HEIGHT: i32 = 56;
const TEXT: i32 = 26;
/// The left edges of the boxes: Alice's, the position's, Bob's.
const LEFT: [i32; 3] = [4, (WIDTH - BOX) / 2, WIDTH - BOX - 4];
const LONGEST_LABEL: usize = 160;

/// The place name of a player's move, counted from 0.
pub(super) fn place(player: Player, number: usize) -> String {
    format!("{}{}", if player == Player::Alice { 'A' } else { 'B' }, number + 1)
}

/// The diagram of a position; good moves are drawn first.
pub(super) fn scene(walk: &dyn Walk, good: &[(Player, String)]) -> Scene {
    let columns = Player::BOTH.map(|player| MoveColumn::new(walk, player, good));
    let rows = columns.iter().map(MoveColumn::rows).max().unwrap_or(0).max(2) as i32;
    let (height, middle) = (rows * ROW + TEXT, rows * ROW / 2);
    let mut marks = Vec::new();
    for column in &columns {
        marks.extend(column.marks(rows, middle));
    }
    marks.extend(named(LEFT[1], middle, &walk.notation(), MarkRole::Neutral));
    if let Some(end) = walk.end() {
        let at = [WIDTH / 2, middle + HEIGHT];
        marks.push(Mark::seen(MarkShape::Text { at, size: TEXT, text: ended(end) }, MarkRole::Guide));
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

struct MoveColumn {
    player: Player,
    /// Number and name of the drawn moves.
    drawn: Vec<(usize, String)>,
    /// The number of moves not drawn.
    more: usize,
}

impl MoveColumn {
    fn new(walk: &dyn Walk, player: Player, good: &[(Player, String)]) -> MoveColumn {
        let good: HashSet<&str> = good.iter().filter(|one| one.0 == player).map(|one| one.1.as_str()).collect();
        let mut moves: Vec<(usize, String)> = walk.moves(player).into_iter().enumerate().collect();
        let count = moves.len();
        // Good moves survive the truncation; each group keeps its order.
        moves.sort_by_key(|(_, name)| !good.contains(name.as_str()));
        moves.truncate(MOST);
        moves.sort_unstable();
        MoveColumn { player, more: count - moves.len(), drawn: moves }
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
            marks.push(Mark::seen(MarkShape::Line { from: [from, middle], to: [to, y] }, MarkRole::Side(self.player)));
            let mut names = named(left, y, name, MarkRole::Side(self.player));
            if let Some(mark) = names.first_mut() {
                mark.place = Some(place(self.player, *number));
                mark.label = format!("{} to {}", self.player, shortened(name, LONGEST_LABEL));
            }
            marks.extend(names);
        }
        if self.more > 0 {
            let at = [left + BOX / 2, first + self.drawn.len() as i32 * ROW];
            let text = format!("and {} more", self.more);
            marks.push(Mark::seen(MarkShape::Text { at, size: TEXT, text }, MarkRole::Guide));
        }
        marks
    }
}

fn named(left: i32, middle: i32, name: &str, look: MarkRole) -> Vec<Mark> {
    let rectangle = MarkShape::Rectangle { at: [left, middle - HEIGHT / 2], width: BOX, height: HEIGHT };
    let text = fitted(name, f64::from(TEXT), f64::from(BOX - 20));
    let text = MarkShape::Text { at: [left + BOX / 2, middle], size: TEXT, text };
    vec![Mark::seen(rectangle, look), Mark::seen(text, MarkRole::Guide)]
}
