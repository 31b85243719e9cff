//! A browser that opens pages from the disk, runs their scripts and returns the result.

use std::path::Path;
use std::process::Command;

use crate::{exec, paths};

/// Whether the machine has chromium (`apt-get install chromium`).
pub fn is_there() -> bool {
    Command::new("chromium").arg("--version").output().is_ok()
}

/// Returns a page's DOM after its scripts have run. A complaint of a script is an error.
pub fn shown(address: &str) -> Result<String, String> {
    let scratch = paths::scratch(&format!("browser {}", address.len()));
    let mut browser = Command::new("chromium");
    browser.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]);
    browser.arg(format!("--user-data-dir={}", scratch.display()));
    browser.args(["--virtual-time-budget=20000", "--dump-dom"]).arg(address);
    let outcome = exec::run(&mut browser)?;
    let complaint = outcome.stderr.lines().find(|line| line.contains("CONSOLE"));
    match complaint {
        Some(line) => Err(format!("{address}: {line}")),
        None if outcome.success() => Ok(outcome.stdout),
        None => Err(outcome.describe()),
    }
}

/// Puts the script `driver` at the end of a copy of `page`, and returns the lines that it writes by
/// `say`.
pub fn driven(page: &Path, driver: &str) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(page).map_err(|e| format!("{}: {e}", page.display()))?;
    let end = "</body>\n</html>\n";
    let before = text.strip_suffix(end).ok_or("the page does not end as pages do")?;
    let copy = page.with_extension("driven.html");
    let say = "const say = (line) => document.getElementById('said').append(line + '\\n');";
    let pre = "<pre id=\"said\"></pre>";
    let with = format!("{before}{pre}<script>\n{say}\n{{\n{driver}\n}}\n</script>\n{end}");
    std::fs::write(&copy, with).map_err(|e| e.to_string())?;
    let found = shown(&format!("file://{}", copy.display()))?;
    let said = found.rsplit("id=\"said\">").next().and_then(|rest| rest.split("</pre>").next());
    let plain = |line: &str| line.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    Ok(said.unwrap_or_default().lines().map(plain).collect())
}
