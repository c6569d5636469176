//! The list of games: finds a game by its name on the command line.

use std::sync::{Arc, LazyLock};

use richman_core::excerpt;

use crate::parameters::{GameParameter, Parameters};
use crate::{ErasedGame, GameError, STOCK_GAMES, expr};

/// A game's entry in the list of games, for people.
///
/// ```
/// use richman_games::GameInfo;
///
/// const INFO: GameInfo = GameInfo::new("nim", "take stones from one heap").parameters("heaps=3").chips(20);
/// assert_eq!(INFO.name, "nim");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameInfo {
    /// The name without parameters: lower-case letters, digits and hyphens.
    pub name: &'static str,
    /// The parameters with their defaults, as written after the name and a colon.
    pub parameters: &'static str,
    /// The game in one line.
    pub description: &'static str,
    /// Chips per player in a match: the longer the game, the finer bids should be.
    pub chips: u32,
    /// Further rules for people; empty if the description says everything.
    pub rules: &'static str,
    /// The usual name with the default parameters, such as `Connect Four`.
    pub title: &'static str,
    /// How a position is written; empty if nothing is said.
    pub notation: &'static str,
    /// A whole name for examples and pictures, such as `hex:size=5`.
    pub example: &'static str,
    /// A position of the example under way, for pictures; empty for its start.
    pub pictured: &'static str,
}

impl GameInfo {
    /// A game without parameters, usually played with 8 chips each.
    pub const fn new(name: &'static str, description: &'static str) -> GameInfo {
        GameInfo {
            name,
            parameters: "",
            description,
            chips: 8,
            rules: "",
            title: name,
            notation: "",
            example: name,
            pictured: "",
        }
    }

    /// The same with parameters and their defaults, such as `rows=3,cols=3`.
    #[must_use]
    pub const fn parameters(self, parameters: &'static str) -> GameInfo {
        GameInfo { parameters, ..self }
    }

    /// The same with another number of chips per player for a match.
    #[must_use]
    pub const fn chips(self, chips: u32) -> GameInfo {
        GameInfo { chips, ..self }
    }

    /// The same with further rules for people.
    #[must_use]
    pub const fn rules(self, rules: &'static str) -> GameInfo {
        GameInfo { rules, ..self }
    }

    /// The same with the usual name.
    #[must_use]
    pub const fn title(self, title: &'static str) -> GameInfo {
        GameInfo { title, ..self }
    }

    /// The same with a sentence on how a position is written.
    #[must_use]
    pub const fn notation(self, notation: &'static str) -> GameInfo {
        GameInfo { notation, ..self }
    }

    /// The same with a whole name and a position of that game for examples and pictures.
    #[must_use]
    pub const fn example(self, example: &'static str, pictured: &'static str) -> GameInfo {
        GameInfo { example, pictured, ..self }
    }

    /// The description without its remarks on parameters in parentheses, for a game with chosen
    /// parameters.
    pub fn summary(&self) -> &'static str {
        self.description.split(" (").next().unwrap_or_default()
    }

    /// The summary and the further rules, in sentences.
    pub fn explanation(&self) -> String {
        let space = if self.rules.is_empty() { "" } else { " " };
        format!("{}.{space}{}", self.summary(), self.rules)
    }

    /// Whether the name has the allowed form.
    fn has_valid_name(&self) -> bool {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        self.name.starts_with(|first: char| first.is_ascii_lowercase()) && self.name.bytes().all(allowed)
    }
}

/// A game in the list of games, and the function that builds it.
#[derive(Debug, Clone, Copy)]
pub struct GameEntry {
    info: GameInfo,
    build: BuildGame,
}

#[derive(Debug, Clone, Copy)]
enum BuildGame {
    FromParameters(fn(&Parameters) -> Result<ErasedGame, GameError>),
    FromText(fn(&str) -> Result<ErasedGame, GameError>),
}

impl GameEntry {
    /// A game named `NAME[:key=value,...]`, built from these parameters. Its own name must have
    /// that form too, because saved solutions and records name their game.
    pub const fn new(info: GameInfo, build: fn(&Parameters) -> Result<ErasedGame, GameError>) -> GameEntry {
        GameEntry { info, build: BuildGame::FromParameters(build) }
    }

    /// A game named `NAME:TEXT` that reads the text itself.
    pub(crate) const fn of_text(info: GameInfo, build: fn(&str) -> Result<ErasedGame, GameError>) -> GameEntry {
        GameEntry { info, build: BuildGame::FromText(build) }
    }

