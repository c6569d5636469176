//! The answers of the module from a program: for each line of standard input, a list of a function,
//! its request and its limits, a line with the answer, or with the refusal after an exclamation
//! mark.

use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let [function, request, limits]: [String; 3] = serde_json::from_str(&line?)?;
        match richman_wasm::answer(&function, &request, &limits) {
            Ok(answer) => writeln!(out, "{answer}")?,
            Err(refused) => writeln!(out, "!{refused}")?,
        }
        out.flush()?;
    }
    Ok(())
}
