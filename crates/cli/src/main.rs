//! The `richman` command with the games of this project.

fn main() -> std::process::ExitCode {
    richman_cli::run([])
}
