//! LLVM's tests of its runtime (`openmp/runtime/test`): `RUN:` lines in each file say how to
//! compile, run and check it.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::case::{Case, UNBUILT};
use super::lit::Directives;
use super::options::Options;

/// Reads the tests of the checkout.
pub fn cases(options: &Options) -> Result<Vec<Case>, String> {
    let mut files = Vec::new();
    collect(&options.from, &["c", "cpp", "f90"], &mut files)?;
    let features = features(options);
    let filecheck = filecheck()?;
    files.iter().map(|file| case(file, options, &features, &filecheck)).collect()
}

/// Collects all files below `folder` with one of these endings, in order.
pub fn collect(folder: &Path, endings: &[&str], files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        if path.is_dir() {
            collect(&path, endings, files)?;
        } else if endings.contains(&ending) {
            files.push(path);
        }
    }
    Ok(())
}

/// Returns a file's name within the checkout.
pub fn name(file: &Path, options: &Options) -> String {
    file.strip_prefix(&options.from).unwrap_or(file).display().to_string()
}

/// Reads a file's text; not all files of the suites are UTF-8.
pub fn text(file: &Path) -> Result<String, String> {
    let bytes = std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn case(
    file: &Path,
    options: &Options,
    features: &[String],
    filecheck: &str,
) -> Result<Case, String> {
    let directives = Directives::read(&text(file)?);
    let lines: Vec<String> = directives
        .run
        .iter()
        .map(|line| format!("{{ {}; }}", substituted(line, file, options, filecheck)))
        .collect();
    let mut case = Case::new(name(file, options), String::new(), lines.join(" &&\n"));
    if lines.is_empty() {
        case.skip = Some("no RUN line".into());
    } else if !options.unsupported {
        case.skip = directives.excluded(features);
    }
    Ok(case)
}

/// Returns the features of this machine, which a test may require or exclude.
fn features(options: &Options) -> Vec<String> {
    let kind = if options.tools.gnu { "gcc" } else { "clang" };
    let mut features: Vec<String> = [
        kind, "linux", "affinity", "hidden-helper", "ompt", "x86_64-target-arch", "x86-target-arch",
    ]
    .map(String::from)
    .into();
    features.push(format!("{kind}-{}", options.tools.version));
    if std::thread::available_parallelism().is_ok_and(|n| n.get() > 1) {
        features.push("multicpu".into());
    }
    features
}

/// Makes a shell command of a `RUN:` line. The order of the rules matters: a name may be the
/// beginning of another.
fn substituted(line: &str, file: &Path, options: &Options, filecheck: &str) -> String {
    let root = options.from.display();
    let tools = &options.tools;
    let flags =
        format!("-I {root} -I {root}/ompt $RUNTIME -fno-omit-frame-pointer {}", options.flags);
    let compile = |compiler: &str, more: &str, libraries: &str| {
        // The test's own flags may follow a compilation, so that it ends at the shell's next
        // operator. There its failure is told apart from the program's.
        format!("{compiler} -fopenmp {flags} {more} %s -o %t {libraries}")
    };
    let libraries = "-lm -latomic";
    let c = |more: &str| compile(&tools.c, more, libraries);
    let cxx = |more: &str| compile(&tools.cxx, more, libraries);
    let folder = file.parent().unwrap_or(file).display().to_string();
    let rules: [(&str, String); 28] = [
        ("%libomp-compile-and-run", "%libomp-compile && %libomp-run".into()),
        ("%libomp-irbuilder-compile-and-run", "%libomp-irbuilder-compile && %libomp-run".into()),
        ("%libomp-c99-compile-and-run", "%libomp-c99-compile && %libomp-run".into()),
        ("%libomp-cxx-compile-and-run", "%libomp-cxx-compile && %libomp-run".into()),
        ("%libomp-cxx20-compile-and-run", "%libomp-cxx20-compile && %libomp-run".into()),
        ("%libomp-cxx-compile-c", cxx("-std=c++17 -x c++")),
        ("%libomp-cxx-compile", cxx("-std=c++17")),
        ("%libomp-cxx20-compile", cxx("-std=c++20")),
        ("%libomp-compile", c("")),
        ("%libomp-irbuilder-compile", c("-fopenmp-enable-irbuilder")),
        ("%libomp-c99-compile", c("-std=c99")),
        ("%libomp-run", "$LIMIT %t".into()),
        ("%clangXX", tools.cxx.clone()),
        ("%clang", tools.c.clone()),
        ("%flang", tools.fortran.clone()),
        ("%openmp_flags", "-fopenmp".into()),
        ("%flags-use-compiler-omp-h", flags.clone()),
        ("%flags", flags.clone()),
        ("%python", "python3".into()),
        ("%not", "!".into()),
        ("%sort-threads", "sort -n -s".into()),
        ("%preload-tool", "env LD_PRELOAD=%t.tool_dir/tool.so".into()),
        ("%no-as-needed-flag", "-Wl,--no-as-needed".into()),
        ("FileCheck", format!("tee %t.out | {filecheck}")),
        ("%S", folder),
        ("%T", "%t.tool_dir".into()),
        ("%s", file.display().to_string()),
        ("%t", "$PWD/test.tmp".into()),
    ];
    // Up to LLVM 21, lit makes the folder `%T` for a test's own files, such as its tool, before the
    // test.
    let makes_folder = if line.contains("%T") { "mkdir -p %T && " } else { "" };
    let mut text = format!("{makes_folder}{line}");
    for (from, to) in &rules {
        text = text.replace(from, to);
    }
    told_apart(&text, options)
}

/// Lets a command that compiles exit with [`UNBUILT`] when it fails.
fn told_apart(command: &str, options: &Options) -> String {
    let tools = &options.tools;
    let part = |part: &str| {
        let part = part.trim();
        let compiles = [&tools.c, &tools.cxx, &tools.fortran]
            .iter()
            .any(|c| part.strip_prefix(c.as_str()).is_some_and(|rest| rest.starts_with(' ')));
        if compiles {
            format!("{{ $BUILD_LIMIT {part} || exit {UNBUILT}; }}")
        } else {
            part.to_string()
        }
    };
    command.split("&&").map(part).collect::<Vec<_>>().join(" && ")
}

/// Finds LLVM's program that compares an output with the comments of the source.
fn filecheck() -> Result<String, String> {
    let names = std::iter::once("FileCheck".to_string())
        .chain((14..30).rev().map(|version| format!("FileCheck-{version}")));
    for name in names {
        if Command::new(&name).arg("--version").output().is_ok() {
            return Ok(name);
        }
    }
    Err("FileCheck was not found: install llvm-19-tools".into())
}
