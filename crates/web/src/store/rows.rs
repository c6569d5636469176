//! Rows of the database: matches, seats, invitations, actions, wishes, records.

use std::time::{SystemTime, UNIX_EPOCH};

use richman_core::{ByPlayer, Player};
use richman_play::Action;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Params, Row, params};

use super::StoreError;
use crate::hall::{HallLimits, ShownRecord, Viewer};
use crate::setup::MatchSetup;
use crate::token::{GameId, Token};

impl ToSql for Viewer {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(self.word()))
    }
}

impl FromSql for Viewer {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Viewer> {
        match value.as_str()? {
            "alice" => Ok(Viewer::Player(Player::Alice)),
            "bob" => Ok(Viewer::Player(Player::Bob)),
            "both" => Ok(Viewer::Both),
            _ => Err(FromSqlError::InvalidType),
        }
    }
}

/// A match to store.
pub(crate) struct NewMatchRow {
    pub(crate) id: GameId,
    /// The setup in JSON.
    pub(crate) setup: String,
    /// Hashes of tokens, with their roles.
    pub(crate) seats: Vec<([u8; 32], Viewer)>,
    pub(crate) invitation: Option<(Token, Player)>,
}

pub(crate) struct StoredMatch {
    /// The key in the database.
    pub(crate) number: i64,
    pub(crate) setup: MatchSetup,
    pub(crate) actions: Vec<(Player, Action)>,
    pub(crate) invitation: Option<(Token, Player)>,
    pub(crate) wishes: ByPlayer<bool>,
    pub(crate) next: Option<GameId>,
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

fn id(text: String) -> Result<GameId, StoreError> {
    GameId::read(&text).ok_or_else(|| StoreError::Damaged("the name of a match".to_string()))
}

fn player(seat: Viewer) -> Result<Player, StoreError> {
    match seat {
        Viewer::Player(player) => Ok(player),
        Viewer::Both | Viewer::Spectator => Err(StoreError::Damaged("an action of both players".to_string())),
    }
}

/// Runs a change and returns the number of rows.
fn run(connection: &Connection, change: &str, with: impl Params) -> Result<usize, StoreError> {
    Ok(connection.prepare_cached(change)?.execute(with)?)
}

fn first<T>(
    connection: &Connection,
    select: &str,
    with: impl Params,
    read: impl FnOnce(&Row) -> rusqlite::Result<T>,
) -> Result<Option<T>, StoreError> {
    Ok(connection.prepare_cached(select)?.query_row(with, read).optional()?)
}

const ADD_SEAT: &str = "INSERT INTO seats (token, game, side) VALUES (?1, ?2, ?3)";

/// Stores a new match and returns its number.
pub(crate) fn add_match(connection: &Connection, new: &NewMatchRow) -> Result<i64, StoreError> {
    let insert = "INSERT INTO games (id, created, setup) VALUES (?1, ?2, ?3)";
    run(connection, insert, params![new.id.as_str(), now(), new.setup])?;
    let number = connection.last_insert_rowid();
    for (token, seat) in &new.seats {
        run(connection, ADD_SEAT, params![token, number, seat])?;
    }
    if let Some((token, player)) = &new.invitation {
        let insert = "INSERT INTO invitations (hash, token, game, side) VALUES (?1, ?2, ?3, ?4)";
        run(connection, insert, params![token.hash(), token.reveal(), number, Viewer::Player(*player)])?;
    }
    Ok(number)
}

/// Stores action `number` of a match, unless there is one of that number.
pub(crate) fn add_action(
    connection: &Connection,
    game: i64,
    number: u32,
    player: Player,
    action: &str,
) -> Result<(), StoreError> {
    let insert = "INSERT INTO actions (game, number, side, action, at) VALUES (?1, ?2, ?3, ?4, ?5)";
    run(connection, insert, params![game, number, Viewer::Player(player), action, now()])?;
    Ok(())
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
        run(connection, ADD_SEAT, params![token, game, Viewer::Player(player)])?;
    }
    Ok(used == 1)
}

/// Stores that players ask for a return match.
pub(crate) fn add_wishes(connection: &Connection, game: i64, players: &[Player]) -> Result<(), StoreError> {
    for player in players {
        let insert = "INSERT OR IGNORE INTO wishes (game, side) VALUES (?1, ?2)";
        run(connection, insert, params![game, Viewer::Player(*player)])?;
    }
    Ok(())
}

/// Stores a return match. All seats move to it, on the other side.
pub(crate) fn add_next(connection: &Connection, game: i64, next: &NewMatchRow) -> Result<i64, StoreError> {
    let number = add_match(connection, next)?;
    run(connection, "UPDATE games SET next = ?1 WHERE number = ?2", params![number, game])?;
    let exchange = "UPDATE seats SET game = ?1, side = CASE side WHEN 'alice' THEN 'bob' WHEN 'bob' THEN 'alice' \
                    ELSE side END WHERE game = ?2";
    run(connection, exchange, params![number, game])?;
    Ok(number)
}

/// The seat of the token with that hash.
pub(crate) fn seat(connection: &Connection, token: &[u8; 32]) -> Result<Option<(GameId, Viewer)>, StoreError> {
    seat_in(connection, "SELECT id, side FROM seats JOIN games ON games.number = game WHERE token = ?1", token)
}

