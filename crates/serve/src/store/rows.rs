//! Rows of the database: matches, seats, invitations, actions, wishes, game files, records.

use std::time::{SystemTime, UNIX_EPOCH};

use richman_core::{ByPlayer, Player};
use richman_hall::setup::MatchSetup;
use richman_hall::token::{GameId, Token};
use richman_hall::{FileText, MatchStage, NewMatchRow, SharedTexts, ShownRecord, StoredMatch, Viewer, weight};
use richman_play::Action;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, OptionalExtension, Params, Row, params};

use super::room::read_stage;
use super::{StoreError, bindings, sums};

/// A seat as a column has it.
struct SeatColumn(Viewer);

impl FromSql for SeatColumn {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<SeatColumn> {
        let seat = Viewer::read(value.as_str()?).filter(|viewer| *viewer != Viewer::Spectator);
        seat.map(SeatColumn).ok_or(FromSqlError::InvalidType)
    }
}

/// A match with what only the database knows of it.
pub(crate) struct StoredRow {
    /// The key in the database.
    pub(crate) number: i64,
    /// Its stage at the last action; `Begun` if an earlier version stored it.
    pub(crate) stage: MatchStage,
    pub(crate) game: StoredMatch,
}

/// The seconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

pub(super) fn game_id(text: String) -> Result<GameId, StoreError> {
    GameId::read(&text).ok_or_else(|| StoreError::Damaged("the name of a match".to_string()))
}

fn player(seat: Viewer) -> Result<Player, StoreError> {
    match seat {
        Viewer::Player(player) => Ok(player),
        Viewer::Both | Viewer::Spectator => Err(StoreError::Damaged("an action of both players".to_string())),
    }
}

/// Runs a change and returns the number of rows.
pub(super) fn run(connection: &Connection, change: &str, with: impl Params) -> Result<usize, StoreError> {
    Ok(connection.prepare_cached(change)?.execute(with)?)
}

pub(super) fn first<T>(
    connection: &Connection,
    select: &str,
    with: impl Params,
    read: impl FnOnce(&Row) -> rusqlite::Result<T>,
) -> Result<Option<T>, StoreError> {
    Ok(connection.prepare_cached(select)?.query_row(with, read).optional()?)
}

/// Rewrites existing data.
pub(crate) fn write_again(connection: &Connection) -> Result<(), StoreError> {
    run(connection, "UPDATE kept SET seen = seen", params![]).map(drop)
}

const ADD_SEAT: &str = "INSERT INTO seats (token, game, side) VALUES (?1, ?2, ?3)";

/// Stores a new match and returns its number.
pub(crate) fn add_match(connection: &Connection, new: &NewMatchRow) -> Result<i64, StoreError> {
    let file = new.file.as_ref().map(|file| add_file(connection, file)).transpose()?;
    let insert = "INSERT INTO games (id, created, setup, file, sum) VALUES (?1, ?2, ?3, ?4, ?5)";
    let sum = sums::of_match(new.id.as_str(), &new.setup);
    run(connection, insert, params![new.id.as_str(), now(), new.setup, file, sum])?;
    let number = connection.last_insert_rowid();
    let insert = "INSERT INTO activity (game, stage, touched, bytes) VALUES (?1, ?2, ?3, ?4)";
    let bytes = weight::of_match(&new.setup) as i64;
    run(connection, insert, params![number, MatchStage::Unbegun as i64, now(), bytes])?;
    for (token, seat) in &new.seats {
        run(connection, ADD_SEAT, params![token, number, seat.word()])?;
    }
    if let Some((token, player)) = &new.invitation {
        let insert = "INSERT INTO invitations (hash, token, game, side) VALUES (?1, ?2, ?3, ?4)";
        run(connection, insert, params![token.hash(), token.reveal(), number, Viewer::Player(*player).word()])?;
    }
    bindings::bind(connection, number)?;
    Ok(number)
}

