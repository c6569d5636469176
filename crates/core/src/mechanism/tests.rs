//! The words of mechanisms, and their consequences.

use super::*;

#[test]
fn every_choice_prints_and_parses_back() {
    for text in ["richman", "poorman", "taxman:1/2", "taxman:0/1"] {
        assert_eq!(text.parse::<Payment>().unwrap().to_string(), text);
    }
    for ties in Ties::ALL {
        assert_eq!(ties.to_string().parse::<Ties>().unwrap(), ties);
    }
    for text in ["sealed", "alice-first", "bob-first"] {
        assert_eq!(text.parse::<Bidding>().unwrap().to_string(), text);
    }
    for text in ["chooses", "moves"] {
        assert_eq!(text.parse::<Right>().unwrap().to_string(), text);
    }
    for text in ["all", "0+5", "3"] {
        assert_eq!(text.parse::<Bids>().unwrap().to_string(), text);
    }
}

#[test]
fn words_are_read_in_any_case() {
    assert_eq!("Poorman".parse::<Payment>().unwrap(), Payment::Poorman);
    assert_eq!("TAXMAN:1/2".parse::<Payment>().unwrap(), "taxman:1/2".parse().unwrap());
    assert_eq!("Marker".parse::<Ties>().unwrap(), Ties::Marker);
    assert_eq!("Alice-First".parse::<Bidding>().unwrap(), Bidding::AliceFirst);
    assert_eq!("MOVES".parse::<Right>().unwrap(), Right::Moves);
    assert_eq!("Develin-Payne".parse::<Preset>().unwrap(), Preset::DevelinPayne);
    assert_eq!("ALL".parse::<Bids>().unwrap(), Bids::All);
}

#[test]
fn nonsense_is_refused() {
    for text in ["", "taxman", "taxman:", "taxman:2", "taxman:1/0", "taxman:-1/2", "Rich man"] {
        assert!(text.parse::<Payment>().is_err(), "{text:?}");
    }
    for text in ["", "+", "0+", "x", "0+5+-1", "99999999999"] {
        assert!(text.parse::<Bids>().is_err(), "{text:?}");
    }
    assert!("coin".parse::<Ties>().is_err());
}

/// Each possible result of a bid, by initials: the winner, and who then holds the star. Alice
/// holds it before.
#[test]
fn ties_are_resolved_as_the_rules_say() {
    const USED: Option<StarUse> = Some(StarUse::Used);
    const KEPT: Option<StarUse> = Some(StarUse::Kept);
    let ends = [
        // A tie, for each choice of the holder; Alice bids more; Bob bids more.
        (Ties::Advantage, vec![(USED, "AB"), (KEPT, "BA")], "AA", "BA"),
        (Ties::Marker, vec![(USED, "AB")], "AA", "BA"),
        (Ties::Alice, vec![(None, "AA")], "AA", "BA"),
        (Ties::Bob, vec![(None, "BA")], "AA", "BA"),
        (Ties::Loser, vec![(None, "AB")], "AB", "BA"),
        (Ties::Winner, vec![(None, "AA")], "AA", "BB"),
    ];
    assert_eq!(ends.each_ref().map(|(ties, ..)| *ties), Ties::ALL);
    let written = |ResolvedBid { winner, star }| [winner, star].map(|player| player.to_string().remove(0));
    let exchanged = |ResolvedBid { winner, star }| ResolvedBid { winner: winner.other(), star: star.other() };
    for (ties, tied, alice, bob) in ends {
        let resolve = |higher, used| written(ties.resolve(higher, Player::Alice, used)).iter().collect::<String>();
        let found: Vec<(Option<StarUse>, String)> =
            ties.uses().iter().map(|&used| (used, resolve(None, used))).collect();
        assert_eq!(found, tied.iter().map(|(used, end)| (*used, end.to_string())).collect::<Vec<_>>(), "{ties}");
        assert_eq!([Player::Alice, Player::Bob].map(|higher| resolve(Some(higher), None)), [alice, bob], "{ties}");
        assert_eq!(ties.holder_decides(), found.len() > 1);
        let stays = ties.star_after(Player::Bob, Player::Alice, StarUse::Used) == Player::Alice;
        assert!(ties.has_star() || stays, "{ties}: where there is no star, nothing moves it");
        // With the players exchanged, the result is exchanged too.
        let mirrored = match ties {
            Ties::Alice => Ties::Bob,
            Ties::Bob => Ties::Alice,
            ties => ties,
        };
        for (higher, &used) in [None, Some(Player::Alice), Some(Player::Bob)]
            .iter()
            .flat_map(|higher| ties.uses().iter().map(move |used| (higher, used)))
        {
            let [one, other] = [(ties, *higher, Player::Alice), (mirrored, higher.map(Player::other), Player::Bob)]
                .map(|(ties, higher, star)| ties.resolve(higher, star, used));
            assert_eq!(one, exchanged(other), "{ties}");
        }
    }
}

#[test]
fn what_follows_from_the_payment() {
    let with = |payment: &str| Mechanism { payment: payment.parse().unwrap(), ..Mechanism::default() };
    assert_eq!(["richman", "poorman", "taxman:1/2"].map(|payment| with(payment).has_bank()), [false, true, true]);
    // No bid leads out of these purses.
    for payment in ["richman", "poorman", "taxman:0", "taxman:1/2", "taxman:1"] {
        let mechanism = with(payment);
        let purses = mechanism.purses(ByPlayer::new(5, 3), 8);
        for bid in 0..=5 {
            let (alice, bob) = (5 - bid, 3 + mechanism.payment.to_loser(bid));
            assert!(purses.against(Player::Alice, bob).contains(&alice), "{payment}, {bid}");
        }
    }
}

#[test]
fn the_rules_of_dp10_are_recognised() {
    assert!(Preset::DevelinPayne.mechanism().is_develin_payne());
    let usual = Mechanism::default();
    let open = Mechanism { bidding: Bidding::AliceFirst, ..usual.clone() };
    assert!(open.is_develin_payne());
    let hers = Mechanism { ties: Ties::Alice, ..usual.clone() };
    assert!(!hers.is_develin_payne() && hers.is_develin_payne_in_money());
    let others = [
        Mechanism { payment: Payment::Poorman, ..usual.clone() },
        Mechanism { right: Right::Moves, ..usual.clone() },
        Mechanism { bids: Bids::Only(vec![0, 1]), ..usual },
    ];
    assert!(others.iter().all(|other| !other.is_develin_payne() && !other.is_develin_payne_in_money()));
}

#[test]
fn who_answers_knows_a_bid() {
    for bidding in [Bidding::Sealed, Bidding::AliceFirst, Bidding::BobFirst] {
        let who: Vec<Player> = Player::BOTH.into_iter().filter(|player| bidding.answers(*player)).collect();
        assert_eq!(who, bidding.first().map(Player::other).into_iter().collect::<Vec<_>>(), "{bidding}");
    }
    let higher = [[Some(1), Some(0)], [None, Some(0)], [Some(2), Some(2)]].map(|bids| higher_bid(bids.into()));
    assert_eq!(higher, [Some(Player::Alice), Some(Player::Bob), None]);
    assert_eq!(Bids::All.up_to(2), [0, 1, 2]);
    assert_eq!(Bids::Only(vec![0, 2, 5]).up_to(4), [0, 2]);
}
