//! The data of each page is, byte for byte, that of the command that the page displays.

use std::process::Command;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use richman_serve::{App, server};
use tower::ServiceExt;

async fn asked(app: &Arc<App>, link: &str) -> String {
    let request = Request::builder().uri(link).header(header::HOST, "127.0.0.1:8080").body(Body::empty()).unwrap();
    let answer = server::routes(Arc::clone(app)).oneshot(request).await.unwrap();
    let status = answer.status();
    let text = String::from_utf8(to_bytes(answer.into_body(), 1 << 24).await.unwrap().to_vec()).unwrap();
    assert!(status.is_success(), "{link}: {text}");
    text
}

/// The output of a command copied from a page, with more flags.
fn printed(command: &str, more: &str) -> String {
    let words = shlex(&format!("{command} {more}"));
    let output = Command::new(env!("CARGO_BIN_EXE_richman")).args(&words[1..]).output().unwrap();
    assert!(output.status.success(), "{command} {more}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The words of a command as a shell splits them, with the quotes that the pages write.
fn shlex(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in command.chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            letter => words.last_mut().unwrap().push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn commands(page: &str) -> Vec<String> {
    let starts = page.match_indices("<code>richman ").map(|(at, _)| at + "<code>".len());
    starts.map(|at| page[at..].split("</code>").next().unwrap().replace("&amp;", "&").replace("&quot;", "\"")).collect()
}

#[tokio::test]
async fn a_page_has_the_numbers_of_the_commands_it_shows() {
    let app = Arc::new(App::in_memory().unwrap());
    let questions = [
        "",
        "position=A.B%2F.A.%2F...",
        "payment=poorman&table=3",
        "chips=8",
        "alice=4*&bob=4",
        "alice=3&bob=5*&preset=larsson",
        "alice=4&bob=4&preset=gasarch&table=5",
        "payment=poorman&alice=7*&bob=5&table=4",
        "within=4&chips=8&table=9",
        "bids=0%2B5&chips=12&table=7",
        "game=connect%3Arows%3D3%2Ccols%3D3%2Cline%3D3&table=16",
        "game=tug-of-war&chips=9&ties=alice&goal=draw",
        "game=ultimatum&depth=2",
        "game=expr%3A%28A+%26+B%5E2%29+%26+B&chips=5",
        "game=subtraction&chips=9",
        "game=subtraction%3Aheap%3D12&alice=4*&bob=3&ties=advantage",
    ];
    for fields in questions {
        let link = |path: &str| format!("{path}?{fields}");
        let shown = commands(&asked(&app, &(link("/explore") + "&whole=yes")).await);
        assert!(!shown.is_empty(), "{fields}");
        for command in shown {
            let (path, forms): (&str, &[&str]) = match command.split(' ').nth(1) {
                Some("solve" | "scores") => ("/explore/solve", &["json", "csv"]),
                Some("table") => ("/explore/table", &["json", "csv"]),
                Some("tree") => ("/explore/tree", &["json", "svg"]),
                other => panic!("{other:?} in {command}"),
            };
            for form in forms {
                let answer = asked(&app, &link(&format!("{path}.{form}"))).await;
                let flag = if *form == "svg" { "--svg -".to_string() } else { format!("--{form}") };
                assert_eq!(answer, printed(&command, &flag), "{command} {flag}");
            }
        }
    }
    let figure = asked(&app, "/explore/figure.svg?table=63").await;
    assert_eq!(figure, printed("richman table tic-tac-toe --chips 0..63", "--svg -"));
}
