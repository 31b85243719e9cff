//! Parsers of place lists: `OMP_PLACES` and `GOMP_CPU_AFFINITY`.
//!
//! Processors that the process may not use are left out, and so are places that become empty.

use super::topology::{self, Level};
use std::collections::BinaryHeap;

/// No machine has more processors. The limit keeps a typo such as `{0:999999999}` from filling the
/// memory.
const MOST_PROCESSORS: i64 = 65_536;

type Place = Vec<i64>;

/// `OMP_PLACES` (OpenMP 5.2, section 21.1.6): an abstract name, with a count if wanted, or a list
/// of places such as `{0:4}:8:4`, `{0,1},{2,3}`, `!{5}`.
pub fn places(text: &str, own: &[usize]) -> Result<Vec<Vec<usize>>, &'static str> {
    const WANTED: &str = "threads, cores, ll_caches, numa_domains or sockets, with a count such as \
                          cores(4) if wanted, or a list of places such as {0,1},{2,3} or {0:2}:4:2";
    let text = text.trim().to_ascii_lowercase();
    let places = if text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        abstract_name(&text, own).ok_or(WANTED)?
    } else {
        let list = Parser { rest: text.as_bytes() }.place_list().ok_or(WANTED)?;
        available(list, own)
    };
    if places.is_empty() {
        return Err("places with processors that this process may use");
    }
    Ok(places)
}

fn abstract_name(text: &str, own: &[usize]) -> Option<Vec<Vec<usize>>> {
    let (name, count) = match text.split_once('(') {
        Some((name, rest)) => {
            let count: usize = rest.trim().strip_suffix(')')?.trim().parse().ok()?;
            (name.trim(), Some(count).filter(|&n| n > 0)?)
        }
        None => (text, usize::MAX),
    };
    let (_, level) = NAMES.iter().find(|(known, _)| *known == name)?;
    let mut places = topology::group(*level, own);
    places.truncate(count);
    Some(places)
}

/// The abstract names.
const NAMES: [(&str, Level); 5] = [
    ("threads", Level::Threads),
    ("cores", Level::Cores),
    ("ll_caches", Level::LlCaches),
    ("numa_domains", Level::NumaDomains),
    ("sockets", Level::Sockets),
];

/// Returns the abstract name with which `text` begins, whatever follows. Any other word stands for
/// the cores. `None` for a list.
pub fn nearest_name(text: &str) -> Option<&'static str> {
    let text = text.trim().to_ascii_lowercase();
    let end = text.find(|c: char| !c.is_ascii_alphabetic() && c != '_').unwrap_or(text.len());
    let word = Some(&text[..end]).filter(|word| !word.is_empty())?;
    let known = NAMES.iter().find(|(name, _)| *name == word);
    Some(known.map_or("cores", |(name, _)| name))
}

/// `GOMP_CPU_AFFINITY`: processors, ranges and ranges with strides (`0 3 1-2 4-15:2`), separated by
/// blanks or commas; each is a place.
pub fn cpu_list(text: &str, own: &[usize]) -> Result<Vec<Vec<usize>>, &'static str> {
    const WANTED: &str = "processor numbers and ranges such as 0 3 1-2 4-15:2";
    let mut list: Vec<Place> = Vec::new();
    for part in text.split([' ', ',', '\t']).filter(|part| !part.is_empty()) {
        let (cpus, stride) = range(part).ok_or(WANTED)?;
        if stride < 0 {
            return Err(WANTED);
        }
        list.extend(cpus);
    }
    usable(list, own)
}

/// `proclist=` of `KMP_AFFINITY`, already divided: processors, ranges and ranges with strides,
/// which may go down, and sets such as `{0,1}`; each processor or set is a place.
pub fn proc_list<'a>(
    parts: impl IntoIterator<Item = &'a str>,
    own: &[usize],
) -> Result<Vec<Vec<usize>>, &'static str> {
    const WANTED: &str = "proclist=[..] of processors, ranges and sets such as 3,0-2,4-8:2,{0,1}";
    let mut list: Vec<Place> = Vec::new();
    for part in parts {
        let places = match range(part) {
            Some((cpus, _)) => cpus,
            None => Parser { rest: part.as_bytes() }.place_list().ok_or(WANTED)?,
        };
        list.extend(places);
    }
    if list.is_empty() { Err(WANTED) } else { usable(list, own) }
}

/// Reads `3`, `0-2` or `0-6:2`. Returns its processors, and the stride.
fn range(part: &str) -> Option<(Vec<Place>, i64)> {
    let (range, stride) = part.split_once(':').unwrap_or((part, "1"));
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let number = |text: &str| {
        text.parse::<i64>().ok().filter(|n| (-MOST_PROCESSORS..=MOST_PROCESSORS).contains(n))
    };
    let (mut cpu, last, stride) = (number(first)?, number(last)?, number(stride)?);
    let ahead = |cpu: i64| if stride > 0 { cpu <= last } else { cpu >= last };
    if cpu < 0 || last < 0 || stride == 0 || !ahead(cpu) {
        return None;
    }
    let mut cpus = Vec::new();
    while ahead(cpu) {
        cpus.push(vec![cpu]);
        cpu += stride;
    }
    Some((cpus, stride))
}

/// Returns the part of a list that this process may use.
fn usable(list: Vec<Place>, own: &[usize]) -> Result<Vec<Vec<usize>>, &'static str> {
    let places = available(list, own);
    if places.is_empty() { Err("processors that this process may use") } else { Ok(places) }
}

