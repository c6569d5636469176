//! Every form of game files: games come back unchanged, and damage is found.

use std::io::Read;
use std::time::{Duration, Instant};

use richman_core::{
    ByPlayer, Effort, Error, Game, GraphMove, GraphPosition, MeanPayoff, NodeData, Parity, ParityLabel, Player,
    PositionKind, Priority, Probability, Stochastic, StochasticLabel, Terminal, Unwatched,
};
use richman_formats::{
    AnyGraph, FileObjective, FormatError, GameForm, Reading, WrittenGame, of_any, read_game, read_transitions,
};

use crate::written_games::{Dice, Impatient, described, moves, scoring, win_lose};

const GAMES: u64 = 2_000;

/// A parity game; with `bids` at some positions, and named by numbers if it is `numbered`.
fn parity(dice: &mut Dice, bids: bool, numbered: bool) -> WrittenGame<Parity> {
    let count = 1 + dice.below(8);
    let first = if dice.below(2) == 0 { 0 } else { dice.below(4_000_000_000) };
    // The numbers from the first on, downwards or upwards.
    let down = dice.below(2) == 0;
    let number = |at: usize| first + if down { count - 1 - at } else { at };
    let names: Vec<String> =
        (0..count).map(|at| if numbered { number(at).to_string() } else { dice.position(at) }).collect();
    let position = |(at, name): (usize, &String)| {
        let is_end = !numbered && at > 0 && dice.below(5) == 0;
        let owner = Player::BOTH[dice.below(2)];
        let priority = Priority(if dice.below(9) == 0 { Priority::MAX } else { dice.below(6) as u32 });
        let kind = if bids && dice.below(2) == 0 { PositionKind::Bid } else { PositionKind::Owned(owner) };
        let data = if is_end { NodeData::End(owner) } else { NodeData::On(ParityLabel { priority, kind }) };
        let moves = ByPlayer::from_fn(|player| {
            let has_none = is_end || kind == PositionKind::Owned(player.other());
            let mut moves = if has_none { Vec::new() } else { moves(dice, &names, 1, |_| ()) };
            if numbered {
                moves.iter_mut().for_each(|step| step.name = None);
                let mut seen = std::collections::HashSet::new();
                moves.retain(|step| seen.insert(step.to.clone()));
            }
            moves
        });
        GraphPosition { name: name.clone(), data, moves }
    };
    let positions = names.iter().enumerate().map(position).collect();
    let start = names[dice.below(count)].clone();
    WrittenGame { name: "game".into(), description: described(dice), start, positions }
}

/// A mean-payoff game.
fn averages(dice: &mut Dice) -> WrittenGame<MeanPayoff> {
    let WrittenGame { name, description, start, positions } = parity(dice, true, true);
    let position = |GraphPosition { name, data, moves }: GraphPosition<Parity>| {
        let NodeData::On(ParityLabel { kind, .. }) = data else { panic!("play goes on") };
        let weigh = |step: GraphMove<Parity>, dice: &mut Dice| {
            let label = dice.below(9) as i64 * [1, -1, 100_000_000][dice.below(3)] - 3;
            GraphMove { to: step.to, name: step.name, label }
        };
        let moves = moves.map(|moves| moves.into_iter().map(|step| weigh(step, dice)).collect());
        GraphPosition { name, data: NodeData::On(kind), moves }
    };
    let positions = positions.into_iter().map(position).collect();
    WrittenGame { name, description, start, positions }
}

