//! Chip tables as heat maps. Totals, or one player's chips, run to the right and the other's chips
//! upwards; cells show who can force what.
//!
//! A map is one panel for one owner of the star; a page lays out two panels as it likes. Colours
//! are classes with rules in [`STYLE`]: `outcome-alice`, `outcome-neither`, `outcome-bob`,
//! `outcome-unknown` for cells, `frame` for lines. A column's title states its thresholds in words.

mod cells;

use richman_analysis::holdings::HoldingsTable;
use richman_analysis::table::TableReport;
use richman_core::{Mechanism, Player};
use svg::node::element::{Group, Path, Title};
use svg::{Document, Node};

use crate::page::{clean, label, line, rectangle, short, text_at, ticks, turned, width};
use cells::{CellResult, Cells};

/// A style sheet for heat maps, light or dark as the reader prefers.
pub const STYLE: &str = include_str!("heat/heat.css");

/// Further rows of a table are not drawn: their cells would be too small.
pub const MOST_COLUMNS: usize = 512;

const WIDTH: f64 = 360.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 46.0;
const BELOW: f64 = 44.0;
const SIDE: f64 = WIDTH - LEFT - RIGHT;
const LARGEST_CELL: f64 = 26.0;
const TEXT: f64 = 12.0;
/// Where the legend begins, so that all kinds of cells fit side by side.
const LEGEND: f64 = 12.0;

/// The owner of the star in each map of a table: Alice and Bob, or `None` once without a star.
pub fn stars(mechanism: &Mechanism) -> Vec<Option<Player>> {
    if mechanism.has_star() { Player::BOTH.map(Some).to_vec() } else { vec![None] }
}

/// The map of a chip table where `star` holds the star: totals to the right, Alice's chips upwards.
///
/// ```
/// use richman_analysis::{Request, Subject, table};
/// use richman_core::{Effort, Mechanism, Total, Unwatched};
/// use richman_render::heat;
///
/// let unfolding = Subject::named("expr:A & B^2")?.unfold(None, &Effort::default())?;
/// let mechanism = Mechanism::default();
/// let request = Request { unfolding: unfolding.as_ref(), mechanism: &mechanism, effort: Effort::default() };
/// let report = table::report(&request, Total::new(0)?..=Total::new(8)?, false)?;
/// let maps: Vec<String> = heat::stars(&mechanism).into_iter().map(|star| heat::of_totals(&report, star)).collect();
/// assert!(maps[0].contains("Alice holds the star") && maps[1].contains("Bob holds the star"));
/// # Ok::<(), richman_analysis::Error>(())
/// ```
pub fn of_totals(report: &TableReport, star: Option<Player>) -> String {
    let cells = Cells::of_totals(report, star);
    Map { cells, star, mechanism: &report.head.mechanism.0, across: "chips in the game".to_string(), up: Player::Alice }
        .svg()
}

/// The map of a table of one player's needs against the chips of `fixed`, where `star` holds the
/// star.
pub fn of_holdings(report: &HoldingsTable, fixed: Player, star: Option<Player>) -> String {
    let cells = Cells::of_holdings(report, fixed, star);
    let across = format!("{fixed}\u{2019}s chips");
    Map { cells, star, mechanism: &report.head.mechanism.0, across, up: fixed.other() }.svg()
}

struct Map<'a> {
    cells: Cells,
    star: Option<Player>,
    mechanism: &'a Mechanism,
    /// The meaning of the columns.
    across: String,
    /// The player to whom the rows' chips belong.
    up: Player,
}

/// The size of a cell.
#[derive(Clone, Copy)]
struct CellSize {
    across: f64,
    down: f64,
    /// The y coordinate of the lowest row's edge.
    bottom: f64,
}

