//! The transitions and the labels of a model, which a line `---` divides: an accepted model is
//! written and read back as itself, in every form that has room for it.

#![no_main]

use std::io::Read;

use libfuzzer_sys::fuzz_target;
use richman_core::{Effort, Unwatched};
use richman_formats::{AnyGraph, FormatError, GameForm, Reading, read_game, read_transitions};

const BETWEEN: &[u8] = b"\n---\n";

fn reading() -> Reading<'static> {
    Reading::within(Effort { memory: 64 << 20, ..Effort::default() })
}

fn model(mut tra: &[u8], mut lab: &[u8]) -> Result<AnyGraph, FormatError> {
    let files = [("model.tra", &mut tra as &mut dyn Read), ("model.lab", &mut lab)];
    read_transitions(files, &reading())
}

fn written(graph: &AnyGraph, form: GameForm) -> Vec<u8> {
    let mut bytes = Vec::new();
    graph.write(form, &mut bytes, &Unwatched).expect("it is written");
    bytes
}

fuzz_target!(|bytes: &[u8]| {
    let Some(at) = bytes.windows(BETWEEN.len()).position(|part| part == BETWEEN) else { return };
    let Ok(graph) = model(&bytes[..at], &bytes[at + BETWEEN.len()..]) else { return };
    if graph.check_form(GameForm::Tra, "model").is_err() {
        return;
    }
    let [tra, lab] = [GameForm::Tra, GameForm::Lab].map(|form| written(&graph, form));
    let again = model(&tra, &lab).expect("what was written is read");
    assert!(written(&again, GameForm::Tra) == tra && written(&again, GameForm::Lab) == lab);
    for form in [GameForm::Umb, GameForm::Drn, GameForm::Json, GameForm::Binary] {
        if graph.check_form(form, "model").is_ok() {
            let bytes = written(&graph, form);
            let again = read_game("model", &mut &bytes[..], &reading()).expect("what was written is read");
            assert!(written(&again, form) == bytes, "{form}");
        }
    }
});
