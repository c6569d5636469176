//! Databases of chess endgames with chips: classes of up to three pieces, for certain totals.
//!
//! For every class and total a folder has a file such as `KPK-20-chips.rml`. For each position and
//! holding of Alice, 0, 0*, 1, ..., a byte says who wins, and within how many moves. 0: nobody; k
//! from 1 to 127: Alice within k moves; 128 + k: Bob within k. Numbers without a position have
//! zeros.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use richman_core::{
    Arena, ArenaBuilder, ByPlayer, ChipSide, ChipSolution, Choice, DatabaseRecipe, Effort, Error, Mechanism, Move,
    Node, NumberSlice, Player, RecipeStake, Remedy, Stage, Step, StopReason, StoredLayer, Terminal, Threshold, Total,
    Unfolding, Walk, counted,
};
use richman_files::{LayerFile, LayerHead, open_store};
use richman_formats::database::{ReportRow, size};
use richman_formats::{Building, Database, DatabaseStake};
use richman_solvers::chips;
use schemars::JsonSchema;
use serde::Serialize;

use super::files::{self, classes, expected, layer, missing, name, open_file, path};
use super::{Build, ClassPlan, GAME, USUAL, index};
use crate::board::{ChessBoard, ChessClass, ChessIndex, Piece};
use crate::engine::endgames::{self, MOST_EXACT_PIECES, NumberedClasses, needed, oriented};
use crate::engine::position::placed;

const MOST_CHIPS: u32 = 64;
/// The most moves in a byte, and the offset of Bob's.
const MOST_MOVES: u8 = 127;
const BOB: u8 = 128;
/// The node of the position looked up, after the two ends.
const HERE: Node = 2;

/// A class for one total of chips.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct TotalReport {
    /// The chips in the game.
    total: u32,
    /// The most moves of a win under best play; null for a total that already existed.
    longest: Option<u32>,
    /// Bytes of its files.
    bytes: u64,
}

/// Whether databases with chips serve the mechanism.
pub fn serves(mechanism: &Mechanism) -> bool {
    *mechanism == Mechanism::default()
}

/// The class of an unfinished chess position, with the stronger player first; `None` elsewhere.
///
/// # Errors
/// [`Error::Unsupported`] for more than three pieces, and for positions that cannot be looked up.
pub fn class(walk: &dyn Walk) -> Result<Option<ChessClass>, Error> {
    let Some(board) = placed(walk)? else { return Ok(None) };
    let (class, _) = oriented(&ChessClass::of_board(&board));
    check_pieces(&class)?;
    Ok(Some(class))
}

/// Estimates the cost of a class's database for some totals.
///
/// # Errors
/// [`Error::Unsupported`] if databases do not serve the class or a total.
pub fn plan(class: &ChessClass, totals: &[Total]) -> Result<ClassPlan, Error> {
    const PACKED: u64 = 6;
    const IN_A_SECOND: u64 = 3_000_000;
    check_pieces(class)?;
    let most = totals.iter().map(|total| total.chips()).max().unwrap_or(0);
    if most > MOST_CHIPS {
        let what = format!("a database of chess with {most} chips");
        return Err(Error::unsupported(what, format!("totals up to {MOST_CHIPS}")));
    }
    let plan = super::plan(class)?;
    let numbers = plan.positions * totals.iter().map(|&total| u64::from(total.unreachable())).sum::<u64>();
    let memory = plan.positions * bytes_of_a_position(totals);
    Ok(ClassPlan { memory, disk: numbers / PACKED, seconds: numbers / IN_A_SECOND, ..plan })
}

/// Bytes per position while one of some totals is solved or proved.
pub fn bytes_of_a_position(totals: &[Total]) -> u64 {
    const BYTES: u64 = 500;
    const BYTES_OF_A_HOLDING: u64 = 30;
    let most = totals.iter().map(|total| total.unreachable()).max().unwrap_or(0);
    BYTES + BYTES_OF_A_HOLDING * u64::from(most)
}

fn check_pieces(class: &ChessClass) -> Result<(), Error> {
    if class.pieces() <= MOST_EXACT_PIECES {
        return Ok(());
    }
    let what = format!("a database of {class} with chips");
    let serves = "classes of up to three pieces, such as KPK; those of four in real money".to_string();
    Err(Error::Unsupported { what, serves, remedies: vec![Remedy::LeaveOut(Choice::CHIPS)] })
}