impl Map<'_> {
    fn svg(&self) -> String {
        let (columns, rows) = (self.cells.columns.len().max(1) as f64, f64::from(self.cells.most) + 1.0);
        let (across, down) = ((SIDE / columns).min(LARGEST_CELL), (SIDE / rows).min(LARGEST_CELL));
        let size = CellSize { across, down, bottom: TOP + rows * down };
        let heading = self.heading();
        let mut document = Document::new()
            .set("class", "heat")
            .set("viewBox", (0, 0, WIDTH, short(size.bottom + BELOW)))
            .set("role", "img")
            .set("font-size", TEXT)
            .set("aria-label", clean(&format!("Heat map: {heading}. The table has the same numbers.")))
            .add(text_at(&heading, LEFT, 16.0).set("font-weight", "bold"));
        self.legend(&mut document);
        document.append(self.map(size));
        document.append(self.titles(size));
        self.axes(size, &mut document);
        document.to_string()
    }

    fn heading(&self) -> String {
        match self.star {
            Some(holder) => format!("{holder} holds the star"),
            None => "Who can force what".to_string(),
        }
    }

    fn meaning(&self, known: CellResult) -> &'static str {
        match known {
            CellResult::Alice => "Alice wins",
            CellResult::Bob => "Bob wins",
            CellResult::Neither if self.mechanism.is_determined() => "draw",
            CellResult::Neither => "neither",
            CellResult::Nothing => "not known",
        }
    }

    fn legend(&self, document: &mut Document) {
        let mut x = LEGEND;
        for known in CellResult::ALL.into_iter().filter(|known| self.cells.has(*known)) {
            document.append(rectangle(x, 25.0, 12.0, 12.0).set("class", known.class()));
            document.append(text_at(self.meaning(known), x + 17.0, 35.0));
            x += 25.0 + width(self.meaning(known), TEXT);
        }
    }

    /// The cells, in cell units: one path for each kind.
    fn map(&self, size: CellSize) -> Group {
        let CellSize { across, down, bottom } = size;
        let place = format!("translate({LEFT} {}) scale({across} {})", short(bottom), -down);
        let map = Group::new().set("transform", place).set("shape-rendering", "crispEdges");
        let kinds = CellResult::ALL.into_iter().filter(|known| self.cells.has(*known));
        kinds.fold(map, |map, known| map.add(Path::new().set("class", known.class()).set("d", self.cells.path(known))))
    }

    /// Invisible columns with titles, for the pointer.
    fn titles(&self, size: CellSize) -> Group {
        let rectangle = |at: usize, said: &str| {
            let x = LEFT + at as f64 * size.across;
            rectangle(x, TOP, size.across, size.bottom - TOP).add(Title::new(clean(said)))
        };
        let columns = self.cells.columns.iter().enumerate();
        let group = Group::new().set("fill", "none").set("pointer-events", "all");
        columns.fold(group, |group, (at, column)| group.add(rectangle(at, &column.said)))
    }

    fn axes(&self, size: CellSize, document: &mut Document) {
        let CellSize { across, down, bottom } = size;
        let first = self.cells.columns.first().map_or(0.0, |column| f64::from(column.at));
        let columns = self.cells.columns.len() as f64;
        let right = LEFT + across * columns;
        let frame = rectangle(LEFT, TOP, right - LEFT, bottom - TOP);
        document.append(frame.set("class", "frame").set("fill", "none"));
        for (value, name) in ticks((first - 0.5, first + columns - 0.5), 8, true) {
            let x = LEFT + (value - first + 0.5) * across;
            document.append(line((x, bottom), (x, bottom + 4.0)).set("class", "frame"));
            document.append(label(&name, x, bottom + 17.0, "middle"));
        }
        for (value, name) in ticks((-0.5, f64::from(self.cells.most) + 0.5), 8, true) {
            let y = bottom - (value + 0.5) * down;
            document.append(line((LEFT - 4.0, y), (LEFT, y)).set("class", "frame"));
            document.append(label(&name, LEFT - 7.0, y + 4.0, "end"));
        }
        let cut = if self.cells.cut { format!(" (the first {MOST_COLUMNS})") } else { String::new() };
        let middle = ((LEFT + right) / 2.0).max(LEFT + 50.0);
        document.append(label(&format!("{}{cut}", self.across), middle, bottom + 36.0, "middle"));
        document.append(turned(&format!("{}\u{2019}s chips", self.up), 13.0, (TOP + bottom) / 2.0));
    }
}

#[cfg(test)]
mod tests;
