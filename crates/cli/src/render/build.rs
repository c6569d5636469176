//! Databases for people.

use std::fmt::Write;
use std::path::Path;

use bytesize::ByteSize;
use richman_analysis::ShareJson;
use richman_analysis::databases::Proved;
use richman_chess::engine::database::chips::TotalReport;
use richman_chess::engine::database::{ClassPlan, ClassReport, Gap, Survey};
use richman_lines::engine::database::{BuildPlan, LayerReport};
use richman_render::words::counted;
use serde::Serialize;

/// Bounds that `richman build` makes are no wider.
const USUAL_WIDTH: f64 = 1.0 / (1_u64 << 40) as f64;
/// Files beside a database that are named.
const NAMED: usize = 20;

fn power_of_two(width: f64) -> String {
    if width > 0.0 { format!("2^{:.1}", width.log2()) } else { "0".to_string() }
}

fn size(bytes: &str) -> String {
    bytes.parse().map_or("more than can be counted".to_string(), |bytes| ByteSize(bytes).to_string())
}

fn time(seconds: u64) -> String {
    match seconds {
        0 | 1 => "a second".to_string(),
        seconds @ ..120 => format!("{seconds} seconds"),
        seconds @ ..7200 => format!("{} minutes", seconds / 60),
        seconds @ ..172_800 => format!("{} hours", seconds / 3600),
        seconds => format!("{} days", seconds / 86_400),
    }
}

/// What a database of chess endgames costs.
pub fn class_plan(plan: &ClassPlan) -> String {
    format!(
        "{}: {} positions in {}; about {} on two cores, {} on the disk, and {} of memory\n",
        plan.class,
        plan.positions,
        plan.classes.join(", "),
        time(plan.seconds),
        ByteSize(plan.disk),
        ByteSize(plan.memory)
    )
}

/// One class that is complete.
pub fn class_line(class: &ClassReport) -> String {
    let how = if class.exact { "exact".to_string() } else { format!("within 2^{:.0}", class.width) };
    let kept = if class.kept { "; was there" } else { "" };
    let draws = if class.draws { "; draws by best play" } else { "" };
    format!("{:>8}: {:>10} positions, {how}{draws}; {}{kept}\n", class.class, class.positions, ByteSize(class.bytes))
}

/// One total that is complete.
pub fn total_line(total: &TotalReport) -> String {
    let how = match total.longest {
        Some(moves) => format!("every win within {}", counted(moves.into(), "move")),
        None => "was there".to_string(),
    };
    format!("{:>10}: {how}; {}\n", counted(total.total.into(), "chip"), ByteSize(total.bytes))
}

/// What is remarkable about a class.
pub fn survey(survey: &Survey) -> String {
    let Survey { class, positions, quiet, mean, differ, zugzwang, .. } = survey;
    let mut text = format!("{class}: {positions} positions, in {quiet} of them nobody can take a king at once\n");
    if let (Some(easiest), Some(hardest)) = (&survey.easiest, &survey.hardest) {
        let _ = writeln!(
            text,
            "  there Alice needs {mean:.4} in the mean, least {:.6} in {}, most {:.6} in {}",
            easiest.needed, easiest.position, hardest.needed, hardest.position,
        );
    }
    let _ =
        writeln!(text, "  {differ} positions where the thresholds to win and to draw differ; {zugzwang} of zugzwang");
    if let Some(Gap { position, win, draw, .. }) = &survey.widest {
        let _ = writeln!(
            text,
            "    most in {position}: Alice wins with more than {win:.6}, Bob when she has less than {draw:.6}"
        );
    }
    for position in survey.zugzwangs.iter().take(5) {
        let _ = writeln!(text, "    {position}");
    }
    if let Some(digits) = survey.digits {
        let _ = writeln!(text, "  exact; the longest denominator has {}", counted(digits, "digit"));
    }
    if let Some(chips) = &survey.chips {
        let _ = writeln!(
            text,
            "  with {} chips she needs {:.2} in the mean; {} win in {} positions, in at most {} ({})",
            chips.total,
            chips.needed,
            chips.alice.0,
            chips.won,
            counted(chips.longest.into(), "move"),
            chips.position
        );
    }
    text
}

