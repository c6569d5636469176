//! Words of a list: what was meant by one that is not among them.

/// The word of a list that is nearest to `text`, in any letter case, if any is similar. What
/// follows a colon does not count.
///
/// ```
/// assert_eq!(richman_core::nearest("Porman", ["richman", "poorman"]), Some("poorman"));
/// assert_eq!(richman_core::nearest("rules", ["richman", "poorman"]), None);
/// ```
pub fn nearest<'w>(text: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    // Comparing takes time in the product of the lengths, and no mistyped word is a page long.
    const LONGEST: usize = 64;
    if text.len() > LONGEST {
        return None;
    }
    let text = name(text).to_lowercase();
    words
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(&text, &name(word).to_lowercase()), word))
        .filter(|&(distance, word)| 2 * distance <= name(word).len().max(text.len()))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, word)| word)
}

/// What stands before a colon.
fn name(word: &str) -> &str {
    word.split(':').next().unwrap_or_default()
}

/// ` (did you mean "poorman"?)` if a word of the list is similar to `text`, otherwise nothing.
pub fn did_you_mean<'w>(text: &str, words: impl IntoIterator<Item = &'w str>) -> String {
    let word = nearest(text, words).filter(|word| !name(word).eq_ignore_ascii_case(name(text)));
    word.map(|word| format!(" (did you mean {word:?}?)")).unwrap_or_default()
}

/// The words with commas, and `or` before the last: `a, b or c`.
///
/// ```
/// assert_eq!(richman_core::one_of(&["sealed", "alice-first", "bob-first"]), "sealed, alice-first or bob-first");
/// ```
pub fn one_of(words: &[impl AsRef<str>]) -> String {
    let mut text = String::new();
    for (at, word) in words.iter().enumerate() {
        let joint = if at == 0 {
            ""
        } else if at + 1 < words.len() {
            ", "
        } else {
            " or "
        };
        text = text + joint + word.as_ref();
    }
    text
}
