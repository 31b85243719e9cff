//! Copies the environment's variables that may matter to the settings, in one pass. The readers in
//! `environment.rs` and `of_devices.rs` ask the copy.

use core::cell::Cell;
use omphalos_sys::environment;

/// The prefixes of all variables that the runtime's settings come from.
const BEGINNINGS: [&[u8]; 5] = [b"OMP_", b"GOMP_", b"KMP_", b"LIBOMP_", b"OMPHALOS_"];
/// The first letters of these.
const INITIALS: &[u8] = b"OGKL";

/// The copied variables. A variable that is empty or blank counts as unset, and is left out.
pub struct Variables {
    list: Vec<(String, String)>,
    /// Whether faults are printed; if not, `faulty` counts.
    loud: bool,
    faulty: Cell<bool>,
}

impl Variables {
    /// Returns the variables that are set now. With `loud`, their faults are printed; otherwise
    /// they are only noted.
    pub fn collect(loud: bool) -> Variables {
        let mut list = Vec::new();
        environment::each(INITIALS, |name, value| {
            let known = BEGINNINGS.iter().any(|beginning| name.starts_with(beginning));
            if known && !value.trim_ascii().is_empty() {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                list.push((text(name), text(value)));
            }
        });
        Variables { list, loud, faulty: Cell::new(false) }
    }

    /// Returns the names and values of all variables.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.list.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns the variable's value; for an `OMP_` variable also the one that holds for all
    /// devices. `omphalos run` renames `OMP_DISPLAY_ENV`, so that no other runtime finds it.
    pub fn get(&self, name: &str) -> Option<&str> {
        let own = if name == "OMP_DISPLAY_ENV" { self.find("OMPHALOS_DISPLAY_ENV") } else { None };
        self.find(name).or(own)
    }

    /// Returns the value of the variable of exactly this name.
    pub fn exact(&self, name: &str) -> Option<&str> {
        self.list.iter().find(|(set, _)| set == name).map(|(_, value)| value.as_str())
    }

    /// Makes a list with these variables, with faults noted and not printed.
    #[cfg(test)]
    pub fn of(list: &[(&str, &str)]) -> Variables {
        let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        Variables { list: list.iter().map(own).collect(), loud: false, faulty: Cell::new(false) }
    }

    fn find(&self, name: &str) -> Option<&str> {
        let plain = |(set, _): &&(String, String)| set == name;
        let for_all = |(set, _): &&(String, String)| set.strip_suffix("_ALL") == Some(name);
        let found = self.list.iter().find(plain);
        let found =
            found.or_else(|| self.list.iter().find(for_all).filter(|_| name.starts_with("OMP_")));
        found.map(|(_, value)| value.as_str())
    }

    /// Notes that a variable has a fault. Returns whether to print it.
    pub fn fault(&self) -> bool {
        self.faulty.set(true);
        self.loud
    }

    /// Whether any variable has a fault.
    pub fn faulty(&self) -> bool {
        self.faulty.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_name_wins() {
        let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let list = vec![
            set("OMP_NUM_THREADS_ALL", "3"),
            set("OMP_DYNAMIC_ALL", "true"),
            set("KMP_BLOCKTIME_ALL", "5"),
            set("OMP_NUM_THREADS", "2"),
            set("OMPHALOS_DISPLAY_ENV", "true"),
        ];
        let all = Variables { list, loud: true, faulty: Cell::new(false) };
        assert_eq!(all.get("OMP_NUM_THREADS"), Some("2"));
        assert_eq!(all.get("OMP_DYNAMIC"), Some("true"));
        assert_eq!(all.get("KMP_BLOCKTIME"), None);
        assert_eq!(all.get("OMP_SCHEDULE"), None);
        assert_eq!(all.get("OMP_DISPLAY_ENV"), Some("true"));
    }
}
