//! What the method `moves` of rules gives: positions, pairs of a name and a position, or a dict from
//! names to positions.

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyIterator, PyList, PyMapping, PyString, PyTuple};

/// A move as it was given: its name, if it has one, and its target.
pub type GivenMove<'py> = (Option<Bound<'py, PyAny>>, Bound<'py, PyAny>);

/// The moves of one call.
pub struct GivenMoves<'py> {
    each: Bound<'py, PyIterator>,
    is_mapping: bool,
}

impl<'py> GivenMoves<'py> {
    /// What `moves` gave; `None` for a single text.
    ///
    /// # Errors
    /// What Python raises if it cannot be iterated.
    pub fn of(given: &Bound<'py, PyAny>) -> PyResult<Option<GivenMoves<'py>>> {
        // A text is a position whose list was forgotten: its letters are none.
        let is_text = given.is_instance_of::<PyString>()
            || given.is_instance_of::<PyBytes>()
            || given.is_instance_of::<PyByteArray>();
        if is_text {
            return Ok(None);
        }
        let is_mapping = given.cast::<PyMapping>().is_ok();
        let listed = if is_mapping { given.call_method0("items")? } else { given.clone() };
        Ok(Some(GivenMoves { each: PyIterator::from_object(&listed)?, is_mapping }))
    }

    /// The next move.
    ///
    /// # Errors
    /// What Python raises.
    pub fn next(&mut self, forms: Forms) -> PyResult<Option<GivenMove<'py>>> {
        let Some(target) = self.each.next().transpose()? else { return Ok(None) };
        if self.is_mapping {
            let (name, target) = target.extract()?;
            return Ok(Some((Some(name), target)));
        }
        Ok(Some(match forms.named(&target)? {
            Some((name, target)) => (Some(name), target),
            None => (None, target),
        }))
    }
}

/// The form of a game's positions, by which a pair with a name is told from a position that is a pair.
#[derive(Debug, Clone, Copy)]
pub struct Forms {
    /// Whether positions are pairs.
    are_pairs: bool,
    /// Whether they look like a name and a position.
    are_like_named: bool,
}

impl Forms {
    /// The form of the start.
    ///
    /// # Errors
    /// What Python raises.
    pub fn of(start: &Bound<'_, PyAny>) -> PyResult<Forms> {
        let Some((first, second)) = pair(start)? else {
            return Ok(Forms { are_pairs: false, are_like_named: false });
        };
        Ok(Forms { are_pairs: true, are_like_named: first.is_instance_of::<PyString>() && pair(&second)?.is_some() })
    }

    /// The name and the position of a pair; `None` if it is a position.
    fn named<'py>(self, given: &Bound<'py, PyAny>) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
        if let Ok(list) = given.cast_exact::<PyList>() {
            // A list is never a position, which has a hash.
            let is_named = list.len() == 2 && list.get_item(0)?.is_instance_of::<PyString>();
            return Ok(if is_named { Some((list.get_item(0)?, list.get_item(1)?)) } else { None });
        }
        if !given.is_exact_instance_of::<PyTuple>() {
            return Ok(None);
        }
        let Some((name, target)) = pair(given)?.filter(|(name, _)| name.is_instance_of::<PyString>()) else {
            return Ok(None);
        };
        let is_named = !self.are_pairs || (!self.are_like_named && pair(&target)?.is_some());
        Ok(is_named.then_some((name, target)))
    }
}

/// The parts of a tuple of two.
fn pair<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
    match value.cast::<PyTuple>() {
        Ok(tuple) if tuple.len() == 2 => Ok(Some((tuple.get_item(0)?, tuple.get_item(1)?))),
        _ => Ok(None),
    }
}