/// Keeps the processors that the process may use.
fn available(list: Vec<Place>, own: &[usize]) -> Vec<Vec<usize>> {
    let mut places: Vec<Vec<usize>> = Vec::new();
    for place in list {
        // Sorted by a heap: a tenth of the code of `sort_unstable`.
        let cpus: BinaryHeap<usize> = place
            .into_iter()
            .filter_map(|cpu| usize::try_from(cpu).ok())
            .filter(|cpu| own.contains(cpu))
            .collect();
        let mut cpus = cpus.into_sorted_vec();
        cpus.dedup();
        if !cpus.is_empty() {
            places.push(cpus);
        }
    }
    places
}

/// Reads the list form. `None` when the text does not fit the grammar.
struct Parser<'a> {
    rest: &'a [u8],
}

impl Parser<'_> {
    fn place_list(mut self) -> Option<Vec<Place>> {
        let mut list: Vec<Place> = Vec::new();
        loop {
            if self.eat(b'!') {
                let without = self.place()?;
                list.retain(|place| *place != without);
            } else {
                let place = self.place()?;
                let (count, stride) = self.interval(place.len() as i64)?;
                for i in 0..count {
                    list.push(place.iter().map(|cpu| cpu + i * stride).collect());
                }
            }
            if !self.eat(b',') {
                break;
            }
        }
        self.blanks();
        (self.rest.is_empty() && list.len() as i64 <= MOST_PROCESSORS).then_some(list)
    }

    /// Reads `{..}` or one number.
    fn place(&mut self) -> Option<Place> {
        if !self.eat(b'{') {
            return Some(vec![self.number()?]);
        }
        let mut cpus: Place = Vec::new();
        loop {
            if self.eat(b'!') {
                let without = self.number()?;
                cpus.retain(|&cpu| cpu != without);
            } else {
                let first = self.number()?;
                let (count, stride) = self.interval(1)?;
                cpus.extend((0..count).map(|i| first + i * stride));
            }
            if !self.eat(b',') {
                break;
            }
        }
        let cpus = BinaryHeap::from(cpus).into_sorted_vec();
        (self.eat(b'}') && cpus.len() as i64 <= MOST_PROCESSORS).then_some(cpus)
    }

    /// Reads `:count` and `:stride`, both optional.
    fn interval(&mut self, stride: i64) -> Option<(i64, i64)> {
        if !self.eat(b':') {
            return Some((1, stride));
        }
        let count = self.number().filter(|&n| n > 0)?;
        if !self.eat(b':') {
            return Some((count, stride));
        }
        let negative = self.eat(b'-');
        let stride = self.number()?;
        Some((count, if negative { -stride } else { stride }))
    }

    fn number(&mut self) -> Option<i64> {
        self.blanks();
        let digits = self.rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        core::str::from_utf8(number).ok()?.parse().ok().filter(|&n| n <= MOST_PROCESSORS)
    }

    fn eat(&mut self, byte: u8) -> bool {
        self.blanks();
        match self.rest.split_first() {
            Some((&first, rest)) if first == byte => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn blanks(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Option<Vec<Vec<usize>>> {
        let own: Vec<usize> = (0..16).collect();
        places(text, &own).ok()
    }

    #[test]
    fn explicit_lists() {
        assert_eq!(read("{0,1},{2,3}"), Some(vec![vec![0, 1], vec![2, 3]]));
        assert_eq!(read("{0:2}:3:4"), Some(vec![vec![0, 1], vec![4, 5], vec![8, 9]]));
        assert_eq!(read("{0:2}:2"), Some(vec![vec![0, 1], vec![2, 3]]));
        assert_eq!(read("{0:4:2}"), Some(vec![vec![0, 2, 4, 6]]));
        assert_eq!(read("{0:4,!2}"), Some(vec![vec![0, 1, 3]]));
        assert_eq!(read("{0}:4,!{2}"), Some(vec![vec![0], vec![1], vec![3]]));
        assert_eq!(read("{3}:4:-1"), Some(vec![vec![3], vec![2], vec![1], vec![0]]));
        assert_eq!(read("0, 5"), Some(vec![vec![0], vec![5]]));
        assert_eq!(read("{15},{16}"), Some(vec![vec![15]]));
    }

    #[test]
    fn bad_lists() {
        for bad in ["", "{", "{0", "{0}:", "{0}:0", "{},{1}", "{0}}", "{99}", "cores(0)", "corez"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn names_that_are_nearly_right() {
        assert_eq!(nearest_name("sockets("), Some("sockets"));
        assert_eq!(nearest_name(" Threads()"), Some("threads"));
        assert_eq!(nearest_name("invalid"), Some("cores"));
        assert_eq!(nearest_name("{0},{1}"), None);
        assert_eq!(nearest_name(""), None);
    }

    #[test]
    fn abstract_names() {
        assert_eq!(read("threads(2)"), Some(vec![vec![0], vec![1]]));
        assert_eq!(read(" THREADS ").map(|p| p.len()), Some(16));
        for name in ["cores", "sockets", "ll_caches", "numa_domains"] {
            let all: usize = read(name).unwrap().iter().map(Vec::len).sum();
            assert_eq!(all, 16, "{name}");
        }
    }

    #[test]
    fn lists_of_processors() {
        let own: Vec<usize> = (0..8).collect();
        assert_eq!(
            cpu_list("0 3 1-2 4-7:2", &own),
            Ok(vec![vec![0], vec![3], vec![1], vec![2], vec![4], vec![6]])
        );
        assert!(cpu_list("3-1", &own).is_err());
        assert!(cpu_list("9", &own).is_err());
        assert!(cpu_list("1-3:0", &own).is_err());
    }

    proptest! {
        #[test]
        fn no_panic(text in "[0-9a-z{}:,!() -]{0,40}") {
            let _ = (read(&text), cpu_list(&text, &[0, 1]));
        }
    }
}
