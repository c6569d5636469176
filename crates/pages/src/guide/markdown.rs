//! Markdown as the HTML of a page: without inline styles, with ids at headings, with tables and
//! code in boxes that scroll. HTML in a document is shown as text.

use std::fmt::Write as _;

use maud::{Escaper, Markup, PreEscaped};
use pulldown_cmark::{Alignment, CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::anchor::AnchorNames;

/// The HTML of a document. `target` gives the address for a link or picture; a link without one is
/// shown as its text, and a picture as its description.
pub(super) fn rendered(text: &str, target: &dyn Fn(&str) -> Option<String>) -> Markup {
    let mut writer = MarkdownWriter {
        target,
        html: String::new(),
        ids: AnchorNames::new(),
        open: Vec::new(),
        table: None,
        tables: 0,
    };
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        writer.take(event);
    }
    PreEscaped(writer.html)
}

/// An element that is written when it ends.
struct OpenElement {
    /// The start of its contents.
    start: usize,
    /// Its text without tags.
    text: String,
    /// The address of a link or picture; the name of a file in a block of code.
    address: Option<String>,
}

/// The table being written.
struct OpenTable {
    alignments: Vec<Alignment>,
    column: usize,
    is_head: bool,
}

struct MarkdownWriter<'a> {
    target: &'a dyn Fn(&str) -> Option<String>,
    html: String,
    ids: AnchorNames,
    open: Vec<OpenElement>,
    table: Option<OpenTable>,
    tables: u32,
}

