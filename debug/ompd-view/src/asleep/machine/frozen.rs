//! Finds processes that their control group keeps from running: a container that is paused, a job
//! that is suspended.

use std::fs;

/// Returns the control group that is frozen and has the process in it.
pub fn by(pid: u32) -> Option<String> {
    let groups = fs::read_to_string(format!("/proc/{pid}/cgroup")).ok()?;
    let mut each = groups.lines().filter_map(group);
    each.find(|(controllers, path)| is_frozen(controllers, path)).map(|(_, path)| path.to_owned())
}

/// Splits "6:freezer:/a/b" or "0::/a/b" into the controllers (none in version 2) and the path.
fn group(line: &str) -> Option<(&str, &str)> {
    line.split_once(':')?.1.split_once(':')
}

fn is_frozen(controllers: &str, path: &str) -> bool {
    const SECOND: [&str; 2] = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"];
    let says = |file: String, line: &str| {
        fs::read_to_string(file).is_ok_and(|text| text.lines().any(|of| of == line))
    };
    match controllers {
        "" => SECOND.iter().any(|root| says(format!("{root}{path}/cgroup.events"), "frozen 1")),
        _ if controllers.split(',').any(|one| one == "freezer") => {
            says(format!("/sys/fs/cgroup/freezer{path}/freezer.state"), "FROZEN")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_has_controllers_and_a_path() {
        assert_eq!(group("6:freezer:/a:b"), Some(("freezer", "/a:b")));
        assert_eq!(group("0::/"), Some(("", "/")));
        assert_eq!(group("damaged"), None);
    }
}
