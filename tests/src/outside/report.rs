//! The verdicts of both runtimes about a suite: one file keeps each runtime's, and they are printed
//! side by side.

use std::path::{Path, PathBuf};

use super::Verdicts;
use super::case::Verdict;
use super::options::{Options, Suite};

/// Returns the file that keeps the verdicts of one runtime between runs; each `--stock` has its
/// own.
pub fn file(options: &Options, runtime: &str) -> PathBuf {
    let suite = match options.suite {
        Suite::Llvm => "llvm",
        Suite::Vv => "vv",
        Suite::Libgomp => "libgomp",
        Suite::Programs => "programs",
    };
    let of = match &options.stock {
        Some(folder) if runtime == "stock" => {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            format!("-{name}")
        }
        _ => String::new(),
    };
    options.work.join(format!("{suite}-{}-{runtime}{of}.tsv", options.tools.label()))
}

/// Reads the verdicts of an earlier run; empty if there was none.
pub fn load(file: &Path) -> Verdicts {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let read = |line: &str| {
        let mut parts = line.splitn(3, '\t');
        let (name, word) = (parts.next()?, parts.next()?);
        Some((name.to_string(), Verdict::parse(word, parts.next().unwrap_or_default())?))
    };
    text.lines().filter_map(read).collect()
}

/// Writes verdicts, one a line.
pub fn store(file: &Path, verdicts: &Verdicts) -> Result<(), String> {
    let line = |(name, v): (&String, &Verdict)| format!("{name}\t{}\t{}\n", v.word(), v.reason());
    let text: String = verdicts.iter().map(line).collect();
    std::fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()))
}

/// Prints the counts and the differences. Returns whether everything that passes on the stock
/// runtime passes on ours too.
pub fn print(options: &Options, stock: &Verdicts, ours: &Verdicts) -> bool {
    println!("{:12} {:>6} {:>6}", "", "stock", "ours");
    for word in ["pass", "fail", "slow", "unbuilt", "skipped"] {
        let count = |verdicts: &Verdicts| verdicts.values().filter(|v| v.word() == word).count();
        println!("{word:12} {:6} {:6}", count(stock), count(ours));
    }
    let mut worse = Vec::new();
    let mut better = Vec::new();
    let mut both = Vec::new();
    for (name, on_stock) in stock {
        let Some(on_ours) = ours.get(name) else { continue };
        match (on_stock.passed(), on_ours.passed()) {
            (true, false) => worse.push((name, on_ours)),
            (false, true) => better.push((name, on_stock)),
            (false, false) if matches!(on_ours, Verdict::Fail(_) | Verdict::Slow) => {
                both.push((name, on_ours));
            }
            _ => {}
        }
    }
    list("passes on stock, not on ours", &worse);
    list("passes on ours, not on stock", &better);
    if options.verbose {
        list("passes on neither", &both);
    }
    worse.is_empty()
}

fn list(title: &str, cases: &[(&String, &Verdict)]) {
    println!("\n{title}: {}", cases.len());
    for (name, verdict) in cases {
        println!("  {name}: {verdict}");
    }
}
