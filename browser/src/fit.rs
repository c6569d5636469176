//! Whether everything on a page fits: into the window, into its card, and onto the screen whole.

use serde_json::{Value, json};

use crate::{Browser, Screen};

/// Phones upright with the browser's own bars, phones on their side, desks, and desks at a zoom of
/// 200 %, which halves the window.
pub const SCREENS: [Screen; 8] = [
    Screen::with_touch(360, 640),
    Screen::with_touch(390, 664),
    Screen::with_touch(560, 280),
    Screen::with_mouse(683, 325),
    Screen::with_mouse(700, 450),
    Screen::with_mouse(960, 540),
    Screen::with_mouse(1400, 900),
    Screen::with_mouse(1920, 1080),
];

/// What may scroll inside of a page: long lists and tables, programs, figures.
const SCROLLERS: &str = ".scroll, pre, .table, textarea, .contents, .move-links, .moves .choices, .cells, .paper";

/// A sheet of A4 in pixels of CSS, without margins.
const SHEET: Screen = Screen::with_mouse(718, 1046);

/// Finds what is wider than the window, what lies outside its card, and what is cut off.
///
/// A card is an element with a border or a background. What is only for screen readers is cut off
/// on purpose.
const MISFITS: &str = r##"
    const MAY_SCROLL = arguments[0];
    const faults = new Set();
    const styles = new Map();
    const style = (one) => {
        if (!styles.has(one)) styles.set(one, getComputedStyle(one));
        return styles.get(one);
    };
    const name = (one) => one.localName + (one.id && `#${one.id}`) +
        [...one.classList].map((word) => `.${word}`).join("");
    const isSeen = (one) => !one.closest(".unseen, .skip, title, desc, option, noscript") && one.checkVisibility();
    const clips = (one) => style(one).overflowX !== "visible" || style(one).overflowY !== "visible";
    const isPainted = (colour) => !/^(transparent|rgba\(.*, 0\))$/.test(colour);
    const isCard = (one) => {
        const { display, backgroundColor, borderTopWidth, borderTopColor } = style(one);
        return !display.startsWith("inline") && one.localName !== "html" && one.localName !== "body" &&
            (isPainted(backgroundColor) || (parseFloat(borderTopWidth) > 0 && isPainted(borderTopColor)));
    };
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.add(`the page is ${scrollWidth} wide`);
    for (const one of document.body.querySelectorAll("*")) {
        if (one instanceof SVGElement || !isSeen(one) || !clips(one) || one.matches(MAY_SCROLL)) continue;
        if (one.matches("input, select, button, img, .coin")) continue;
        const over = [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight];
        if (Math.max(...over) > 1) faults.add(`${name(one)} is cut off by ${over.join(" and ")}`);
    }
    const check = (one, box, text) => {
        if (box.width === 0 || box.height === 0) return;
        const is = { x: true, y: true };
        for (let card = one; card && card !== document.body; card = card.parentElement) {
            if (card.matches(MAY_SCROLL) && card !== one) return;
            const frame = isCard(card) || card.localName === "svg" ? card.getBoundingClientRect() : null;
            const over = frame && Math.max(
                is.x ? Math.max(frame.left - box.left, box.right - frame.right) : 0,
                is.y ? Math.max(frame.top - box.top, box.bottom - frame.bottom) : 0,
            );
            if (over > 1.5) faults.add(`${name(one)} (${text}) is ${Math.round(over)} outside ${name(card)}`);
            if (over > 1.5 || style(card).position === "fixed") return;
        }
        const over = Math.max(-box.left, box.right - clientWidth);
        if (over > 1.5) faults.add(`${name(one)} (${text}) is ${Math.round(over)} outside the window`);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const one = text.parentElement;
        if (!text.data.trim() || !isSeen(one) || one.matches("select, textarea, script, style")) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const said = text.data.trim().slice(0, 30);
        for (const box of one instanceof SVGElement ? [one.getBoundingClientRect()] : range.getClientRects()) {
            check(one, box, said);
        }
    }
    const boxes = `input, select, textarea, button, img, main svg, .button, ${MAY_SCROLL}`;
    for (const one of document.body.querySelectorAll(boxes)) {
        if (isSeen(one) && one.type !== "hidden") check(one, one.getBoundingClientRect(), one.value ?? "");
    }
    return [...faults].slice(0, 20);
