//! `richman completions` and `richman man`

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Command, CommandFactory};
use clap_complete::env::{Bash, EnvCompleter, Shells, Zsh};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use richman_core::Unwatched;

use crate::args::{Cli, SECTIONS};
use crate::{CliError, Done, output};

/// The variable with which a completion script asks this program for candidates.
pub const ASKED: &str = "RICHMAN_COMPLETE";

/// Bash splits words at `:` and `=`, which stand in the names of games: this function joins them
/// again, and completes what follows the last of these signs.
const BASH_WORDS: &str = r#"
_richman_NAME() {
    local line=${COMP_LINE:0:COMP_POINT}
    local -a COMP_WORDS
    read -ra COMP_WORDS <<< "$line."
    local COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    local word=${COMP_WORDS[COMP_CWORD]%.}
    COMP_WORDS[COMP_CWORD]=$word
    _clap_complete_NAME "$1" "$word" "$3"
    if [[ $COMP_WORDBREAKS == *[:=]* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*[:=]}"}"}")
    fi
}
complete -o nospace -o bashdefault -F _richman_NAME BIN
"#;

/// Zsh puts a space after a completed word. After a `=`, where a value follows, it must not.
const ZSH_DESCRIBED: [&str; 2] = [
    "[[ -n $other ]] && _describe -V 'values' other",
    r#"local -a begun=("${(@M)other:#*=(|:*)}")
        other=("${(@)other:#*=(|:*)}")
        [[ -n $begun ]] && _describe -V 'values' begun -S ''
        [[ -n $other ]] && _describe -V 'values' other"#,
];

/// Zsh runs a script from its folder of functions at the first tab: this line completes that tab.
const ZSH_FIRST: &str = r#"
[[ $funcstack[1] == _BIN ]] && _clap_dynamic_completer_NAME
"#;

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(ignore_case = true)]
    pub shell: clap_complete::Shell,
}

/// Prints a script with which a shell asks this program for candidates.
pub fn completions(args: &CompletionsArgs) -> Done {
    let (name, bin) = (Cli::command().get_name().to_string(), crate::program());
    let called = std::env::args().next().unwrap_or_else(|| bin.clone());
    let called = Path::new(&called);
    // A name without a folder is found by the path of programs, wherever the shell is.
    let completer =
        if called.components().count() > 1 { std::path::absolute(called) } else { Ok(called.to_path_buf()) };
    let completer = completer.unwrap_or_else(|_| called.to_path_buf()).display().to_string();
    let mut script = Vec::new();
    let shell = args.shell.to_string();
    if let Some(shell) = Shells::builtins().completer(&shell) {
        shell.write_registration(ASKED, &name, &bin, &completer, &mut script).map_err(CliError::Output)?;
    }
    let mut script = String::from_utf8_lossy(&script).into_owned();
    let named = |text: &str| text.replace("NAME", &name.replace('-', "_")).replace("BIN", &bin);
    if shell == Bash.name() {
        script += &named(BASH_WORDS);
    } else if shell == Zsh.name() {
        let [before, after] = ZSH_DESCRIBED;
        script = script.replace(before, after) + &named(ZSH_FIRST);
    }
    output::text(&script)
}

#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write each page to a file in this folder, such as ~/.local/share/man/man1
    #[arg(long, value_name = "FOLDER")]
    pub to: Option<PathBuf>,
}

/// Prints the manual pages of the command and of each subcommand, or writes them to files.
pub fn man(args: &ManArgs) -> Done {
    let name = crate::program();
    let mut command = Cli::command().display_name(name.clone()).bin_name(name).disable_help_subcommand(true);
    command.build();
    let mut all = Vec::new();
    each_command(&command, &mut |sub| {
        let mut page = Vec::new();
        let man = Man::new(sub.clone());
        written(&man, sub, &mut page).map_err(CliError::Output)?;
        match &args.to {
            Some(folder) => output::file(&folder.join(man.get_filename()), &Unwatched, |out| out.write_all(&page)),
            None => {
                all.extend(page);
                Ok(())
            }
        }
    })?;
    if args.to.is_some() { Ok(ExitCode::SUCCESS) } else { output::text(&String::from_utf8_lossy(&all)) }
}

/// Calls `each` with a command and all its subcommands, and theirs.
fn each_command(command: &Command, each: &mut impl FnMut(&Command) -> Result<(), CliError>) -> Result<(), CliError> {
    each(command)?;
    command.get_subcommands().try_for_each(|sub| each_command(sub, each))
}

/// Writes the page of a command.
fn written(man: &Man, command: &Command, out: &mut dyn Write) -> io::Result<()> {
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if command.has_subcommands() {
        man.render_subcommands_section(out)?;
    }
    let mut page = Roff::new();
    let examples = command.get_after_help().map(ToString::to_string);
    if let Some(examples) = examples.as_deref().and_then(|text| text.strip_prefix("Examples:\n")) {
        page.control("SH", ["EXAMPLES"]).control("nf", []);
        for line in examples.lines() {
            page.text([roman(line.trim_start())]);
        }
        page.control("fi", []);
    }
    let is_whole = command.get_name() == "richman";
    for (heading, entries) in SECTIONS.into_iter().take(if is_whole { SECTIONS.len() } else { 1 }) {
        page.control("SH", [heading.to_uppercase().as_str()]);
        for (what, about) in entries {
            page.control("TP", []).text([bold(*what)]).text([roman(*about)]);
        }
    }
    if !is_whole {
        page.control("SH", ["SEE ALSO"]).text([bold(crate::program()), roman("(1)")]);
    }
    page.to_writer(out)?;
    if command.get_version().is_some() { man.render_version_section(out) } else { Ok(()) }
}
