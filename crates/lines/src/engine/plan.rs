//! The cost of a question, before anything is computed.

use richman_core::Error;

use super::BoardQuestion;
use super::shapes::count;

/// One layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerPlan {
    /// The number of stones.
    pub stones: u32,
    /// Fillings with this many stones, including those after the end of a game.
    pub positions: u128,
    /// The bytes of its numbers.
    pub bytes: u128,
}

/// All layers, from no stones to the most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardPlan {
    /// The layers.
    pub layers: Vec<LayerPlan>,
}

impl BoardPlan {
    /// Computes the cost of a question.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if the sets of filled cells cannot be counted.
    pub fn of(question: &BoardQuestion) -> Result<BoardPlan, Error> {
        let lanes = question.lanes() as u128;
        let layer = |(stones, shapes): (u32, u128)| {
            let positions = shapes.saturating_mul(1 << stones);
            let bytes = positions.saturating_mul(lanes * question.width(stones) as u128);
            LayerPlan { stones, positions, bytes }
        };
        Ok(BoardPlan { layers: (0..=question.last()).zip(count(&question.board)?).map(layer).collect() })
    }

    /// Positions of all layers together.
    pub fn positions(&self) -> u128 {
        self.layers.iter().fold(0, |sum, layer| sum.saturating_add(layer.positions))
    }

    /// Bytes of the largest two adjacent layers, which are in memory at once.
    pub fn memory(&self) -> u128 {
        self.layers.windows(2).map(|pair| pair[0].bytes.saturating_add(pair[1].bytes)).max().unwrap_or(0)
    }
}
