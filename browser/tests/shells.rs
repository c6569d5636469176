//! The completions in the shells themselves: a line is typed with a tab, and runs only if the shell
//! completed it.
#![cfg(unix)]

use std::process::Command;

use rexpect::session::spawn_command;
use richman_browser::binary;

/// What is typed, and what the command prints if the word before the tab became a whole one.
const TYPED: [(&str, &str); 9] = [
    ("richman lis\tultimatum", "Ultimatum: "),
    ("richman list ultim\t", "Ultimatum: "),
    ("richman list ultimatum:deg\t5", "ultimatum:degree=5 at "),
    ("richman list connect:rows=3,c\t3", "connect:rows=3,cols=3 at "),
    ("richman solve tug-of-war --json --payment poo\t", "\"payment\":\"poorman\""),
    ("richman solve tug-of-war --chips 3 --json --preset gas\t", "\"bidding\":\"alice-first\""),
    ("richman solve gam\t --json --objective mean\t", "\"average\""),
    ("richman duel tug-of-war --games 2 --json --alice interm\t", "\"intermediate\""),
    ("richman solve tug-of-war --js\t", "{\"game\":\"tug-of-war\""),
];

fn completes(shell: &str, flags: &[&str], script: &str) {
    let folder = tempfile::tempdir().unwrap();
    let game = r#"{"name": "g", "start": "s", "positions": {"s": {"both": [{"to": "s", "weight": 1}]}}}"#;
    std::fs::write(folder.path().join("game.json"), game).unwrap();
    let programs = binary().parent().unwrap().to_path_buf();
    let path =
        std::env::join_paths([programs].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())));
    let mut command = Command::new(shell);
    command.args(flags).current_dir(folder.path()).env("HOME", folder.path()).env("PATH", path.unwrap());
    command.env("TERM", "dumb").env_remove("RICHMAN_COMPLETE");
    let mut session = spawn_command(command, Some(120_000)).unwrap_or_else(|error| panic!("{shell}: {error}"));
    session.send_line(script).unwrap();
    session.send_line("echo re''ady").unwrap();
    session.exp_string("ready").unwrap();
    for (typed, printed) in TYPED {
        session.send(typed).unwrap();
        session.send_line("").unwrap();
        session.exp_string(printed).unwrap_or_else(|error| panic!("{shell}: {typed:?}: {error}"));
        session.send_line("echo ne''xt").unwrap();
        session.exp_string("next").unwrap();
    }
    session.send_line("exit").unwrap();
    session.exp_eof().unwrap();
}

#[test]
fn bash() {
    completes("bash", &["--norc", "--noprofile", "-i"], "source <(richman completions bash)");
}

#[test]
fn zsh() {
    completes("zsh", &["-f", "-i"], "autoload -U compinit; compinit -u; source <(richman completions zsh)");
}

/// As the help of the command says, for which the script is read at the first tab.
#[test]
fn zsh_from_a_folder_of_functions() {
    let begin = "mkdir z; richman completions zsh > z/_richman; fpath+=$PWD/z; autoload -U compinit; compinit -u";
    completes("zsh", &["-f", "-i"], begin);
}

#[test]
fn fish() {
    completes("fish", &["--no-config", "-i"], "richman completions fish | source");
}