/// The seat of the invitation with that hash.
pub(crate) fn invitation(connection: &Connection, hash: &[u8; 32]) -> Result<Option<(GameId, Viewer)>, StoreError> {
    seat_in(connection, "SELECT id, side FROM invitations JOIN games ON games.number = game WHERE hash = ?1", hash)
}

fn seat_in(connection: &Connection, select: &str, hash: &[u8; 32]) -> Result<Option<(GameId, Viewer)>, StoreError> {
    let found = first(connection, select, params![hash], |row| Ok((row.get(0)?, row.get(1)?)))?;
    found.map(|(name, seat)| Ok((id(name)?, seat))).transpose()
}

/// A match by its name, with all its events.
pub(crate) fn stored(connection: &Connection, name: &GameId) -> Result<Option<StoredMatch>, StoreError> {
    let select = "SELECT games.number, games.setup, after.id FROM games \
                  LEFT JOIN games AS after ON after.number = games.next WHERE games.id = ?1";
    let found = first(connection, select, params![name.as_str()], |row| {
        Ok((row.get(0)?, row.get::<_, String>(1)?, row.get::<_, Option<String>>(2)?))
    })?;
    let Some((number, setup, next)) = found else { return Ok(None) };
    Ok(Some(StoredMatch {
        number,
        setup: serde_json::from_str(&setup)?,
        actions: actions(connection, number)?,
        invitation: open_invitation(connection, number)?,
        wishes: wishes(connection, number)?,
        next: next.map(id).transpose()?,
    }))
}

fn actions(connection: &Connection, game: i64) -> Result<Vec<(Player, Action)>, StoreError> {
    let mut select = connection.prepare_cached("SELECT side, action FROM actions WHERE game = ?1 ORDER BY number")?;
    let rows = select.query_map(params![game], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
    rows.map(|row| {
        let (seat, action) = row?;
        Ok((player(seat)?, serde_json::from_str(&action)?))
    })
    .collect()
}

fn open_invitation(connection: &Connection, game: i64) -> Result<Option<(Token, Player)>, StoreError> {
    let select = "SELECT token, side FROM invitations WHERE game = ?1";
    let found = first(connection, select, params![game], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?;
    let Some((token, seat)) = found else { return Ok(None) };
    let token = Token::read(&token).ok_or_else(|| StoreError::Damaged("an invitation".to_string()))?;
    Ok(Some((token, player(seat)?)))
}

fn wishes(connection: &Connection, game: i64) -> Result<ByPlayer<bool>, StoreError> {
    let mut select = connection.prepare_cached("SELECT side FROM wishes WHERE game = ?1")?;
    let mut wishes = ByPlayer::both(false);
    for seat in select.query_map(params![game], |row| row.get(0))? {
        wishes[player(seat?)?] = true;
    }
    Ok(wishes)
}

/// Stores a record with its game file.
pub(crate) fn add_record(connection: &Connection, name: &GameId, shown: &ShownRecord) -> Result<(), StoreError> {
    let insert = "INSERT INTO records (id, created, text, file) VALUES (?1, ?2, ?3, ?4)";
    run(connection, insert, params![name.as_str(), now(), shown.text, shown.file])?;
    Ok(())
}

/// A record by its name, with its game file.
pub(crate) fn record(connection: &Connection, name: &GameId) -> Result<Option<ShownRecord>, StoreError> {
    let select = "SELECT text, file FROM records WHERE id = ?1";
    first(connection, select, params![name.as_str()], |row| Ok(ShownRecord { text: row.get(0)?, file: row.get(1)? }))
}

/// Refuses if the limit on matches or bytes is reached.
pub(crate) fn check_room(connection: &Connection, limits: HallLimits) -> Result<(), StoreError> {
    let number = |sql: &str| -> Result<u64, StoreError> {
        let found: i64 = connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
        Ok(u64::try_from(found).unwrap_or(0))
    };
    let matches = number("SELECT games FROM kept")?;
    let pages = number("PRAGMA page_count")? - number("PRAGMA freelist_count")?;
    if matches >= limits.matches || pages.saturating_mul(number("PRAGMA page_size")?) >= limits.bytes {
        return Err(StoreError::Full);
    }
    Ok(())
}

/// Deletes all records older than `seconds`, and up to `most` matches without an event since then,
/// whose names it returns.
pub(crate) fn forget(connection: &Connection, seconds: i64, most: u32) -> Result<Vec<GameId>, StoreError> {
    let before = now() - seconds;
    run(connection, "DELETE FROM records WHERE created < ?1", params![before])?;
    let mut select = connection.prepare_cached(
        "SELECT number, id FROM games WHERE created < ?1 AND coalesce(
             (SELECT at FROM actions WHERE game = games.number ORDER BY actions.number DESC LIMIT 1), 0) < ?1 LIMIT ?2",
    )?;
    let old = select.query_map(params![before, most], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
    let mut names = Vec::new();
    for row in old.collect::<Result<Vec<_>, _>>()? {
        run(connection, "DELETE FROM games WHERE number = ?1", params![row.0])?;
        names.push(id(row.1)?);
    }
    Ok(names)
}
