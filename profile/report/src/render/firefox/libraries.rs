//! The program and its libraries, in the format's terms.

use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::visible::visible_bytes;

/// A file of code: where it is, and its build.
pub(super) type Library = (PathBuf, Vec<u8>);

/// Returns all files of code, in the order of their numbers.
pub(super) fn of(libraries: &[Library]) -> Vec<Value> {
    let one = |(path, build_id): &Library| {
        let path = visible_bytes(path.as_os_str().as_bytes());
        let name = path.rsplit('/').next().unwrap_or(&path);
        let code = hex(build_id);
        json!({
            "arch": "x86_64",
            "name": name,
            "path": path,
            "debugName": name,
            "debugPath": path,
            "breakpadId": breakpad(build_id),
            "codeId": if code.is_empty() { Value::Null } else { code.into() },
        })
    };
    libraries.iter().map(one).collect()
}

/// Returns Breakpad's name of a build: the build id as a GUID of Microsoft's, and an age of 0.
fn breakpad(build_id: &[u8]) -> String {
    let mut guid = [0u8; 16];
    for (to, from) in guid.iter_mut().zip(build_id) {
        *to = *from;
    }
    guid[0..4].reverse();
    guid[4..6].reverse();
    guid[6..8].reverse();
    hex(&guid).to_uppercase() + "0"
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_build_id_becomes_a_guid() {
        let build_id: Vec<u8> = (0x10..0x24).collect();
        assert_eq!(
            super::breakpad(&build_id),
            "13121110151417161\
             8191A1B1C1D1E1F0"
        );
        assert_eq!(super::breakpad(&[]), "0".repeat(33));
    }
}
