//! The variables of the environment that may matter here, copied in one pass.

use omphalos_sys::environment;

/// What the names of all variables begin with that the runtime's settings come from.
const BEGINNINGS: [&[u8]; 4] = [b"OMP_", b"GOMP_", b"KMP_", b"OMPHALOS_"];

/// See the module. Variables that are set to nothing (or blanks) are left out: as good as unset.
pub struct Variables(Vec<(String, String)>);

impl Variables {
    /// Those that are set now.
    pub fn collect() -> Variables {
        let mut list = Vec::new();
        environment::each(|name, value| {
            let known = BEGINNINGS.iter().any(|beginning| name.starts_with(beginning));
            if known && !value.trim_ascii().is_empty() {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                list.push((text(name), text(value)));
            }
        });
        Variables(list)
    }

    /// The variable's value; for an `OMP_` variable also the one that counts for all devices.
    pub fn get(&self, name: &str) -> Option<&str> {
        let plain = |(set, _): &&(String, String)| set == name;
        let for_all = |(set, _): &&(String, String)| set.strip_suffix("_ALL") == Some(name);
        let found = self.0.iter().find(plain);
        let found =
            found.or_else(|| self.0.iter().find(for_all).filter(|_| name.starts_with("OMP_")));
        found.map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_name_wins() {
        let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let all = Variables(vec![
            set("OMP_NUM_THREADS_ALL", "3"),
            set("OMP_DYNAMIC_ALL", "true"),
            set("KMP_BLOCKTIME_ALL", "5"),
            set("OMP_NUM_THREADS", "2"),
        ]);
        assert_eq!(all.get("OMP_NUM_THREADS"), Some("2"));
        assert_eq!(all.get("OMP_DYNAMIC"), Some("true"));
        assert_eq!(all.get("KMP_BLOCKTIME"), None);
        assert_eq!(all.get("OMP_SCHEDULE"), None);
    }
}
