//! Finds games by their name on the command line.

use std::any::Any;

use richman_core::{Aim, Effort, Error, Game, Objective, Playable, Unfolding, Walk, Walker, WinLose, excerpt};

use crate::parameters::{Parameters, nearest};
use crate::{Expr, GAMES, GameError, expr};

/// A game with any type of position.
pub trait AnyGame<L: Objective = WinLose>: Send + Sync {
    /// The name with the parameters that differ from their defaults; [`find`] turns it back into
    /// this game.
    fn name(&self) -> String;

    /// The arena of all positions that can follow `position`, by default the start.
    ///
    /// # Errors
    /// [`Error::BadPosition`] for text that is not a position; otherwise the errors of
    /// [`richman_core::unfold`], such as an arena above the effort.
    fn unfold(&self, position: Option<&str>, effort: &Effort) -> Result<Box<dyn Unfolding<L>>, Error>;

    /// The game at `position`, by default the start, to be walked move by move.
    ///
    /// # Errors
    /// [`Error::BadPosition`] for text that is not a position.
    fn walk(&self, position: Option<&str>) -> Result<Box<dyn Walk>, Error>;
}

impl<L: Playable, G: Game<L> + Clone + 'static> AnyGame<L> for G {
    fn name(&self) -> String {
        Game::name(self)
    }

    fn unfold(&self, position: Option<&str>, effort: &Effort) -> Result<Box<dyn Unfolding<L>>, Error> {
        let start = position.map_or_else(|| Ok(self.start()), |text| self.parse(text))?;
        Ok(Box::new(richman_core::unfold(self.clone(), start, effort)?))
    }

    fn walk(&self, position: Option<&str>) -> Result<Box<dyn Walk>, Error> {
        let start = position.map_or_else(|| Ok(self.start()), |text| self.parse(text))?;
        Ok(Box::new(Walker::new(self.clone(), start)))
    }
}

/// A game whose objective is not part of its type.
trait PlayedGame: Any + Send + Sync {
    fn aim(&self) -> Aim;
    fn name(&self) -> String;
    fn walk(&self, position: Option<&str>) -> Result<Box<dyn Walk>, Error>;
}

impl<L: Playable> PlayedGame for Box<dyn AnyGame<L>> {
    fn aim(&self) -> Aim {
        L::AIM
    }

    fn name(&self) -> String {
        self.as_ref().name()
    }

    fn walk(&self, position: Option<&str>) -> Result<Box<dyn Walk>, Error> {
        self.as_ref().walk(position)
    }
}

/// A game with any objective.
pub struct ErasedGame(Box<dyn PlayedGame>);

impl<L: Playable> From<Box<dyn AnyGame<L>>> for ErasedGame {
    fn from(game: Box<dyn AnyGame<L>>) -> ErasedGame {
        ErasedGame(Box::new(game))
    }
}

impl ErasedGame {
    /// A game with objective `L`.
    pub fn new<L: Playable>(game: impl AnyGame<L> + 'static) -> ErasedGame {
        let game: Box<dyn AnyGame<L>> = Box::new(game);
        game.into()
    }

    /// The name with the parameters that differ from their defaults; [`find`] turns it back into
    /// this game.
    pub fn name(&self) -> String {
        self.0.name()
    }

    /// The aim of the game.
    pub fn aim(&self) -> Aim {
        self.0.aim()
    }

    /// The game at `position`, by default the start, to be walked move by move.
    ///
    /// # Errors
    /// [`Error::BadPosition`] for text that is not a position.
    pub fn walk(&self, position: Option<&str>) -> Result<Box<dyn Walk>, Error> {
        self.0.walk(position)
    }

    /// The game, if its objective is `L`.
    ///
    /// # Errors
    /// [`GameError::OtherAim`] otherwise.
    pub fn played_for<L: Playable>(&self) -> Result<&dyn AnyGame<L>, GameError> {
        let game: &dyn Any = self.0.as_ref();
        let game = game.downcast_ref::<Box<dyn AnyGame<L>>>().map(Box::as_ref);
        game.ok_or_else(|| GameError::OtherAim { name: excerpt(&self.name()), aim: self.aim() })
    }
}

/// A game in the list of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameInfo {
    /// The name without parameters.
    pub name: &'static str,
    /// The parameters with their defaults, as written after the name and a colon.
    pub parameters: &'static str,
    /// The game in one line.
    pub description: &'static str,
    /// Suitable chips per player for a match: the more moves a game has, the finer bids should be.
    pub chips: u32,
    /// Further rules for people who play; empty if the description says everything.
    pub rules: &'static str,
}

/// A game and the function that builds it from the parameters given.
pub(crate) struct GameEntry {
    pub(crate) info: GameInfo,
    pub(crate) build: fn(&Parameters) -> Result<ErasedGame, GameError>,
}

