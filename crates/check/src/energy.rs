//! Energy games in which one player moves at each position, by least credits. It serves as a judge:
//! small, from the textbook (Brim, Chaloupka, Doyen, Gentilini and Raskin 2011), without bids.

/// A game in which a player wants a credit never to fall below 0 as the weights of all moves are
/// added.
#[derive(Debug, Clone, Default)]
pub struct EnergyGame {
    /// Whether the player moves there.
    is_own: Vec<bool>,
    moves: Vec<Vec<(usize, i128)>>,
}

impl EnergyGame {
    /// Adds a position without moves and returns its number.
    pub fn add(&mut self, is_own: bool) -> usize {
        self.is_own.push(is_own);
        self.moves.push(Vec::new());
        self.moves.len() - 1
    }

    /// Gives a position its moves and their weights, which add up to less than 2^127; every
    /// position needs one.
    pub fn set_moves(&mut self, at: usize, moves: Vec<(usize, i128)>) {
        self.moves[at] = moves;
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The least credit for each position; `None` where no credit suffices. A sufficient credit
    /// need not exceed the cost of one visit to each position.
    pub fn least_credits(&self) -> Vec<Option<i128>> {
        let worst = |moves: &Vec<(usize, i128)>| moves.iter().map(|(_, weight)| -weight).max().unwrap_or(0).max(0);
        let most: i128 = self.moves.iter().map(worst).sum();
        let mut before = vec![Vec::new(); self.len()];
        for (from, moves) in self.moves.iter().enumerate() {
            moves.iter().for_each(|&(to, _)| before[to].push(from));
        }
        let mut credits = vec![Some(0); self.len()];
        let mut open: Vec<usize> = (0..self.len()).collect();
        let mut is_open = vec![true; self.len()];
        while let Some(at) = open.pop() {
            is_open[at] = false;
            let need = |&(to, weight): &(usize, i128)| match credits[to] {
                Some(credit) => Some((credit - weight).max(0)).filter(|&need| need <= most),
                None => None,
            };
            // `None` is more than every number here.
            let size = |need: &Option<i128>| need.unwrap_or(i128::MAX);
            let needs = self.moves[at].iter().map(need);
            let needed = if self.is_own[at] { needs.min_by_key(size) } else { needs.max_by_key(size) };
            let Some(needed) = needed else { continue };
            if size(&needed) <= size(&credits[at]) {
                continue;
            }
            credits[at] = needed;
            for &from in &before[at] {
                if !std::mem::replace(&mut is_open[from], true) {
                    open.push(from);
                }
            }
        }
        credits
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    fn random(rng: &mut Rng) -> EnergyGame {
        let mut game = EnergyGame::default();
        let count = rng.usize(1..=5);
        for _ in 0..count {
            game.add(rng.bool());
        }
        for at in 0..count {
            game.set_moves(at, (0..rng.usize(1..=3)).map(|_| (rng.usize(..count), rng.i128(-4..=4))).collect());
        }
        game
    }

    /// All ways to choose one move at every position of the player, or of the other.
    fn strategies(game: &EnergyGame, own: bool) -> Vec<Vec<(usize, i128)>> {
        (0..game.len()).fold(vec![Vec::new()], |all, at| {
            let options = if game.is_own[at] == own { game.moves[at].clone() } else { vec![(usize::MAX, 0)] };
            all.iter().flat_map(|one| options.iter().map(move |&to| [&one[..], &[to]].concat())).collect()
        })
    }

    /// The credit that the only play from `start` needs: its greatest loss, unless it loses
    /// forever.
    fn need(game: &EnergyGame, start: usize, own: &[(usize, i128)], other: &[(usize, i128)]) -> Option<i128> {
        let (mut at, mut sum, mut least) = (start, 0i128, 0i128);
        let mut sums: Vec<Option<i128>> = vec![None; game.len()];
        while sums[at].is_none() {
            sums[at] = Some(sum);
            let (to, weight) = if game.is_own[at] { own[at] } else { other[at] };
            (at, sum) = (to, sum + weight);
            least = least.min(sum);
        }
        (Some(sum) >= sums[at]).then_some(-least)
    }

    /// Numbers over a common denominator of bounds are long.
    #[test]
    fn weights_of_many_digits_add_up() {
        let mut game = EnergyGame::default();
        let [first, second] = [true, false].map(|is_own| game.add(is_own));
        let large = i128::from(i64::MAX);
        game.set_moves(first, vec![(second, -large)]);
        game.set_moves(second, vec![(first, large), (second, 0)]);
        assert_eq!(game.least_credits(), [Some(large), Some(0)]);
        game.set_moves(second, vec![(first, -large)]);
        assert_eq!(game.least_credits(), [None, None]);
    }

    /// Positional strategies suffice in energy games, so all of them can be tried.
    #[test]
    fn credits_are_those_of_all_positional_strategies() {
        for seed in 0..2_000 {
            let game = random(&mut Rng::with_seed(seed));
            let [own, other] = [true, false].map(|own| strategies(&game, own));
            let size = |need: &Option<i128>| need.unwrap_or(i128::MAX);
            let against = |start, one: &Vec<_>| other.iter().map(|two| need(&game, start, one, two)).max_by_key(size);
            let least = |start| own.iter().filter_map(|one| against(start, one)).min_by_key(size).flatten();
            let expected: Vec<Option<i128>> = (0..game.len()).map(least).collect();
            assert_eq!(game.least_credits(), expected, "seed {seed}: {game:?}");
        }
    }
}
