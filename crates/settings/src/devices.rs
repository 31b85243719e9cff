//! `OMPHALOS_DEVICES`: the devices that the host plays.

use super::values::Parsed;

/// The most devices there may be. A team notes its device in a byte.
pub const MOST_DEVICES: u32 = 64;

/// `host` is one device, `host:N` are N.
pub(super) fn devices(text: &str) -> Parsed<u32> {
    const WANTED: &str = "host, or host: and a number of devices from 1 to 64";
    let text = text.trim().to_ascii_lowercase();
    let rest = text.strip_prefix("host").ok_or(WANTED)?.trim();
    if rest.is_empty() {
        return Ok(1);
    }
    let count = rest.strip_prefix(':').and_then(|count| count.trim().parse().ok());
    count.filter(|count| (1..=MOST_DEVICES).contains(count)).ok_or(WANTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many() {
        assert_eq!((devices("host"), devices(" HOST : 2 ")), (Ok(1), Ok(2)));
        assert_eq!((devices("host:1"), devices("host:64")), (Ok(1), Ok(64)));
        for wrong in ["2", "gpu", "host:0", "host:65", "host:", "host2", "host:two", "host:-1"] {
            assert!(devices(wrong).is_err(), "{wrong}");
        }
    }
}