/// The game that `spec` names: `NAME[:key=value,...]` or `expr:EXPRESSION`, names and keys in any
/// case.
///
/// Time and memory are at most proportional to the length of `spec`, whatever its numbers: nothing
/// is unfolded.
///
/// # Errors
/// A [`GameError`] that says what to write instead.
///
/// ```
/// use richman_core::Scores;
/// let game = richman_games::find("connect:line=3,cols=3,rows=3")?;
/// assert_eq!(game.name(), "connect:rows=3,cols=3,line=3");
/// assert!(game.played_for::<Scores>().is_err());
/// let error = richman_games::find("tictactoe").err().unwrap();
/// assert!(error.to_string().contains("did you mean \"tic-tac-toe\"?"));
/// # Ok::<(), richman_games::GameError>(())
/// ```
pub fn find(spec: &str) -> Result<ErasedGame, GameError> {
    const LONGEST_SPEC: usize = expr::LONGEST_TEXT + 1024;
    if spec.len() > LONGEST_SPEC {
        return Err(GameError::TooLong { length: spec.len(), limit: LONGEST_SPEC });
    }
    let (name, rest) = spec.split_once(':').map_or((spec, None), |(name, rest)| (name, Some(rest)));
    let name = name.trim();
    if name.eq_ignore_ascii_case(expr::INFO.name) {
        return Ok(ErasedGame::new(Expr::parse(rest.unwrap_or_default())?));
    }
    if let Some(entry) = GAMES.iter().find(|entry| entry.info.name.eq_ignore_ascii_case(name)) {
        return (entry.build)(&Parameters::parse(rest, &entry.info)?);
    }
    let known: Vec<&str> = list().iter().map(|info| info.name).collect();
    Err(GameError::UnknownGame {
        name: excerpt(name),
        nearest: nearest(&name.to_ascii_lowercase(), known.iter().copied()),
        known: known.join(", "),
    })
}

