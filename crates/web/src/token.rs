//! Secrets in links, and public names of matches. Neither can be guessed; a secret is kept only as its hash and never printed.

use std::fmt;

use sha2::{Digest, Sha256};

/// Letters of a token: 32, none of them mistaken for another.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// 26 letters of 5 bits: 130 bits.
const LENGTH: usize = 26;

fn random() -> String {
    let mut bytes = [0; LENGTH];
    // Without randomness no link is a secret: nothing may be served.
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

fn is_well_formed(text: &str) -> bool {
    text.len() == LENGTH && text.bytes().all(|letter| LETTERS.contains(&letter))
}

/// A player's secret: who has it plays for that seat. Not printable by accident; [`Token::reveal`] says where it is put into an answer.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Token(String);

impl Token {
    /// A new one.
    pub fn random() -> Token {
        Token(random())
    }

    /// The token of that text; `None` for a text that is none.
    pub fn read(text: &str) -> Option<Token> {
        is_well_formed(text).then(|| Token(text.to_string()))
    }

    /// The text, for the one who has the seat and nobody else.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is kept of it.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(...)")
    }
}

/// The public name of a match or of a kept record: whoever knows it may watch or review.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GameId(String);

impl GameId {
    /// A new one.
    pub fn random() -> GameId {
        GameId(random())
    }

    /// The name of that text; `None` for a text that is none.
    pub fn read(text: &str) -> Option<GameId> {
        is_well_formed(text).then(|| GameId(text.to_string()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its beginning, for the names of files.
    pub fn short(&self) -> &str {
        self.0.get(..8).unwrap_or_default()
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_are_not_printed() {
        let (one, other) = (Token::random(), Token::random());
        assert_ne!(one, other);
        assert_ne!(one.hash(), other.hash());
        assert!(!format!("{one:?}").contains(one.reveal()));
        assert_eq!(Token::read(one.reveal()), Some(one));
        for wrong in
            ["", "short", "0bcdefghijkmnpqrstuvwxyz23", "abcdefghijkmnpqrstuvwxyz2345", "äbcdefghijkmnpqrstuvwxyz2"]
        {
            assert_eq!(Token::read(wrong), None);
        }
    }
}
