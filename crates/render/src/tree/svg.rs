//! The tree as a picture: rows from the top, boards as grids, Alice's moves in red and Bob's in
//! blue.

use std::fmt::Write;

use richman_analysis::tree::{TreeEdge, TreeNode, TreeReport};
use richman_core::Player;

use super::colour;
use super::layout::{TreeShape, middles};
use crate::page::shortened;

const MARGIN: f64 = 16.0;
const GAP: f64 = 12.0;
/// The least and the greatest gap between two rows.
const BETWEEN_ROWS: (f64, f64) = (34.0, 90.0);
const TEXT: f64 = 11.0;
const LINE: f64 = 14.0;
const LABEL: f64 = 14.0;
const TITLE: f64 = 14.0;
/// Wedge sums up to this width are written out even if that moves positions apart.
const SURE: f64 = 120.0;
/// Wider wedge sums are written out up to this multiple of the subtree's width.
const STRETCH: f64 = 1.4;
/// The longest notation that is drawn, in characters.
const NOTATION: usize = 24;
const FONT: &str = "Helvetica, Arial, 'DejaVu Sans', sans-serif";

const WEDGES: &str = "G & H: wedge sums, for every total of chips unless they fail";

/// The picture as a complete SVG document.
pub fn render(report: &TreeReport) -> String {
    Picture::of(report).draw(report)
}

/// A drawn position: its label, a board or a notation, and lines of text, stacked and centred.
struct NodeBlock {
    /// The drawing above the lines.
    picture: NodeDrawing,
    lines: Vec<Line>,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

enum NodeDrawing {
    /// The rows of a board and the size of a cell.
    Board(Vec<String>, f64),
    Notation(String),
}

impl NodeDrawing {
    fn of(position: &str) -> NodeDrawing {
        let Some(rows) = super::board(position) else {
            return NodeDrawing::Notation(shortened(position, NOTATION));
        };
        let rows: Vec<String> = rows.map(String::from).collect();
        let cell = match rows.len().max(rows[0].len()) {
            0..=4 => 14.0,
            5..=7 => 11.0,
            _ => 8.0,
        };
        NodeDrawing::Board(rows, cell)
    }

    fn width(&self) -> f64 {
        match self {
            NodeDrawing::Board(rows, cell) => rows[0].len() as f64 * cell,
            // Powers are not superscripts here.
            NodeDrawing::Notation(text) => width_of(&text.replace('^', "m")) + 12.0,
        }
    }

    fn height(&self) -> f64 {
        match self {
            NodeDrawing::Board(rows, cell) => rows.len() as f64 * cell,
            NodeDrawing::Notation(_) => LINE + 6.0,
        }
    }
}

/// Text below a position.
struct Line {
    text: String,
    color: &'static str,
}

const INK: &str = "#1a1a1a";
const FAINT: &str = "#6b6b6b";

struct Picture {
    blocks: Vec<NodeBlock>,
    /// Moves drawn as lines to the next row; others are named below their position.
    drawn: Vec<usize>,
    /// The top and bottom of each row.
    rows: Vec<(f64, f64)>,
    width: f64,
    height: f64,
}

impl Picture {
    fn of(report: &TreeReport) -> Picture {
        let nodes = &report.nodes;
        let goes_down =
            |edge: &TreeEdge| edge.to.as_ref().is_some_and(|to| nodes[to.index].row == nodes[edge.from.index].row + 1);
        let mut drawn = Vec::new();
        let mut parents = vec![None; nodes.len()];
        let no_bid = |index| report.is_owned(index).then(|| Line { text: "no bid".to_string(), color: FAINT });
        let mut asides: Vec<Vec<Line>> = (0..nodes.len()).map(|index| no_bid(index).into_iter().collect()).collect();
        for (number, edge) in report.edges.iter().enumerate() {
            let Some(to) = &edge.to else { continue };
            if goes_down(edge) {
                drawn.push(number);
                parents[to.index].get_or_insert(edge.from.index);
            } else {
                let line = Line { text: format!("\u{2192} {}", to.label), color: colour(edge.player) };
                asides[edge.from.index].push(line);
            }
        }
        let mut blocks: Vec<NodeBlock> =
            nodes.iter().zip(asides).map(|(node, asides)| NodeBlock::of(node, asides)).collect();
        let widths = |blocks: &[NodeBlock]| blocks.iter().map(|block| block.width).collect::<Vec<f64>>();
        let narrow = subtrees(&parents, &widths(&blocks));
        for ((block, node), narrow) in blocks.iter_mut().zip(nodes).zip(narrow) {
            block.write_out(node, narrow * STRETCH);
        }
        let widths = widths(&blocks);
        let (middles, width) = middles(&TreeShape { parents: &parents, widths: &widths, gap: GAP });
        let header = width_of(&report.head.game) * TITLE / TEXT;
        let header = header.max(width_of(&super::heading(report))).max(width_of(WEDGES) + 220.0);
        let width = width.max(header);
        let inset = MARGIN + (width - middles_width(&middles, &widths)) / 2.0;
        for (block, middle) in blocks.iter_mut().zip(&middles) {
            block.x = inset + middle - block.width / 2.0;
        }
        let mut y = MARGIN + 3.0 * LINE + 8.0;
        let mut rows = Vec::new();
        let mut first = 0;
        for row in nodes.chunk_by(|a, b| a.row == b.row) {
            let last = first + row.len();
            widen(&mut blocks[first..last], &nodes[first..last], (MARGIN, MARGIN + width));
            let height = blocks[first..last].iter().map(|block| block.height).fold(0.0, f64::max);
            for block in &mut blocks[first..last] {
                block.y = y;
            }
            rows.push((y, y + height));
            // Flat lines are hard to follow.
            let moves = drawn.iter().map(|&number| &report.edges[number]);
            let slant = moves.filter(|edge| (first..last).contains(&edge.from.index));
            let across = |edge: &TreeEdge| Some((middles[edge.to.as_ref()?.index] - middles[edge.from.index]).abs());
            let across = slant.filter_map(across);
            y += height + (across.fold(0.0, f64::max) * 0.16).clamp(BETWEEN_ROWS.0, BETWEEN_ROWS.1);
            first = last;
        }
        let height = rows.last().map_or(y, |row| row.1) + MARGIN;
        Picture { blocks, drawn, rows, width: width + 2.0 * MARGIN, height }
    }