/// All games, in listing order.
pub fn list() -> Vec<GameInfo> {
    GAMES.iter().map(|entry| entry.info).chain([expr::INFO]).collect()
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use std::time::{Duration, Instant};

    use richman_core::Scores;

    use super::*;

    fn error(spec: &str) -> GameError {
        find(spec).err().unwrap_or_else(|| panic!("{spec:?} was accepted"))
    }

    fn found(spec: &str) -> (String, String) {
        let game = find(spec).unwrap_or_else(|error| panic!("{spec:?}: {error}"));
        (game.name(), game.walk(None).unwrap().start())
    }

    fn name(spec: &str) -> String {
        found(spec).0
    }

    #[test]
    fn listed_defaults_are_the_defaults() {
        for info in list().iter().filter(|info| info.name != "expr") {
            assert_eq!(name(info.name), info.name);
            assert_eq!(name(&format!("{}:{}", info.name, info.parameters)), info.name);
        }
    }

    #[test]
    fn a_game_is_played_for_one_thing() {
        let error = find("subtraction").unwrap().played_for::<WinLose>().err().unwrap();
        assert_eq!(error.to_string(), "subtraction is played for a score: use richman scores");
        let error = find("connect").unwrap().played_for::<Scores>().err().unwrap();
        assert_eq!(error.to_string(), "connect is played to win: use richman solve or richman table");
    }

    #[test]
    fn names_carry_only_what_differs_and_parse_back() {
        for (spec, expected) in [
            ("tic-tac-toe:line=3", "tic-tac-toe"),
            ("tic-tac-toe: rows = 04 ", "tic-tac-toe:rows=4"),
            ("tic-tac-toe:line=2,rows=2", "tic-tac-toe:rows=2,line=2"),
            ("tic-tac-toe:line=99", "tic-tac-toe:line=99"),
            ("connect:rows=3,cols=3,line=3", "connect:rows=3,cols=3,line=3"),
            ("tug-of-war:length=8", "tug-of-war:length=8"),
            ("tug-of-war:length=8,at=4", "tug-of-war:length=8"),
            ("tug-of-war:length=8,at=3", "tug-of-war:length=8,at=3"),
            ("tug-of-war:length=7", "tug-of-war:length=7"),
            ("tug-of-war:at=2", "tug-of-war:at=2"),
            ("tug-of-war:length=6,at=6", "tug-of-war:at=6"),
            ("ultimatum:degree=10000000", "ultimatum:degree=10000000"),
            ("subtraction:heap=9", "subtraction"),
            ("subtraction: set = 5+1+05", "subtraction:set=1+5"),
            ("subtraction:set=2,heap=0", "subtraction:heap=0,set=2"),
            ("expr:(A&B^2)&B", "expr:(A & B^2) & B"),
            ("expr: ~(A & B^2)", "expr:B & A^2"),
            ("Tic-Tac-Toe:Rows=4", "tic-tac-toe:rows=4"),
            ("SUBTRACTION:SET=1+5", "subtraction:set=1+5"),
            ("Chess:Pieces=krk", "chess:pieces=KRK"),
            ("chess:pieces=ALL", "chess"),
            ("EXPR:(A&B^2)&B", "expr:(A & B^2) & B"),
        ] {
            assert_eq!(name(spec), expected, "{spec}");
            assert_eq!(name(expected), expected);
            assert_eq!(found(spec).1, found(expected).1);
        }
    }

    #[test]
    fn errors_name_the_mistake_and_the_way_out() {
        for (spec, expected) in [
            ("", "there is no game \"\": the games are tic-tac-toe, connect, "),
            ("", "subtraction, expr"),
            ("conect", "did you mean \"connect\"?"),
            ("zzzzzzzz", "there is no game \"zzzzzzzz\": the games are"),
            ("connect:row=3", "(did you mean \"rows\"?): its parameters are rows=6,cols=7,line=4"),
            ("ultimatum:size=3", "ultimatum has no parameter \"size\": its parameters are degree=3"),
            ("connect:rows=3,rows=3", "the parameter rows of connect is given twice"),
            ("connect:", "\"\" is not a parameter of connect: write key=value pairs"),
            ("connect:rows", "\"rows\" is not a parameter of connect"),
            (
                "connect:rows=",
                "the parameter rows of connect has no value: write one, such as connect:rows=6,cols=7,line=4",
            ),
            (
                "subtraction:set=",
                "the parameter set of subtraction has no value: write one, such as subtraction:heap=9,set=1",
            ),
            ("connect:rows=3,", "\"\" is not a parameter of connect"),
            ("connect:rows=three", "rows=three is not a number: write a whole number from 1 to 63"),
            ("connect:rows=+3", "rows=+3 is not a number"),
            ("connect:rows=0", "rows=0 is out of range: write a whole number from 1 to 63"),
            ("connect:rows=-1", "rows=-1 is out of range"),
            ("connect:cols=99999999999999999999999", "is out of range: write a whole number from 1 to 32"),
            ("connect:line=0", "line=0 is out of range"),
            ("tic-tac-toe:rows=8,cols=8", "with rows=8 write cols from 1 to 7"),
            ("tug-of-war:length=0", "from 1 to 10000000"),
            ("tug-of-war:length=5,at=6", "at=6 is out of range: write a whole number from 0 to 5"),
            ("ultimatum:degree=10000001", "from 1 to 10000000"),
            ("subtraction:heap=-1", "heap=-1 is out of range: write a whole number from 0 to"),
            ("subtraction:set=0", "set=0 is not a subtraction set: write numbers from 1 to"),
            ("subtraction:set=1+", "set=1+ is not a subtraction set"),
            ("subtraction:set=-1", "set=-1 is not a subtraction set"),
            ("subtraction:set=99999999999", "set=99999999999 is not a subtraction set"),
            ("expr", "an expression is missing"),
            ("expr:A &", "byte 3"),
        ] {
            let message = error(spec).to_string();
            assert!(message.contains(expected), "{spec:?} gave {message:?}");
        }
        assert!(matches!(error(&"x".repeat(3 << 20)), GameError::TooLong { .. }));
        assert!(error(&"x".repeat(1 << 20)).to_string().len() < 300);
        assert!(error(&format!("connect:rows={}", "9".repeat(1 << 20))).to_string().len() < 300);
        assert!(error(&format!("connect:{}", ",".repeat(1 << 20))).to_string().len() < 300);
    }

    #[test]
    fn mutated_names_neither_panic_nor_take_long() {
        let seeds = [
            "tic-tac-toe:rows=3,cols=3,line=3",
            "connect:rows=6,cols=7,line=4",
            "tug-of-war:length=6,at=3",
            "ultimatum:degree=3",
            "subtraction:heap=20,set=1+3+5",
            "expr:(A & B^2) & ~(B & (E & A^31))",
        ];
        let alphabet: Vec<char> = "ABE&~^() =,:-09123456789ahlstrouwé\u{1f600}\n\0".chars().collect();
        let mut random = Rng::with_seed(0x9e37_79b9_7f4a_7c15);
        let began = Instant::now();
        let mut accepted = 0;
        for round in 0..20_000 {
            let mut text: Vec<char> = seeds[round % seeds.len()].chars().collect();
            for _ in 0..random.u64(..4) {
                let at = random.u64(..text.len() as u64 + 1) as usize;
                let letter = alphabet[random.u64(..alphabet.len() as u64) as usize];
                match random.u64(..4) {
                    0 => text.insert(at, letter),
                    1 if at < text.len() => text[at] = letter,
                    2 if at < text.len() => drop(text.remove(at)),
                    _ => {
                        let piece = text[at.saturating_sub(5)..at].to_vec();
                        text.extend(piece);
                    }
                }
            }
            let spec: String = text.into_iter().collect();
            match find(&spec) {
                Ok(_) => {
                    accepted += 1;
                    let (name, start) = found(&spec);
                    assert_eq!(found(&name), (name, start), "{spec:?}");
                }
                Err(error) => assert!(error.to_string().len() < 1000, "{spec:?}"),
            }
        }
        assert!(accepted > 1000, "only {accepted} texts were games");
        assert!(began.elapsed() < Duration::from_secs(60), "took {:?}", began.elapsed());
    }
}
