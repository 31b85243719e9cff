//! Fills in the recipes for others' package managers with the facts that only a release knows:
//! version, address, checksums.

use std::path::Path;
use std::process::Command;

use super::{Release, VERSION, git, write};
use crate::Outcome;
use crate::tools::{make_dir, output, read, root, run, sorted, step};

const FOLDERS: [&str; 3] = ["conda", "spack", "easybuild"];

/// Packs the sources, which the recipes build, and fills in the recipes.
pub fn make(release: &Release) -> Outcome {
    step("the sources and the recipes");
    let sources = release.out.join(format!("omphalos-{VERSION}-source.tar.gz"));
    let mut archive = git();
    archive.args(["-c", "tar.tar.gz.command=gzip -9cn", "archive", "--format=tar.gz"]);
    archive.arg(format!("--prefix=omphalos-{VERSION}/")).arg("-o").arg(&sources).arg("HEAD");
    run(&mut archive)?;
    let linux = release.out.join(format!("omphalos-{VERSION}-linux-x86_64.tar.zst"));
    let url = std::env::var("OMPHALOS_RELEASE_URL")
        .unwrap_or_else(|_| format!("file://{}", release.out.display()));
    let filled = [
        ("@VERSION@", VERSION.to_owned()),
        ("@URL@", url),
        ("@SHA256_SOURCE@", sum(&sources)?),
        ("@SHA256_LINUX@", sum(&linux)?),
    ];
    for folder in FOLDERS {
        let to = release.out.join("recipes").join(folder);
        make_dir(&to)?;
        for path in sorted(&root().join("packaging").join(folder))? {
            let text =
                filled.iter().fold(read(&path)?, |text, (name, with)| text.replace(name, with));
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            // EasyBuild depends on the name of the file.
            let name = name.replace("Omphalos.eb", &format!("Omphalos-{VERSION}.eb"));
            write(&to.join(name), &text)?;
        }
    }
    Ok(())
}

fn sum(path: &Path) -> Outcome<String> {
    let said = output(Command::new("sha256sum").arg(path))?;
    Ok(said.split_whitespace().next().unwrap_or_default().to_owned())
}
