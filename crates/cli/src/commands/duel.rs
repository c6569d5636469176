//! `richman duel`

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use richman_analysis::{Games, Scope};
use richman_core::{ByPlayer, Effort, Holding, Purses, Total};
use richman_play::duel::{Duel, LONGEST, SOLVING_SECONDS, USUAL_GAMES, starts};
use richman_play::players::Strength;

use crate::args::{FormatArgs, GameArgs, holdings, total, whole};
use crate::{Done, TerminalWatch, output};

#[derive(Debug, Args)]
pub struct DuelArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The first player, who is Alice in the first game
    #[arg(help_heading = "Players", long, value_name = "PLAYER", default_value = "best")]
    pub alice: Strength,
    /// The second player
    #[arg(help_heading = "Players", long, value_name = "PLAYER", default_value = "greedy")]
    pub bob: Strength,
    /// A saved solution of a game that need not end: the players perfect and best play by it, once
    /// it is proved, and nothing is solved
    #[arg(help_heading = "Players", long, value_name = "FILE")]
    pub solution: Option<PathBuf>,
    /// The number of games
    #[arg(help_heading = "Games", long, value_name = "NUMBER", default_value_t = USUAL_GAMES)]
    #[arg(value_parser = whole(1..=10_000_000_u64), allow_hyphen_values = true)]
    pub games: u64,
    /// Start from every division of this many chips in turn, with the star on either side
    #[arg(help_heading = "Games", long, value_name = "TOTAL", default_value = "8", conflicts_with = "holdings")]
    #[arg(value_parser = total, allow_hyphen_values = true)]
    pub chips: Total,
    /// Start from these holdings of Alice and Bob, such as 4*:4, or from several in turn: 4*:4,4:4*
    #[arg(help_heading = "Games", long, value_name = "ALICE:BOB,...", value_delimiter = ',', value_parser = holdings)]
    #[arg(allow_hyphen_values = true)]
    pub holdings: Vec<ByPlayer<Holding>>,
    /// The number of random moves, by the players in turn, before every match; the two games with
    /// exchanged roles share them
    #[arg(help_heading = "Games", long, value_name = "MOVES", default_value_t = 0)]
    #[arg(value_parser = whole(0..=1000_u32), allow_hyphen_values = true)]
    pub opening: u32,
    /// Print the time that each player takes for an action
    #[arg(help_heading = "Output", long)]
    pub times: bool,
    /// The first player is Alice in every game, instead of every other game
    #[arg(help_heading = "Games", long)]
    pub no_exchange: bool,
    /// The seed of all randomness
    #[arg(help_heading = "Games", long, default_value_t = 1)]
    #[arg(value_parser = whole(0..=u64::MAX), allow_hyphen_values = true)]
    pub seed: u64,
    /// The most seconds to take; without it solving the game ends after 60
    #[arg(help_heading = "Players", long, value_name = "SECONDS")]
    #[arg(value_parser = whole(0..=u64::MAX), allow_hyphen_values = true)]
    pub time: Option<u64>,
    #[command(flatten)]
    pub format: FormatArgs,
}

pub fn run(args: &DuelArgs, games: &Games, watch: &TerminalWatch) -> Done {
    let time = Duration::from_secs(args.time.unwrap_or(SOLVING_SECONDS));
    if args.time.is_some() {
        watch.limit(time);
        watch.limit_waiting(time);
    }
    let subject = super::subject_of(&args.game, args.time, games, watch)?;
    let mechanism = args.game.mechanism.mechanism();
    let position = args.game.position.as_deref();
    let walk = subject.walk(position)?;
    let (total, starts) = starts(&mechanism, args.chips, args.holdings.clone())?;
    let players = [args.alice, args.bob];
    let effort = Effort { memory: args.game.memory, ..Effort::watched(watch) }.within_time(time);
    let purses = Purses::Together(total.chips());
    let scope = Scope { subject: &subject, position, mechanism: &mechanism, total, purses };
    let knowledge = super::knowledge(args.solution.as_deref(), &scope, &players, &effort, watch)?;
    for player in players {
        player.computer(&knowledge, args.seed)?; // before the first game
    }
    let limit = args.game.within.or((!subject.aim().facts().counts_points).then_some(LONGEST));
    let duel = Duel {
        walk: walk.as_ref(),
        mechanism,
        starts,
        limit,
        games: args.games,
        exchange: !args.no_exchange,
        opening: args.opening,
        timed: args.times,
        seed: args.seed,
    };
    let report = duel.run(players, &knowledge, watch)?;
    output::report(&args.format, &report)
}
