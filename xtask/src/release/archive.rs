//! Makes the archives: one is a folder that works from any place, the other is its debug
//! information, which is unpacked over it. Unlike a package, an archive has no tool that checks the
//! system before it is unpacked. So its `bin/omphalos` is a script: it says in one line why a
//! system cannot run the program, which lies in `libexec`.

use std::ffi::OsStr;
use std::process::Command;

use super::{Release, VERSION};
use crate::Outcome;
use crate::tools::{self, root, run, step};

/// The names of the folders of debug information, anywhere in the tree.
const DEBUG: [&str; 2] = [".debug", "debug"];

/// Makes both archives.
pub fn make(release: &Release) -> Outcome {
    step("the archives");
    let name = format!("omphalos-{VERSION}-linux-x86_64");
    let apart = DEBUG.map(|folder| format!("--exclude=*/lib/{folder}"));
    let agents = DEBUG.map(|folder| format!("--exclude=*/lib/omphalos/{folder}"));
    let folder = release.tree.file_name().unwrap_or_default();
    let mut tar = tar(release, &name);
    let tree = folder.to_string_lossy();
    tar.arg(format!("--transform=s,^{tree}/bin/omphalos$,{tree}/libexec/omphalos,S"));
    tar.arg(format!("--transform=s,^omphalos$,{tree}/bin/omphalos,S"));
    tar.args(apart).args(agents).arg(folder);
    run(tar.arg("-C").arg(root().join("packaging/archive")).arg("omphalos"))?;
    let mut tar = self::tar(release, &format!("{name}-debug"));
    for folder in debug_folders(release)? {
        tar.arg(folder);
    }
    run(&mut tar)
}

/// Returns the folders of debug information, relative to the folder in which the tree lies.
fn debug_folders(release: &Release) -> Outcome<Vec<std::path::PathBuf>> {
    let above = release.tree.parent().unwrap_or(&release.tree);
    let all = tools::sorted_below(&release.tree)?;
    let folders = all.iter().filter(|path| {
        path.is_dir() && path.file_name().is_some_and(|name| DEBUG.map(OsStr::new).contains(&name))
    });
    Ok(folders.filter_map(|path| path.strip_prefix(above).ok()).map(Into::into).collect())
}

fn tar(release: &Release, name: &str) -> Command {
    let mut tar = Command::new("tar");
    tar.arg("-C").arg(release.tree.parent().unwrap_or(&release.tree));
    tar.args(["--sort=name", "--format=gnu", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.args(["--mode=u+rw,go+r,go-w,a-s", "--use-compress-program=zstd -12 -T1 -q"]);
    tar.arg(format!("--mtime=@{}", release.epoch));
    tar.arg("-cf").arg(release.out.join(format!("{name}.tar.zst")));
    tar
}
