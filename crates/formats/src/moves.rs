//! Lists of moves, in which a file may repeat a move.

use richman_core::BuiltMove;

/// The most moves whose memory is kept for the next position.
pub(crate) const USUAL: usize = 1 << 12;

/// The most moves that are compared in pairs to find duplicates.
const COMPARED_IN_PAIRS: usize = 16;

/// Empties a list for the next position, and frees the memory of a long one.
pub(crate) fn reuse<T>(list: &mut Vec<T>) {
    list.clear();
    list.shrink_to(USUAL);
}

/// Bytes of a growing list, held twice, and of its order while it is sorted.
pub(crate) fn growing_bytes<M>(moves: &Vec<BuiltMove<M>>) -> u64 {
    5 * (moves.capacity() * size_of::<BuiltMove<M>>()) as u64 / 2
}

/// Removes duplicate moves, keeping the order.
pub(crate) fn distinct<M: Copy + Ord>(moves: &mut Vec<BuiltMove<M>>) {
    /// Not the name of a position.
    const AGAIN: u32 = u32::MAX;
    if moves.len() <= COMPARED_IN_PAIRS {
        let mut kept = 0;
        for at in 0..moves.len() {
            if !moves[..kept].contains(&moves[at]) {
                moves.swap(kept, at);
                kept += 1;
            }
        }
        moves.truncate(kept);
    } else {
        // Sorting indices takes a quarter of the moves' memory; a hash set would take more.
        let mut sorted: Vec<u32> = (0..moves.len() as u32).collect();
        sorted.sort_unstable_by_key(|&at| (moves[at as usize], at));
        let mut first = moves[sorted[0] as usize];
        for &at in &sorted[1..] {
            let step = &mut moves[at as usize];
            if *step == first {
                step.to = AGAIN;
            } else {
                first = *step;
            }
        }
        moves.retain(|step| step.to != AGAIN);
    }
}

/// Whether two of these moves lead to one position.
pub(crate) fn leads_twice<M>(moves: &[BuiltMove<M>]) -> bool {
    if moves.len() <= COMPARED_IN_PAIRS {
        return (1..moves.len()).any(|at| moves[..at].iter().any(|step| step.to == moves[at].to));
    }
    let mut targets: Vec<u32> = moves.iter().map(|step| step.to).collect();
    targets.sort_unstable();
    targets.windows(2).any(|pair| pair[0] == pair[1])
}