    fn draw(&self, report: &TreeReport) -> String {
        let (width, height) = (self.width.ceil(), self.height.ceil());
        let (title, heading) = (escaped(&report.head.game), escaped(&super::heading(report)));
        let view = format!(r#"width="{width}" height="{height}" viewBox="0 0 {width} {height}""#);
        let font = format!(r#"font-family="{FONT}" font-size="{TEXT}""#);
        let mut text = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {view} {font}>\n");
        let _ = writeln!(text, "<title>{title}</title>\n<desc>{heading}</desc>");
        let _ = writeln!(text, r#"<rect width="{width}" height="{height}" fill="white"/>"#);
        let mut y = MARGIN + TEXT;
        let large = format!(r#"font-size="{TITLE}" font-weight="bold" fill="{INK}""#);
        let _ = writeln!(text, r#"<text x="{MARGIN}" y="{y}" {large}>{title}</text>"#);
        y += LINE + 2.0;
        let _ = writeln!(text, r#"<text x="{MARGIN}" y="{y}" fill="{FAINT}">{heading}</text>"#);
        y += LINE;
        let mut x = MARGIN;
        for player in Player::BOTH {
            let (name, stroke) = (format!("{player} moves"), colour(player));
            let _ = write!(text, r#"<path d="M{x} {}h18" stroke="{stroke}" stroke-width="1.6"/>"#, y - 4.0);
            let _ = writeln!(text, r#"<text x="{}" y="{y}" fill="{FAINT}">{name}</text>"#, x + 23.0);
            x += 23.0 + width_of(&name) + 14.0;
        }
        if report.nodes.iter().any(|node| node.wedge.is_some()) {
            let _ = writeln!(text, r#"<text x="{x}" y="{y}" fill="{FAINT}">{}</text>"#, raised(WEDGES));
        }
        text.push_str("<g fill=\"none\" stroke-width=\"1.6\" stroke-linecap=\"round\">\n");
        for &number in &self.drawn {
            let edge = &report.edges[number];
            let Some(to) = &edge.to else { continue };
            let (from, row) = (&self.blocks[edge.from.index], report.nodes[edge.from.index].row as usize);
            let (to, stroke) = (&self.blocks[to.index], colour(edge.player));
            let (from, above) = (from.middle(), self.rows[row].1 + 3.0);
            let (to, below) = (to.middle(), to.y - 2.0);
            let _ = writeln!(text, r#"<path d="M{from:.1} {above:.1}L{to:.1} {below:.1}" stroke="{stroke}"/>"#);
        }
        text.push_str("</g>\n");
        for (block, node) in self.blocks.iter().zip(&report.nodes) {
            block.draw(&mut text, node);
        }
        text.push_str("</svg>\n");
        text
    }
}

fn middles_width(middles: &[f64], widths: &[f64]) -> f64 {
    middles.iter().zip(widths).map(|(middle, width)| middle + width / 2.0).fold(0.0, f64::max)
}

/// The least width of a position's subtree: that of the widest row.
fn subtrees(parents: &[Option<usize>], widths: &[f64]) -> Vec<f64> {
    let mut own = widths.to_vec();
    let mut below = vec![0.0; widths.len()];
    for index in (0..widths.len()).rev() {
        own[index] = f64::max(own[index], below[index]);
        if let Some(parent) = parents[index] {
            below[parent] += own[index] + if below[parent] > 0.0 { GAP } else { 0.0 };
        }
    }
    own
}

/// Writes a row's wedge sums out where the neighbours leave room.
fn widen(row: &mut [NodeBlock], nodes: &[TreeNode], (left, right): (f64, f64)) {
    for index in 0..row.len() {
        let middle = row[index].middle();
        let before = index.checked_sub(1).map_or(left, |before| row[before].x + row[before].width + GAP);
        let after = row.get(index + 1).map_or(right, |after| after.x - GAP);
        let room = 2.0 * f64::min(middle - before, after - middle);
        row[index].write_out(&nodes[index], room);
        row[index].x = middle - row[index].width / 2.0;
    }
}

impl NodeBlock {
    fn of(node: &TreeNode, asides: Vec<Line>) -> NodeBlock {
        let picture = NodeDrawing::of(&node.position);
        let threshold = if node.zugzwang { format!("{}, zugzwang", node.worth()) } else { node.worth().to_string() };
        let mut lines = vec![Line { text: threshold, color: INK }];
        if let Some(wedge) = &node.wedge {
            let text = super::sum(wedge, |sum| width_of(sum) <= SURE);
            lines.push(Line { text, color: INK });
        } else if node.cut {
            lines.push(Line { text: "\u{2026}".to_string(), color: FAINT });
        }
        lines.extend(asides);
        let texts = lines.iter().map(|line| width_of(&line.text)).fold(width_of(&node.label) + 4.0, f64::max);
        let width = texts.max(picture.width() + 2.0);
        let height = LABEL + picture.height() + LINE * lines.len() as f64 + 4.0;
        NodeBlock { picture, lines, x: 0.0, y: 0.0, width, height }
    }

    /// Writes the wedge sum out if it is at most `room` wide.
    fn write_out(&mut self, node: &TreeNode, room: f64) {
        let Some(wedge) = &node.wedge else { return };
        let full = super::sum(wedge, |_| true);
        let width = width_of(&full);
        if width <= f64::max(room, self.width) {
            self.width = self.width.max(width);
            self.lines[1].text = full;
        }
    }

    fn middle(&self) -> f64 {
        self.x + self.width / 2.0
    }

    fn draw(&self, text: &mut String, node: &TreeNode) {
        let middle = self.middle();
        let label = escaped(&node.label);
        let bold = format!(r#"font-weight="bold" fill="{FAINT}""#);
        let above = self.y + TEXT;
        let _ = writeln!(text, r#"<g text-anchor="middle"><text x="{middle:.1}" y="{above:.1}" {bold}>{label}</text>"#);
        let mut y = self.y + LABEL;
        let (width, height) = (self.picture.width(), self.picture.height());
        match &self.picture {
            NodeDrawing::Board(rows, cell) => draw_board(text, rows, *cell, middle, y),
            NodeDrawing::Notation(notation) => {
                let (x, line, notation) = (middle - width / 2.0, y + LINE, escaped(notation));
                let _ = write!(text, r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" "#);
                text.push_str("rx=\"4\" fill=\"none\" stroke=\"#9a9a9a\"/>");
                let _ = writeln!(text, r#"<text x="{middle:.1}" y="{line:.1}" fill="{INK}">{notation}</text>"#);
            }
        }
        y += height;
        for Line { text: line, color } in &self.lines {
            y += LINE;
            let _ = writeln!(text, r#"<text x="{middle:.1}" y="{y:.1}" fill="{color}">{}</text>"#, raised(line));
        }
        text.push_str("</g>\n");
    }
}

fn draw_board(text: &mut String, rows: &[String], cell: f64, middle: f64, top: f64) {
    let (width, height) = (rows[0].len() as f64 * cell, rows.len() as f64 * cell);
    let left = middle - width / 2.0;
    let size = cell - 3.0;
    let font = format!(r#"font-size="{size}" font-weight="bold""#);
    for (row, cells) in rows.iter().enumerate() {
        for (col, letter) in cells.chars().enumerate() {
            let (tint, color) = match letter {
                'A' => ("#fbe3e2", super::ALICE),
                'B' => ("#e0eafa", super::BOB),
                _ => continue,
            };
            let (x, y) = (left + col as f64 * cell, top + row as f64 * cell);
            let (across, down) = (x + cell / 2.0, y + cell / 2.0 + size * 0.36);
            let _ = write!(text, r#"<rect x="{x:.1}" y="{y:.1}" width="{cell}" height="{cell}" fill="{tint}"/>"#);
            let _ = writeln!(text, r#"<text x="{across:.1}" y="{down:.1}" {font} fill="{color}">{letter}</text>"#);
        }
    }
    let across = (0..=rows.len()).map(|row| format!("M{left:.1} {:.1}h{width}", top + row as f64 * cell));
    let down = (0..=rows[0].len()).map(|col| format!("M{:.1} {top:.1}v{height}", left + col as f64 * cell));
    let lines: String = across.chain(down).collect();
    let _ = writeln!(text, "<path d=\"{lines}\" fill=\"none\" stroke=\"#8a8a8a\" stroke-width=\"0.7\"/>");
}

/// An upper bound on the drawn width of a text in the usual fonts.
fn width_of(text: &str) -> f64 {
    let ems = |letter: char| match letter {
        ' ' | '.' | ',' | ':' | ';' | '/' | '|' | '!' | 'i' | 'j' | 'l' | '\'' => 0.35,
        '(' | ')' | '[' | ']' | 'f' | 't' | 'r' | '-' => 0.42,
        '^' => 0.0,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.98,
        '&' | '\u{2192}' | '\u{2026}' => 0.84,
        letter if letter.is_ascii_uppercase() => 0.72,
        letter if letter.is_ascii() => 0.64,
        _ => 1.0,
    };
    text.chars().map(ems).sum::<f64>() * TEXT
}

/// Text as XML, with wedges and powers as papers print them.
fn raised(text: &str) -> String {
    let mut raised = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '&' => raised.push('\u{2227}'),
            '^' => {
                let power: String = std::iter::from_fn(|| letters.next_if(char::is_ascii_digit)).collect();
                raised += &format!("<tspan dy=\"-4\" font-size=\"8\">{power}</tspan><tspan dy=\"4\">\u{200b}</tspan>");
            }
            letter => raised.push_str(&escaped(letter.encode_utf8(&mut [0; 4]))),
        }
    }
    raised
}

fn escaped(text: &str) -> String {
    // XML does not allow these, even escaped.
    let is_refused = |letter| matches!(letter, '\0'..='\u{1f}' | '\u{7f}' | '\u{fffe}' | '\u{ffff}');
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    escaped.replace(is_refused, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::tests::{GAMES, grown};

    #[test]
    fn pictures_are_xml() {
        for report in GAMES.into_iter().flat_map(grown) {
            let text = render(&report);
            assert_eq!(text, render(&report));
            let document = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            let root = document.root_element();
            assert_eq!(root.tag_name().name(), "svg");
            let labels: Vec<&str> = root
                .descendants()
                .filter(|node| node.attribute("font-weight") == Some("bold") && node.attribute("font-size").is_none())
                .filter_map(|node| node.text())
                .collect();
            let expected: Vec<&str> = report.nodes.iter().map(|node| node.label.as_str()).collect();
            assert_eq!(labels, expected);
        }
        assert_eq!(escaped("<\u{1}&\">"), "&lt;\u{fffd}&amp;&quot;&gt;");
    }

    #[test]
    fn nothing_overlaps() {
        for report in GAMES.into_iter().flat_map(grown) {
            let picture = Picture::of(&report);
            for (index, block) in picture.blocks.iter().enumerate() {
                let texts = block.lines.iter().map(|line| width_of(&line.text));
                assert!(texts.fold(0.0, f64::max) <= block.width + 1e-6 && block.picture.width() <= block.width);
                assert!(block.x >= 0.0 && block.x + block.width <= picture.width, "{} {index}", report.head.game);
                assert!(
                    block.y > 3.0 * LINE && block.y + block.height <= picture.height,
                    "{} {index}",
                    report.head.game
                );
                for other in &picture.blocks[index + 1..] {
                    let beside = block.x + block.width <= other.x || other.x + other.width <= block.x;
                    let below = block.y + block.height <= other.y || other.y + other.height <= block.y;
                    assert!(beside || below, "{} {index}", report.head.game);
                }
            }
            // Lines between rows do not touch the rows' contents.
            for pair in picture.rows.windows(2) {
                assert!(pair[0].1 + BETWEEN_ROWS.0 <= pair[1].0, "{}", report.head.game);
            }
            // A row keeps the order of its labels.
            for (pair, nodes) in picture.blocks.windows(2).zip(report.nodes.windows(2)) {
                assert!(
                    nodes[0].row != nodes[1].row || pair[0].x < pair[1].x,
                    "{} {}",
                    report.head.game,
                    nodes[0].label
                );
            }
        }
    }
}