/// What a database costs.
pub fn plan(plan: &BuildPlan) -> String {
    let time = time(plan.seconds);
    format!(
        "{}: {} fillings of the board; about {time} on two cores, {} on the disk, and {} of memory (with less, layers are read from the disk)\n",
        plan.game,
        plan.positions,
        size(&plan.disk),
        size(&plan.memory)
    )
}

/// One layer that is complete.
pub fn layer(layer: &LayerReport) -> String {
    let how = match layer.decided {
        Some(decided) => format!("{decided} of them decided at once"),
        None => "was there".to_string(),
    };
    format!("{:>3} stones: {:>12} positions, {how}; {}\n", layer.stones, layer.positions, ByteSize(layer.bytes))
}

/// The end.
pub fn sum(layers: &[LayerReport], folder: &Path) -> String {
    let positions: u64 = layers.iter().map(|layer| layer.positions).sum();
    let bytes: u64 = layers.iter().map(|layer| layer.bytes).sum();
    format!("{positions} positions in {}: {}\n", folder.display(), ByteSize(bytes))
}

/// Whether a database is right.
#[derive(Debug, Serialize)]
pub struct Verdict {
    /// Whether every file is as it was written, and every number right.
    pub valid: bool,
    /// The first that is not, or the file that cannot be read.
    pub wrong: Option<String>,
    /// Of chess, the classes that were proved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// How narrow the thresholds of each class are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proved: Vec<Proved>,
    /// The greatest distance of bounds that was proved, as a share of all the money; null where all is exact.
    pub width: Option<ShareJson>,
    /// The same as a decimal.
    pub width_decimal: Option<f64>,
    /// What is in the folder beside the database.
    pub others: Vec<String>,
    /// Whether the database lists its files with sizes and checksums.
    pub listed: bool,
}

impl Verdict {
    /// From what was found.
    pub fn new(wrong: Option<String>, proved: Vec<Proved>, others: Vec<String>, listed: bool) -> Verdict {
        let bounds = proved.iter().filter(|class| !class.exact).map(|class| class.width.clone());
        let width = bounds.max_by(|one, other| one.0.cmp(&other.0));
        Verdict {
            valid: wrong.is_none(),
            wrong,
            classes: proved.iter().map(|class| class.class.clone()).collect(),
            proved,
            width_decimal: width.as_ref().map(|width| width.0.to_f64()),
            width,
            others,
            listed,
        }
    }

    /// In words.
    pub fn text(&self, folder: &Path) -> String {
        let folder = folder.display();
        let mut text = match &self.wrong {
            None => {
                let classes =
                    if self.classes.is_empty() { String::new() } else { format!(": {}", self.classes.join(", ")) };
                format!("valid: every number of the database in {folder}{classes}\n")
            }
            Some(wrong) => format!("WRONG: {wrong}\n"),
        };
        if let (None, Some(width)) = (&self.wrong, self.width_decimal) {
            let bounds = self.proved.iter().filter(|class| !class.exact);
            let class = |class: &Proved| format!("{} {}", class.class, power_of_two(class.width.0.to_f64()));
            let classes: Vec<String> = bounds.map(class).collect();
            let _ = writeln!(
                text,
                "Of these classes bounds are proved, and are at most so far apart: {}; the others are exact.",
                classes.join(", ")
            );
            if width > USUAL_WIDTH {
                let _ =
                    writeln!(text, "The bounds hold, but they are wider than the 2^-40 that `richman build` makes.");
            }
        }
        if !self.listed {
            let _ = writeln!(
                text,
                "This database does not list its files, so only those that its numbers need are known; the command that built it lists them."
            );
        }
        if !self.others.is_empty() {
            let (shown, more) = self.others.split_at(self.others.len().min(NAMED));
            let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
            let _ = writeln!(text, "Not part of the database, but in its folder: {}{more}", shown.join(", "));
        }
        text
    }
}
