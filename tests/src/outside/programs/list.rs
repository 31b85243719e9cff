//! Which programs are timed, how they are built and what they print of their result.

use std::path::{Path, PathBuf};

use super::super::options::Options;
use crate::paths;

/// One row.
pub struct Program {
    pub name: String,
    /// Whether it is a program of tasks.
    pub tasks: bool,
    /// A script that leaves `program` in the folder where it runs.
    pub build: String,
    pub run: String,
    /// What stands before the result in a line of the output.
    pub result: &'static str,
    /// What stands before the seconds of its parallel part, if it prints them; else the time from
    /// start to end is taken.
    pub seconds: Option<&'static str>,
}

/// Folder of `omp-tasks`, whether with the manual cut-off, arguments. The sizes make a run last
/// between a tenth of a second and a few seconds on two processors.
const BOTS: &[(&str, bool, &str)] = &[
    ("fib", false, "-n 27"),
    ("fib", true, "-n 40 -x 16"),
    ("nqueens", false, "-n 10"),
    ("nqueens", true, "-n 12 -x 4"),
    ("health", false, "-f INPUTS/health/test.input"),
    ("health", true, "-f INPUTS/health/small.input -x 3"),
    ("uts", false, "-f INPUTS/uts/test.input"),
    ("floorplan", false, "-f INPUTS/floorplan/input.15"),
    ("floorplan", true, "-f INPUTS/floorplan/input.15 -x 5"),
    ("sort", false, "-n 8388608"),
    ("fft", false, "-n 1048576"),
    ("strassen", true, "-n 1024 -x 3"),
    ("sparselu/sparselu_single", false, "-n 40 -m 50"),
    ("sparselu/sparselu_for", false, "-n 40 -m 50"),
    ("alignment/alignment_single", false, "-f INPUTS/alignment/prot.20.aa"),
    ("alignment/alignment_for", false, "-f INPUTS/alignment/prot.20.aa"),
];

/// NAS programs: name, class, and how often one is run for a figure: some end in a few milliseconds.
const NAS: &[(&str, &str, u32)] = &[
    ("BT", "S", 4),
    ("BT", "W", 1),
    ("CG", "W", 4),
    ("EP", "S", 1),
    ("FT", "W", 3),
    ("IS", "W", 3),
    ("LU", "S", 8),
    ("LU", "W", 1),
    ("MG", "W", 5),
    ("SP", "S", 5),
    ("SP", "W", 1),
];

/// The programs whose sources are found in `--from` or one of its folders, and our own.
pub fn programs(options: &Options) -> Result<Vec<Program>, String> {
    let mut all = Vec::new();
    if let Some(root) = find(&options.from, "omp-tasks/fib/fib.c")? {
        all.extend(BOTS.iter().map(|row| bots(&root, row, options)));
    }
    if let Some(root) = find(&options.from, "sys/setparams.c")? {
        all.extend(NAS.iter().map(|row| nas(&root, row, options)));
    }
    if let Some(root) = find(&options.from, "lulesh.cc")? {
        all.push(lulesh(&root, options));
    }
    all.push(cholesky(options));
    Ok(all)
}

/// The folder that holds `marker`: `from` or one in it.
fn find(from: &Path, marker: &str) -> Result<Option<PathBuf>, String> {
    let entries = std::fs::read_dir(from).map_err(|e| format!("{}: {e}", from.display()))?;
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.push(from.to_path_buf());
    folders.sort();
    Ok(folders.into_iter().find(|folder| folder.join(marker).exists()))
}

fn bots(root: &Path, (folder, cut, arguments): &(&str, bool, &str), options: &Options) -> Program {
    let (root, c) = (root.display(), &options.tools.c);
    let short = folder.rsplit('/').next().unwrap_or(folder);
    let define = if *cut { "-DMANUAL_CUTOFF" } else { "" };
    Program {
        name: format!("bots/{short}{}", if *cut { "-manual" } else { "" }),
        tasks: true,
        build: format!(
            "{c} -O2 -fopenmp -w -fcommon -std=gnu89 {define} {} -I{root}/common \
             -I{root}/omp-tasks/{folder} {root}/common/bots_main.c {root}/common/bots_common.c \
             {root}/omp-tasks/{folder}/*.c -lm -o program",
            options.flags
        ),
        run: format!("./program {} -c", arguments.replace("INPUTS", &format!("{root}/inputs"))),
        result: "Verification        =",
        seconds: Some("Time Program        ="),
    }
}

fn nas(root: &Path, (name, class, times): &(&str, &str, u32), options: &Options) -> Program {
    let (lower, c) = (name.to_lowercase(), &options.tools.c);
    let flags = format!("-O2 -fopenmp -w -fcommon -mcmodel=medium -std=gnu89 {}", options.flags);
    let build = format!(
        "rm -rf source; cp -r {root} source; cd source; mkdir -p bin
         printf '%s\\n' 'CC = {c}' 'CLINK = {c}' 'C_LIB = -lm' 'C_INC = -I../common' \\
             'CFLAGS = {flags}' 'CLINKFLAGS = -fopenmp -mcmodel=medium' 'UCC = cc -O -w -fcommon' \\
             'BINDIR = ../bin' 'RAND = randdp' 'WTIME = wtime.c' > config/make.def
         make {name} CLASS={class}; mv bin/{lower}.{class} ../program; cd ..; rm -rf source",
        root = root.display()
    );
    Program {
        name: format!("nas/{lower}.{class}"),
        tasks: false,
        build,
        // Their `main` returns nothing; above 128 a signal ended one.
        run: format!("for i in $(seq {times}); do ./program || [ $? -lt 128 ]; done"),
        result: "Verification    =",
        seconds: None,
    }
}

fn lulesh(root: &Path, options: &Options) -> Program {
    Program {
        name: "lulesh".into(),
        tasks: false,
        build: format!(
            "{} -O3 -fopenmp -w -DUSE_MPI=0 {} {}/*.cc -o program",
            options.tools.cxx,
            options.flags,
            root.display()
        ),
        run: "./program -s 20 -i 200".into(),
        result: "Final Origin Energy =",
        seconds: None,
    }
}

fn cholesky(options: &Options) -> Program {
    Program {
        name: "cholesky".into(),
        tasks: true,
        build: format!(
            "{} -O3 -fopenmp {} {} -lm -o program",
            options.tools.c,
            options.flags,
            paths::repository().join("bench/cholesky.c").display()
        ),
        run: "./program 2048 32".into(),
        result: "last =",
        seconds: None,
    }
}