fn head(index: &ChessIndex, total: Total) -> LayerHead {
    let lanes = total.unreachable(); // the number of a player's holdings
    LayerHead { layer: layer(index.class(), &part(total)), lanes, width: 1, count: index.size() * u64::from(lanes) }
}

/// The part of a file's name that gives the total.
pub fn part(total: Total) -> String {
    format!("-{total}-chips")
}

fn open(folder: &Path, index: &ChessIndex, total: Total) -> Result<LayerFile, Error> {
    let wanted = head(index, total);
    open_file(&path(folder, index.class(), &part(total)), &recipe(index), |found| found == wanted)
}

fn recipe(index: &ChessIndex) -> DatabaseRecipe {
    files::recipe(index.class(), RecipeStake::Chips(None))
}

/// Builds a class and those it can become for some totals, or resumes. Calls `each` per complete
/// total.
///
/// # Errors
/// [`Error::Unsupported`] for totals above the limit, more than three pieces, or wins too long for
/// a byte; [`Error::Storage`] if files cannot be read or written; [`Error::TooMuchDisk`];
/// [`Error::TooMuchMemory`]; [`Error::Cancelled`].
pub fn build(task: &Build, totals: &[Total], each: &mut dyn FnMut(ReportRow)) -> Result<(), Error> {
    let plan = plan(task.class, totals)?;
    task.check(&plan)?;
    let stake = DatabaseStake::Chips(totals.to_vec());
    let classes = needed(task.class);
    let name = |class: &ChessClass, total: Total| name(class, &part(total));
    let all = classes.iter().flat_map(|class| totals.iter().map(move |&total| name(class, total)));
    let folder = task.folder()?;
    let mut building = Building::begin(task.store, Database::new(GAME.to_string(), stake), all)?;
    let mut known: Option<(Arena, NumberedClasses)> = None;
    let mut used = 0;
    for (done, &total) in (0..).zip(totals) {
        task.effort.watch.progress("totals", done, Some(totals.len() as u64));
        let has =
            |all: bool, class: &ChessClass| Ok::<_, Error>(all & building.has(&name(class, total), LayerFile::check)?);
        let longest = if classes.iter().try_fold(true, has)? {
            for class in &classes {
                open(folder, &index(class)?, total)?;
            }
            None
        } else {
            let (arena, nodes) = match &mut known {
                Some(known) => known,
                none => none.insert(endgames::arena(&classes, USUAL, &task.effort)?),
            };
            let effort = Effort { held: task.effort.held + arena.bytes(), ..task.effort };
            let solution = chips::solve(arena, &Mechanism::default(), total, &effort)?;
            for (index, first) in nodes.values() {
                write(&mut building, index, *first, &solution)?;
            }
            Some(solution.wins.iter().map(longest).max().unwrap_or(0))
        };
        building.write()?;
        let bytes = |class| std::fs::metadata(building.path(&name(class, total))).map_or(0, |about| about.len());
        let bytes = classes.iter().map(bytes).sum();
        let total = total.chips();
        let within = |longest: u32| format!("every win within {}", counted(longest.into(), "move"));
        let how = longest.map_or("was there".to_string(), within);
        let words = format!("{:>10}: {how}; {}\n", counted(total.into(), "chip"), size(bytes));
        each(ReportRow::new(&TotalReport { total, longest, bytes }, words));
        used += bytes;
        task.check_disk(used)?;
    }
    Ok(())
}

/// The most moves of a player's win.
fn longest(side: &ChipSide) -> u32 {
    let last = (0..side.len() as Node).filter_map(|node| side.stages(node).last());
    last.map(|stage| stage.within).max().unwrap_or(0)
}

fn write(into: &mut Building, index: &ChessIndex, first: Node, solution: &ChipSolution) -> Result<(), Error> {
    let head = head(index, solution.total);
    let mut bytes = vec![0; head.count as usize];
    for (node, bytes) in (first..).zip(bytes.chunks_exact_mut(head.lanes as usize)) {
        encode(solution.wins.as_ref().map(|side| side.stages(node)), bytes)?;
    }
    let name = name(index.class(), &part(solution.total));
    files::write(into, &name, head, NumberSlice::One(&bytes))
}

