//! Command lines for a table: as long as its column, but still distinct.

use crate::render::short::cut;

/// A word of a command line is not cut below this many characters.
const WORD: usize = 28;

/// Returns a short form of each command line, in at most `width` characters. Two different ones
/// stay different, at worst in full.
pub(super) fn shortened(commands: &[String], width: usize) -> Vec<String> {
    let short: Vec<String> = commands.iter().map(|command| from_front(command, width)).collect();
    let mut shown = short.clone();
    for (at, command) in commands.iter().enumerate() {
        let alike = |shown: &[String], form: &str| {
            let others = commands.iter().zip(shown).filter(|(other, _)| *other != command);
            others.filter(|(_, other)| *other == form).map(|(other, _)| other).collect::<Vec<_>>()
        };
        let same = alike(&short, &short[at]);
        let Some(differs) = same.iter().map(|other| alike_until(command, other)).max() else {
            continue;
        };
        shown[at] = around(command, differs, width);
        if !alike(&shown, &shown[at]).is_empty() {
            shown[at].clone_from(command);
        }
    }
    shown
}

/// Returns how many characters two texts have in common at their begins.
fn alike_until(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count()
}

/// Returns the program without its folder, and its arguments, long ones without their middles.
fn from_front(command: &str, width: usize) -> String {
    if command.chars().count() <= width {
        return command.to_owned();
    }
    let mut words = command.split(' ');
    let program = words.next().unwrap_or_default();
    let mut out = program.rsplit('/').next().unwrap_or(program).to_owned();
    for word in words {
        out.push(' ');
        out.push_str(&without_middle(word, WORD));
    }
    cut(&out, width)
}

/// Returns the program, its first argument, and the text around the character at `differs`.
fn around(command: &str, differs: usize, width: usize) -> String {
    let mut words = command.split(' ');
    let program = words.next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    let front = format!("{program} {}", words.next().unwrap_or_default());
    let front = cut(&front, width / 2);
    let all: Vec<char> = command.chars().collect();
    let room = width.saturating_sub(front.chars().count() + 4);
    let from = differs.saturating_sub(room / 2);
    let rest: String = all.get(from..).unwrap_or_default().iter().collect();
    format!("{front} ..{} ", cut(&rest, room)).trim_end().to_owned()
}

fn without_middle(word: &str, most: usize) -> String {
    let all: Vec<char> = word.chars().collect();
    if all.len() <= most {
        return word.to_owned();
    }
    let half = (most - 2) / 2;
    all[..half]
        .iter()
        .copied()
        .chain("..".chars())
        .chain(all[all.len() - half..].iter().copied())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_commands_fit_and_differ() {
        let search = |what: &str, file: &str| {
            format!(
                "/usr/bin/search {what} tmp/16142527248484342491/query --matrix \
                 b64:YWE6Ymxvc3VtNjIub3V0LG51Y2w6bnVjbGVvdGlkZS5vdXQ= --threads 2 --in {file} -v 3"
            )
        };
        let commands = [
            search("prefilter", "a.fa"),
            search("align", "a.fa"),
            search("align", "b.fa"),
            search("align", "c.fa"),
            search("align", "c.fa"),
            "./app 3".to_owned(),
        ];
        let shown = shortened(&commands, 52);
        assert!(shown.iter().all(|form| form.chars().count() <= 52), "{shown:#?}");
        for (i, one) in shown.iter().enumerate() {
            for (j, other) in shown.iter().enumerate() {
                assert_eq!(one == other, commands[i] == commands[j], "{shown:#?}");
            }
        }
        assert!(shown[0].starts_with("search prefilter tmp/"), "{shown:#?}");
        assert!(shown[0].contains("/query"), "the end of a path tells it apart: {shown:#?}");
        assert!(shown[2].starts_with("search align") && shown[2].contains("b.fa"), "{shown:#?}");
        assert_eq!(shown[5], "./app 3");
    }

    #[test]
    fn what_cannot_be_short_stands_whole() {
        let folders =
            ["/one/bin/app", "/two/bin/app"].map(|app| format!("{app} {}", "x".repeat(90)));
        let shown = shortened(&folders, 24);
        assert_ne!(shown[0], shown[1]);
    }
}