/// Stores a game file, unless an equal one exists, and returns its number.
fn add_file(connection: &Connection, file: &FileText) -> Result<i64, StoreError> {
    let select = "SELECT number FROM files WHERE hash = ?1";
    if let Some(number) = first(connection, select, params![file.hash()], |row| row.get(0))? {
        return Ok(number);
    }
    let insert = "INSERT INTO files (hash, text, bytes) VALUES (?1, ?2, ?3)";
    run(connection, insert, params![file.hash(), &**file, weight::of_file(file) as i64])?;
    Ok(connection.last_insert_rowid())
}

/// Records the use of a match, raising its stage and its size; `false` if the match is gone.
pub(crate) fn touch(connection: &Connection, game: i64, stage: MatchStage, bytes: u64) -> Result<bool, StoreError> {
    let update = "UPDATE activity SET stage = max(stage, ?2), touched = ?3, bytes = bytes + ?4 WHERE game = ?1";
    Ok(run(connection, update, params![game, stage as i64, now(), bytes as i64])? == 1)
}

/// Records the stage of a match.
pub(crate) fn note_stage(connection: &Connection, game: i64, stage: MatchStage) -> Result<(), StoreError> {
    run(connection, "UPDATE activity SET stage = ?2 WHERE game = ?1", params![game, stage as i64]).map(drop)
}

/// Stores action `number` of a match and its new stage, unless there is one of that number; `false`
/// if the match is gone.
pub(crate) fn add_action(
    connection: &Connection,
    game: i64,
    number: u32,
    player: Player,
    action: &str,
    stage: MatchStage,
) -> Result<bool, StoreError> {
    if !touch(connection, game, stage, weight::of_action(action))? {
        return Ok(false);
    }
    let (side, at) = (Viewer::Player(player).word(), now());
    let sum = sums::of_action(game, number.into(), side, action, at);
    let insert = "INSERT INTO actions (game, number, side, action, at, sum) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    run(connection, insert, params![game, number, side, action, at, sum])?;
    bindings::add_action(connection, game, sum)
}

/// Exchanges an invitation for a seat of the token with that hash; `false` if it was used before.
pub(crate) fn accept(
    connection: &Connection,
    game: i64,
    invitation: &[u8; 32],
    player: Player,
    token: &[u8; 32],
) -> Result<bool, StoreError> {
    let used = run(connection, "DELETE FROM invitations WHERE hash = ?1", params![invitation])?;
    if used == 1 {
        touch(connection, game, MatchStage::Unbegun, 0)?;
        run(connection, ADD_SEAT, params![token, game, Viewer::Player(player).word()])?;
        let insert = "INSERT INTO used_invitations (hash, game) VALUES (?1, ?2)";
        run(connection, insert, params![invitation, game])?;
        bindings::bind(connection, game)?;
    }
    Ok(used == 1)
}

/// Stores the players' requests for a return match.
pub(crate) fn add_wishes(connection: &Connection, game: i64, players: &[Player]) -> Result<(), StoreError> {
    touch(connection, game, MatchStage::Over, 0)?;
    for player in players {
        let insert = "INSERT OR IGNORE INTO wishes (game, side) VALUES (?1, ?2)";
        run(connection, insert, params![game, Viewer::Player(*player).word()])?;
    }
    bindings::bind(connection, game)
}

/// Stores a return match. All seats move to it, on the other side.
pub(crate) fn add_next(connection: &Connection, game: i64, next: &NewMatchRow) -> Result<i64, StoreError> {
    let number = add_match(connection, next)?;
    run(connection, "UPDATE games SET next = ?1 WHERE number = ?2", params![number, game])?;
    let exchange = "UPDATE seats SET game = ?1, side = CASE side WHEN 'alice' THEN 'bob' WHEN 'bob' THEN 'alice' \
                    ELSE side END WHERE game = ?2";
    run(connection, exchange, params![number, game])?;
    bindings::bind(connection, game)?;
    bindings::bind(connection, number)?;
    Ok(number)
}

