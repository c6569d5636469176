//! JSON of requests, read strictly: an object must be an object, not the list of its values; a
//! whole number may be written as `8.0` and is read exactly; errors name no types of this program.

use std::cell::Cell;
use std::fmt;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::value::RawValue;

/// Reads a body.
///
/// # Errors
/// The error of `serde_json`, with the line and the column.
pub fn from_slice<T: DeserializeOwned>(bytes: &[u8]) -> serde_json::Result<T> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let read = T::deserialize(Strict(&mut json))?;
    json.end()?;
    Ok(read)
}

/// A JSON number as a whole number, read exactly; `None` for other values, and beyond 20 digits.
pub fn whole_number(json: &str) -> Option<i128> {
    const MOST_DIGITS: i64 = 20;
    let (sign, number) = json.strip_prefix('-').map_or((1, json), |rest| (-1, rest));
    if !number.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{part}");
    let kept = digits.trim_end_matches('0');
    let zeros = (digits.len() - kept.len()) as i64 - part.len() as i64;
    let kept = kept.trim_start_matches('0');
    if kept.is_empty() {
        return Some(0);
    }
    let zeros = exponent.parse::<i64>().ok()?.checked_add(zeros)?;
    if zeros < 0 || zeros.checked_add(kept.len() as i64)? > MOST_DIGITS {
        return None;
    }
    Some(sign * kept.parse::<i128>().ok()? * 10_i128.pow(u32::try_from(zeros).ok()?))
}

/// A strict reader of JSON and of all values inside.
struct Strict<D>(D);

/// Passes strictly read values to a visitor; `wanted` describes the value in errors.
struct StrictVisitor<V> {
    visitor: V,
    wanted: Option<&'static str>,
}

impl<V> StrictVisitor<V> {
    fn of(visitor: V) -> StrictVisitor<V> {
        StrictVisitor { visitor, wanted: None }
    }
}

macro_rules! whole_numbers {
    ($($method:ident $number:ty)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            let json = <&RawValue>::deserialize(self.0)?.get();
            let (least, most) = (<$number>::MIN, <$number>::MAX);
            let number = whole_number(json).and_then(|number| <$number>::try_from(number).ok());
            let Some(number) = number else {
                let found = richman_core::excerpt(json);
                return Err(D::Error::custom(format_args!("write a whole number from {least} to {most}, not {found}")));
            };
            match u64::try_from(number) {
                Ok(number) => visitor.visit_u64(number),
                Err(_) => visitor.visit_i64(number as i64),
            }
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Strict<D> {
    type Error = D::Error;

    // JSON values describe their own type.
    forward_to_deserialize_any! {
        bool f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map identifier ignored_any
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(StrictVisitor::of(visitor))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_option(StrictVisitor::of(visitor))
    }

    whole_numbers! {
        deserialize_u8 u8 deserialize_u16 u16 deserialize_u32 u32 deserialize_u64 u64
        deserialize_i8 i8 deserialize_i16 i16 deserialize_i32 i32 deserialize_i64 i64
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, D::Error> {
        // The library uses such a name to request the text of a value.
        if name.starts_with("$serde_json") {
            return self.0.deserialize_newtype_struct(name, visitor);
        }
        self.0.deserialize_newtype_struct(name, StrictVisitor::of(visitor))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(StrictVisitor { visitor, wanted: Some("an object") })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_enum(name, variants, StrictVisitor::of(visitor))
    }
}

macro_rules! visit {
    ($($method:ident $value:ty)*) => {$(
        fn $method<E: Error>(self, value: $value) -> Result<V::Value, E> {
            self.visitor.$method(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for StrictVisitor<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.wanted {
            Some(wanted) => f.write_str(wanted),
            None => self.visitor.expecting(f),
        }
    }

    visit! {
        visit_bool bool visit_i64 i64 visit_u64 u64 visit_f64 f64 visit_str &str visit_borrowed_str &'de str
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_some(Strict(value))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_newtype_struct(Strict(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, values: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_seq(Strict(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(Strict(entries))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, word: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_enum(Strict(word))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Strict<A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, A::Error> {
        self.0.next_element_seed(Strict(seed))
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Strict<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        self.0.next_key_seed(seed)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        self.0.next_value_seed(Strict(seed))
    }
}

impl<'de, T: DeserializeSeed<'de>> DeserializeSeed<'de> for Strict<T> {
    type Value = T::Value;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<T::Value, D::Error> {
        self.0.deserialize(Strict(value))
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Strict<A> {
    type Error = A::Error;
    type Variant = Strict<A::Variant>;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Strict<A::Variant>), A::Error> {
        self.0.variant_seed(seed).map(|(word, value)| (word, Strict(value)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Strict<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.0.unit_variant().map_err(|_| A::Error::custom("this word has no value: write it alone, as text"))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, A::Error> {
        let has_value = Cell::new(false);
        self.0.newtype_variant_seed(NotedSeed { seed, is_used: &has_value }).map_err(|error| match has_value.get() {
            true => error,
            false => A::Error::custom("this word needs a value: write an object with the word as its key"),
        })
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.0.tuple_variant(length, StrictVisitor::of(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.0.struct_variant(fields, StrictVisitor { visitor, wanted: Some("an object") })
    }
}

/// Notes that there was something to read.
struct NotedSeed<'a, T> {
    seed: T,
    is_used: &'a Cell<bool>,
}

impl<'de, T: DeserializeSeed<'de>> DeserializeSeed<'de> for NotedSeed<'_, T> {
    type Value = T::Value;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<T::Value, D::Error> {
        self.is_used.set(true);
        self.seed.deserialize(Strict(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_judged_by_their_digits() {
        let whole = [
            ("8", 8),
            ("8.0", 8),
            ("-8.000", -8),
            ("0.8e1", 8),
            ("80E-1", 8),
            ("1e3", 1000),
            ("0e999999999999999999999", 0),
            ("-0.0", 0),
            ("18446744073709551615", u64::MAX.into()),
            ("100.00e-2", 1),
        ];
        for (json, number) in whole {
            assert_eq!(whole_number(json), Some(number), "{json}");
        }
        let no_whole = [
            "8.5",
            "8.00000000000000000000000001",
            "0.99999999999999999999",
            "1e-1",
            "1e400",
            "1e99999999999999999999",
            "\"8\"",
            "[8]",
            "null",
            "true",
            "-",
            "123456789012345678901",
        ];
        for json in no_whole {
            assert_eq!(whole_number(json), None, "{json}");
        }
    }
}
