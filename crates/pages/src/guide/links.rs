//! The targets of links in documents: documents and their files are linked by path, and served
//! under other addresses.

use richman_docs::documents;

use super::{FILES, SERVER, address};

/// The address for a link in the document at `from`, a path below `docs`; `None` if the target is
/// not served, such as a source file. A page of a server on one's own machine is a page of this
/// one.
pub(super) fn target(from: &str, link: &str) -> Option<String> {
    if let Some(page) = link.strip_prefix(SERVER) {
        return Some(page.to_string());
    }
    if link.starts_with("https://") || link.starts_with("http://") || link.starts_with('#') {
        return Some(link.to_string());
    }
    let (file, anchor) = link.split_at(link.find('#').unwrap_or(link.len()));
    let path = joined(from, file)?;
    let document = documents().find(|document| document.path == path).map(|found| address(found) + anchor);
    document.or_else(|| {
        let (_, asset) = FILES.iter().find(|(known, _)| *known == path)?;
        Some(asset.name.clone())
    })
}

/// The path of a relative link from the file at `from`; `None` if it leaves the folder of the
/// documents.
fn joined(from: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_what_is_served() {
        let chapter = "guide/src/results.md";
        for (link, address) in [
            ("play.md", Some("/guide/play")),
            ("./README.md#x", Some("/guide#x")),
            ("hex.md", Some("/guide/hex")),
            ("../../hex.md#open-cells", Some("/guide/playing-hex#open-cells")),
            ("../../design/turn.md", Some("/guide/design/turn")),
            ("#below", Some("#below")),
            ("http://127.0.0.1:8080/first", Some("/first")),
            ("https://example.org/a.md", Some("https://example.org/a.md")),
            ("../../../CONTRIBUTING.md#deeper-runs", None),
            ("../../../docs/hex.md", None),
            ("../../../../../../etc/passwd", None),
            ("../../architecture", None),
            ("SUMMARY.md", None),
            ("javascript:alert(1)", None),
            ("data:text/html,x", None),
            ("//example.org/play.md", None),
            ("", None),
        ] {
            assert_eq!(target(chapter, link).as_deref(), address, "{link}");
        }
        let picture = target("web.md", "pictures/play.png").unwrap();
        assert!(picture.starts_with("/assets/play-") && picture.ends_with(".png"), "{picture}");
        assert!(target(chapter, "../../references.bib").unwrap().ends_with(".bib"));
    }
}
