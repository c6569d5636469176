//! Draws a winning line or chain of stones: a ring around each stone, and links between them.

use richman_core::{Mark, MarkRole, MarkShape, Player};

/// The stones by which a player has won.
#[derive(Debug, Default)]
pub(crate) struct WonStones {
    /// Their middles, each once.
    rings: Vec<[i32; 2]>,
    /// Neighbours.
    links: Vec<[[i32; 2]; 2]>,
}

impl WonStones {
    /// Adds stones, each adjacent to the next.
    pub(crate) fn add(&mut self, stones: Vec<[i32; 2]>) {
        self.links.extend(stones.windows(2).map(|pair| [pair[0], pair[1]]));
        for stone in stones {
            if !self.rings.contains(&stone) {
                self.rings.push(stone);
            }
        }
    }

    /// The marks of stones of this radius.
    pub(crate) fn marks(self, player: Player, radius: i32) -> Vec<Mark> {
        let look = MarkRole::Won(player);
        let link = |[from, to]: [[i32; 2]; 2]| {
            let away = [to[0] - from[0], to[1] - from[1]];
            let length = f64::from(away[0]).hypot(away[1].into());
            let rim = away.map(|away| (f64::from(away * radius) / length).round() as i32);
            let shape =
                MarkShape::Line { from: [from[0] + rim[0], from[1] + rim[1]], to: [to[0] - rim[0], to[1] - rim[1]] };
            Mark::seen(shape, look)
        };
        let rings = self.rings.into_iter().map(|at| Mark::seen(MarkShape::Disc { at, radius }, look));
        self.links.into_iter().map(link).chain(rings).collect()
    }
}
