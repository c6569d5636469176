//! Unitary games: one item per turn, all bids.
//!
//! Computes the values v(p) of each heap in turn, where p = 0..=total is the chips of Alice, who
//! holds the marker [LPR20, Definition 10]. Without the marker the values are -v(total - p).
//!
//! Method: let H(y) be the least holding, in half-steps, with which Alice gets at least the score
//! y. From one heap to the next H'(y) = ceil(H(y-1)/2) + floor(H(y+1)/2) (docs/design.md, theorem
//! 20 (unitary games, heap by heap)), and H(1) = total + 1 always. In terms of the deficit, D(k) =
//! 2 total + 2 - H(k + 1) at *site* k starts at 0 and never falls: D'(k) = floor(D(k-1)/2) +
//! ceil(D(k+1)/2), where site 0 always contributes m = floor((total + 1)/2). Each time D(k) grows
//! by 1, one value of the row changes by 2. So only neighbours of sites that changed at the
//! previous heap are examined, and the row of two heaps ago is updated in place.
//!
//! Accepts every total up to [`MAX_UNITARY`]. Exact. Time: one step for each of the m^2 changes
//! over all heaps, then none. Memory: two rows. Checked row by row against the definition.

use richman_core::{Error, Total};

/// The largest total of [`Unitary`], whose rows then take half a gigabyte.
pub const MAX_UNITARY: u32 = 1 << 26;

/// The values of unitary games, heap by heap.
///
/// ```
/// use richman_core::Total;
/// use richman_heaps::subtraction::Unitary;
/// let mut game = Unitary::new(Total::new(5)?)?;
/// game.advance();
/// game.advance();
/// assert_eq!(game.row(), [-2, 0, 0, 0, 2, 2]); // [LPR20, Example 11], with 0 to 5 chips
/// # Ok::<(), richman_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Unitary {
    total: u32,
    heap: u64,
    /// D of sites 0..=m+1. The first always contributes m; the last is always 0.
    sites: Vec<u32>,
    /// The latest rows of an even and an odd heap.
    rows: [Vec<i32>; 2],
    /// The sites that changed with this heap, ascending.
    changed: Vec<u32>,
    spare: Vec<u32>,
    settled: Option<u64>,
}

impl Unitary {
    /// The empty heap with `total` chips.
    ///
    /// # Errors
    /// [`Error::TooLarge`] above [`MAX_UNITARY`].
    pub fn new(total: Total) -> Result<Unitary, Error> {
        let chips = total.chips();
        if chips > MAX_UNITARY {
            return Err(Error::TooLarge {
                what: "the total of a unitary game",
                given: chips.into(),
                most: MAX_UNITARY.into(),
            });
        }
        let given = chips.div_ceil(2);
        let mut sites = vec![0; given as usize + 2];
        sites[0] = 2 * given;
        let odd = (0..=chips).map(|p| if 2 * p >= chips { 1 } else { -1 }).collect();
        let rows = [vec![0; chips as usize + 1], odd];
        Ok(Unitary { total: chips, heap: 0, sites, rows, changed: Vec::new(), spare: Vec::new(), settled: None })
    }

    /// The number of items.
    pub fn heap(&self) -> u64 {
        self.heap
    }

    /// The value with 0, 1, ..., total chips and the marker.
    pub fn row(&self) -> &[i32] {
        &self.rows[(self.heap % 2) as usize]
    }

    /// The value with `chips` but without the marker.
    pub fn without_marker(&self, chips: u32) -> Option<i32> {
        let mirrored = self.total.checked_sub(chips)?;
        self.row().get(mirrored as usize).map(|value| -value)
    }

    /// Adds an item.
    pub fn advance(&mut self) {
        self.heap += 1;
        if self.settled.is_some() {
            return;
        }
        let mut next = std::mem::take(&mut self.spare);
        next.clear();
        if self.heap == 1 {
            next.push(0);
        } else {
            let row = &mut self.rows[(self.heap % 2) as usize];
            let last = self.sites.len() as u32 - 1;
            let mut seen = 0;
            for &changed in &self.changed {
                for site in [changed.saturating_sub(1), changed + 1] {
                    if site <= seen || site >= last {
                        continue;
                    }
                    seen = site;
                    let k = site as usize;
                    let (old, new) = (self.sites[k], given(self.sites[k - 1], self.sites[k + 1]));
                    if new == old {
                        continue;
                    }
                    // At even D a threshold of Alice falls; at odd D its mirror image rises.
                    (old..new).for_each(|d| match d % 2 {
                        0 => row[(self.total - d / 2) as usize] += 2,
                        _ => row[(d / 2) as usize] -= 2,
                    });
                    self.sites[k] = new;
                    next.push(site);
                }
            }
            if next.is_empty() {
                self.settled = Some(self.heap - 2);
            }
        }
        self.spare = std::mem::replace(&mut self.changed, next);
    }

    /// The heap at which the game converges: the least from which every row equals the one two
    /// items later [LPR20, section 3.4]. `None` until two heaps after it.
    pub fn converged(&self) -> Option<u64> {
        self.settled
    }

    /// The memory held, in bytes. It depends only on the total.
    pub fn bytes(&self) -> usize {
        4 * (self.sites.capacity()
            + self.rows.iter().map(Vec::capacity).sum::<usize>()
            + self.changed.capacity()
            + self.spare.capacity())
    }
}

/// The next D of a site, from the sites before and after it.
fn given(before: u32, behind: u32) -> u32 {
    #[cfg(feature = "faults")]
    if let Some(wrong) = richman_solvers::fault::half_steps(behind, before) {
        return wrong;
    }
    before / 2 + behind.div_ceil(2)
}
