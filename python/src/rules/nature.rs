//! Whether a value may change after it was given. Positions are told apart by their hash, so one
//! that changes would become another.

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyFrozenSet, PyInt, PyNone, PyString, PyTuple, PyType};

/// The parts of parts that are looked at; values that lie deeper may change.
const DEEPEST: u32 = 16;

/// How a value may change, from the least to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nature {
    /// Numbers, texts, and tuples of them never change.
    Fixed,
    /// Its attributes cannot be set, but what they hold may change.
    Frozen,
    /// Its attributes may be set.
    Object,
    /// The same, and neither its hash nor its text says what it holds.
    Nameless,
}

/// The natures of types; Python is asked once for each.
pub struct Natures<'py> {
    ask: Bound<'py, PyAny>,
    /// By the address of a type, which is held. `None` for tuples and sets of other values.
    known: HashMap<usize, (Bound<'py, PyType>, Option<Nature>)>,
}

impl<'py> Natures<'py> {
    /// `ask` gives the word of a type.
    pub fn new(ask: Bound<'py, PyAny>) -> Natures<'py> {
        Natures { ask, known: HashMap::new() }
    }

    /// The nature of a value with its parts.
    pub fn of(&mut self, value: &Bound<'py, PyAny>) -> PyResult<Nature> {
        self.within(value, 0)
    }

    /// The nature of a value without its parts; tuples and sets are `Fixed`.
    pub fn of_outside(&mut self, value: &Bound<'py, PyAny>) -> PyResult<Nature> {
        if is_simple(value) || value.is_exact_instance_of::<PyTuple>() {
            return Ok(Nature::Fixed);
        }
        Ok(self.of_type(&value.get_type())?.unwrap_or(Nature::Fixed))
    }

    fn within(&mut self, value: &Bound<'py, PyAny>, depth: u32) -> PyResult<Nature> {
        if is_simple(value) {
            return Ok(Nature::Fixed);
        }
        if !value.is_exact_instance_of::<PyTuple>()
            && let Some(nature) = self.of_type(&value.get_type())?
        {
            return Ok(nature);
        }
        if depth == DEEPEST {
            return Ok(Nature::Object);
        }
        let mut most = Nature::Fixed;
        if let Ok(parts) = value.cast::<PyTuple>() {
            for part in parts.iter() {
                most = most.max(self.within(&part, depth + 1)?);
            }
        } else if let Ok(parts) = value.cast::<PyFrozenSet>() {
            for part in parts.iter() {
                most = most.max(self.within(&part, depth + 1)?);
            }
        }
        Ok(most)
    }

    fn of_type(&mut self, kind: &Bound<'py, PyType>) -> PyResult<Option<Nature>> {
        if let Some((_, nature)) = self.known.get(&(kind.as_ptr() as usize)) {
            return Ok(*nature);
        }
        let word: String = self.ask.call1((kind,))?.extract()?;
        let nature = match word.as_str() {
            "record" => None,
            "value" => Some(Nature::Fixed),
            "frozen" => Some(Nature::Frozen),
            "nameless" => Some(Nature::Nameless),
            _ => Some(Nature::Object),
        };
        self.known.insert(kind.as_ptr() as usize, (kind.clone(), nature));
        Ok(nature)
    }
}

fn is_simple(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<PyString>()
        || value.is_exact_instance_of::<PyInt>()
        || value.is_exact_instance_of::<PyBool>()
        || value.is_exact_instance_of::<PyNone>()
        || value.is_exact_instance_of::<PyBytes>()
        || value.is_exact_instance_of::<PyFloat>()
}
