//! What is read and written: matches, seats, invitations, actions, wishes, records.

use std::time::{SystemTime, UNIX_EPOCH};

use richman_core::Player;
use richman_play::Action;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, params};

use super::{StoreError, read_action};
use crate::setup::Setup;
use crate::token::{GameId, Token};

/// Whom a seat is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    One(Player),
    /// Both players, at one screen.
    Both,
}

impl Side {
    fn word(self) -> &'static str {
        match self {
            Side::One(Player::Alice) => "alice",
            Side::One(Player::Bob) => "bob",
            Side::Both => "both",
        }
    }
}

impl ToSql for Side {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(self.word()))
    }
}

impl FromSql for Side {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Side> {
        match value.as_str()? {
            "alice" => Ok(Side::One(Player::Alice)),
            "bob" => Ok(Side::One(Player::Bob)),
            "both" => Ok(Side::Both),
            _ => Err(FromSqlError::InvalidType),
        }
    }
}

/// A match to be kept.
pub(crate) struct NewMatch {
    pub(crate) id: GameId,
    /// The setup in JSON.
    pub(crate) setup: String,
    /// Hashes of tokens, and what each is for.
    pub(crate) seats: Vec<([u8; 32], Side)>,
    /// For a friend.
    pub(crate) invitation: Option<(Token, Player)>,
}

