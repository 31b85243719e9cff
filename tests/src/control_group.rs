//! Control groups of a test's own, which limit the CPU time or the CPUs of a program.

use std::fs;
use std::path::{Path, PathBuf};

/// A control group of the test's own, of version 1 or 2; its folder is removed after the test.
pub struct Group(PathBuf);

impl Group {
    /// Makes a group; `None` if the test may not. The files are written in their order; those of
    /// the version that the machine does not have are left out.
    pub fn make(controller: &str, name: &str, files: &[(&str, &str)]) -> Option<Group> {
        let first = Path::new("/sys/fs/cgroup").join(controller);
        let root = if first.is_dir() { first } else { PathBuf::from("/sys/fs/cgroup") };
        let folder = root.join(format!("omphalos-test-{name}-{}", std::process::id()));
        fs::create_dir(&folder).ok()?;
        let group = Group(folder);
        let set = |(file, text): &&(&str, &str)| fs::write(group.0.join(file), text).is_ok();
        (files.iter().filter(set).count() > 0).then_some(group)
    }

    /// Returns the words of a shell that enters the group and then executes its arguments.
    pub fn words(&self) -> Vec<String> {
        let enter = format!("echo $$ > {}/cgroup.procs && exec \"$@\"", self.0.display());
        vec!["sh".to_owned(), "-c".to_owned(), enter, "sh".to_owned()]
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

/// Makes a group with a quota, us of each 100 ms; `None` if the test may not.
pub fn with_quota(name: &str, quota: &str) -> Option<Group> {
    let both = format!("{quota} 100000");
    // The group needs weight: otherwise other programs, each as heavy as a group, may keep it below
    // its quota.
    let files = [
        ("cpu.shares", "200000"),
        ("cpu.weight", "10000"),
        ("cpu.cfs_period_us", "100000"),
        ("cpu.cfs_quota_us", quota),
        ("cpu.max", &both),
    ];
    Group::make("cpu", name, &files)
}
