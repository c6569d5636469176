//! `richman duel`

use std::process::ExitCode;
use std::time::Duration;

use richman_analysis::chips::Hands;
use richman_core::{Aim, Effort, Total};
use richman_play::duel::{Duel, DuelError, divisions};
use richman_play::players::{Knowledge, PlayerError};
use richman_render::csv;

use crate::args::{DuelArgs, Holdings};
use crate::error::CliError;
use crate::watch::Terminal;
use crate::{output, render};

/// A game that is won and comes back to positions is a draw after so many turns, unless `--within` says otherwise.
const LONGEST: u32 = 1000;
/// How many seconds the game is solved for, unless `--time` says otherwise.
const SOLVING: u64 = 60;

/// Plays two computer players against each other.
pub fn run(args: &DuelArgs, watch: &Terminal) -> Result<ExitCode, CliError> {
    let time = Duration::from_secs(args.time.unwrap_or(SOLVING));
    if args.time.is_some() {
        watch.limit(time);
        watch.limit_waiting(time);
    }
    let subject = super::subject(&args.game.game, args.game.memory.0, watch)?;
    let mechanism = args.game.mechanism.mechanism();
    let position = args.game.position.as_deref();
    let walk = subject.walk(position)?;
    let (total, starts): (Total, _) = if args.holdings.is_empty() {
        (args.chips, divisions(&mechanism, args.chips)?)
    } else {
        let mut totals = Vec::new();
        for Holdings([alice, bob]) in args.holdings.iter().copied() {
            totals.push(Hands { alice, bob, trace: false }.total(&mechanism)?);
        }
        if totals.iter().any(|total| *total != totals[0]) {
            return Err(CliError::Usage("all starts must have the same number of chips".to_string()));
        }
        (totals[0], args.holdings.iter().map(|holdings| holdings.0).collect())
    };
    let players = [args.alice, args.bob];
    let effort = Effort { memory: args.game.memory.0, ..Effort::watched(watch) }.within_time(time);
    let knowledge = Knowledge::of(&subject, position, &mechanism, total, &players, &effort).map_err(player_error)?;
    for player in players {
        player.computer(&knowledge, args.seed).map_err(player_error)?; // before the first game
    }
    let limit = args.game.within.or((subject.aim() == Aim::Win).then_some(LONGEST));
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
    let report = duel.run(players, &knowledge, watch).map_err(|error| match error {
        DuelError::Player(error) => player_error(error),
        error => CliError::Usage(error.to_string()),
    })?;
    output::report(&args.format, &report, || csv::duel(&report), || render::duel::text(&report))
}

fn player_error(error: PlayerError) -> CliError {
    match error {
        PlayerError::Analysis(error) => CliError::Analysis(error),
        error => CliError::Usage(error.to_string()),
    }
}
