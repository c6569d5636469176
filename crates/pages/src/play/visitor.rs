//! The visitors of a match. `/m/ID` is the public address; a player's secret is in a cookie, one
//! for each seat of a match, which browsers send only to the match's own addresses and scripts
//! cannot read.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::header::{COOKIE, HOST, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use cookie::{Cookie, SameSite, time};
use richman_core::Player;
use richman_hall::refused::Refusal;
use richman_hall::token::{GameId, Token};
use richman_hall::{Created, MatchView, Viewer};
use serde::Deserialize;

use crate::Pages;
use crate::base::BasePath;
use crate::extract::{NamedMatch, QueryString};
use crate::whole_number;

/// The origin that a browser uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageOrigin {
    /// Such as `https://example.org`, with the path of the site; empty if unclear.
    pub text: String,
    is_secure: bool,
    /// Whether only programs of this machine reach it.
    pub is_local: bool,
    /// The path of the site.
    pub base: BasePath,
    /// Whether nobody else reaches the pages.
    pub alone: Option<Alone>,
}

/// Pages without a server: what is kept is in this browser, and nobody else reaches it. The program
/// that shows such pages adds this to each request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Alone {
    /// The address of a server where others can be met.
    pub server: Option<String>,
}

impl PageOrigin {
    fn of(headers: &HeaderMap, base: BasePath, alone: Option<Alone>) -> PageOrigin {
        let of = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let is_host = |host: &&str| {
            host.len() <= 255 && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte))
        };
        let is_secure = of("x-forwarded-proto") == Some("https");
        let scheme = if is_secure { "https" } else { "http" };
        let Some(host) = of(HOST.as_str()).filter(is_host) else {
            return PageOrigin { text: String::new(), is_secure, is_local: false, base, alone };
        };
        let is_local = host_name(host).is_some_and(is_loopback);
        PageOrigin { text: format!("{scheme}://{host}{}", base.as_str()), is_secure, is_local, base, alone }
    }
}

impl<S: Sync> FromRequestParts<S> for PageOrigin {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<PageOrigin, Infallible> {
        let base = parts.extensions.get().cloned().unwrap_or_default();
        Ok(PageOrigin::of(&parts.headers, base, parts.extensions.get().cloned()))
    }
}

/// `localhost`, or a loopback address.
pub fn is_loopback(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name == "localhost" || name.ends_with(".localhost") || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

/// The name in a Host header, which may have a port; an IPv6 address is in brackets. `None` for
/// anything else.
pub fn host_name(host: &str) -> Option<&str> {
    let (name, rest) = match host.strip_prefix('[') {
        Some(inside) => inside.split_once(']').filter(|(name, _)| name.parse::<Ipv6Addr>().is_ok())?,
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    (rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port)).then_some(name)
}

/// The address of a match.
pub fn address(id: &GameId) -> String {
    format!("/m/{id}")
}

/// The name of a cookie. Browsers accept this prefix only over TLS, so that no intermediary can set
/// one. `__Host-` would be stricter, but forbids the path of a match, so that every page would get
/// the cookies of all matches.
fn cookie_name(name: &str, origin: &PageOrigin) -> String {
    format!("{}{name}", if origin.is_secure { "__Secure-" } else { "" })
}

/// The name of the cookie for a seat.
fn seat_cookie(seat: Viewer, origin: &PageOrigin) -> String {
    cookie_name(&format!("seat-{}", seat.word()), origin)
}

/// The name of the cookie that marks an invitation as the visitor's own.
const OWN_INVITATION: &str = "own-invitation";

/// A cookie for addresses below a path.
fn cookie(name: String, value: &str, path: String, origin: &PageOrigin) -> (HeaderName, String) {
    /// The most days for which browsers keep cookies.
    const DAYS: i64 = 400;
    let cookie = Cookie::build((name, value))
        .path(path)
        .http_only(true)
        .secure(origin.is_secure)
        .same_site(SameSite::Lax)
        .max_age(time::Duration::days(DAYS));
    (SET_COOKIE, cookie.to_string())
}

/// The header that gives a browser the cookie of a seat.
fn seat_header(viewed: &MatchView, token: &Token, origin: &PageOrigin) -> [(HeaderName, String); 1] {
    [cookie(seat_cookie(viewed.viewer(), origin), token.reveal(), address(&viewed.id), origin)]
}

/// Gives the browser the cookie of a seat, and goes to the page of its match. The invitation to the
/// other seat is then the browser's own.
pub async fn sit(app: &Pages, token: &Token, origin: &PageOrigin) -> Result<Response, Refusal> {
    let viewed = app.hall.seat(token).await?;
    let page = format!("{}?as={}", address(&viewed.id), viewed.viewer().word());
    let own = viewed.invitation.as_ref().map(|invitation| {
        let path = format!("/join/{}", invitation.reveal());
        cookie(cookie_name(OWN_INVITATION, origin), "yes", path, origin)
    });
    let cookies = AppendHeaders(seat_header(&viewed, token, origin).into_iter().chain(own));
    Ok((cookies, Redirect::to(&page)).into_response())
}

/// Sits down on the first seat of a new match.
pub async fn sit_first(app: &Pages, created: &Created, origin: &PageOrigin) -> Result<Response, Refusal> {
    let token = created.tokens.iter().flatten().next().ok_or(Refusal::NotFound("seat"))?;
    app.hall.note_pace(token);
    sit(app, token, origin).await
}

/// The query of the address.
#[derive(Deserialize)]
struct MatchQuery {
    /// The role.
    r#as: Option<String>,
    /// The number of a turn to look back at.
    turn: Option<String>,
}

/// A request to a page of a match.
pub struct MatchVisitor {
    pub app: Arc<Pages>,
    pub id: GameId,
    pub origin: PageOrigin,
    /// Whether the page's script sends the request, for the changing part alone.
    pub by_script: bool,
    /// The turn to look back at, counted from 1.
    pub turn: Option<usize>,
    /// The role in the address; without one, the first seat that the browser holds.
    role: Option<Viewer>,
    /// The seats that the browser holds, by their roles at the time.
    held: Vec<(Viewer, Token)>,
}

impl FromRequestParts<Arc<Pages>> for MatchVisitor {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<Pages>) -> Result<MatchVisitor, Refusal> {
        let NamedMatch(id) = NamedMatch::from_request_parts(parts, app).await?;
        let QueryString(query) = QueryString::<MatchQuery>::from_request_parts(parts, app).await?;
        let turn = query.turn.as_deref().and_then(whole_number).map(|turn| turn as usize);
        let role = query.r#as.as_deref().and_then(Viewer::read);
        let origin = PageOrigin::from_request_parts(parts, app).await.unwrap_or_else(|never| match never {});
        let by_script = parts.headers.contains_key("x-requested-with");
        let held = held(&parts.headers, &origin);
        Ok(MatchVisitor { app: Arc::clone(app), id, origin, by_script, turn, role, held })
    }
}