/// Writes who wins and within how many moves, for every holding of Alice, into zeroed bytes.
fn encode(sides: ByPlayer<&[Stage]>, bytes: &mut [u8]) -> Result<(), Error> {
    for (player, stages) in Player::BOTH.into_iter().zip(sides) {
        // The least holding that wins so far.
        let mut won = bytes.len();
        for Stage { within, threshold } in stages {
            let moves = u8::try_from(*within).ok().filter(|&moves| moves <= MOST_MOVES);
            let moves = moves.ok_or_else(|| {
                let what = format!("a database with a win that takes {within} moves");
                Error::unsupported(what, format!("wins within {MOST_MOVES} moves: build smaller totals"))
            })?;
            // If the winner of a bid chooses, sufficient holdings are upward closed
            // (`Threshold::at`).
            let least = (threshold.plain + threshold.star) as usize;
            match player {
                Player::Alice => bytes[least..won].fill(moves),
                Player::Bob => {
                    let other = bytes.len();
                    bytes[other - won..other - least].fill(BOB + moves);
                }
            }
            won = least;
        }
    }
    Ok(())
}

/// The stages of both players, from the bytes of a position; `None` for bytes that no build writes.
fn decode(bytes: &[u8]) -> Option<ByPlayer<Vec<Stage>>> {
    let alice: Vec<u8> = bytes.iter().rev().copied().take_while(|byte| (1..=MOST_MOVES).contains(byte)).collect();
    let bob: Vec<u8> = bytes.iter().take_while(|&&byte| byte > BOB).map(|byte| byte - BOB).collect();
    let nobody = bytes.get(bob.len()..bytes.len() - alice.len())?;
    // Both start from the player's largest holding.
    let stages = |moves: Vec<u8>| {
        let mut stages: Vec<Stage> = Vec::new();
        for (moves, holding) in moves.into_iter().zip((0..bytes.len() as u32).rev()) {
            let stage = Stage { within: moves.into(), threshold: Threshold::at(holding) };
            match stages.last_mut() {
                Some(last) if last.within > stage.within => return None,
                Some(last) if last.within == stage.within => *last = stage,
                _ => stages.push(stage),
            }
        }
        Some(stages)
    };
    if nobody.iter().any(|&byte| byte != 0) {
        return None;
    }
    Some(ByPlayer::new(stages(alice)?, stages(bob)?))
}

/// What Alice and Bob can force at every position.
type ForcedChips = ByPlayer<Vec<Vec<Stage>>>;

/// At the two ends, Alice's win and Bob's.
fn told_at_ends() -> ForcedChips {
    let won = || vec![Stage { within: 0, threshold: Threshold::NOTHING }];
    ByPlayer::new(vec![won(), Vec::new()], vec![Vec::new(), won()])
}

fn add(told: &mut ForcedChips, stages: ByPlayer<Vec<Stage>>) {
    told.iter_mut().zip(stages).for_each(|(told, stages)| told.push(stages));
}

fn solution(told: &ForcedChips, total: Total) -> ChipSolution {
    let wins = told.as_ref().map(|stages| ChipSide::new(stages));
    let stop = StopReason::FixedPoint { moves: longest(&wins.alice).max(longest(&wins.bob)) };
    ChipSolution { total, mechanism: Mechanism::default(), wins, guards: None, stop }
}

/// A database of classes with chips.
pub struct ChipEndgames {
    folder: PathBuf,
    totals: Vec<Total>,
    about: Database,
}

richman_core::debug_by_name!(ChipEndgames {});

impl ChipEndgames {
    /// Opens a folder; `None` if it is a database of another game or of real money.
    ///
    /// # Errors
    /// [`Error::Storage`] if the folder is not a database or `database.json` cannot be read.
    pub fn open(place: &Path) -> Result<Option<ChipEndgames>, Error> {
        let store = open_store(place)?;
        let about = Database::open(store.as_ref())?;
        let DatabaseStake::Chips(totals) = &about.stake else { return Ok(None) };
        let totals = totals.clone();
        if about.game != GAME {
            return Ok(None);
        }
        Ok(Some(ChipEndgames { folder: richman_files::folder(store.as_ref())?.to_path_buf(), totals, about }))
    }

