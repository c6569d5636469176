//! Strict reading of JSON: seeds that keep order, refuse keys that are unknown or given twice, and remember where
//! they are so that an error can say so.
//!
//! serde's derived readers would do, but for three things: a map silently keeps the last of two equal keys, a struct
//! may be written as a list, and an error does not know the position of the game it is about.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::str::FromStr;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::error::{excerpt, is_control, shorten};
use crate::{FormatError, Place};

/// What takes memory, in messages.
pub(crate) const READING: &str = "reading the game file";

/// What is wrong, but for the place.
pub(crate) type Problem = Box<dyn FnOnce(Box<Place>) -> FormatError>;

/// A value against the rules of the format.
pub(crate) fn bad_value(reason: impl Into<String>) -> Problem {
    let reason = reason.into();
    Box::new(|place| FormatError::BadValue { place, reason })
}

/// Where the reader is, and what it found wrong.
pub(crate) struct Context<'f> {
    file: &'f str,
    position: RefCell<Option<String>>,
    problem: RefCell<Option<Problem>>,
    /// Bytes that are held, and the most that may be.
    held: Cell<u64>,
    memory: u64,
    /// The bytes that are held beside what is made of the value that is read, and the most there may be.
    room: Cell<(u64, u64)>,
}

impl<'f> Context<'f> {
    pub(crate) fn new(file: &'f str) -> Context<'f> {
        Context {
            file,
            position: RefCell::new(None),
            problem: RefCell::new(None),
            held: Cell::new(0),
            memory: u64::MAX,
            room: Cell::new((0, u64::MAX)),
        }
    }

    /// The same with a limit on what [`Context::hold`] counts.
    pub(crate) fn within(self, memory: u64) -> Context<'f> {
        Context { memory, ..self }
    }

    /// Counts bytes that are held from here on.
    pub(crate) fn hold<E: Error>(&self, bytes: usize) -> Result<(), E> {
        let (needed, limit) = (self.held.get().saturating_add(bytes as u64), self.memory);
        self.held.set(needed);
        if needed <= limit {
            return Ok(());
        }
        let error = richman_core::Error::TooMuchMemory { what: "reading the saved solution", needed, limit };
        Err(self.fail(|place| FormatError::Stopped { file: place.file, error: Box::new(error) }))
    }

    /// Values may be read as long as they take, with the bytes held beside them, no more than the limit.
    pub(crate) fn allow(&self, beside: u64, limit: u64) {
        self.room.set((beside, limit));
    }

    /// Whether so many bytes may be taken by what is made of the value that is read.
    pub(crate) fn check_memory<E: Error>(&self, bytes: u64) -> Result<(), E> {
        let (beside, limit) = self.room.get();
        let needed = beside.saturating_add(bytes);
        if needed <= limit {
            return Ok(());
        }
        let file = self.file.to_string();
        let error = Box::new(richman_core::Error::TooMuchMemory { what: READING, needed, limit });
        Err(self.fail(|_| FormatError::Stopped { file, error }))
    }

    /// Keeps what is wrong until [`Context::explain`], which knows the line.
    pub(crate) fn fail<E: Error>(&self, problem: impl FnOnce(Box<Place>) -> FormatError + 'static) -> E {
        *self.problem.borrow_mut() = Some(Box::new(problem));
        E::custom("refused")
    }

    pub(crate) fn bad_value<E: Error>(&self, reason: impl Into<String>) -> E {
        self.fail(bad_value(reason))
    }

    pub(crate) fn required<T, E: Error>(
        &self,
        value: Option<T>,
        object: &'static str,
        key: &'static str,
    ) -> Result<T, E> {
        value.ok_or_else(|| self.fail(move |place| FormatError::MissingKey { place, object, key }))
    }

    /// What went wrong, if a seed of this context said so.
    pub(crate) fn explain(&self, line: Option<(usize, usize)>) -> Option<FormatError> {
        let problem = self.problem.borrow_mut().take()?;
        Some(problem(self.place(line)))
    }

    /// The position that is read from here on.
    pub(crate) fn enter(&self, position: &str) {
        let mut place = self.position.borrow_mut();
        let place = place.get_or_insert_default();
        place.clear();
        place.push_str(position);
    }

