use richman_core::LineBoard;
use richman_solvers::Options;
use richman_solvers::layers::*;
fn main() {
    let a: Vec<usize> = std::env::args().skip(1).map(|t| t.parse().unwrap()).collect();
    let (rows, cols) = (a[0], a[1]);
    let cell = |r: usize, c: usize| 1u64 << (r * cols + c);
    let mut lines = vec![];
    for r in 0..rows {
        for c in 0..cols {
            for (u, d) in [(0, 1), (1, 0), (1, 1), (1, -1isize)] {
                let e = (r + 3 * u, c as isize + 3 * d);
                if e.0 < rows && (0..cols as isize).contains(&e.1) {
                    lines.push((0..4).map(|s| cell(r + s * u, (c as isize + s as isize * d) as usize)).sum());
                }
            }
        }
    }
    let support = (0..rows * cols).map(|a| if a < cols { 0 } else { 1 << (a - cols) }).collect();
    let board = LineBoard::new(support, [lines.clone(), lines]).unwrap();
    for depth in a[2]..=a[3] {
        let t = std::time::Instant::now();
        let q = Question { board: board.clone(), stake: Stake::Rounded, goal: Goal::Win };
        let mut l = Layers::new(q, Options { memory: 14 << 30, ..Options::default() }).unwrap();
        let shapes = l.shapes()[depth].clone();
        let n = (shapes.len() as u64) << depth;
        l.go_on(depth as u32, Values::Stored(Box::new(LeafLayer::new(board.clone(), shapes, depth as u32))));
        while l.step(&mut Kept).unwrap().is_some() {}
        println!(
            "{rows}x{cols} depth {depth} leaves {n}: {} {:?}",
            l.need([0, 0], 0).unwrap().unwrap() as f64 / 32768.0,
            t.elapsed()
        );
    }
}
