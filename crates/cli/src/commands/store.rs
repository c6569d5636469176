//! `richman store`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use richman_analysis::Games;

use crate::{Done, TerminalWatch};

#[derive(Debug, Args)]
pub struct StoreArgs {
    #[command(subcommand)]
    pub command: StoreCommand,
}

#[derive(Debug, Subcommand)]
pub enum StoreCommand {
    /// Check a store: the file, the checksums, and that every match can be played. Prints counts
    /// and bytes; exit status 1 if it is damaged. A server may go on using it
    Check {
        /// The store
        file: PathBuf,
    },
    /// Copy a store to a new file. A server may go on using it
    Backup {
        /// The store
        file: PathBuf,
        /// The copy: complete or absent, and for this user only
        to: PathBuf,
    },
    /// Put a backup in the place of a store, if a check finds it whole. No server may use the store
    Restore {
        /// The backup
        from: PathBuf,
        /// The store
        file: PathBuf,
        /// Write over a store that is there
        #[arg(long)]
        force: bool,
    },
    /// Give back the room of deleted matches. No server may use the store
    Compact {
        /// The store
        file: PathBuf,
    },
    /// Delete a match, or a record, with everything about it. No server may use the store
    Delete {
        /// The store
        file: PathBuf,
        /// The public name: the last part of the link to watch the match
        id: String,
    },
    /// Say that the clock is right, after `serve --keep` found that it jumped or that no server ran
    /// for a day. A server may go on using the store
    TrustClock {
        /// The store
        file: PathBuf,
    },
}

/// Says how to build a command with the web application.
#[cfg(not(feature = "web"))]
pub fn run(_: &StoreArgs, _: &Games, _: &TerminalWatch) -> Done {
    Err(crate::CliError::Usage(super::WITHOUT_WEB.to_string()))
}

#[cfg(feature = "web")]
pub fn run(args: &StoreArgs, games: &Games, watch: &TerminalWatch) -> Done {
    use richman_hall::token::GameId;
    use richman_serve::store;

    use crate::{CliError, output};

    match &args.command {
        StoreCommand::Check { file } => {
            let checked = store::check(file, games, watch)?;
            output::verdict(output::text(&found(&checked)), checked.damaged == 0)
        }
        StoreCommand::Backup { file, to } => {
            let bytes = store::back_up(file, to, watch)?;
            output::text(&format!("{} has the store, in {bytes} bytes.\n", to.display()))
        }
        StoreCommand::Restore { from, file, force } => {
            let checked = store::restore(file, from, *force, games, watch)?;
            output::text(&format!("{}{} is restored.\n", found(&checked), file.display()))
        }
        StoreCommand::Compact { file } => {
            let sizes = store::compact(file, watch)?;
            output::text(&format!("{} bytes before, {} bytes after.\n", sizes.before, sizes.after))
        }
        StoreCommand::Delete { file, id } => {
            let reason = || CliError::Usage(format!("{id} is no name of a match: take the last part of its link"));
            let name = GameId::read(id).ok_or_else(reason)?;
            store::delete(file, &name)?;
            output::text(&format!("{id} is deleted.\n"))
        }
        StoreCommand::TrustClock { file } => {
            store::trust_clock(file)?;
            output::text("The clock is taken to be right: old matches will be forgotten.\n")
        }
    }
}

/// The result of a check in words.
#[cfg(feature = "web")]
fn found(checked: &richman_serve::store::CheckedStore) -> String {
    let [unbegun, begun, over] = checked.matches;
    let mut text = format!(
        "{} matches: {unbegun} without actions, {begun} unfinished, {over} finished\n\
         {} actions, {} records, {} game files\n{} bytes counted, {} bytes on the disk\n",
        unbegun + begun + over,
        checked.actions,
        checked.records,
        checked.files,
        checked.counted_bytes,
        checked.disk_bytes,
    );
    for damage in &checked.damage {
        text += &format!("damaged: {damage}\n");
    }
    text += &match checked.damaged {
        0 => "The store is whole.\n".to_string(),
        damaged => format!("{damaged} damaged: restore a backup, or delete the damaged matches.\n"),
    };
    text
}