impl MarkdownWriter<'_> {
    fn take(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(code) => {
                self.html += "<code>";
                self.text(&code);
                self.html += "</code>";
            }
            Event::SoftBreak => self.text("\n"),
            Event::HardBreak => self.html += "<br>",
            Event::Rule => self.html += "<hr>",
            // Extensions that are not enabled.
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => self.text(&text),
            Event::TaskListMarker(_) => {}
        }
    }

    fn text(&mut self, text: &str) {
        for element in &mut self.open {
            element.text += text;
        }
        // Writing to a string does not fail.
        let _ = Escaper::new(&mut self.html).write_str(text);
    }

    fn attribute(&mut self, name: &str, value: &str) {
        let _ = write!(self.html, " {name}=\"");
        let _ = Escaper::new(&mut self.html).write_str(value);
        self.html.push('"');
    }

    fn open(&mut self, address: Option<String>) {
        self.open.push(OpenElement { start: self.html.len(), text: String::new(), address });
    }

    /// Ends the last open element: its text and address, and the HTML of its contents.
    fn close(&mut self) -> (String, Option<String>, String) {
        match self.open.pop() {
            Some(element) => (element.text, element.address, self.html.split_off(element.start)),
            None => Default::default(),
        }
    }

    fn start(&mut self, tag: Tag) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.html += "<p>",
            Tag::Heading { .. } => self.open(None),
            Tag::BlockQuote(_) => self.html += "<blockquote>",
            Tag::CodeBlock(kind) => {
                let file = match &kind {
                    CodeBlockKind::Fenced(info) => info.split_whitespace().find_map(|word| word.strip_prefix("file=")),
                    CodeBlockKind::Indented => None,
                };
                self.open(file.map(str::to_string));
            }
            Tag::List(None) => self.html += "<ul>",
            Tag::List(Some(1)) => self.html += "<ol>",
            Tag::List(Some(first)) => {
                let _ = write!(self.html, "<ol start=\"{first}\">");
            }
            Tag::Item => self.html += "<li>",
            Tag::Table(alignments) => {
                self.table = Some(OpenTable { alignments, column: 0, is_head: false });
                self.tables += 1;
                let region = "<div class=\"table\" tabindex=\"0\" role=\"region\"";
                let _ = write!(self.html, "{region} aria-label=\"Table {}\"><table>", self.tables);
            }
            Tag::TableHead => {
                self.row(true);
                self.html += "<thead><tr>";
            }
            Tag::TableRow => {
                self.row(false);
                self.html += "<tr>";
            }
            Tag::TableCell => self.cell(),
            Tag::Emphasis => self.html += "<em>",
            Tag::Strong => self.html += "<strong>",
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => self.open((self.target)(&dest_url)),
            // Extensions that are not enabled.
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.html += "</p>\n",
            TagEnd::Heading(level) => {
                let (text, _, contents) = self.close();
                let id = self.ids.next(&text);
                let _ = write!(self.html, "<{level}");
                self.attribute("id", &id);
                let _ = writeln!(self.html, ">{contents}</{level}>");
            }
            TagEnd::BlockQuote(_) => self.html += "</blockquote>\n",
            TagEnd::CodeBlock => {
                let (_, file, contents) = self.close();
                if let Some(file) = file {
                    self.html += "<p class=\"file-name\">";
                    self.text(&file);
                    self.html += "</p>\n";
                }
                let _ = writeln!(self.html, "<pre tabindex=\"0\"><code>{contents}</code></pre>");
            }
            TagEnd::List(is_numbered) => self.html += if is_numbered { "</ol>\n" } else { "</ul>\n" },
            TagEnd::Item => self.html += "</li>\n",
            TagEnd::Table => {
                self.table = None;
                self.html += "</tbody></table></div>\n";
            }
            TagEnd::TableHead => self.html += "</tr></thead>\n<tbody>",
            TagEnd::TableRow => self.html += "</tr>\n",
            TagEnd::TableCell => self.html += if self.is_in_head() { "</th>" } else { "</td>" },
            TagEnd::Emphasis => self.html += "</em>",
            TagEnd::Strong => self.html += "</strong>",
            TagEnd::Link => {
                let (_, address, contents) = self.close();
                match address {
                    Some(address) => {
                        self.html += "<a";
                        self.attribute("href", &address);
                        let _ = write!(self.html, ">{contents}</a>");
                    }
                    None => self.html += &contents,
                }
            }
            TagEnd::Image => {
                let (text, address, contents) = self.close();
                match address.filter(|address| address.starts_with("/assets/")) {
                    Some(address) => {
                        self.html += "<img";
                        self.attribute("src", &address);
                        self.attribute("alt", &text);
                        self.html += ">";
                    }
                    // The security policy of the pages blocks pictures of other sites.
                    None => self.html += &contents,
                }
            }
            // Extensions that are not enabled.
            _ => {}
        }
    }

    fn row(&mut self, is_head: bool) {
        if let Some(table) = &mut self.table {
            (table.column, table.is_head) = (0, is_head);
        }
    }

    fn is_in_head(&self) -> bool {
        self.table.as_ref().is_some_and(|table| table.is_head)
    }

    fn cell(&mut self) {
        let Some(table) = &mut self.table else { return };
        let alignment = table.alignments.get(table.column);
        table.column += 1;
        let class = match alignment {
            Some(Alignment::Right) => " class=\"right\"",
            Some(Alignment::Center) => " class=\"centre\"",
            _ => "",
        };
        self.html += if table.is_head { "<th scope=\"col\"" } else { "<td" };
        self.html += class;
        self.html.push('>');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(text: &str) -> String {
        let target = |link: &str| (!link.starts_with("src/")).then(|| format!("/assets/{link}"));
        rendered(text, &target).into_string()
    }

    #[test]
    fn documents_become_pages() {
        for (text, wanted) in [
            ("# A `b` *c* & d\n", "<h1 id=\"a-b-c--d\">A <code>b</code> <em>c</em> &amp; d</h1>\n"),
            ("## x\n## x\n", "<h2 id=\"x\">x</h2>\n<h2 id=\"x-1\">x</h2>\n"),
            ("a **b**\nc  \nd", "<p>a <strong>b</strong>\nc<br>d</p>\n"),
            ("[a *b*](c)", "<p><a href=\"/assets/c\">a <em>b</em></a></p>\n"),
            ("[`a`](src/a.rs)!", "<p><code>a</code>!</p>\n"),
            ("![a *b*](c.png \"d\")", "<p><img src=\"/assets/c.png\" alt=\"a b\"></p>\n"),
            ("![a](src/c.png)", "<p>a</p>\n"),
            ("- a\n- b", "<ul><li>a</li>\n<li>b</li>\n</ul>\n"),
            ("3. a\n4. b", "<ol start=\"3\"><li>a</li>\n<li>b</li>\n</ol>\n"),
            ("    a <b>\n", "<pre tabindex=\"0\"><code>a &lt;b&gt;\n</code></pre>\n"),
            (
                "```json file=a.json\n{}\n```",
                "<p class=\"file-name\">a.json</p>\n<pre tabindex=\"0\"><code>{}\n</code></pre>\n",
            ),
            ("> a", "<blockquote><p>a</p>\n</blockquote>\n"),
        ] {
            assert_eq!(html(text), wanted, "{text}");
        }
    }

    #[test]
    fn tables_are_aligned_without_a_style() {
        let table = html("| a | b |\n| --- | ---: |\n| 1 | `x \\| y` |\n");
        assert!(table.contains("<th scope=\"col\">a</th><th scope=\"col\" class=\"right\">b</th>"), "{table}");
        assert!(table.contains("<td>1</td><td class=\"right\"><code>x | y</code></td>"), "{table}");
        assert!(!table.contains("style"), "{table}");
        let two = html("| a |\n| --- |\n\n| b |\n| --- |\n");
        assert!(two.contains("aria-label=\"Table 1\"") && two.contains("aria-label=\"Table 2\""), "{two}");
    }

    #[test]
    fn html_is_text() {
        for text in ["<script>alert(1)</script>\n", "a <img src=x onerror=alert(1)> b", "<!-- c -->\n", "<a\nhref='b'>"]
        {
            let html = html(text);
            assert_eq!(html.matches('<').count(), 2, "{html}");
        }
        let link = html("[a](<x\"y>)");
        assert_eq!(link, "<p><a href=\"/assets/x&quot;y\">a</a></p>\n");
    }
}