    /// No position is read from here on.
    pub(crate) fn leave(&self) {
        *self.position.borrow_mut() = None;
    }

    pub(crate) fn file(&self) -> &str {
        self.file
    }

    pub(crate) fn stopped(&self, error: richman_core::Error) -> FormatError {
        FormatError::Stopped { file: self.file.to_string(), error: Box::new(error) }
    }

    pub(crate) fn unreadable(&self, error: std::io::Error) -> FormatError {
        FormatError::Unreadable { file: self.file.to_string(), error }
    }

    pub(crate) fn not_utf8(&self, line: (usize, usize)) -> FormatError {
        FormatError::NotUtf8 { place: self.place(Some(line)) }
    }

    pub(crate) fn not_json(&self, line: (usize, usize), reason: String) -> FormatError {
        FormatError::NotJson { place: self.place(Some(line)), reason }
    }

    fn place(&self, line: Option<(usize, usize)>) -> Box<Place> {
        Box::new(Place { file: self.file.to_string(), line, position: self.position.borrow().clone() })
    }

    fn error(&self, error: &serde_json::Error) -> FormatError {
        self.error_after(error, (0, 0))
    }

    /// What is wrong in a text that has so many lines before it, and so many bytes before it in its first line.
    pub(crate) fn error_after(&self, error: &serde_json::Error, (lines, column): (usize, usize)) -> FormatError {
        let column = error.column() + if error.line() == 1 { column } else { 0 };
        let line = (error.line() > 0).then(|| (lines + error.line(), column));
        if let Some(problem) = self.explain(line) {
            return problem;
        }
        let place = self.place(line);
        let message = error.to_string();
        let end = format!(" at line {} column {}", error.line(), error.column());
        let reason = shorten(message.strip_suffix(&end).unwrap_or(&message));
        if error.is_data() { FormatError::BadValue { place, reason } } else { FormatError::NotJson { place, reason } }
    }
}

/// Reads the whole of `text` with `seed`.
pub(crate) fn parse<'de, S: DeserializeSeed<'de>>(
    context: &Context<'_>,
    text: &'de [u8],
    limit: u64,
    seed: S,
) -> Result<S::Value, FormatError> {
    if text.len() as u64 > limit {
        return Err(context.unreadable(richman_files::too_large(limit)));
    }
    let text = std::str::from_utf8(text).map_err(|error| {
        let before = &text[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let column = 1 + before.iter().rev().take_while(|&&byte| byte != b'\n').count();
        FormatError::NotUtf8 { place: context.place(Some((line, column))) }
    })?;
    // As much once more: long shares, and lists of stages, take no more than they do as text.
    context.hold(2 * text.len()).map_err(|error: serde_json::Error| context.error(&error))?;
    let mut json = serde_json::Deserializer::from_str(text);
    let value = seed.deserialize(&mut json).map_err(|error| context.error(&error))?;
    json.end().map_err(|error| context.error(&error))?;
    Ok(value)
}

/// The keys of an object, read one by one.
pub(crate) trait Fields<'de>: Sized {
    type Value;
    /// What the object is, for messages: "a position".
    const OBJECT: &'static str;
    const KEYS: &'static [&'static str];

    /// Reads the value of `key`, one of [`Fields::KEYS`]; called at most once for each.
    fn read<A: MapAccess<'de>>(
        &mut self,
        context: &Context<'_>,
        key: &'static str,
        map: &mut A,
    ) -> Result<(), A::Error>;

    fn finish<E: Error>(self, context: &Context<'_>) -> Result<Self::Value, E>;
}

/// An object with the keys of `F`.
pub(crate) struct Object<'c, 'f, F> {
    context: &'c Context<'f>,
    fields: F,
}

impl<'c, 'f, F: Default> Object<'c, 'f, F> {
    pub(crate) fn new(context: &'c Context<'f>) -> Self {
        Object { context, fields: F::default() }
    }
}

impl<'c, 'f, F> Object<'c, 'f, F> {
    /// An object whose fields begin as given.
    pub(crate) fn with(context: &'c Context<'f>, fields: F) -> Self {
        Object { context, fields }
    }
}

