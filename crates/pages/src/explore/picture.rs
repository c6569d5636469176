//! Sentences in place of pictures that cannot be drawn.

/// A sentence in lines, as SVG.
pub fn sentence(text: &str) -> String {
    const WIDEST: usize = 80;
    const MOST_LINES: usize = 12;
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().filter(|line| line.chars().count() + word.chars().count() < WIDEST);
        match last {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.chars().take(WIDEST).collect()),
        }
    }
    lines.truncate(MOST_LINES);
    let height = 24 * lines.len() + 24;
    maud::html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 720 {height}")) width="720" height=(height)
            font-family="sans-serif" font-size="15" fill="#222" {
            @for (at, line) in lines.iter().enumerate() { text x="12" y=(30 + 24 * at) { (line) } }
        }
    }
    .into_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_broken_into_lines_and_escaped() {
        let picture = sentence(&format!("a<b & {}", "word ".repeat(40)));
        assert!(picture.contains("a&lt;b &amp; word"));
        assert!(picture.matches("<text").count() > 2);
        assert!(sentence(&"x".repeat(10_000)).len() < 1000);
    }
}
