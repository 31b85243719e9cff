//! Checks the locks of the process. In code that is loaded into programs, a lock that lives as long
//! as the process is a `ProcessLock` with a rank of its own, and a value that is made once is a
//! `Settled`. A forked child may find any other lock taken for ever
//! (`runtime/sync/src/process_lock`).

use super::sources;
use crate::Outcome;

/// The crates that exist once in a process.
const CRATES: &[&str] =
    &["library", "capi", "memory", "tools", "engine", "events", "sync", "layout", "sys", "agent"];

/// The types that may wait for a thread; in a forked child that thread may not exist.
const WAITING: &[&str] = &[
    "Mutex<", "RwLock<", "OnceLock<", "LazyLock<", "Mutex::new", "RwLock::new", "OnceLock::new",
    "LazyLock::new", "Once::new", "Condvar::new", "thread_local!",
];

/// The files that may use these types, and why.
const ALLOWED: &[(&str, &str)] = &[
    ("sync/src/shim.rs", "the model's own"),
    ("sync/src/process_lock/order.rs", "only in builds with debug assertions"),
    ("agent/src/collector/threads.rs", "without a destructor, made when the library is loaded"),
];

/// Statics that are locks of the program's constructs: `process_lock/rank.rs` says what fork does
/// with them.
const OF_CONSTRUCTS: &[&str] = &["BY_ADDRESS", "OF_ALL", "UNNAMED"];

/// Reads the sources.
pub fn check() -> Outcome {
    let mut faults = Vec::new();
    let mut ranks = Vec::new();
    for name in CRATES {
        for source in sources::under(&format!("{}/src", sources::folder_of(name)))? {
            let shown = source.path.split_once('/').map_or("", |(_, path)| path);
            if !ALLOWED.iter().any(|(allowed, _)| *allowed == shown) && !shown.ends_with("tests.rs")
            {
                faults.extend(faults_of(shown, &source.text));
            }
            if !shown.starts_with("sync/src/process_lock/tests") {
                ranks.extend(ranks_of(&source.text).map(|rank| (rank, shown.to_owned())));
            }
        }
    }
    ranks.sort();
    for pair in ranks.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        let [(rank, one), (_, other)] = pair else { continue };
        faults.push(format!("{one} and {other}: two locks have the rank {rank}"));
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n       ")) }
}

/// Returns the faults in a file, except in its tests.
fn faults_of(shown: &str, text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let lines = || code.lines().map(|line| line.split("//").next().unwrap_or(line)).enumerate();
    let mut faults = Vec::new();
    for (at, line) in lines() {
        if let Some(what) = WAITING.iter().find(|what| is_there(line, what)) {
            faults.push(format!(
                "{shown}:{}: `{what}`: use `omphalos_sync::process_lock` or \
                 `omphalos_sync::settled`",
                at + 1
            ));
        }
    }
    let statics = lines().filter_map(|(at, line)| Some((at, static_name(line)?)));
    for (at, name) in statics.filter(|(_, name)| !OF_CONSTRUCTS.contains(name)) {
        if lines().any(|(_, line)| takes(line, name)) {
            faults.push(format!(
                "{shown}:{}: `{name}` is used as a lock: use `omphalos_sync::process_lock`",
                at + 1
            ));
        }
    }
    faults
}

/// Whether the line has the name, and not only as the end of another name. An event of OMPT with
/// the same name is followed by a lifetime and does not count.
fn is_there(line: &str, what: &str) -> bool {
    line.match_indices(what).any(|(at, _)| {
        !line[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_')
            && !line[at + what.len()..].starts_with('\'')
    })
}

fn static_name(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = match line.split_once("static ") {
        Some(("", rest)) => rest,
        Some((before, rest)) if before.starts_with("pub") => rest,
        _ => return None,
    };
    let (name, _) = line.split_once(':')?;
    name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_').then_some(name)
}

/// Whether the line waits for the static, or acquires it as a word that is a lock.
fn takes(line: &str, name: &str) -> bool {
    let spins = line.contains("while ")
        && [".swap(true", ".compare_exchange(false"]
            .iter()
            .any(|how| is_there(line, &format!("{name}{how}")));
    let word = line.contains("acquire")
        && ["(&", "(&mut "].iter().any(|open| {
            let part = format!("{open}{name}");
            line.match_indices(&part).any(|(at, _)| {
                line[at + part.len()..].starts_with(|next: char| ".,)".contains(next))
            })
        });
    spins || word
}

/// Returns the ranks of the statics in this file.
fn ranks_of(text: &str) -> impl Iterator<Item = String> + '_ {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    code.match_indices("ProcessLock<").filter_map(|(at, _)| {
        let rest = &code[at..];
        let from = rest.find("{ rank::")? + "{ rank::".len();
        let name: String =
            rest[from..].chars().take_while(|c| c.is_ascii_uppercase() || *c == '_').collect();
        (from < 200).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_locks_are_found() {
        let bad = [
            "static KNOWN: Mutex<u32> = Mutex::new(0);",
            "    static FOUND: std::sync::OnceLock<u32> = OnceLock::new();",
            "static BUSY: AtomicBool = AtomicBool::new(false);\nwhile BUSY.swap(true, Acquire) {}",
            "static LOCK: AtomicU32 = AtomicU32::new(0);\nword_lock::try_acquire(&LOCK);",
            "static POOL: Pool = new();\nif !word_lock::try_acquire(&POOL.lock) {",
        ];
        for text in bad {
            assert_ne!(faults_of("a.rs", text), Vec::<String>::new(), "{text}");
        }
        let good = [
            "static SAID: AtomicBool = AtomicBool::new(false);\nif SAID.swap(true, Relaxed) {}",
            "fn event(event: Mutex<'_>) {}",
            "static HELD: ProcessLock<(), { rank::START }> = ProcessLock::new(());",
            "#[cfg(test)]\nmod tests {\nstatic ALONE: Mutex<()> = Mutex::new(());\n}",
        ];
        for text in good {
            assert_eq!(faults_of("a.rs", text), Vec::<String>::new(), "{text}");
        }
        assert_eq!(ranks_of(good[2]).collect::<Vec<_>>(), ["START"]);
    }
}