"##;

/// Finds texts that are not printed, apart from controls and links to other pages.
const UNPRINTED: &str = r#"
    const CONTROLS = "form, nav, button, noscript, script, option, .unseen, .tools, .more, .back, .again, .pointing, " +
        ".needs-script, .needs-no-script, .to-contents, .upload, .no-turns, [hidden]";
    const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    const faults = new Set();
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const one = text.parentElement;
        if (!text.data.trim() || one.closest(CONTROLS) || one instanceof SVGElement) continue;
        if (!one.checkVisibility({ visibilityProperty: true })) faults.add(`not printed: ${text.data.slice(0, 40)}`);
    }
    return [...faults].slice(0, 10);
"#;

/// Finds states that look like their absence.
const UNSEEN_STATES: &str = r#"
    const STATES = [["aria-current"], ["aria-pressed", "true"],
        ...["won", "due", "current", "best"].map((word) => ["class", word])];
    const look = (one) => [one, one.firstElementChild].filter(Boolean).map((one) => {
        const { backgroundColor, color, border, outline, fontWeight } = getComputedStyle(one);
        const { content } = getComputedStyle(one, "::before");
        return [backgroundColor, color, border, outline, fontWeight, content].join(" ");
    }).join(" ");
    const faults = new Set();
    for (const [attribute, value] of STATES) {
        const css = attribute === "class" ? `.${value}` : value ? `[${attribute}=${value}]` : `[${attribute}]`;
        for (const one of document.querySelectorAll(css)) {
            if (!one.checkVisibility()) continue;
            const [is, was] = [look(one), one.getAttribute(attribute)];
            if (attribute === "class") one.classList.remove(value);
            else one.removeAttribute(attribute);
            if (look(one) === is) faults.add(`${css} is not seen: ${one.outerHTML.slice(0, 80)}`);
            one.setAttribute(attribute, was);
        }
    }
    return [...faults].slice(0, 10);
"#;

/// The colours of all drawings.
const DRAWN: &str = "return [...document.querySelectorAll('main svg *')].map((one) => getComputedStyle(one))
                         .map(({ fill, stroke }) => fill + stroke)";

impl Browser {
    async fn faults(&self, script: &str, arguments: Vec<Value>) -> Vec<String> {
        let found = self.page.execute(script, arguments).await.expect("the script runs");
        found.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
    }

    /// What does not fit on the page as it is now.
    pub async fn misfits(&self) -> Vec<String> {
        self.faults(MISFITS, vec![json!(SCROLLERS)]).await
    }

    /// What is cut off or missing on paper.
    pub async fn unprinted(&self) -> Vec<String> {
        self.resize(SHEET).await;
        self.see_print().await;
        let mut found = self.faults(MISFITS, vec![json!("textarea")]).await;
        found.extend(self.faults(UNPRINTED, Vec::new()).await);
        self.prefer(false).await;
        found
    }

    /// What cannot be told apart, or has lost its colours, where the system forces its colours.
    pub async fn lost_in_forced_colours(&self) -> Vec<String> {
        let mut found = Vec::new();
        for dark in [false, true] {
            self.prefer(dark).await;
            let own = self.script(DRAWN).await;
            self.force_colours(dark).await;
            if self.script(DRAWN).await != own {
                found.push(format!("drawings lose their colours, dark {dark}"));
            }
            found.extend(self.faults(UNSEEN_STATES, Vec::new()).await);
            found.extend(self.violations_of_colours().await);
        }
        self.prefer(false).await;
        found
    }
}
