//! Records of played games: an accepted record prints, reads back as the same record, and prints
//! the same text again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use richman_formats::Record;

fuzz_target!(|bytes: &[u8]| {
    let Ok(record) = Record::parse("record.txt", bytes) else { return };
    let text = record.to_string();
    match Record::parse("again.txt", text.as_bytes()) {
        Ok(again) => {
            assert_eq!(again, record);
            assert_eq!(again.to_string(), text);
        }
        Err(error) => panic!("{text} is refused: {error}"),
    }
});