    fn build(&self, rest: Option<&str>) -> Result<ErasedGame, GameError> {
        match self.build {
            BuildGame::FromParameters(build) => {
                let game = build(&Parameters::parse(rest, &self.info)?)?;
                let name = game.name();
                match split(&name).0 == self.info.name {
                    true => Ok(game),
                    false => Err(GameError::OtherName { listed: self.info.name.to_string(), name: excerpt(&name) }),
                }
            }
            BuildGame::FromText(build) => build(rest.unwrap_or_default()),
        }
    }
}

/// The games that a program can find by name. A copy shares the list.
#[derive(Debug, Clone)]
pub struct Games(Arc<[GameEntry]>);

impl Default for Games {
    /// The games of this crate.
    fn default() -> Games {
        static STOCK: LazyLock<Games> = LazyLock::new(|| Games(STOCK_GAMES.into()));
        STOCK.clone()
    }
}

impl Games {
    /// The games of this crate, followed by `own`.
    ///
    /// # Errors
    /// [`GameError::InvalidName`] for a name that is not lower-case letters, digits and hyphens;
    /// [`GameError::NameTaken`] if two games have the same name.
    pub fn with(own: impl IntoIterator<Item = GameEntry>) -> Result<Games, GameError> {
        // Not from the constant: whatever calls this would compile all games anew.
        let mut entries = Games::default().0.to_vec();
        for entry in own {
            let name = entry.info.name;
            if !entry.info.has_valid_name() {
                return Err(GameError::InvalidName { name: excerpt(name) });
            }
            if entries.iter().any(|listed| listed.info.name == name) {
                return Err(GameError::NameTaken { name: excerpt(name) });
            }
            entries.push(entry);
        }
        Ok(Games(entries.into()))
    }

    /// The game named by `spec`: `NAME[:key=value,...]` or `expr:EXPRESSION`, names and keys in any
    /// case.
    ///
    /// Time and memory are linear in the length of `spec`, whatever its numbers: nothing is
    /// unfolded.
    ///
    /// # Errors
    /// A [`GameError`] that says what to write instead.
    ///
    /// ```
    /// use richman_core::Scores;
    /// use richman_games::Games;
    ///
    /// let games = Games::default();
    /// let game = games.find("connect:line=3,cols=3,rows=3")?;
    /// assert_eq!(game.name(), "connect:rows=3,cols=3,line=3");
    /// assert!(game.played_for::<Scores>().is_err());
    /// let error = games.find("tictactoe").err().unwrap();
    /// assert!(error.to_string().contains("did you mean \"tic-tac-toe\"?"));
    /// # Ok::<(), richman_games::GameError>(())
    /// ```
    pub fn find(&self, spec: &str) -> Result<ErasedGame, GameError> {
        const LONGEST_SPEC: usize = expr::LONGEST_TEXT + 1024;
        if spec.len() > LONGEST_SPEC {
            return Err(GameError::TooLong { length: spec.len(), limit: LONGEST_SPEC });
        }
        let (name, rest) = split(spec);
        if let Some(entry) = self.entry(name) {
            return entry.build(rest);
        }
        if let Some((first, rest)) = name.split_once(char::is_whitespace)
            && let Some(entry) = self.entry(first.trim_end_matches(','))
            && rest.contains('=')
        {
            let pairs: Vec<&str> = rest.split([' ', ',']).filter(|pair| !pair.is_empty()).collect();
            return Err(GameError::NoColon { written: excerpt(&format!("{}:{}", entry.info.name, pairs.join(","))) });
        }
        let known: Vec<&str> = self.0.iter().map(|entry| entry.info.name).collect();
        Err(GameError::UnknownGame { name: excerpt(name), known: known.join(", ") })
    }

    /// The parameters that a game read with the values that it accepts for each; none of a game
    /// that reads its text itself.
    ///
    /// # Errors
    /// A [`GameError`] for wrong parameters.
    pub fn parameters(&self, spec: &str) -> Result<Vec<GameParameter>, GameError> {
        let (name, rest) = split(spec);
        let Some(GameEntry { info, build: BuildGame::FromParameters(build) }) = self.entry(name) else {
            return Ok(Vec::new());
        };
        let given = Parameters::parse(rest, info)?;
        build(&given)?;
        Ok(given.into_asked())
    }

    /// The entry of the game that `spec` names, whatever its parameters.
    pub fn info(&self, spec: &str) -> Option<GameInfo> {
        Some(self.entry(split(spec).0)?.info)
    }

    /// All games, in listing order.
    pub fn list(&self) -> Vec<GameInfo> {
        self.0.iter().map(|entry| entry.info).collect()
    }

    fn entry(&self, name: &str) -> Option<&GameEntry> {
        self.0.iter().find(|entry| entry.info.name.eq_ignore_ascii_case(name))
    }
}

