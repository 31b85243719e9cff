//! `OMPHALOS_DEVICES`: the devices that the host plays, or those of GCC's plugins.

use super::values::Parsed;

/// The most devices there may be. A team notes its device in a byte.
pub const MOST_DEVICES: u32 = 64;

/// Stands for a number of devices that is not known: the plugins were not asked yet.
pub const UNKNOWN_DEVICES: u32 = u32::MAX;

/// The plugins that come with GCC, as the names of their files name them.
const GCCS: [&str; 2] = ["nvptx", "gcn"];

/// The devices that the variable asks for.
#[derive(Debug, PartialEq, Eq)]
pub enum Devices {
    /// Devices that the host plays, this many.
    Played(u32),
    /// The devices that the plugins of these names find.
    OfPlugins(Vec<String>),
}

/// `host` is one device, `host:N` are N; `plugins` asks GCC's own, `plugin:NAME` that one.
pub(super) fn devices(text: &str) -> Parsed<Devices> {
    const WANTED: &str = "host, or host: and a number of devices from 1 to 64, or plugins, or \
                          plugin: and a name";
    let text = text.trim();
    let (word, rest) = text.split_once(':').map_or((text, None), |(word, rest)| (word, Some(rest)));
    match (word.trim().to_ascii_lowercase().as_str(), rest.map(str::trim)) {
        ("host", None) => Ok(Devices::Played(1)),
        ("host", Some(count)) => {
            let count = count.parse().ok().filter(|count| (1..=MOST_DEVICES).contains(count));
            count.map(Devices::Played).ok_or(WANTED)
        }
        ("plugins", None) => Ok(Devices::OfPlugins(GCCS.map(String::from).to_vec())),
        ("plugin", Some(name)) if !name.is_empty() && !name.contains(['/', ':', '\0']) => {
            Ok(Devices::OfPlugins(vec![name.to_owned()]))
        }
        _ => Err(WANTED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many() {
        let played = |count| Ok(Devices::Played(count));
        assert_eq!((devices("host"), devices(" HOST : 2 ")), (played(1), played(2)));
        assert_eq!((devices("host:1"), devices("host:64")), (played(1), played(64)));
        for wrong in ["2", "gpu", "host:0", "host:65", "host:", "host2", "host:two", "host:-1"] {
            assert!(devices(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn of_plugins() {
        let of = |names: &[&str]| {
            Ok(Devices::OfPlugins(names.iter().map(|&name| name.to_owned()).collect()))
        };
        assert_eq!(devices(" Plugins "), of(&["nvptx", "gcn"]));
        assert_eq!(devices("plugin: nvptx"), of(&["nvptx"]));
        for wrong in ["plugin", "plugin:", "plugins:nvptx", "plugin:../a", "plugin:a:b"] {
            assert!(devices(wrong).is_err(), "{wrong}");
        }
    }
}
