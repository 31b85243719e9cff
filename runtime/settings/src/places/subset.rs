//! `KMP_HW_SUBSET`: the processors that are used, by counts of sockets, cores and threads.

use super::topology::{self, Level};
use std::collections::BinaryHeap;

/// One item, such as `2c@4`.
#[derive(Clone, Copy)]
struct Item {
    level: Level,
    /// How many are used of each parent, `usize::MAX` for all.
    count: usize,
    /// How many of each parent are left out before them.
    offset: usize,
}

/// Returns the processors of `own` that `text` leaves. The text is items `COUNT LAYER[@OFFSET]`
/// with commas (or `x`) between them, e.g. `1s,4c@2,1t`. A layer that is not named is used whole.
/// If the text begins with a `:`, such a layer does not exist: `:1s,3t` means three threads of a
/// socket.
///
/// # Errors
/// The text is the form that the value should have.
pub fn subset(text: &str, own: &[usize]) -> Result<Vec<usize>, &'static str> {
    const WANTED: &str = "counts of sockets, numa domains, cores and threads such as 1s,4c@2,1t";
    let text = text.trim().to_ascii_lowercase();
    let (absolute, text) = match text.strip_prefix(':') {
        Some(rest) => (true, rest),
        None => (false, text.as_str()),
    };
    let mut items = Vec::new();
    for word in text.split([',', 'x']) {
        items.push(item(word.trim()).ok_or(WANTED)?);
    }
    // From the outside in, whatever their order in the text.
    let order = [Level::Sockets, Level::NumaDomains, Level::LlCaches, Level::Cores, Level::Threads];
    let whole = |level| Item { level, count: usize::MAX, offset: 0 };
    let mut groups = vec![own.to_vec()];
    for level in order {
        let named = items.iter().copied().find(|item| item.level == level);
        let Some(item) = named.or((!absolute).then_some(whole(level))) else { continue };
        let parts = groups.iter().flat_map(|group| {
            topology::group(level, group).into_iter().skip(item.offset).take(item.count)
        });
        groups = parts.collect();
    }
    let left: BinaryHeap<usize> = groups.into_iter().flatten().collect();
    let left = left.into_sorted_vec();
    if left.is_empty() { Err("a subset that leaves processors of this process") } else { Ok(left) }
}

fn item(word: &str) -> Option<Item> {
    let (word, offset) = word.split_once('@').unwrap_or((word, "0"));
    let end = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
    let (count, layer) = word.split_at(end);
    let count = match count {
        "" if layer.starts_with('*') => usize::MAX,
        count => count.parse().ok().filter(|&n| n > 0)?,
    };
    let level = match layer.trim_start_matches('*').trim() {
        "s" | "socket" | "sockets" => Level::Sockets,
        "n" | "numa" | "numas" | "numa_domains" => Level::NumaDomains,
        "llc" | "ll_cache" | "ll_caches" => Level::LlCaches,
        "c" | "core" | "cores" => Level::Cores,
        "t" | "thread" | "threads" => Level::Threads,
        _ => return None,
    };
    Some(Item { level, count, offset: offset.trim().parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_offsets() {
        // Processors that the system does not know are sockets of their own, of one thread each.
        let own: Vec<usize> = (60_000..60_004).collect();
        assert_eq!(subset("2s", &own), Ok(vec![60_000, 60_001]));
        assert_eq!(subset("1s@2,1c,1t", &own), Ok(vec![60_002]));
        assert_eq!(subset("1T,3S,1C", &own), Ok(vec![60_000, 60_001, 60_002]));
        assert_eq!(subset(":3t@1", &own), Ok(vec![60_001, 60_002, 60_003]));
        assert_eq!(subset("*s,1t", &own), Ok(own.clone()));
        for bad in ["", "s", "0s", "1q", "1s@", "1s@9", "1s,,2c"] {
            assert!(subset(bad, &own).is_err(), "{bad}");
        }
    }
}