/// A game in which chance moves at its first position, and perhaps at others.
pub fn by_chance(dice: &mut Dice) -> WrittenGame<Stochastic> {
    let numbered = dice.below(2) == 0;
    let WrittenGame { name, description, start, positions } = parity(dice, true, numbered);
    let names: Vec<String> = positions.iter().map(|position| position.name.clone()).collect();
    let position = |(at, GraphPosition { name, data, moves }): (usize, GraphPosition<Parity>)| {
        let sure = |step: GraphMove<Parity>| GraphMove { to: step.to, name: step.name, label: Probability::ONE };
        let (data, moves) = match data {
            _ if at == 0 || dice.below(3) == 0 => {
                let count = 1 + dice.below(names.len());
                let weights: Vec<u64> = (0..count).map(|_| 1 + dice.below(5) as u64).collect();
                let sum = weights.iter().sum();
                let chance = |(to, weight): (&String, u64)| {
                    let label = Probability::new(weight, sum).unwrap();
                    GraphMove { to: to.clone(), label, name: None }
                };
                let moves = names.iter().zip(weights).map(chance).collect();
                (NodeData::On(StochasticLabel::Chance), ByPlayer::new(moves, Vec::new()))
            }
            NodeData::End(winner) => {
                let end = if dice.below(2) == 0 { Terminal::Draw } else { Terminal::Win(winner) };
                (NodeData::End(end), ByPlayer::default())
            }
            NodeData::On(ParityLabel { kind, .. }) => {
                let moves = moves.map(|moves| moves.into_iter().map(sure).collect());
                (NodeData::On(StochasticLabel::Player(kind)), moves)
            }
        };
        GraphPosition { name, data, moves }
    };
    let positions = positions.into_iter().enumerate().map(position).collect();
    WrittenGame { name, description, start, positions }
}

fn read(bytes: &[u8]) -> Result<AnyGraph, FormatError> {
    read_game("game.richman", &mut &bytes[..], &Reading::within(Effort::default()))
}

fn written(graph: &AnyGraph, form: GameForm) -> Vec<u8> {
    let mut bytes = Vec::new();
    graph.write(form, &mut bytes, &Unwatched).unwrap();
    bytes
}

fn game<L: FileObjective>(bytes: &[u8]) -> WrittenGame<L> {
    WrittenGame::from(&read(bytes).unwrap().played_for("game").unwrap())
}

/// The binary form of a game, which is the same game in every form.
fn binary<L: FileObjective>(given: &WrittenGame<L>) -> Vec<u8> {
    let graph = read(given.to_json().as_bytes()).unwrap();
    let json = written(&graph, GameForm::Json);
    assert_eq!(game::<L>(&json), *given);
    let bytes = written(&graph, GameForm::Binary);
    assert_eq!(game::<L>(&bytes), *given);
    let again = read(&bytes).unwrap();
    assert_eq!(written(&again, GameForm::Json), json, "JSON to binary to JSON is the identity");
    assert_eq!(written(&again, GameForm::Binary), bytes);
    bytes
}

#[test]
fn games_of_every_kind_come_back_unchanged() {
    let (mut texts, mut bytes) = (0, 0);
    for seed in 1..=GAMES {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let game = win_lose(&mut dice);
        texts += game.to_json().len();
        bytes += binary(&game).len();
        binary(&scoring(&mut dice));
        binary(&averages(&mut dice));
        binary(&by_chance(&mut dice));
        binary(&parity(&mut dice, true, false));
        binary(&parity(&mut dice, true, true));
        let mut game = win_lose(&mut dice);
        number(&mut game);
        binary(&game);
    }
    assert!(bytes < texts, "{bytes} bytes for {texts}");
}

/// Calls the positions 0, 1, 2 and so on.
fn number(game: &mut WrittenGame<richman_core::WinLose>) {
    let names: Vec<String> = game.positions.iter().map(|position| position.name.clone()).collect();
    let number = |name: &mut String| *name = names.iter().position(|known| known == name).unwrap().to_string();
    number(&mut game.start);
    for position in &mut game.positions {
        number(&mut position.name);
        position.moves.iter_mut().flatten().for_each(|step| number(&mut step.to));
    }
}

