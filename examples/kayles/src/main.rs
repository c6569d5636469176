//! The `richman` command with Kayles in its list of games.

fn main() -> std::process::ExitCode {
    richman::cli::run([kayles::Kayles::info()])
}