    /// The totals it covers.
    pub fn totals(&self) -> &[Total] {
        &self.totals
    }

    /// A position and its successors, with what both players can force there; `None` if the game is
    /// over.
    ///
    /// # Errors
    /// [`Error::Storage`] for totals and classes that are missing or damaged;
    /// [`Error::Unsupported`] for more than three pieces, and for positions that cannot be looked
    /// up.
    pub fn around<'a>(
        &self,
        walk: &'a dyn Walk,
        total: Total,
    ) -> Result<Option<(OnePlyGame<'a>, ChipSolution)>, Error> {
        let Some(board) = placed(walk)? else { return Ok(None) };
        if !self.totals.contains(&total) {
            return Err(self.about.has_not(&self.folder, Some(total)));
        }
        let mut told = told_at_ends();
        add(&mut told, self.look_up(&board, total)?);
        let (around, next) = OnePlyGame::new(walk, &board)?;
        for board in &next {
            add(&mut told, self.look_up(board, total)?);
        }
        Ok(Some((around, solution(&told, total))))
    }

    /// The classes that have a file for every total.
    ///
    /// # Errors
    /// [`Error::Storage`] for classes with files for some totals only, and for damaged files.
    pub fn classes(&self) -> Result<Vec<ChessClass>, Error> {
        let files = expected(&self.folder, &self.about)?;
        let mut found = BTreeSet::new();
        for &total in &self.totals {
            found.extend(classes(&files, &part(total)).into_iter().filter(|class| class.pieces() <= MOST_EXACT_PIECES));
        }
        for &total in &self.totals {
            for class in &found {
                open(&self.folder, &index(class)?, total)?;
            }
        }
        Ok(found.into_iter().collect())
    }

    /// The files' claims for all positions of some classes; their nodes follow the two ends. The
    /// inner error is the first node with bytes that no build writes.
    ///
    /// # Errors
    /// [`Error::Storage`] for files that are missing or damaged.
    pub fn told(&self, indices: &[ChessIndex], total: Total) -> Result<Result<ChipSolution, Node>, Error> {
        let mut told = told_at_ends();
        for index in indices {
            let file = open(&self.folder, index, total)?;
            let mut bytes = Vec::new();
            file.read(0, file.len() as usize, &mut bytes)?;
            for bytes in bytes.chunks_exact(total.unreachable() as usize) {
                let Some(sides) = decode(bytes) else { return Ok(Err(told.alice.len() as Node)) };
                add(&mut told, sides);
            }
        }
        Ok(Ok(solution(&told, total)))
    }

    fn look_up(&self, board: &ChessBoard, total: Total) -> Result<ByPlayer<Vec<Stage>>, Error> {
        let (class, exchanged) = oriented(&ChessClass::of_board(board));
        check_pieces(&class)?;
        let index = index(&class)?;
        let path = path(&self.folder, &class, &part(total));
        if !self.about.lists(&name(&class, &part(total))) {
            return Err(missing(&path, &recipe(&index)));
        }
        let count = total.unreachable();
        let rank = index.rank(&if exchanged { board.exchanged() } else { *board });
        let mut bytes = Vec::new();
        open(&self.folder, &index, total)?.read(rank * u64::from(count), count as usize, &mut bytes)?;
        let Some(sides) = decode(&bytes) else {
            let at = board.notation();
            let what = format!("{} is wrong at {at}: delete it and build again", path.display());
            return Err(Error::Storage { what });
        };
        Ok(if exchanged { sides.swapped() } else { sides })
    }
}

/// A position and its successors, as an unfolded game. Only the position's own moves, and whether
/// play can return to it, are real.
pub struct OnePlyGame<'a> {
    walk: &'a dyn Walk,
    /// The number of positions of its class.
    pub class_positions: u64,
    arena: Arena,
    moves: ByPlayer<Vec<Move>>,
}

