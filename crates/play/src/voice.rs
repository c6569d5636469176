//! Sentences about two players, told to one of them or to anybody.

use richman_core::Player;

/// The person whom sentences address.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Voice {
    /// The player who is called "you"; `None` if both are called by name.
    pub you: Option<Player>,
}

impl Voice {
    /// The voice that calls this player "you".
    pub fn to(player: Player) -> Voice {
        Voice { you: Some(player) }
    }

    /// Whether that player is addressed.
    pub fn is_you(self, player: Player) -> bool {
        self.you == Some(player)
    }

    fn choose<'a>(self, player: Player, you: &'a str, [alice, bob]: [&'a str; 2]) -> &'a str {
        if self.is_you(player) { you } else { player.either(alice, bob) }
    }

    /// `Alice`, or `you`.
    pub fn name(self, player: Player) -> &'static str {
        self.choose(player, "you", ["Alice", "Bob"])
    }

    /// The same at the start of a sentence.
    pub fn start(self, player: Player) -> &'static str {
        self.choose(player, "You", ["Alice", "Bob"])
    }

    /// `Alice's`, or `your`.
    pub fn of(self, player: Player) -> &'static str {
        self.choose(player, "your", ["Alice's", "Bob's"])
    }

    /// The same at the start of a sentence.
    pub fn start_of(self, player: Player) -> &'static str {
        self.choose(player, "Your", ["Alice's", "Bob's"])
    }

    /// `Alice`, or `yours`, as in "a decision of Alice".
    pub fn whose(self, player: Player) -> &'static str {
        self.choose(player, "yours", ["Alice", "Bob"])
    }

    /// The form of a verb for that player: of `wins` and `win`, of `was` and `were`.
    pub fn verb<'a>(self, player: Player, third: &'a str, second: &'a str) -> &'a str {
        self.choose(player, second, [third; 2])
    }
}
