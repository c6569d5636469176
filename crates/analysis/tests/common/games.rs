//! Small games for tests of saved solutions.

/// The player who moves from `z` loses, and play always ends.
pub const STANDOFF: &str = r#"{"name": "standoff", "start": "s", "positions": {
    "s": {"alice": ["u", "z"], "bob": ["v", "z"]},
    "u": {"alice": ["win"], "bob": ["z", "tie"]},
    "v": {"alice": ["z", "tie"], "bob": ["loss"]},
    "z": {"alice": ["loss"], "bob": ["win"]},
    "win": {"winner": "alice"}, "loss": {"winner": "bob"}, "tie": {"winner": "none"}}}"#;

/// Cycles through `s`, `u` and `v`, the same zugzwang, draws, a loop that nobody can leave, and a
/// loop that both can.
pub const CAROUSEL: &str = r#"{"name": "carousel", "start": "s", "positions": {
    "s": {"alice": ["u", "d"], "bob": ["v", "z"]},
    "u": {"alice": ["win", "w"], "bob": ["s", "z"]},
    "v": {"alice": ["s", "tie"], "bob": ["loss"]},
    "w": {"alice": ["w", "u"], "bob": ["w"]},
    "z": {"alice": ["loss"], "bob": ["win"]},
    "d": {"alice": ["e"], "bob": ["e", "d"]},
    "e": {"alice": ["d"], "bob": ["d"]},
    "win": {"winner": "alice"}, "loss": {"winner": "bob"}, "tie": {"winner": "none"}}}"#;

/// Two loops that nobody can leave, of one position and of two, and a draw.
pub const DETOUR: &str = r#"{"name": "detour", "start": "s", "positions": {
    "s": {"alice": ["win", "t"], "bob": ["loss", "a"]},
    "t": {"alice": ["a", "tie"], "bob": ["s", "c"]},
    "a": {"alice": ["b"], "bob": ["b"]},
    "b": {"alice": ["a"], "bob": ["a"]},
    "c": {"alice": ["c"], "bob": ["c"]},
    "win": {"winner": "alice"}, "loss": {"winner": "bob"}, "tie": {"winner": "none"}}}"#;
