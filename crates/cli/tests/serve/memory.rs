//! A question over HTTP takes at most 1.1 times the 512 MiB that it may hold. Each has a server of
//! its own, because the allocator returns only a part of earlier memory.
//!
//! `RICHMAN_MEMORY=all cargo test -p richman-cli --test all -- serve::memory` takes a minute.

#![cfg(target_os = "linux")]

use super::client::{Client, Server};

#[test]
fn memory_of_a_question_is_bounded() {
    if std::env::var("RICHMAN_MEMORY").is_ok_and(|which| which == "all") {
        for question in [
            r#"{"game":"connect","mechanism":{"payment":"poorman"}}"#,
            r#"{"game":"connect:rows=4,cols=5","mechanism":{"payment":"poorman"}}"#,
            r#"{"game":"connect:rows=4,cols=4","total":20,"mechanism":{"ties":"marker","right":"moves"}}"#,
            r#"{"game":"connect:rows=4,cols=4","within":14,"mechanism":{"payment":"poorman"}}"#,
            r#"{"game":"chess","position":"8/8/8/1K6/8/3kP3/8/8"}"#,
            r#"{"game":"tug-of-war:length=1000000"}"#,
            r#"{"game":"hex:size=4","mechanism":{"payment":"poorman"}}"#,
        ] {
            let server = Server::start(&["--no-store"]);
            let mut client = Client::new(server.address);
            assert_eq!(client.get("/api/v1/games", None).status, 200);
            let least = server.peak();
            let answer = client.post("/api/v1/solve", None, question);
            let taken = (server.peak() - least) as f64 / f64::from(512 << 20);
            assert!(taken <= 1.1, "{taken} of the limit: {question}: {answer:?}");
        }
    }
}

/// Questions that take all the memory they may have fail alone where there is little.
#[test]
#[cfg(target_os = "linux")]
fn little_address_space_fails_a_page_and_not_the_server() {
    let server = Server::start_within(1_500_000, &["--no-store"]);
    let asked: Vec<_> = [20, 21]
        .map(|total| {
            let address = server.address;
            std::thread::spawn(move || {
                let question = format!(
                    r#"{{"game":"connect:rows=4,cols=4","total":{total},"mechanism":{{"ties":"marker","right":"moves"}}}}"#
                );
                Client::new(address).post("/api/v1/solve", None, &question).status
            })
        })
        .into();
    for answer in asked {
        assert!([200, 422, 429].contains(&answer.join().unwrap()));
    }
    assert_eq!(Client::new(server.address).get("/explore?game=tic-tac-toe", None).status, 200);
    assert_eq!(Client::new(server.address).get("/healthz", None).status, 200);
}
