//! The layout of a tree: rows from the top, each position centred above its children.

/// The tree to lay out; positions by rows, each row from the left.
pub struct TreeShape<'a> {
    /// The parent of each position, in the row above; `None` for the root.
    pub parents: &'a [Option<usize>],
    /// The width of each position.
    pub widths: &'a [f64],
    /// The least distance between neighbours in a row.
    pub gap: f64,
}

richman_core::debug_by_name!(TreeShape<'_> {});

/// Left and right ends.
type Span = (f64, f64);

/// The middle of each position, from 0 at the left edge, and the width of the drawing.
///
/// Subtrees keep their order and are pushed together until two of their positions in one row are
/// `gap` apart [Reingold and Tilford, Tidier drawings of trees, 1981]. Time: the positions times
/// the rows.
pub fn middles(shape: &TreeShape) -> (Vec<f64>, f64) {
    let count = shape.widths.len();
    let mut children = vec![Vec::new(); count];
    for (index, parent) in shape.parents.iter().enumerate() {
        if let Some(parent) = parent {
            children[*parent].push(index);
        }
    }
    // Relative to the parent until all are known.
    let mut middles = vec![0.0; count];
    let mut outlines: Vec<Vec<Span>> = vec![Vec::new(); count];
    for index in (0..count).rev() {
        let mut below: Vec<Span> = Vec::new();
        for &child in &children[index] {
            let outline = std::mem::take(&mut outlines[child]);
            let apart = below.iter().zip(&outline).map(|(left, right)| left.1 + shape.gap - right.0);
            let shift = apart.fold(None, |most: Option<f64>, next| Some(most.map_or(next, |most| most.max(next))));
            let shift = shift.unwrap_or(0.0);
            middles[child] = shift;
            for (row, &(left, right)) in outline.iter().enumerate() {
                let span = (left + shift, right + shift);
                match below.get_mut(row) {
                    Some(known) => known.1 = span.1,
                    None => below.push(span),
                }
            }
        }
        let middle = match (children[index].first(), children[index].last()) {
            (Some(&first), Some(&last)) => f64::midpoint(middles[first], middles[last]),
            _ => 0.0,
        };
        for &child in &children[index] {
            middles[child] -= middle;
        }
        let half = shape.widths[index] / 2.0;
        let mut outline = vec![(-half, half)];
        outline.extend(below.into_iter().map(|(left, right)| (left - middle, right - middle)));
        outlines[index] = outline;
    }
    for index in 0..count {
        if let Some(parent) = shape.parents[index] {
            middles[index] += middles[parent];
        }
    }
    let left = (0..count).map(|index| middles[index] - shape.widths[index] / 2.0).fold(f64::INFINITY, f64::min);
    let right = (0..count).map(|index| middles[index] + shape.widths[index] / 2.0).fold(f64::NEG_INFINITY, f64::max);
    for middle in &mut middles {
        *middle -= left;
    }
    (middles, right - left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_stands_above_the_middle_of_those_that_follow() {
        let parents = [None, Some(0), Some(0), Some(1), Some(1), Some(2)];
        let shape = TreeShape { parents: &parents, widths: &[10.0; 6], gap: 2.0 };
        let (middles, width) = middles(&shape);
        assert_eq!(middles, [20.0, 11.0, 29.0, 5.0, 17.0, 29.0]);
        assert_eq!(width, 34.0);
    }

    #[test]
    fn wide_positions_keep_their_distance() {
        // A wide position under the left branch lies deeper than anything under the right one.
        let parents = [None, Some(0), Some(0), Some(1), Some(2), Some(3)];
        let widths = [10.0, 10.0, 10.0, 10.0, 80.0, 200.0];
        let (middles, _) = middles(&TreeShape { parents: &parents, widths: &widths, gap: 3.0 });
        for pair in [(1, 2), (3, 4)] {
            let apart = middles[pair.1] - middles[pair.0] - (widths[pair.0] + widths[pair.1]) / 2.0;
            assert!(apart >= 3.0 - 1e-9, "{pair:?}");
        }
    }
}
