//! Records as they are printed.

/// A record with everything a finished game can have.
pub const RECORD: &str = r#"[Game "both: \"a\" and \\ and \u{1b}"]
[File "games/both.json"]
[Position "a b"]
[Payment "taxman:1/2"]
[Bids "0+2"]
[Alice "4*"]
[Bob "4"]
[Limit "100"]
[Event "Lunch"]
[Date "2026-11-21"]
[Result "Alice"]

{Before the start}
{with two lines
in it}
1. 2*-2 Alice b2 {takes the centre} {of \} course}
2. 0-2 Bob lets Alice "{a | b} & c"
3. none-2 Bob "stuck"
4. 2-none Alice exd6
5. 0-2 Bob e8=Q+ {}
6. 0-2 Bob O-O
7. 2-0 Alice "7."
8. 2-2 Bob ""
9. 2-0 Alice lets Bob stuck {the end}
"#;

/// A record of a game that was given up during a turn.
pub const OPEN_RECORD: &str = r#"[Game "subtraction:heap=9,set=1+3"]
[Mechanism "larsson"]
[Alice "0"]
[Bob "1073741822*"]
[Result "score -12"]

1. 0-3 Bob 6
2. 3-4 Bob lets Alice {a long thought}
Alice resigns {well played}
"#;
