//! Every attack from one address and from 200.
//!
//! Arguments are parts of the names of the attacks to run, and `--from N` is the only number of
//! addresses. `RICHMAN_ATTACK` is the least number of seconds of each; by default they take as long
//! as they need to do harm. A trial in which something did not hold is made once more, because
//! machines do other work too; both are in the table, and it fails if the second does.

use std::process::ExitCode;
use std::time::Duration;

use comfy_table::Table;
use richman_attacks::attack::{ATTACKS, Attack};
use richman_attacks::attacker::{self, ATTACKER};
use richman_attacks::client::is_proxied;
use richman_attacks::raise_limit;
use richman_attacks::trial::Trial;

fn main() -> ExitCode {
    raise_limit();
    let mut arguments = std::env::args_os().skip(1).peekable();
    if arguments.next_if(|first| first == ATTACKER).is_some() {
        attacker::run(arguments);
        return ExitCode::SUCCESS;
    }
    let (mut names, mut numbers) = (Vec::new(), vec![1, 200]);
    while let Some(argument) = arguments.next() {
        let argument = argument.into_string().expect("arguments are text");
        match argument.as_str() {
            "--from" => {
                let number = arguments.next().and_then(|number| number.to_str()?.parse().ok());
                numbers = vec![number.expect("a number of addresses from 1 to 250 after --from")];
            }
            _ => names.push(argument),
        }
    }
    let seconds = std::env::var("RICHMAN_ATTACK").map(|text| text.parse().expect("RICHMAN_ATTACK is in seconds"));
    let longer = Duration::from_secs(seconds.unwrap_or(0));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let mut table = Table::new();
    table.set_header(Trial::HEADS);
    let mut failed = 0;
    let is_named = |attack: &&Attack| names.is_empty() || names.iter().any(|name| attack.name.contains(name));
    let comes_through = |attack: &&Attack| !is_proxied() || attack.passes_proxies;
    for attack in ATTACKS.iter().filter(is_named).filter(comes_through) {
        for addresses in &numbers {
            let mut holds = || {
                let trial = runtime.block_on(Trial::run(attack, *addresses, longer)).expect("people begin to play");
                let faults = trial.faults();
                let verdict =
                    if faults.is_empty() { "holds".to_string() } else { format!("FAILS: {}", faults.join(", ")) };
                println!("{} from {}: {verdict}", trial.attack, trial.addresses);
                for reason in trial.refusals().into_iter().take(5) {
                    println!("    refused: {reason}");
                }
                table.add_row(trial.row());
                faults.is_empty()
            };
            failed += usize::from(!holds() && !holds());
        }
    }
    println!("{table}");
    match failed {
        0 => ExitCode::SUCCESS,
        _ => {
            println!("{failed} trials failed");
            ExitCode::FAILURE
        }
    }
}