richman_core::debug_by_name!(OnePlyGame<'_> {});

impl<'a> OnePlyGame<'a> {
    /// The unfolded game, and the positions after the moves, whose nodes follow the position's.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the class has no numbering.
    pub fn new(walk: &'a dyn Walk, board: &ChessBoard) -> Result<(OnePlyGame<'a>, Vec<ChessBoard>), Error> {
        let mut next: Vec<ChessBoard> = Vec::new();
        let moves = ByPlayer::from_fn(|player| {
            let made = board.moves(player).into_iter().map(|made| {
                let after = board.after(player, made);
                let to = after.winner().map_or_else(
                    || {
                        next.push(after);
                        HERE + next.len() as Node
                    },
                    |winner| winner as Node,
                );
                Move { name: board.name(player, made), to, label: () }
            });
            made.collect::<Vec<_>>()
        });
        let mut builder = ArenaBuilder::new();
        let [won, lost] = Player::BOTH.map(|player| builder.terminal(Terminal::Win(player)));
        let ByPlayer { alice, bob } =
            moves.as_ref().map(|moves| moves.iter().map(|step| step.to).collect::<Vec<Node>>());
        builder.position(&alice, &bob);
        for after in &next {
            // A piece that took nothing can go back, except pawns.
            let can_return = after.occupied().count_ones() == board.occupied().count_ones()
                && after.of_kind(Piece::Pawn) == board.of_kind(Piece::Pawn);
            if can_return {
                builder.position(&[HERE], &[HERE])
            } else {
                builder.position(&[won], &[lost])
            };
        }
        let class_positions = index(&oriented(&ChessClass::of_board(board)).0)?.positions();
        Ok((OnePlyGame { walk, class_positions, arena: builder.build(HERE)?, moves }, next))
    }
}

fn no_line() -> Error {
    let remedies = vec![Remedy::LeaveOut(Choice::TRACE), Remedy::LeaveOut(Choice::DATABASE)];
    let [what, serves] = ["a line of play from a database", "one move after the other"].map(str::to_string);
    Error::Unsupported { what, serves, remedies }
}

impl Unfolding for OnePlyGame<'_> {
    fn game(&self) -> String {
        self.walk.game()
    }

    fn arena(&self) -> &Arena {
        &self.arena
    }

    fn bytes(&self) -> u64 {
        self.arena.bytes()
    }

    fn notation(&self, _: Node) -> String {
        self.walk.notation()
    }

    fn picture(&self, _: Node) -> String {
        self.walk.picture()
    }

    fn moves(&self, node: Node, player: Player) -> Vec<Move> {
        if node == HERE { self.moves[player].clone() } else { Vec::new() }
    }

    fn steps(&self, notation: &str, player: Player) -> Result<Vec<Step>, Error> {
        self.node(notation)?;
        let after: HashMap<String, String> =
            self.walk.after_moves(player).into_iter().map(|(name, walk)| (name, walk.notation())).collect();
        let step = |step: &Move| Some(Step { step: step.clone(), notation: after.get(&step.name)?.clone() });
        self.moves[player].iter().map(step).collect::<Option<_>>().ok_or_else(no_line)
    }

    fn node(&self, notation: &str) -> Result<Node, Error> {
        if notation == self.walk.notation() { Ok(HERE) } else { Err(no_line()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        let stage = |within: u32, least: u32| Stage { within, threshold: Threshold::at(least) };
        let alice = vec![stage(1, 7), stage(3, 5), stage(127, 4)];
        let bob = vec![stage(2, 6)];
        let mut bytes = [0; 8];
        encode(ByPlayer::new(&alice, &bob), &mut bytes).unwrap();
        assert_eq!(bytes, [130, 130, 0, 0, 127, 3, 3, 1]);
        assert_eq!(decode(&bytes), Some(ByPlayer { alice, bob }));
        let error = encode(ByPlayer::new(&[stage(128, 7)], &[]), &mut [0; 8]).unwrap_err().to_string();
        assert!(error.contains("a win that takes 128 moves") && error.contains("smaller totals"), "{error}");
        for wrong in [
            [0, 0, 0, 0, 0, 0, 1, 2],
            [0, 0, 1, 0, 0, 0, 0, 1],
            [128, 0, 0, 0, 0, 0, 0, 0],
            [131, 130, 0, 0, 0, 0, 0, 0],
        ] {
            assert_eq!(decode(&wrong), None, "{wrong:?}");
        }
    }
}
