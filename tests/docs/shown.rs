//! Comparison of the output that a page shows with the real one; figures may differ.

/// Checks that every shown line is in the output: the same words in the same order, with any
/// numbers. A line may be missing where the report says that it is inconclusive because the machine
/// is busy.
pub fn is_printed(shown: &[String], printed: &str) -> Result<(), String> {
    let all = words(printed);
    for line in shown {
        let wanted = words(line);
        let is_there = wanted.is_empty() || all.windows(wanted.len()).any(|part| part == wanted);
        if !is_there && !printed.contains("inconclusive:") {
            return Err(format!("the page shows\n{line}\nand what is printed is\n{printed}"));
        }
    }
    Ok(())
}

/// Splits a text into words. Numbers that follow each other, with their units, are one word, so
/// that a table's row may have one more column: `no CPU`, which it has on a busy machine.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.replace("no CPU", "").split_whitespace() {
        let bare = word.trim_matches(|c: char| "(),;.:".contains(c));
        let after_number = words.last().is_some_and(|last| last == "#");
        let is_unit = ["s", "ms", "us", "ns", "%"].contains(&bare);
        let is_number = bare == "-"
            || bare.starts_with(|c: char| c.is_ascii_digit())
                && !bare.contains(char::is_alphabetic);
        if is_number && !after_number {
            words.push("#".to_owned());
        } else if !(is_number || after_number && is_unit) {
            words.push(bare.to_owned());
        }
    }
    words
}

/// Tests the comparison itself.
pub fn compares() -> Result<(), String> {
    let printed =
        "a region at x.c:7 took 1.5 ms (23 %)\nof 3.1 ms: all\n  x.c:7 in f  12 3.5 - 4 no CPU\n";
    let shown = |line: &str| is_printed(&[line.to_owned()], printed);
    shown("region at x.c:7 took 900 us (1 %)")?;
    shown("  x.c:7 in f  1 2")?;
    shown("of 1.20 s: all")?;
    match (shown("region at x.c:8"), shown("took a while")) {
        (Err(_), Err(_)) => Ok(()),
        _ => Err("what is not printed passes".to_owned()),
    }
}
