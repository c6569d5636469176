//! How text is laid out in lines.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement, Row, Table};
use textwrap::core::display_width;
use textwrap::{Options, WordSeparator, WordSplitter};

/// The width of a text; `None` if each line is a sentence or a row, however long.
#[derive(Debug, Clone, Copy, Default)]
pub struct Layout {
    /// The most columns of a line.
    pub width: Option<usize>,
}

impl Layout {
    /// Rows of cells as aligned lines, with long cells wrapped. All columns align left.
    pub fn columns<R: Into<Row>>(self, rows: impl IntoIterator<Item = R>) -> String {
        self.aligned(rows, usize::MAX)
    }

    /// Rows of cells as aligned lines, with long cells wrapped. Columns before column `right` align
    /// left, the others right.
    pub fn aligned<R: Into<Row>>(self, rows: impl IntoIterator<Item = R>, right: usize) -> String {
        let mut table = Table::new();
        table.load_style(NOTHING).add_rows(rows);
        for column in table.column_iter_mut().skip(right) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        if let Some(width) = self.width {
            table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width.try_into().unwrap_or(u16::MAX));
        }
        table.lines().map(|line| line.trim_end().to_string() + "\n").collect()
    }

    /// Rows of text as aligned lines if these are short enough. Otherwise each row is an entry: its
    /// first two cells, and below them the others, after their headers.
    pub fn entries<const N: usize>(self, header: [&str; N], rows: Vec<[String; N]>) -> String {
        const GAP: usize = 2;
        let widest = |at: usize| rows.iter().map(|row| display_width(&row[at])).max().unwrap_or(0) + GAP;
        if self.width.is_none_or(|width| (0..N).map(widest).sum::<usize>() <= width) {
            return self.columns([header.map(str::to_string)].into_iter().chain(rows));
        }
        let mut text = String::new();
        for row in &rows {
            text += &format!("{}\n", row[..2].join("  "));
            for (header, cell) in header.iter().zip(row).skip(2).filter(|(_, cell)| !cell.is_empty()) {
                let header = if header.is_empty() { String::new() } else { format!("{header}: ") };
                text += &format!("  {header}{cell}\n");
            }
        }
        text
    }

    /// Appends a right-aligned table. If it is wider than the text, it is split into several, each
    /// with the first column.
    pub(crate) fn split(self, text: &mut String, lines: Vec<Vec<String>>) {
        const GAP: usize = 2;
        let columns = lines.first().map_or(0, Vec::len);
        let width = |at: usize| lines.iter().filter_map(|line| line.get(at)).map(|cell| cell.chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|at| width(at).unwrap_or(0) + GAP).collect();
        let most = self.width.unwrap_or(usize::MAX);
        let mut from = 1.min(columns);
        while from < columns {
            let mut used = widths[0];
            let fits = |&at: &usize| {
                used += widths[at];
                used <= most
            };
            let to = from + (from..columns).take_while(fits).count().max(1);
            if from > 1 {
                text.push('\n');
            }
            text.push_str(&self.aligned(lines.iter().map(|line| [&line[..1], &line[from..to]].concat()), 0));
            from = to;
        }
    }

    /// Wraps long lines. The continuation is indented like its line, and continues the branches of
    /// a tree.
    pub fn wrapped(self, text: &str) -> String {
        let Some(width) = self.width else { return text.to_string() };
        let mut all = String::with_capacity(text.len());
        for line in text.lines() {
            if display_width(line) <= width {
                all.push_str(line);
            } else {
                let stem = line.chars().take_while(|c| " │├└─".contains(*c));
                let below = stem.map(|c| if "│├".contains(c) { '│' } else { ' ' }).chain("  ".chars());
                let below: String = below.take(width / 2).collect();
                let options = Options::new(width)
                    .subsequent_indent(&below)
                    .word_separator(WordSeparator::AsciiSpace)
                    .word_splitter(WordSplitter::NoHyphenation);
                all.push_str(&textwrap::fill(line, options));
            }
            all.push('\n');
        }
        all
    }
}
