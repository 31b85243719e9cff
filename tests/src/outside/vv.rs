//! The OpenMP Validation and Verification suite (OpenMP_VV), its host side: each file is a program
//! that exits with 0 when all is right.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::case::Case;
use super::llvm::{collect, name};
use super::options::Options;

/// Reads the programs of the checkout, also those for devices: without a device they run on the
/// host.
pub fn cases(options: &Options) -> Result<Vec<Case>, String> {
    let mut files = Vec::new();
    collect(&options.from.join("tests"), &["c", "cpp", "F90", "F"], &mut files)?;
    let fortran = fortran(options);
    files.iter().map(|file| case(file, options, &fortran)).collect()
}

fn case(file: &Path, options: &Options, fortran: &str) -> Result<Case, String> {
    let compiler = options.tools.of_source(file).ok_or_else(|| format!("{}", file.display()))?;
    let name = name(file, options);
    let root = options.from.display();
    let more = if name.ends_with(".F90") || name.ends_with(".F") { fortran } else { "" };
    let build = format!(
        "$BUILD_LIMIT {compiler} -O2 -fopenmp {} -I{root}/ompvv {} $RUNTIME {} -o program -lm \
         {more}",
        options.flags,
        version(&name, options),
        file.display()
    );
    let mut case = Case::new(name, build, "$LIMIT ./program".into());
    case.env = environment(file);
    Ok(case)
}

/// Returns the flags that Fortran's programs need besides. For GCC: the suite's macros make long
/// lines. For LLVM: Flang 19 calls LLVM's offloading library even where the program means no
/// device, and that library fails where no image for a device was registered; an object of ours
/// says at once that there is no device.
fn fortran(options: &Options) -> String {
    if options.tools.gnu {
        return "-ffree-line-length-none -ffixed-line-length-none".into();
    }
    let name = format!("no-device-{}.o", options.tools.label());
    let object = options.work.join(name).display().to_string();
    let mut command = Command::new(&options.tools.c);
    command.args(["-x", "c", "-c", "-o", &object, "-"]).stdin(Stdio::piped());
    let built = command.spawn().and_then(|mut compiler| {
        if let Some(mut pipe) = compiler.stdin.take() {
            pipe.write_all(NO_DEVICE.as_bytes())?;
        }
        compiler.wait()
    });
    if built.is_ok_and(|status| status.success()) { object } else { String::new() }
}

/// A result other than 0 says that the kernel did not run on a device.
const NO_DEVICE: &str = "
__attribute__((weak)) int __tgt_target_kernel() { return 1; }
__attribute__((weak)) void __tgt_target_data_begin_mapper() {}
__attribute__((weak)) void __tgt_target_data_end_mapper() {}
__attribute__((weak)) void __tgt_target_data_update_mapper() {}
__attribute__((weak)) void __tgt_target_data_begin_nowait_mapper() {}
__attribute__((weak)) void __tgt_target_data_end_nowait_mapper() {}
__attribute__((weak)) void __tgt_target_data_update_nowait_mapper() {}
";

/// Returns the flag for the version of OpenMP that a folder is for: Clang accepts constructs newer
/// than its default only with this flag.
fn version(name: &str, options: &Options) -> String {
    let folder = name.split('/').nth(1).unwrap_or_default();
    match folder.split_once('.') {
        Some((major, minor)) if !options.tools.gnu => {
            format!("-fopenmp-version={major}{minor}")
        }
        _ => String::new(),
    }
}

/// Reads a variable from a file's name: `test_omp_proc_bind_env_close.c` needs
/// `OMP_PROC_BIND=close`.
fn environment(file: &Path) -> Vec<(String, String)> {
    let stem = file.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
    let pair = stem.strip_prefix("test_").and_then(|rest| rest.rsplit_once("_env_"));
    match pair {
        Some((name, value)) => vec![(name.to_uppercase(), value.to_string())],
        None => Vec::new(),
    }
}
