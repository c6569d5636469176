//! A question over HTTP takes at most 1.1 times the 512 MiB that it may hold. Each has a server of
//! its own, because the allocator returns only a part of earlier memory.
//!
//! `RICHMAN_MEMORY=all cargo test --manifest-path attacks/Cargo.toml --test server -- memory::`
//! takes a minute.

use richman_attacks::client::Ask;
use richman_attacks::server::Server;
use serde_json::json;

use super::client;

#[tokio::test]
async fn memory_of_a_question_is_bounded() {
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
            let server = Server::within("unlimited");
            let mut client = client(server.address);
            assert_eq!(client.ask(Ask::get("/api/v1/games")).await.unwrap().status, 200);
            let least = server.peak_memory();
            let answer = client.ask(Ask::post("/api/v1/solve", question)).await.unwrap();
            let taken = (server.peak_memory() - least) as f64 / f64::from(512 << 20);
            assert!(taken <= 1.1, "{taken} of the limit: {question}: {answer:?}");
        }
    }
}

/// Questions that take all the memory they may have fail alone where there is little.
#[tokio::test]
async fn little_address_space_fails_a_page_and_not_the_server() {
    let server = Server::within("1500000");
    let status = async |ask: Ask| client(server.address).ask(ask).await.unwrap().status;
    let solved = |total: u32| {
        let mechanism = json!({ "ties": "marker", "right": "moves" });
        let question = json!({ "game": "connect:rows=4,cols=4", "total": total, "mechanism": mechanism });
        status(Ask::post("/api/v1/solve", question))
    };
    for answer in <[u16; 2]>::from(tokio::join!(solved(20), solved(21))) {
        assert!([200, 422, 429].contains(&answer));
    }
    assert_eq!(status(Ask::get("/explore?game=tic-tac-toe")).await, 200);
    assert_eq!(status(Ask::get("/healthz")).await, 200);
}