/// The seat of the token with that hash.
pub(crate) fn seat(connection: &Connection, token: &[u8; 32]) -> Result<Option<(GameId, Viewer)>, StoreError> {
    seat_in(connection, "SELECT number, id, side FROM seats JOIN games ON number = game WHERE token = ?1", token)
}

/// The seat of the invitation with that hash.
pub(crate) fn invitation(connection: &Connection, hash: &[u8; 32]) -> Result<Option<(GameId, Viewer)>, StoreError> {
    seat_in(connection, "SELECT number, id, side FROM invitations JOIN games ON number = game WHERE hash = ?1", hash)
}

/// The match of the used invitation with that hash.
pub(crate) fn used_invitation(connection: &Connection, hash: &[u8; 32]) -> Result<Option<GameId>, StoreError> {
    let select = "SELECT number, id FROM used_invitations JOIN games ON games.number = game WHERE hash = ?1";
    let found = first(connection, select, params![hash], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let Some((number, name)) = found else { return Ok(None) };
    bindings::check(connection, number)?;
    Ok(Some(game_id(name)?))
}

fn seat_in(connection: &Connection, select: &str, hash: &[u8; 32]) -> Result<Option<(GameId, Viewer)>, StoreError> {
    let found = first(connection, select, params![hash], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let Some((number, name, SeatColumn(seat))) = found else { return Ok(None) };
    bindings::check(connection, number)?;
    Ok(Some((game_id(name)?, seat)))
}

/// A match by its name, with all its events. Its game file is the copy in use, if there is one.
pub(crate) fn stored(
    connection: &Connection,
    name: &GameId,
    texts: &SharedTexts,
) -> Result<Option<StoredRow>, StoreError> {
    let select = "SELECT games.number, games.setup, games.sum, games.file, stage, chain, after.id \
                  FROM games JOIN activity ON game = games.number \
                  LEFT JOIN games AS after ON after.number = games.next WHERE games.id = ?1";
    let found = first(connection, select, params![name.as_str()], |row| {
        let about = (row.get(0)?, row.get::<_, String>(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?);
        Ok((about, row.get::<_, Option<String>>(6)?))
    })?;
    let Some(((number, setup, sum, in_file, stage, chain), next)) = found else { return Ok(None) };
    bindings::check(connection, number)?;
    sums::check(sum, sums::of_match(name.as_str(), &setup), "a match")?;
    let mut setup: MatchSetup = serde_json::from_str(&setup)?;
    setup.file = file(connection, in_file, texts)?;
    let game = StoredMatch {
        setup,
        actions: actions(connection, number, chain)?,
        invitation: open_invitation(connection, number)?,
        wishes: wishes(connection, number)?,
        next: next.map(game_id).transpose()?,
    };
    Ok(Some(StoredRow { number, stage: read_stage(stage)?, game }))
}

/// The game file of that number.
pub(super) fn file(
    connection: &Connection,
    number: Option<i64>,
    texts: &SharedTexts,
) -> Result<Option<FileText>, StoreError> {
    let Some(number) = number else { return Ok(None) };
    let damaged = |what: &str| StoreError::Damaged(what.to_string());
    let missing = || damaged("a game file is missing");
    let select = "SELECT hash FROM files WHERE number = ?1";
    let hash: [u8; 32] = first(connection, select, params![number], |row| row.get(0))?.ok_or_else(missing)?;
    if let Some(known) = texts.get(&hash) {
        return Ok(Some(known));
    }
    let select = "SELECT text FROM files WHERE number = ?1";
    let text: String = first(connection, select, params![number], |row| row.get(0))?.ok_or_else(missing)?;
    let file = FileText::from(text);
    if *file.hash() != hash {
        return Err(damaged("the checksum of a game file is wrong"));
    }
    Ok(Some(texts.shared(file)))
}

fn actions(connection: &Connection, game: i64, chain: u32) -> Result<Vec<(Player, Action)>, StoreError> {
    let select = "SELECT number, side, action, at, sum FROM actions WHERE game = ?1 ORDER BY number";
    let mut select = connection.prepare_cached(select)?;
    let rows = select.query_map(params![game], |row| {
        Ok((row.get(0)?, row.get::<_, SeatColumn>(1)?, row.get::<_, String>(2)?, row.get(3)?, row.get(4)?))
    })?;
    let mut found = 0;
    let actions = rows.map(|row| {
        let (number, SeatColumn(side), action, at, sum) = row?;
        sums::check(sum, sums::of_action(game, number, side.word(), &action, at), "an action")?;
        found = sums::chained(found, sum);
        Ok((player(side)?, serde_json::from_str(&action)?))
    });
    let actions = actions.collect::<Result<_, StoreError>>()?;
    sums::check(chain, found, "the actions of a match")?;
    Ok(actions)
}

fn open_invitation(connection: &Connection, game: i64) -> Result<Option<(Token, Player)>, StoreError> {
    let select = "SELECT token, side FROM invitations WHERE game = ?1";
    let found = first(connection, select, params![game], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?;
    let Some((token, SeatColumn(seat))) = found else { return Ok(None) };
    let token = Token::read(&token).ok_or_else(|| StoreError::Damaged("an invitation".to_string()))?;
    Ok(Some((token, player(seat)?)))
}

fn wishes(connection: &Connection, game: i64) -> Result<ByPlayer<bool>, StoreError> {
    let mut select = connection.prepare_cached("SELECT side FROM wishes WHERE game = ?1")?;
    let mut wishes = ByPlayer::both(false);
    for seat in select.query_map(params![game], |row| row.get(0))? {
        let SeatColumn(seat) = seat?;
        wishes[player(seat)?] = true;
    }
    Ok(wishes)
}

/// Stores a hint given to a player, once.
pub(crate) fn add_hint(
    connection: &Connection,
    game: i64,
    player: Player,
    hint: &str,
    stage: MatchStage,
) -> Result<(), StoreError> {
    let insert = "INSERT OR IGNORE INTO hints (game, side, hint) VALUES (?1, ?2, ?3)";
    if run(connection, insert, params![game, Viewer::Player(player).word(), hint])? == 1 {
        touch(connection, game, stage, weight::of_action(hint))?;
        bindings::bind(connection, game)?;
    }
    Ok(())
}

/// The hints given in a match.
pub(crate) fn hints(connection: &Connection, game: i64) -> Result<Vec<(Player, String)>, StoreError> {
    let mut select = connection.prepare_cached("SELECT side, hint FROM hints WHERE game = ?1")?;
    let rows = select.query_map(params![game], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.map(|row| row.map_err(StoreError::from).and_then(|(SeatColumn(side), hint)| Ok((player(side)?, hint))))
        .collect()
}

/// Stores a record with its game file.
pub(crate) fn add_record(connection: &Connection, name: &GameId, shown: &ShownRecord) -> Result<(), StoreError> {
    let file = shown.file.as_ref().map(|file| add_file(connection, file)).transpose()?;
    let insert = "INSERT INTO records (id, created, text, file, sum, bytes) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let sum = sums::of_record(name.as_str(), &shown.text, shown.file.as_ref().map(FileText::hash));
    let bytes = weight::of_record(&shown.text) as i64;
    run(connection, insert, params![name.as_str(), now(), shown.text, file, sum, bytes])?;
    Ok(())
}

/// A record by its name, with its game file.
pub(crate) fn record(
    connection: &Connection,
    name: &GameId,
    texts: &SharedTexts,
) -> Result<Option<ShownRecord>, StoreError> {
    let select = "SELECT text, sum, file FROM records WHERE id = ?1";
    let found = first(connection, select, params![name.as_str()], |row| {
        Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?))
    })?;
    let Some((text, sum, in_file)) = found else { return Ok(None) };
    let file = file(connection, in_file, texts)?;
    sums::check(sum, sums::of_record(name.as_str(), &text, file.as_ref().map(FileText::hash)), "a record")?;
    Ok(Some(ShownRecord { text, file }))
}
