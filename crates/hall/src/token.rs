//! Secrets in links, and public names of matches. Neither can be guessed; a secret is stored only
//! as its hash and never printed.

use std::fmt;

use sha2::{Digest, Sha256};

/// The 32 letters of tokens; no two look alike.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// 26 letters of 5 bits: 130 bits.
const LENGTH: usize = 26;

fn random() -> String {
    let mut bytes = [0; LENGTH];
    // Without randomness no link is secret, so nothing may be served.
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

fn is_well_formed(text: &str) -> bool {
    text.len() == LENGTH && text.bytes().all(|letter| LETTERS.contains(&letter))
}

/// A player's secret: its holder plays for that seat. Only [`Token::reveal`] shows it, so that it
/// is not printed by accident.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Token(String);

impl Token {
    /// A new token.
    pub fn random() -> Token {
        Token(random())
    }

    /// The token in a text; `None` if it is malformed.
    pub fn read(text: &str) -> Option<Token> {
        is_well_formed(text).then(|| Token(text.to_string()))
    }

    /// The text, for the player in the seat alone.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The stored hash.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(...)")
    }
}

/// The public name of a match or a kept record. Anyone who knows it may watch or review.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GameId(String);

impl GameId {
    /// A new name.
    pub fn random() -> GameId {
        GameId(random())
    }

    /// The name of what is found by its content: equal texts have the same.
    pub fn of_content(text: &str) -> GameId {
        let hash = Sha256::digest(text.as_bytes());
        GameId(hash.iter().take(LENGTH).map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
    }

    /// The name in a text; `None` if it is malformed.
    pub fn read(text: &str) -> Option<GameId> {
        is_well_formed(text).then(|| GameId(text.to_string()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its beginning, for file names.
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
        let [name, same, another] = ["a", "a", "b"].map(GameId::of_content);
        assert_eq!(GameId::read(name.as_str()), Some(same));
        assert_ne!(name, another);
        for wrong in
            ["", "short", "0bcdefghijkmnpqrstuvwxyz23", "abcdefghijkmnpqrstuvwxyz2345", "äbcdefghijkmnpqrstuvwxyz2"]
        {
            assert_eq!(Token::read(wrong), None);
        }
    }
}