/// The value of a cookie of a request.
fn sent_cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<Cookie<'a>> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(Cookie::split_parse).filter_map(Result::ok).find(|cookie| cookie.name() == name)
}

/// Whether the invitation at the address of a request is the visitor's own.
pub fn is_own_invitation(headers: &HeaderMap, origin: &PageOrigin) -> bool {
    sent_cookie(headers, &cookie_name(OWN_INVITATION, origin)).is_some()
}

/// The seats in the cookies of a request.
fn held(headers: &HeaderMap, origin: &PageOrigin) -> Vec<(Viewer, Token)> {
    let seat = |seat: Viewer| Some((seat, Token::read(sent_cookie(headers, &seat_cookie(seat, origin))?.value())?));
    let [alice, bob] = Player::BOTH.map(Viewer::Player);
    [alice, bob, Viewer::Both].into_iter().filter_map(seat).collect()
}

/// A match as a visitor sees it.
pub struct VisitedMatch {
    pub viewed: MatchView,
    pub link: MatchLink,
    /// The cookie of a return match to which the seat has moved.
    pub moved: Option<[(HeaderName, String); 1]>,
}

/// The links of pages to themselves.
#[derive(Debug, Clone)]
pub struct MatchLink {
    /// The address of the match.
    pub base: String,
    /// The visitor's role, which forms and the script name.
    pub role: &'static str,
    /// The roles of other seats that the browser holds.
    pub others: Vec<&'static str>,
    /// Whether the address names a seat that the browser does not hold.
    pub is_unseated: bool,
}

impl MatchLink {
    /// An address below the one of the match.
    pub fn to(&self, below: &str) -> String {
        format!("{}{below}?as={}", self.base, self.role)
    }

    /// The page with the board after a turn.
    pub fn to_turn(&self, turn: usize) -> String {
        format!("{}&turn={turn}", self.to(""))
    }

    /// The shortest address of the page for this browser.
    pub fn page(&self) -> String {
        if self.others.is_empty() { self.base.clone() } else { self.to("") }
    }
}

impl MatchVisitor {
    /// The match as the visitor sees it.
    pub async fn look(&self) -> Result<VisitedMatch, Refusal> {
        let Some((seat, token, viewed)) = self.find_seat().await? else {
            let viewed = self.app.hall.watch(&self.id).await?;
            let is_unseated = self.role.is_some_and(|role| role != Viewer::Spectator);
            return Ok(VisitedMatch { viewed, link: self.link(Viewer::Spectator, is_unseated), moved: None });
        };
        if viewed.id == self.id {
            return Ok(VisitedMatch { viewed, link: self.link(seat, false), moved: None });
        }
        let (base, role) = (address(&viewed.id), viewed.viewer().word());
        let moved = Some(seat_header(&viewed, token, &self.origin));
        Ok(VisitedMatch { viewed, link: MatchLink { base, role, others: Vec::new(), is_unseated: false }, moved })
    }

    /// The secret of the visitor's seat.
    pub async fn token(&self) -> Result<&Token, Refusal> {
        let found = self.find_seat().await?;
        found.map(|(_, token, _)| token).ok_or_else(|| {
            Refusal::Forbidden(
                "this browser holds no seat in this match: it must keep cookies for this site; open the link of your \
                 seat again, or watch"
                    .to_string(),
            )
        })
    }

    /// The first seat that the browser holds in the role, or in any role if the address names none.
    async fn find_seat(&self) -> Result<Option<(Viewer, &Token, MatchView)>, Refusal> {
        for (seat, token) in self.held.iter().filter(|(seat, _)| self.role.is_none_or(|role| role == *seat)) {
            match self.app.hall.seat(token).await {
                Ok(viewed) => return Ok(Some((*seat, token, viewed))),
                Err(Refusal::NotFound(_)) => {} // the match was forgotten
                Err(refused) => return Err(refused),
            }
        }
        Ok(None)
    }

    fn link(&self, role: Viewer, is_unseated: bool) -> MatchLink {
        let others = self.held.iter().filter(|(seat, _)| *seat != role).map(|(seat, _)| seat.word()).collect();
        MatchLink { base: address(&self.id), role: role.word(), others, is_unseated }
    }
}
