//! The page around the data: head, style, scripts, and the data as a block of JSON.

use omphalos_report::{escape, visible};
use serde_json::Value;

/// The page's scripts; each uses only those in front of it.
const SCRIPTS: [&str; 9] = [
    include_str!("page/words.js"),
    include_str!("page/tables.js"),
    include_str!("page/flame.js"),
    include_str!("page/run.js"),
    include_str!("page/counters.js"),
    include_str!("page/source.js"),
    include_str!("page/change.js"),
    include_str!("page/scale.js"),
    include_str!("page/main.js"),
];

/// Nothing is loaded from anywhere, and nothing sent.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; \
                      script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A whole page. `text` is what browsers without scripts show.
pub(crate) fn page(title: &str, data: Value, text: &str) -> String {
    let mut page = String::new();
    let mut add = |part: &str| page.push_str(part);
    add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    add(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n"));
    add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    add("<meta name=\"color-scheme\" content=\"light dark\">\n");
    add(&format!("<title>{}</title>\n<style>\n", escape(&visible(title))));
    add(include_str!("page/page.css"));
    add("</style>\n</head>\n<body>\n<noscript><pre>");
    add(&escape(text));
    add("</pre></noscript>\n<script type=\"application/json\" id=\"data\">\n");
    add(&block(data));
    add("\n</script>\n<script>\n'use strict';\n(() => {\n");
    SCRIPTS.iter().for_each(|script| add(script));
    add("})();\n</script>\n</body>\n</html>\n");
    page
}

/// JSON without a character that could end the block that it stands in, and none that would steer
/// a terminal or turn the direction of text where it is shown.
fn block(mut data: Value) -> String {
    fit(&mut data);
    data.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// Makes every text in a value fit to be shown. Values lie in each other no deeper than this crate
/// makes them, so the recursion ends soon.
fn fit(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let std::borrow::Cow::Owned(fit) = visible(text) {
                *text = fit;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(fit),
        Value::Object(fields) => fields.values_mut().for_each(fit),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn no_text_ends_the_block() {
        let data = json!({ "name": "f<int></script><!--\u{202e}\x1b[2J&amp;" });
        let block = block(data);
        assert!(!block.contains(['<', '>', '&', '\x1b', '\u{202e}']), "{block}");
        let read: Value = serde_json::from_str(&block).unwrap();
        assert_eq!(read["name"], "f<int></script><!--\\u{202e}\\x1b[2J&amp;");
    }
}