impl<F: Default> Clone for Object<'_, '_, F> {
    fn clone(&self) -> Self {
        Object::new(self.context)
    }
}

impl<'de, F: Fields<'de>> DeserializeSeed<'de> for Object<'_, '_, F> {
    type Value = F::Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<F::Value, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de, F: Fields<'de>> Visitor<'de> for Object<'_, '_, F> {
    type Value = F::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} as an object", F::OBJECT)
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<F::Value, A::Error> {
        let mut seen = Seen::default();
        while let Some(found) = map.next_key_seed(Key(F::KEYS))? {
            let key = seen.note::<F, A::Error>(self.context, found)?;
            self.fields.read(self.context, key, &mut map)?;
        }
        self.fields.finish(self.context)
    }
}

/// Which keys of an object were read.
#[derive(Default)]
pub(crate) struct Seen(u64);

impl Seen {
    /// The key that was found, if it is one of the object and the first such.
    pub(crate) fn note<'de, F: Fields<'de>, E: Error>(
        &mut self,
        context: &Context<'_>,
        found: Result<usize, String>,
    ) -> Result<&'static str, E> {
        let index = found.map_err(|key| {
            let keys = F::KEYS.join(", ");
            context.fail(|place| FormatError::UnknownKey { place, object: F::OBJECT, key, keys })
        })?;
        let key = F::KEYS[index];
        if self.0 & (1 << index) != 0 {
            return Err(context.fail(move |place| FormatError::DuplicateKey { place, object: F::OBJECT, key }));
        }
        self.0 |= 1 << index;
        Ok(key)
    }
}

/// Which of the keys, or else an excerpt of the unknown one.
pub(crate) struct Key(pub(crate) &'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Result<usize, String>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for Key {
    type Value = Result<usize, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|&key| key == text).ok_or_else(|| excerpt(text)))
    }
}

/// An object whose keys are positions, in the order of the file. Positions given twice are kept twice.
#[derive(Clone)]
pub(crate) struct Positions<'c, 'f, S> {
    pub(crate) context: &'c Context<'f>,
    /// Most characters of a position.
    pub(crate) longest: usize,
    pub(crate) value: S,
}

impl<'de, S: DeserializeSeed<'de> + Clone> DeserializeSeed<'de> for Positions<'_, '_, S> {
    type Value = Vec<(String, S::Value)>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de, S: DeserializeSeed<'de> + Clone> Visitor<'de> for Positions<'_, '_, S> {
    type Value = Vec<(String, S::Value)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the positions as its keys")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let name = name(self.context, "the name of a position", self.longest);
        let mut entries = Vec::new();
        while let Some(position) = map.next_key_seed(name.clone())? {
            /// What the allocator adds to a text.
            const TEXT: usize = 16;
            self.context.enter(&position);
            self.context.hold(size_of::<(String, S::Value)>() + position.capacity() + TEXT)?;
            let value = map.next_value_seed(self.value.clone())?;
            if entries.len() == entries.capacity() {
                entries.reserve_exact(64 + entries.len() / 8); // not twice as many as there are
            }
            entries.push((position, value));
        }
        self.context.leave();
        Ok(entries)
    }
}

/// A list of any length.
#[derive(Clone)]
pub(crate) struct List<S> {
    /// What it lists, for messages: "moves".
    pub(crate) what: &'static str,
    pub(crate) item: S,
}

impl<'de, S: DeserializeSeed<'de> + Clone> DeserializeSeed<'de> for List<S> {
    type Value = Vec<S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de, S: DeserializeSeed<'de> + Clone> Visitor<'de> for List<S> {
    type Value = Vec<S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of {}", self.what)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(self.item.clone())? {
            items.push(item);
        }
        Ok(items)
    }
}

/// A list of exactly `N` values.
#[derive(Clone)]
pub(crate) struct Exactly<'c, 'f, const N: usize, S> {
    pub(crate) context: &'c Context<'f>,
    /// The list, for messages: "a stage [within, plain, star]".
    pub(crate) what: &'static str,
    pub(crate) item: S,
}

