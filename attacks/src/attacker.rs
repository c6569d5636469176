//! The process of the attackers: the test program once more, on one core.
//!
//! It ends when its standard input does, so that it never survives the test, and then prints what
//! it got.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};

use crate::attack::{ATTACKS, Attack, Spoils, Target};

/// The first argument of the process of the attackers.
pub const ATTACKER: &str = "attacker";

/// A running attack.
pub struct Attacker(Child);

impl Attacker {
    /// Begins an attack from that many addresses.
    ///
    /// # Errors
    /// The system's error if this program cannot be started again.
    pub fn begin(attack: &Attack, server: SocketAddr, watched: &str, addresses: u8) -> std::io::Result<Attacker> {
        let (server, addresses) = (server.to_string(), addresses.to_string());
        let child = Command::new(std::env::current_exe()?)
            .args([ATTACKER, attack.name, &server, watched, &addresses])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        Ok(Attacker(child))
    }

    /// Ends it, and all its connections.
    pub async fn end(mut self) -> Spoils {
        drop(self.0.stdin.take());
        // An attacker that is too busy to listen is killed, and its spoils are not known.
        let end = tokio::time::timeout(Duration::from_secs(5), self.0.wait_with_output()).await;
        let printed = end.ok().and_then(Result::ok).map(|output| output.stdout).unwrap_or_default();
        serde_json::from_slice(&printed).unwrap_or_default()
    }
}

/// Runs an attack in this process, given the arguments after [`ATTACKER`], until standard input
/// ends.
pub fn run(arguments: impl Iterator<Item = OsString>) {
    let arguments: Vec<String> = arguments.filter_map(|argument| argument.into_string().ok()).collect();
    let [name, server, watched, addresses] = &arguments[..] else { panic!("NAME SERVER WATCHED ADDRESSES") };
    let attack = ATTACKS.iter().find(|attack| attack.name == name).expect("the name of an attack");
    let target = Target::new(server.parse().expect("a server"), watched, addresses.parse().expect("a number"));
    stay_on_one_core();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut assault = tokio::spawn((attack.begin)(target.clone()));
        let (mut input, mut rest) = (tokio::io::stdin(), Vec::new());
        let end = tokio::select! {
            end = input.read_to_end(&mut rest) => end,
            _ = &mut assault => input.read_to_end(&mut rest).await,
        };
        end.expect("standard input ends");
        println!("{}", serde_json::to_string(&target.spoils()).expect("numbers are JSON"));
    });
    // The system closes many connections faster than their tasks.
    std::process::exit(0);
}

/// Leaves all cores but the last to the others.
fn stay_on_one_core() {
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;
    let this = Pid::from_raw(0);
    let allowed = sched_getaffinity(this).expect("the cores of this process");
    let last = (0..CpuSet::count()).rev().find(|core| allowed.is_set(*core) == Ok(true)).expect("a core");
    let mut one = CpuSet::new();
    one.set(last).expect("the number of a core");
    sched_setaffinity(this, &one).expect("one core is allowed");
}
