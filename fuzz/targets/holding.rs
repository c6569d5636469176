//! Words of the mechanism, holdings, totals and shares: accepted text prints and parses back to
//! itself.

#![no_main]

use std::fmt::{Debug, Display};
use std::str::FromStr;

use libfuzzer_sys::fuzz_target;
use richman_core::{Bidding, Bids, Error, Holding, Payment, Preset, Right, Share, Ties, Total};

fn check<T: FromStr<Err = Error> + Display + Debug + PartialEq>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => {
            let printed = value.to_string();
            assert_eq!(printed.parse::<T>().as_ref(), Ok(&value), "{printed:?}");
        }
        Err(error) => assert!(error.to_string().len() < 2000, "a message that nobody can read"),
    }
}

fuzz_target!(|text: &str| {
    check::<Holding>(text);
    check::<Total>(text);
    check::<Share>(text);
    check::<Payment>(text);
    check::<Ties>(text);
    check::<Bidding>(text);
    check::<Right>(text);
    check::<Bids>(text);
    check::<Preset>(text);
});