/// A game with everything: names of moves, weights, a description.
fn small() -> Vec<u8> {
    let text = "{\"name\":\"s\u{e9}\",\"description\":\"who wins\",\"start\":\"a\",\"positions\":{\
        \"a\":{\"both\":[{\"to\":\"b\",\"weight\":2,\"name\":\"up\"}],\"stuck\":{\"bob\":-1}},\
        \"b\":{\"alice\":[\"c\"],\"bob\":[{\"to\":\"c\",\"weight\":-300}]},\"c\":{\"score\":3}}}";
    written(&read(text.as_bytes()).unwrap(), GameForm::Binary)
}

#[test]
fn every_change_of_a_binary_file_is_found() {
    let bytes = small();
    assert!(read(&bytes).is_ok());
    for at in 0..bytes.len() {
        assert!(read(&bytes[..at]).is_err(), "{at} bytes");
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            let error = read(&changed).unwrap_err().to_string();
            assert!(error.starts_with("game.richman"), "{error}");
        }
    }
    assert!(read(&[&bytes[..], &[0]].concat()).unwrap_err().to_string().contains("something follows its end"));
}

/// The bytes of a file with their checksum.
fn summed(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = crc32fast::hash(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// Files whose checksum is right and whose content is not.
#[test]
fn a_binary_file_that_is_no_game_is_refused() {
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let mut accepted = 0;
    let of_each = [
        binary(&win_lose(&mut Dice(7))),
        small(),
        binary(&parity(&mut Dice(9), true, false)),
        binary(&averages(&mut Dice(5))),
        binary(&by_chance(&mut Dice(5))),
    ];
    let whole = of_each.map(|bytes| bytes[..bytes.len() - 4].to_vec());
    for round in 0..30_000 {
        let mut bytes = whole[round % whole.len()].clone();
        for _ in 0..=dice.below(3) {
            let at = dice.below(bytes.len());
            match dice.below(4) {
                0 => bytes[at] = dice.below(256) as u8,
                1 => bytes[at] ^= 1 << dice.below(8),
                2 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, dice.below(256) as u8),
            }
        }
        match read(&summed(bytes)) {
            Err(error) => assert!(!error.to_string().is_empty()),
            Ok(graph) => accepted += of_any!(graph, graph => again(&WrittenGame::from(&graph))),
        }
    }
    assert!(accepted > 100, "{accepted}");
}

fn again<L: FileObjective>(given: &WrittenGame<L>) -> u32 {
    assert_eq!(game::<L>(&binary(given)), *given);
    1
}

#[test]
fn announced_sizes_are_not_believed() {
    // LEB128 of 10^9 and of 2^32 - 2.
    let [many, most] = [[0x80, 0x94, 0xeb, 0xdc, 0x03], [0xfe, 0xff, 0xff, 0xff, 0x0f]];
    let head = |aim: u8| [&b"RICHGAME\x01"[..], &[aim, 1, b'n', 0]].concat();
    let began = Instant::now();
    for count in [many, most] {
        for aim in 0..5 {
            for rest in [
                [&count[..], &[0, 0, 0, 0]].concat(), // as many positions with numbers for names
                [&count[..], &[1, 1, b'a']].concat(), // as many names
                [&[1, 0][..], &count].concat(),       // as many names of moves
                [&[1, 0, 0, 0, 2][..], &count, &[0]].concat(), // as many moves
            ] {
                let error = read(&summed([head(aim), rest].concat())).unwrap_err().to_string();
                assert!(error.contains("damaged") || error.contains("needs 16.0 GiB"), "{error}");
            }
        }
    }
    for (rest, reason) in [
        (&[0, 0, 0, 0][..], "the start is 0, but is less than 0"),
        (&[1, 2], "whether names follow is 2, but is less than 2"),
        (&[0xff; 10], "a number is too large"),
        (&[0xff, 0xff, 0xff, 0xff, 0x7f], "the number of positions is 34359738367, but is less than 4294967295"),
        (&[2, 1, 1, b'a', 1, b'a', 0, 0], "position \"a\" is given twice"),
        (&[1, 1, 1, b'\n', 0, 0], "the name of a position contains the control character"),
        (&[1, 1, 1, 0xff, 0, 0], "the name of a position is not UTF-8"),
        (&[1, 1, 0, 0, 0], "the name of a position is empty"),
        (&[1, 0, 1, 2, b'a', b' ', 0], "the name of a move begins or ends with a space"),
        (&[1, 0, 0, 0, 0, 1, 2], "position number 0: the file is damaged: a move leads to what is no position"),
        (&[1, 0, 0, 0, 6], "the kind of a position is 6, but is less than 6"),
        (&[1, 0, 0, 0, 0, 1, 0, 1], "Bob has no move although the game is not over"),
    ] {
        let error = read(&summed([&head(0)[..], rest].concat())).unwrap_err().to_string();
        assert!(error.contains(reason), "{rest:?}: {error}");
    }
    for (bytes, reason) in [
        (&b"R"[..], "it ends too early"),
        (b"RICHLAYR", "begins like a binary one, but goes on otherwise"),
        (b"RICHGAME\x02", "a newer version wrote this file (format 2, this version reads 1)"),
        (b"RICHGAME\x01\x05", "is none of 0 to 4"),
    ] {
        let error = read(bytes).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    let ended = read(&summed([&head(2)[..], &[1, 0, 0, 0, 1]].concat())).unwrap_err().to_string();
    assert!(ended.contains("no position has a priority"), "{ended}");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

/// A path of many positions, in every form; for Storm, one of chance.
fn path(count: usize) -> [Vec<u8>; 4] {
    let line = |at: usize| format!("{at} {} 0 {},{};\n", at % 3, (at + 1) % count, at);
    let gm = (0..count).fold(format!("parity {};\n", count - 1), |text, at| text + &line(at));
    let graph = read(gm.as_bytes()).unwrap();
    let label = |at: usize| if at == 0 { " init" } else { "" };
    let state = |at: usize| format!("state {at}{}\n\taction 0\n\t\t{at} : 1/2\n\t\t{} : 1/2\n", label(at), at + 1);
    let head = format!("@type: DTMC\n@nr_states\n{count}\n@model\n");
    let chain = (0..count - 1).fold(head, |text, at| text + &state(at)) + &format!("state {} alice\n", count - 1);
    let [json, binary] = [GameForm::Json, GameForm::Binary].map(|form| written(&graph, form));
    [gm.into_bytes(), json, binary, chain.into_bytes()]
}

#[test]
fn memory_and_stops_are_heeded_in_every_form() {
    for bytes in path(20_000) {
        let little = Reading::within(Effort { memory: 1 << 18, ..Effort::default() });
        let error = read_game("path", &mut &bytes[..], &little).unwrap_err();
        let is_limit = |error: &Error| matches!(error, Error::TooMuchMemory { limit: 262_144, .. });
        assert!(matches!(&error, FormatError::Stopped { error, .. } if is_limit(error)), "{error}");
        let enough = Reading::within(Effort { memory: 4 << 20, ..Effort::default() });
        let graph = read_game("path", &mut &bytes[..], &enough).unwrap();
        let impatient = Impatient::default();
        let watched = Reading::within(Effort::watched(&impatient));
        let error = read_game("path", &mut &bytes[..], &watched).unwrap_err();
        assert!(matches!(&error, FormatError::Stopped { error, .. } if **error == Error::Cancelled), "{error}");
        for form in GameForm::ALL.iter().copied().filter(|form| graph.check_form(*form, "path").is_ok()) {
            let mut part = Vec::new();
            assert!(graph.write(form, &mut part, &Impatient::default()).is_err());
            assert!(part.len() < written(&graph, form).len(), "{form}");
        }
    }
}

#[test]
fn parity_games_come_back_from_gm() {
    for seed in 1..=GAMES {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let given = parity(&mut dice, false, true);
        let graph = AnyGraph::Parity(given.graph().unwrap());
        graph.check_form(GameForm::Gm, "game").unwrap();
        let gm = written(&graph, GameForm::Gm);
        let back = WrittenGame { description: given.description.clone(), ..game::<Parity>(&gm) };
        assert_eq!(back, given, "{}", String::from_utf8_lossy(&gm));
        // Names that are no numbers become numbers, and ends become loops.
        let given = parity(&mut dice, false, false);
        let graph = AnyGraph::Parity(given.graph().unwrap());
        let gm = written(&graph, GameForm::Gm);
        let back = game::<Parity>(&gm);
        let number = |name: &str| given.positions.iter().position(|known| known.name == name).unwrap().to_string();
        assert_eq!(back.start, number(&given.start));
        for (at, (position, known)) in back.positions.iter().zip(&given.positions).enumerate() {
            assert_eq!(position.name, at.to_string());
            if let NodeData::End(winner) = known.data {
                let loops = ParityLabel { priority: Priority(winner.either(0, 1)), kind: PositionKind::Owned(winner) };
                assert_eq!(
                    (position.data, position.moves[winner][0].to.clone()),
                    (NodeData::On(loops), at.to_string())
                );
                continue;
            }
            assert_eq!(position.data, known.data);
            for player in Player::BOTH {
                let mut to: Vec<String> = known.moves[player].iter().map(|step| number(&step.to)).collect();
                let mut seen = std::collections::HashSet::new();
                to.retain(|to| seen.insert(to.clone()));
                assert!(position.moves[player].iter().map(|step| &step.to).eq(&to));
            }
        }
    }
}

/// The random-turn game has the same states when it is read and written again.
#[test]
fn games_for_storm_come_back() {
    let mut read_back = 0;
    for seed in 1..=GAMES {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let graphs = [
            AnyGraph::Stochastic(by_chance(&mut dice).graph().unwrap()),
            AnyGraph::Win(win_lose(&mut dice).graph().unwrap()),
        ];
        for graph in graphs {
            let (tra, lab) = (written(&graph, GameForm::Tra), written(&graph, GameForm::Lab));
            let files = [("game.tra", &mut &tra[..] as &mut dyn Read), ("game.lab", &mut &lab[..])];
            let back = read_transitions(files, &Reading::within(Effort::default())).unwrap();
            assert_eq!(written(&back, GameForm::Lab), lab);
            assert_eq!(String::from_utf8(written(&back, GameForm::Tra)), String::from_utf8(tra.clone()));
            let [tra, lab] = [tra, lab].map(|bytes| String::from_utf8(bytes).unwrap());
            let head: Vec<u64> = tra.split(&[' ', ':', '\n'][..]).take(4).flat_map(str::parse).collect();
            let lines = tra.lines().count() as u64 - 1;
            assert!(head[1..].contains(&lines), "{tra}");
            let number = |line: &str, sign: char| line.split(sign).next().unwrap().parse::<u64>().unwrap();
            assert!(lab.lines().skip(1).all(|line| number(line, ':') < head[0]), "{tra}{lab}");
            let umb = written(&graph, GameForm::Umb);
            assert_eq!(String::from_utf8(written(&read(&umb).unwrap(), GameForm::Tra)).unwrap(), tra);
            if let Err(error) = graph.check_form(GameForm::Drn, "game") {
                match error.to_string().contains("both players choose moves") {
                    true => assert!(tra.lines().next().unwrap().contains(":2 "), "{tra}"),
                    false => assert!(error.to_string().contains("play never ends"), "{error}"),
                }
                continue;
            }
            let drn = written(&graph, GameForm::Drn);
            let again = written(&read(&drn).unwrap(), GameForm::Drn);
            assert_eq!(String::from_utf8(again).unwrap(), String::from_utf8(drn).unwrap());
            read_back += 1;
        }
    }
    assert!(read_back > GAMES / 5, "{read_back}");
}

#[test]
fn a_coin_for_storm_and_prism() {
    let text = r#"{"name":"coin","start":"toss","positions":{"toss":{"alice":["heads"],"bob":["tails","toss"]},
        "heads":{"winner":"alice"},"tails":{"winner":"bob"}}}"#;
    let graph = read(text.as_bytes()).unwrap();
    let written = |form| String::from_utf8(written(&graph, form)).unwrap();
    assert_eq!(
        written(GameForm::Drn),
        "@type: MDP\n@parameters\n\n@reward_models\n\n@nr_states\n4\n@nr_choices\n5\n@model\n\
         state 0 init\n\taction 0\n\t\t1 : 1/2\n\t\t3 : 1/2\nstate 1 alice\n\taction 0\n\t\t1 : 1\n\
         state 2 bob\n\taction 0\n\t\t2 : 1\nstate 3 by_bob\n\taction 0\n\t\t0 : 1\n\taction 1\n\t\t2 : 1\n"
    );
    assert_eq!(written(GameForm::Tra), "4 5 6\n0 0 1 1/2\n0 0 3 1/2\n1 0 1 1\n2 0 2 1\n3 0 0 1\n3 1 2 1\n");
    let lab = "0=\"init\" 1=\"deadlock\" 2=\"alice\" 3=\"bob\" 4=\"draw\" 5=\"by_bob\"\n0: 0\n1: 2\n2: 3\n3: 5\n";
    assert_eq!(written(GameForm::Lab), lab);
}

#[test]
fn numbers_may_be_far_apart_and_names_stand_in_quotes() {
    let text = "parity 4294967294;\nstart 7;\n4294967294 2 0 7;\n7 1 1 4294967294,7;\n";
    let graph = read(text.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(written(&graph, GameForm::Gm)).unwrap(), text);
    // Without a header, and with a header that says too much or too little.
    for head in ["", "parity 4000000000;", "parity 0;"] {
        let AnyGraph::Parity(graph) = read(format!("{head}1 1 0 1;0 0 0 1;").as_bytes()).unwrap() else { panic!() };
        assert_eq!((graph.len(), graph.notation(&graph.start()).as_str()), (2, "1"), "{head}");
    }
    for (text, reason) in [
        ("4000000000 0 0 5;", "position \"4000000000\": Alice moves to \"5\", which is not a position"),
        ("0 0 0 4000000000;", "position \"0\": Alice moves to \"4000000000\", which is not a position"),
        ("4000000000 0 0 4000000000;4000000000 0 0 4000000000;", "position \"4000000000\" is given twice"),
    ] {
        let error = read(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    let named = r#"{"name":"n","start":"gate 1","positions":{"gate 1":{"priority":1,"kind":"bob","bob":["won","\""]},
        "won":{"winner":"alice"},"\"":{"winner":"bob"}}}"#;
    let gm = written(&read(named.as_bytes()).unwrap(), GameForm::Gm);
    assert_eq!(String::from_utf8(gm).unwrap(), "parity 2;\n0 1 1 1,2 \"gate 1\";\n1 0 0 1 \"won\";\n2 1 1 2;\n");
}

#[test]
fn gm_has_no_bids() {
    let guard = r#"{"name":"n","start":"a","positions":{"b":{"priority":1,"kind":"bob","bob":["a"]},
        "a":{"both":["a","b"],"priority":2}}}"#;
    let coin = r#"{"name":"n","start":"a","positions":{"a":{"winner":"none"}}}"#;
    for (text, reason) in [
        (guard, "game.json, position \"a\": the players bid for the move, and for PGSolver one player moves"),
        (coin, "game.json: only games with priorities can be written for PGSolver"),
    ] {
        let graph = read(text.as_bytes()).unwrap();
        let error = graph.check_form(GameForm::Gm, "game.json").unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
        assert!(graph.write(GameForm::Gm, &mut Vec::new(), &Unwatched).is_err());
    }
}
