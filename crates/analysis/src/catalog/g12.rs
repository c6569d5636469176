//! The claims of G12 that are sentences: Goodfellow, Towards bidding Connect Four.

use richman_core::{Difference, Player, Rule};

use super::printed::with_first_move;
use super::{Coded, Finding, Session, dp10};
use crate::Error;

/// In the order of the paper.
pub const CLAIMS: &[Coded] = &[
    Coded { place: "Theorem 1", what: "the recursion for thresholds, as DP10 Theorem 3.7", check: dp10::theorem_3_7 },
    Coded {
        place: "section 3",
        what: "G < H if f(G, k) < f(H, k) for all k, and A < ... < A^4 < A^3 < A^2 < E < B^2 < B^3 < B^4 < ... < B",
        check: strict_chain,
    },
    Coded { place: "Theorem 2", what: "Connect n on a 1 x n board has R = (2^n - 1) / 2^n", check: theorem_2 },
    Coded { place: "Theorem 3", what: "Connect Two on a 1 x n board is even for n >= 4", check: theorem_3 },
    Coded {
        place: "Theorem 4",
        what: "Connect Two on an n x 1 board has R = (2^(n-1) + 1) / 2^n for n >= 2",
        check: theorem_4,
    },
    Coded { place: "Theorem 5", what: "Connect Two on an m x n board is even for m, n >= 2", check: theorem_5 },
    Coded {
        place: "section 7",
        what: "is the centre ever a best first move of Alice in Connect Three, and for which totals?",
        check: open_question,
    },
];

fn strict_chain(session: &mut Session) -> Result<Finding, Error> {
    let mut finding = Finding::over("the chain up to n = 8, all totals");
    let mut names = vec!["A".to_string()];
    names.extend((2..=8).rev().map(|n| format!("A^{n}")));
    names.push("E".to_string());
    names.extend((2..=8).map(|n| format!("B^{n}")));
    names.push("B".to_string());
    let rules = names.iter().map(|name| session.library.expression(name)).collect::<Result<Vec<Rule>, _>>()?;
    for (pair, names) in rules.windows(2).zip(names.windows(2)) {
        let (settled, block) = pair[0].settled(&pair[1])?;
        let equal: Vec<u32> = (0..settled + block).filter(|&k| pair[0].at(k) == pair[1].at(k)).collect();
        let computed = match (&equal[..], pair[0].difference(&pair[1])?) {
            ([], Difference { above: None, .. }) => "for all k".to_string(),
            ([first, .., last], Difference { above: None, .. }) => {
                format!("not for {} totals from {first} to {last}", equal.len())
            }
            ([only], Difference { above: None, .. }) => format!("not for k = {only}"),
            (_, Difference { above: Some(k), .. }) => format!("the other way round for k = {k}"),
        };
        finding.compare(|| format!("{} < {}", names[0], names[1]), "for all k", computed);
    }
    Ok(finding)
}

fn share(session: &mut Session, game: &str) -> Result<String, Error> {
    let solved = session.library.game(game)?;
    Ok(solved.share(solved.start()).to_string())
}

fn theorem_2(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 16 } else { 10 };
    let mut finding = Finding::over(format!("n from 1 to {most}"));
    for n in 1..=most {
        let computed = share(session, &format!("connect:rows=1,cols={n},line={n}"))?;
        finding.compare(|| format!("n = {n}"), format!("{}/{}", (1u32 << n) - 1, 1u32 << n), computed);
    }
    Ok(finding)
}

fn theorem_3(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 14 } else { 10 };
    let mut finding = Finding::over(format!("n from 4 to {most}; chips too: the rule of E for all totals"));
    even(session, &mut finding, (4..=most).map(|n| (1, n)))?;
    Ok(finding)
}

fn even(session: &mut Session, finding: &mut Finding, boards: impl Iterator<Item = (u32, u32)>) -> Result<(), Error> {
    let even = session.library.expression("E")?;
    for (rows, cols) in boards {
        let name = format!("connect:rows={rows},cols={cols},line=2");
        finding.compare(|| format!("{rows} x {cols}"), "1/2", share(session, &name)?);
        let solved = session.library.game(&name)?;
        finding.holds(*solved.win(solved.start()) == even, || format!("{rows} x {cols}, all totals"));
    }
    Ok(())
}

fn theorem_4(session: &mut Session) -> Result<Finding, Error> {
    let most = if session.deep { 24 } else { 16 };
    let mut finding = Finding::over(format!("n from 2 to {most}"));
    for n in 2..=most {
        let computed = share(session, &format!("connect:rows={n},cols=1,line=2"))?;
        finding.compare(|| format!("n = {n}"), format!("{}/{}", (1u32 << (n - 1)) + 1, 1u32 << n), computed);
    }
    Ok(finding)
}

fn theorem_5(session: &mut Session) -> Result<Finding, Error> {
    let boards = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 2), (3, 4), (4, 3)];
    let deep = [(4, 4), (2, 6), (6, 2)];
    let boards = boards.into_iter().chain(deep.into_iter().filter(|_| session.deep));
    let boards: Vec<(u32, u32)> = boards.collect();
    let mut finding = Finding::over(format!(
        "{} boards up to {:?}; chips too: the rule of E for all totals",
        boards.len(),
        boards[boards.len() - 1]
    ));
    even(session, &mut finding, boards.into_iter())?;
    Ok(finding)
}

/// The totals for which the centre is as good a position as the corner, and those for which the threshold does not notice.
fn open_question(session: &mut Session) -> Result<Finding, Error> {
    let solved = session.library.game("connect:rows=3,cols=3,line=3")?;
    let start = solved.start();
    let after =
        |column: &str| -> Result<Rule, Error> { Ok(solved.win(solved.after(start, Player::Alice, column)?).clone()) };
    let (centre, corner) = (after("b")?, after("a")?);
    let (settled, block) = centre.settled(&corner)?;
    let as_good: Vec<String> =
        (0..settled + block).filter(|&k| centre.at(k) <= corner.at(k)).map(|k| k.to_string()).collect();
    let better = (0..settled + block).filter(|&k| centre.at(k) < corner.at(k)).count();
    let fixed = with_first_move(&solved, "b")?;
    let whole = solved.win(start);
    let (settled, block) = fixed.settled(whole)?;
    let unnoticed: Vec<String> =
        (0..settled + block).filter(|&k| fixed.at(k) == whole.at(k)).map(|k| k.to_string()).collect();
    let mut finding = Finding::over(format!(
        "answered for all totals: after the centre Alice's threshold is as low as after the corner exactly with {} chips, and lower with \
         {better} totals; the threshold before the bid is the same with the centre exactly with {} chips",
        as_good.join(", "),
        unnoticed.join(", ")
    ));
    finding.holds(!as_good.is_empty(), || "the answer depends on the total".to_string());
    Ok(finding)
}