impl<'de, const N: usize, S: DeserializeSeed<'de> + Clone> DeserializeSeed<'de> for Exactly<'_, '_, N, S> {
    type Value = [S::Value; N];

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de, const N: usize, S: DeserializeSeed<'de> + Clone> Visitor<'de> for Exactly<'_, '_, N, S> {
    type Value = [S::Value; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::with_capacity(N);
        while items.len() < N {
            match list.next_element_seed(self.item.clone())? {
                Some(item) => items.push(item),
                None => break,
            }
        }
        let too_many = list.next_element::<IgnoredAny>()?.is_some();
        match <[S::Value; N]>::try_from(items) {
            Ok(items) if !too_many => Ok(items),
            _ => Err(self.context.bad_value(format!("expected {}, which has {N} values", self.what))),
        }
    }
}

/// A text that something is made of.
#[derive(Clone)]
pub(crate) struct FromText<'c, 'f, F> {
    pub(crate) context: &'c Context<'f>,
    /// What the text is, for messages: "the name of the game".
    pub(crate) what: &'static str,
    pub(crate) read: F,
}

impl<'de, T, F: FnOnce(&str) -> Result<T, Problem>> DeserializeSeed<'de> for FromText<'_, '_, F> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<T, D::Error> {
        from.deserialize_str(self)
    }
}

impl<T, F: FnOnce(&str) -> Result<T, Problem>> Visitor<'_> for FromText<'_, '_, F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} as text", self.what)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.read)(text).map_err(|problem| self.context.fail(problem))
    }
}

/// Text that is safe to show and to use as a name: not empty, of at most so many characters, without control characters.
pub(crate) fn name<'c, 'f>(
    context: &'c Context<'f>,
    what: &'static str,
    longest: usize,
) -> FromText<'c, 'f, impl Fn(&str) -> Result<String, Problem> + Clone> {
    FromText { context, what, read: move |text: &str| check_name(what, longest, text).map(|()| text.to_string()) }
}

/// Refuses a text that is no [`name`].
pub(crate) fn check_name(what: &str, longest: usize, text: &str) -> Result<(), Problem> {
    let is_plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if is_plain && (1..=longest).contains(&text.len()) {
        return Ok(());
    }
    Err(bad_value(if text.is_empty() {
        format!("{what} is empty: write at least one character")
    } else if let Some(c) = text.chars().find(|&c| is_control(c)) {
        format!("{what} contains the control character {c:?}: leave it out ({:?})", excerpt(text))
    } else if text.len() > longest && text.chars().nth(longest).is_some() {
        format!("{what} is longer than {longest} characters: {:?}", excerpt(text))
    } else {
        return Ok(());
    }))
}

/// A word that a type of richman-core parses.
pub(crate) fn word<'c, 'f, T: FromStr<Err = richman_core::Error>>(
    context: &'c Context<'f>,
    what: &'static str,
) -> FromText<'c, 'f, impl Fn(&str) -> Result<T, Problem> + Clone> {
    FromText { context, what, read: |text: &str| text.parse().map_err(bad_word) }
}

/// A word that the type it stands for does not know.
pub(crate) fn bad_word(error: richman_core::Error) -> Problem {
    Box::new(|place| FormatError::BadWord { place, error })
}

/// A whole number from 0.
#[derive(Clone, Copy)]
pub(crate) struct Whole<'c, 'f> {
    pub(crate) context: &'c Context<'f>,
    /// What is counted, for messages.
    pub(crate) what: &'static str,
    /// The largest number allowed.
    pub(crate) most: u32,
}

impl<'de> DeserializeSeed<'de> for Whole<'_, '_> {
    type Value = u32;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<u32, D::Error> {
        from.deserialize_u64(self)
    }
}

impl Visitor<'_> for Whole<'_, '_> {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} as a whole number from 0 to {}", self.what, self.most)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u32, E> {
        match u32::try_from(number) {
            Ok(number) if number <= self.most => Ok(number),
            _ => {
                let Whole { what, most, .. } = self;
                Err(self.context.bad_value(format!("{what} is {number}: it must be from 0 to {most}")))
            }
        }
    }
}
