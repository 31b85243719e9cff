//! `KMP_AFFINITY`, as far as it has a meaning in terms of places and policies.

use super::places::Wish;
use super::topology::{self, Level};
use super::{cores, list};

/// `[modifier,...]type[,permute][,offset]`; `None` where it asks for no binding.
pub fn kmp(text: &str, own: &[usize]) -> Result<Option<Wish>, &'static str> {
    const WANTED: &str = "none, disabled, compact, scatter, balanced or explicit, with granularity= \
                          and proclist=[..] if wanted; OMP_PLACES and OMP_PROC_BIND say more";
    let mut text = text.trim().to_ascii_lowercase();
    let mut explicit = None;
    // The list has commas of its own, so it goes first.
    if let Some(at) = text.find("proclist=") {
        let tail = &text[at + "proclist=".len()..];
        let end = tail.find(']').ok_or(WANTED)?;
        let cpus = tail.get(..end).and_then(|t| t.strip_prefix('[')).ok_or(WANTED)?;
        explicit = Some(list::places(cpus, own).or_else(|_| list::cpu_list(cpus, own))?);
        text.replace_range(at..at + "proclist=".len() + end + 1, "");
    }
    let mut places = None;
    let mut policy = None;
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        match word {
            "none" | "disabled" => return Ok(None),
            "compact" | "explicit" => policy = Some(1),
            "scatter" | "balanced" => policy = Some(4),
            "verbose" | "noverbose" | "warnings" | "nowarnings" | "respect" | "norespect"
            | "reset" | "noreset" => {}
            _ => match word.strip_prefix("granularity=") {
                Some("fine" | "thread") => places = Some(topology::group(Level::Threads, own)),
                Some("core") => places = Some(cores(own)),
                Some("socket" | "package") => places = Some(topology::group(Level::Sockets, own)),
                Some("node" | "numa") => places = Some(topology::group(Level::NumaDomains, own)),
                // Permute and offset change nothing that the policies here know of.
                None if word.bytes().all(|b| b.is_ascii_digit()) => {}
                _ => return Err(WANTED),
            },
        }
    }
    let Some(policy) = policy else { return Ok(None) };
    let places = explicit.or(places).unwrap_or_else(|| cores(own));
    Ok(Some(Wish { places, policy }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_lists() {
        let own: Vec<usize> = (0..4).collect();
        assert_eq!(kmp("none", &own), Ok(None));
        assert_eq!(kmp("verbose", &own), Ok(None));
        let wish = kmp("granularity=fine,compact,1,0", &own).unwrap().unwrap();
        assert_eq!((wish.places.len(), wish.policy), (4, 1));
        let wish = kmp("granularity=fine,proclist=[3,1],explicit", &own).unwrap().unwrap();
        assert_eq!(wish.places, [vec![3], vec![1]]);
        assert_eq!(kmp("scatter", &own).unwrap().unwrap().policy, 4);
        assert!(kmp("tight", &own).is_err());
        assert!(kmp("proclist=[1", &own).is_err());
        assert!(kmp("proclist=1]", &own).is_err());
    }
}