/// The name of a game and the text after its colon.
fn split(spec: &str) -> (&str, Option<&str>) {
    let (name, rest) = spec.split_once(':').map_or((spec, None), |(name, rest)| (name, Some(rest)));
    (name.trim(), rest)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use fastrand::Rng;
    use richman_core::{AskedQuestion, Error, Game, Instant, Player, Remedy, Scores, Terminal, WinLose};

    use crate::canonical_name;

    use super::*;

    fn find(spec: &str) -> Result<ErasedGame, GameError> {
        Games::default().find(spec)
    }

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
        for info in Games::default().list().iter().filter(|info| info.name != "expr") {
            assert_eq!(name(info.name), info.name);
            assert_eq!(name(&format!("{}:{}", info.name, info.parameters)), info.name);
        }
    }

    const OWN: GameInfo = GameInfo::new("own-game", "a race of its own").parameters("points=2");

    /// Whoever moves first wins; the name is as given.
    #[derive(Clone)]
    struct FirstMove(&'static str, u32);

    impl Game for FirstMove {
        type Position = Option<Player>;

        fn name(&self) -> String {
            canonical_name(self.0, &[("points", self.1, 2)])
        }

        fn start(&self) -> Self::Position {
            None
        }

        fn terminal(&self, winner: &Self::Position) -> Option<Terminal> {
            winner.map(Terminal::Win)
        }

        fn moves(&self, _: &Self::Position, player: Player, into: &mut Vec<Self::Position>) {
            into.push(Some(player));
        }

        fn notation(&self, winner: &Self::Position) -> String {
            winner.map_or("start".to_string(), |winner| winner.to_string())
        }

        fn parse(&self, text: &str) -> Result<Self::Position, Error> {
            let mut all = [None, Some(Player::Alice), Some(Player::Bob)].into_iter();
            all.find(|winner| self.notation(winner) == text).ok_or_else(|| Error::bad_position(text, self.name(), ""))
        }
    }

    fn own(given: &Parameters) -> Result<ErasedGame, GameError> {
        Ok(ErasedGame::new(FirstMove("own-game", given.number("points", 2, 1..=9)?)))
    }

    #[test]
    fn games_of_a_program_are_found_like_the_others() {
        let games = Games::with([GameEntry::new(OWN, own)]).unwrap();
        assert_eq!(games.find("Own-Game:points=3").unwrap().name(), "own-game:points=3");
        assert_eq!(games.info("own-game:points=3"), Some(OWN));
        assert_eq!(games.list().last(), Some(&OWN));
        assert!(games.find("tic-tac-toe").is_ok() && find("own-game").is_err());
        let error = games.find("own-gane").err().unwrap().to_string();
        assert!(error.contains("did you mean \"own-game\"?"), "{error}");
        let error = games.find("own-game:points=10").err().unwrap().to_string();
        assert!(error.contains("from 1 to 9"), "{error}");
    }

    /// Saved solutions and records find their game by its own name.
    #[test]
    fn a_game_that_calls_itself_something_else_is_refused() {
        let games = Games::with([GameEntry::new(OWN, |_| Ok(ErasedGame::new(FirstMove("race", 2))))]).unwrap();
        let error = games.find("own-game").err().unwrap().to_string();
        assert!(error.contains("the game listed as own-game calls itself \"race\""), "{error}");
    }

    #[test]
    fn names_that_cannot_be_found_are_not_listed() {
        let refused = |own: &[GameInfo]| Games::with(own.iter().map(|info| GameEntry::new(*info, self::own)));
        let taken = |own: &[GameInfo]| matches!(refused(own), Err(GameError::NameTaken { .. }));
        assert!(taken(&[GameInfo { name: "hex", ..OWN }]) && taken(&[OWN, OWN]));
        for name in ["", "Nim", "a:b", "a/b", "nim.json", "-", "1", "a b", "n\u{e9}m"] {
            assert!(matches!(refused(&[GameInfo { name, ..OWN }]), Err(GameError::InvalidName { .. })), "{name}");
        }
    }

    #[test]
    fn a_game_is_played_for_one_thing() {
        let error = find("subtraction").unwrap().played_for::<WinLose>().err().unwrap();
        assert_eq!(error.to_string(), "subtraction is played for a score");
        assert_eq!(error.remedies(), [Remedy::Ask(AskedQuestion::Scores)]);
        let error = find("connect").unwrap().played_for::<Scores>().err().unwrap();
        assert_eq!(error.to_string(), "connect is played to win");
        assert_eq!(error.remedies(), [AskedQuestion::Worth, AskedQuestion::Table].map(Remedy::Ask));
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
            ("connect rows=4", "after a colon: write connect:rows=4"),
            ("Connect rows=4,  cols=5", "after a colon: write connect:rows=4,cols=5"),
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
