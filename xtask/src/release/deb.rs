//! Makes the Debian packages. One has the tree as a private folder, and copies of the files that
//! belong in the system's own places. The other has the debug information, by build id.
//!
//! No part of it is on the loader's path. A user calls `omphalos install` to let the machine's
//! programs run on Omphalos; when the package is removed, it undoes this.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Release, VERSION, write};
use crate::Outcome;
use crate::tools::{copy, make_dir, output, read, root, run, sorted, sorted_below, step};

/// The private folder.
const PRIVATE: &str = "usr/lib/omphalos";

/// The parts that go to the system's places: folders of the tree, and Debian's.
const PLACES: [(&str, &str); 4] = [
    ("share/man/man1", "usr/share/man/man1"),
    ("share/bash-completion/completions", "usr/share/bash-completion/completions"),
    ("share/zsh/site-functions", "usr/share/zsh/vendor-completions"),
    ("share/fish/vendor_completions.d", "usr/share/fish/vendor_completions.d"),
];

/// Makes both packages.
pub fn make(release: &Release) -> Outcome {
    step("the Debian packages");
    let main = release.work.join("omphalos");
    for part in ["bin", "lib", "include", "share/omphalos"] {
        take(&release.tree.join(part), &main.join(PRIVATE).join(part))?;
    }
    for (from, to) in PLACES {
        take(&release.tree.join(from), &main.join(to))?;
    }
    link("../lib/omphalos/bin/omphalos", &main.join("usr/bin/omphalos"))?;
    // gdb reads scripts by itself only from its own folder: there a script stands at the path that
    // the library has on the system. At each start it would refuse a script beside the library,
    // with a message of six lines.
    let script = main.join(PRIVATE).join("lib/libomphalos.so-gdb.py");
    let place = main.join(format!("usr/share/gdb/auto-load/{PRIVATE}/lib/libomphalos.so-gdb.py"));
    copy(&script, &place)?;
    std::fs::remove_file(&script).map_err(|error| format!("{}: {error}", script.display()))?;
    let doc = main.join("usr/share/doc/omphalos");
    take(&release.tree.join("share/doc/omphalos"), &doc)?;
    link("../../../share/doc/omphalos", &main.join(PRIVATE).join("share/doc/omphalos"))?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let _ = std::fs::remove_file(doc.join(licence));
    }
    common(release, &main, "omphalos")?;
    copy(&packaging("prerm"), &main.join("DEBIAN/prerm"))?;
    for page in sorted(&main.join("usr/share/man/man1"))? {
        run(Command::new("gzip").arg("-9n").arg(page))?;
    }
    build(release, &main, "omphalos")?;
    let debug = release.work.join("omphalos-dbgsym");
    for path in sorted_below(&release.tree.join("lib"))? {
        if path.is_symlink() && path.extension().is_some_and(|end| end == "debug") {
            let id = path.iter().rev().take(2).collect::<Vec<_>>();
            let place = debug.join("usr/lib/debug/.build-id").join(id[1]).join(id[0]);
            copy(&path, &place)?;
        }
    }
    common(release, &debug, "omphalos-dbgsym")?;
    build(release, &debug, "omphalos-dbgsym")
}

/// Copies a part of the tree without its debug information.
fn take(from: &Path, to: &Path) -> Outcome {
    for path in sorted(from)? {
        let name = path.file_name().unwrap_or_default();
        let target = to.join(name);
        if path.is_symlink() {
            let leads = std::fs::read_link(&path).unwrap_or_default();
            link(&leads.to_string_lossy(), &target)?;
        } else if !path.is_dir() {
            copy(&path, &target)?;
        } else if name != ".debug" && name != "debug" {
            take(&path, &target)?;
        }
    }
    Ok(())
}

/// Adds the copyright and the changelog that each package has.
fn common(release: &Release, package: &Path, name: &str) -> Outcome {
    let doc = package.join("usr/share/doc").join(name);
    copy(&packaging("copyright"), &doc.join("copyright"))?;
    let date = Command::new("date")
        .args(["-u", "-R", "-d", &format!("@{}", release.epoch)])
        .env("LC_ALL", "C")
        .output()
        .map_err(|error| format!("cannot start date: {error}"))?;
    let date = String::from_utf8_lossy(&date.stdout);
    let entry = format!(
        "omphalos ({VERSION}) unstable; urgency=medium\n\n  * CHANGELOG.md of the sources says \
         what is new.\n\n -- {MAINTAINER}  {}\n",
        date.trim()
    );
    write(&doc.join("changelog"), &entry)?;
    run(Command::new("gzip").arg("-9n").arg(doc.join("changelog")))
}

/// The maintainer of the packages.
const MAINTAINER: &str = "Omphalos contributors <omphalos@example.org>";

/// Writes dpkg's control files, sets the modes of all files, and packs.
fn build(release: &Release, package: &Path, name: &str) -> Outcome {
    let mut bytes = 0;
    let mut files = Vec::new();
    for path in sorted_below(package)? {
        if path.is_symlink() {
            continue;
        }
        let metadata = path.metadata().map_err(|e| format!("{}: {e}", path.display()))?;
        let inside = path.strip_prefix(package).unwrap_or(&path).to_owned();
        let is_library = inside.starts_with(PRIVATE) && inside.to_string_lossy().contains(".so");
        let runs = inside.starts_with(format!("{PRIVATE}/bin")) || inside.starts_with("DEBIAN");
        let mode = if path.is_dir() || (runs && !is_library) { 0o755 } else { 0o644 };
        std::fs::set_permissions(&path, PermissionsExt::from_mode(mode))
            .map_err(|error| format!("cannot change {}: {error}", path.display()))?;
        bytes += metadata.len();
        if metadata.is_file() && !inside.starts_with("DEBIAN") {
            files.push(inside);
        }
    }
    let control = read(&packaging(&format!("{name}.control")))?;
    let control = control
        .replace("@VERSION@", VERSION)
        .replace("@MAINTAINER@", MAINTAINER)
        .replace("@KILOBYTES@", &bytes.div_ceil(1024).to_string());
    make_dir(&package.join("DEBIAN"))?;
    write(&package.join("DEBIAN/control"), &control)?;
    let sums = output(Command::new("md5sum").current_dir(package).args(&files))?;
    write(&package.join("DEBIAN/md5sums"), &sums)?;
    let mut dpkg = Command::new("dpkg-deb");
    dpkg.args(["--root-owner-group", "-Zxz", "-z6", "--threads-max=1", "--build"]).arg(package);
    dpkg.arg(release.out.join(format!("{name}_{VERSION}_amd64.deb")));
    dpkg.env("SOURCE_DATE_EPOCH", release.epoch.to_string());
    run(dpkg.stdout(std::process::Stdio::null()))
}

fn link(to: &str, at: &Path) -> Outcome {
    make_dir(at.parent().unwrap_or(at))?;
    symlink(to, at).map_err(|error| format!("cannot link {}: {error}", at.display()))
}

fn packaging(name: &str) -> PathBuf {
    root().join("packaging/deb").join(name)
}