/// A match as it is kept.
pub(crate) struct StoredMatch {
    /// Its number in the database.
    pub(crate) number: i64,
    pub(crate) setup: Setup,
    pub(crate) actions: Vec<(Player, Action)>,
    pub(crate) invitation: Option<(Token, Player)>,
    pub(crate) wishes: [bool; 2],
    pub(crate) next: Option<GameId>,
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

fn id(text: String) -> Result<GameId, StoreError> {
    GameId::read(&text).ok_or_else(|| StoreError::Damaged("the name of a match".to_string()))
}

fn player(side: Side) -> Result<Player, StoreError> {
    match side {
        Side::One(player) => Ok(player),
        Side::Both => Err(StoreError::Damaged("an action of both players".to_string())),
    }
}

/// Keeps a new match, and gives its number.
pub(crate) fn add_match(connection: &Connection, new: &NewMatch) -> Result<i64, StoreError> {
    connection.prepare_cached("INSERT INTO games (id, created, setup) VALUES (?1, ?2, ?3)")?.execute(params![
        new.id.as_str(),
        now(),
        new.setup
    ])?;
    let number = connection.last_insert_rowid();
    for (token, side) in &new.seats {
        add_seat(connection, number, token, *side)?;
    }
    if let Some((token, player)) = &new.invitation {
        connection
            .prepare_cached("INSERT INTO invitations (hash, token, game, side) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![token.hash(), token.reveal(), number, Side::One(*player)])?;
    }
    Ok(number)
}

fn add_seat(connection: &Connection, game: i64, token: &[u8; 32], side: Side) -> Result<(), StoreError> {
    connection
        .prepare_cached("INSERT INTO seats (token, game, side) VALUES (?1, ?2, ?3)")?
        .execute(params![token, game, side])?;
    Ok(())
}

/// Keeps an action as number `number` of the match; a second of that number is refused.
pub(crate) fn add_action(
    connection: &Connection,
    game: i64,
    number: u32,
    player: Player,
    action: &str,
) -> Result<(), StoreError> {
    connection
        .prepare_cached("INSERT INTO actions (game, number, side, action, at) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![game, number, Side::One(player), action, now()])?;
    Ok(())
}

/// Uses an invitation up for the seat with the hash of a new token; `false` if it was used before.
pub(crate) fn accept(
    connection: &Connection,
    game: i64,
    invitation: &[u8; 32],
    player: Player,
    token: &[u8; 32],
) -> Result<bool, StoreError> {
    let used = connection.prepare_cached("DELETE FROM invitations WHERE hash = ?1")?.execute(params![invitation])?;
    if used == 1 {
        add_seat(connection, game, token, Side::One(player))?;
    }
    Ok(used == 1)
}

/// Keeps that a player asks for a return match.
pub(crate) fn add_wish(connection: &Connection, game: i64, player: Player) -> Result<(), StoreError> {
    connection
        .prepare_cached("INSERT OR IGNORE INTO wishes (game, side) VALUES (?1, ?2)")?
        .execute(params![game, Side::One(player)])?;
    Ok(())
}

/// Keeps the return match of a match: those who sit there sit here from now on, on the other side.
pub(crate) fn add_next(connection: &Connection, game: i64, next: &NewMatch) -> Result<i64, StoreError> {
    let number = add_match(connection, next)?;
    connection.prepare_cached("UPDATE games SET next = ?1 WHERE number = ?2")?.execute(params![number, game])?;
    connection
        .prepare_cached(
            "UPDATE seats SET game = ?1, side = CASE side WHEN 'alice' THEN 'bob' WHEN 'bob' THEN 'alice' ELSE side END
             WHERE game = ?2",
        )?
        .execute(params![number, game])?;
    Ok(number)
}

/// Where the token with that hash has a seat.
pub(crate) fn seat(connection: &Connection, token: &[u8; 32]) -> Result<Option<(GameId, Side)>, StoreError> {
    seat_in(connection, "SELECT id, side FROM seats JOIN games ON games.number = game WHERE token = ?1", token)
}

/// What the invitation with that hash is to.
pub(crate) fn invitation(connection: &Connection, hash: &[u8; 32]) -> Result<Option<(GameId, Side)>, StoreError> {
    seat_in(connection, "SELECT id, side FROM invitations JOIN games ON games.number = game WHERE hash = ?1", hash)
}

fn seat_in(connection: &Connection, select: &str, hash: &[u8; 32]) -> Result<Option<(GameId, Side)>, StoreError> {
    let found = connection
        .prepare_cached(select)?
        .query_row(params![hash], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))
        .optional()?;
    found.map(|(name, side)| Ok((id(name)?, side))).transpose()
}

/// The match of that name, with everything that happened in it.
pub(crate) fn stored(connection: &Connection, name: &GameId) -> Result<Option<StoredMatch>, StoreError> {
    let found = connection
        .prepare_cached(
            "SELECT games.number, games.setup, after.id FROM games LEFT JOIN games AS after ON after.number = games.next
             WHERE games.id = ?1",
        )?
        .query_row(params![name.as_str()], |row| Ok((row.get(0)?, row.get::<_, String>(1)?, row.get::<_, Option<String>>(2)?)))
        .optional()?;
    let Some((number, setup, next)) = found else { return Ok(None) };
    let setup = serde_json::from_str(&setup).map_err(|error| StoreError::Damaged(error.to_string()))?;
    Ok(Some(StoredMatch {
        number,
        setup,
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
        let (side, action) = row?;
        Ok((player(side)?, read_action(&action)?))
    })
    .collect()
}

fn open_invitation(connection: &Connection, game: i64) -> Result<Option<(Token, Player)>, StoreError> {
    let found = connection
        .prepare_cached("SELECT token, side FROM invitations WHERE game = ?1")?
        .query_row(params![game], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))
        .optional()?;
    let Some((token, side)) = found else { return Ok(None) };
    let token = Token::read(&token).ok_or_else(|| StoreError::Damaged("an invitation".to_string()))?;
    Ok(Some((token, player(side)?)))
}

fn wishes(connection: &Connection, game: i64) -> Result<[bool; 2], StoreError> {
    let mut select = connection.prepare_cached("SELECT side FROM wishes WHERE game = ?1")?;
    let mut wishes = [false; 2];
    for side in select.query_map(params![game], |row| row.get(0))? {
        wishes[player(side?)? as usize] = true;
    }
    Ok(wishes)
}

/// Keeps a record that is shown, with the game file that its rules are in.
pub(crate) fn add_record(
    connection: &Connection,
    name: &GameId,
    text: &str,
    file: Option<&str>,
) -> Result<(), StoreError> {
    connection
        .prepare_cached("INSERT INTO records (id, created, text, file) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![name.as_str(), now(), text, file])?;
    Ok(())
}

/// The record of that name, and its game file.
pub(crate) fn record(connection: &Connection, name: &GameId) -> Result<Option<(String, Option<String>)>, StoreError> {
    Ok(connection
        .prepare_cached("SELECT text, file FROM records WHERE id = ?1")?
        .query_row(params![name.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?)
}

/// Refuses where as many matches, or bytes, are kept as may be.
pub(crate) fn check_room(connection: &Connection, most_matches: u64, most_bytes: u64) -> Result<(), StoreError> {
    let number = |sql: &str| -> Result<u64, StoreError> {
        let found: i64 = connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
        Ok(u64::try_from(found).unwrap_or(0))
    };
    let matches = number("SELECT games FROM kept")?;
    let pages = number("PRAGMA page_count")? - number("PRAGMA freelist_count")?;
    if matches >= most_matches || pages.saturating_mul(number("PRAGMA page_size")?) >= most_bytes {
        return Err(StoreError::Full);
    }
    Ok(())
}

/// Forgets matches in which nothing happened, and records that were kept, for `seconds`: at most `most` of them, and gives their names.
pub(crate) fn forget(connection: &Connection, seconds: i64, most: u32) -> Result<Vec<GameId>, StoreError> {
    let before = now() - seconds;
    connection.prepare_cached("DELETE FROM records WHERE created < ?1")?.execute(params![before])?;
    let mut select = connection.prepare_cached(
        "SELECT number, id FROM games WHERE created < ?1 AND coalesce(
             (SELECT at FROM actions WHERE game = games.number ORDER BY actions.number DESC LIMIT 1), 0) < ?1 LIMIT ?2",
    )?;
    let old = select.query_map(params![before, most], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
    let mut names = Vec::new();
    for row in old.collect::<Result<Vec<_>, _>>()? {
        connection.prepare_cached("DELETE FROM games WHERE number = ?1")?.execute(params![row.0])?;
        names.push(id(row.1)?);
    }
    Ok(names)
}
