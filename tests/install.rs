//! The installed tree. `ldconfig` files each name of our runtime; a program that finds its runtime
//! in such a cache alone has Omphalos, and has it once, whichever names its parts ask for. The
//! packed bench runs too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{pack, paths, suite};

const NAMES: [&str; 6] = [
    "libgomp.so.1", "libgomp.so.1.0.0", "libomp.so.5", "libomp.so", "libiomp5.so", "libomphalos.so",
];

fn main() -> ExitCode {
    let mut trials = vec![suite::test("install::cache", names_are_filed)];
    trials.push(suite::test("install::debug_file", debug_information_is_beside));
    trials.push(suite::test("install::bench_pack", packed_bench_runs));
    trials.push(suite::test("install::for_the_machine", for_the_machine));
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        let name = compiler.name();
        let folder = format!("install::mixed_from_the_folder::{name}");
        trials.push(suite::test(folder, move || mixed(compiler, None)));
        let cache = format!("install::mixed_from_the_cache::{name}");
        trials.push(suite::test(cache, move || from_the_cache(compiler)));
    }
    suite::main(trials)
}

/// Tests that the folder of `cargo xtask bench --pack` measures every runtime, without this
/// machine's environment.
fn packed_bench_runs() -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    let (compilers, scratch) = ([Compiler::Gcc, Compiler::Clang], paths::scratch("bench pack"));
    let pack = scratch.join("pack");
    pack::make(&pack, &compilers)?;
    let mut run = Command::new(pack.join("run.sh"));
    run.current_dir(&scratch).arg("process_start").env_clear().env("PATH", "/usr/bin:/bin");
    let outcome = exec::run(run.env("TEAMS", "2").env("RUNS", "1"))?;
    let rows: Vec<&str> =
        outcome.stdout.lines().filter(|line| line.starts_with("process_start ")).collect();
    let is_measured = |row: &&str| !row.split_whitespace().any(|word| word == "-");
    if outcome.success() && rows.len() == compilers.len() && rows.iter().all(is_measured) {
        let _ = fs::remove_dir_all(&scratch);
        return Ok(());
    }
    Err(outcome.describe())
}

fn folder() -> PathBuf {
    paths::lib().join("ldconfig")
}

/// Makes in `scratch` a cache of the system's libraries with ours before them.
fn cache(scratch: &Path) -> Result<PathBuf, String> {
    let (configuration, cache) = (scratch.join("conf"), scratch.join("cache"));
    let text = format!("{}\ninclude /etc/ld.so.conf\n", folder().display());
    fs::write(&configuration, text).map_err(|e| format!("{}: {e}", configuration.display()))?;
    let mut ldconfig = Command::new("/sbin/ldconfig");
    ldconfig.arg("-X").arg("-C").arg(&cache).arg("-f").arg(&configuration);
    let outcome = exec::run(&mut ldconfig)?;
    if outcome.success() { Ok(cache) } else { Err(outcome.describe()) }
}

/// Tests that libraries are stripped of all but their exports, and that debuggers find their debug
/// information by name and by build id.
fn debug_information_is_beside() -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    let readelf = |options: &str, file: &Path| {
        let outcome = exec::run(Command::new("readelf").arg(options).arg(file))?;
        if outcome.success() { Ok(outcome.stdout) } else { Err(outcome.describe()) }
    };
    let id_of = |file: &Path| -> Result<String, String> {
        let notes = readelf("-nW", file)?;
        let id = notes.split_once("Build ID:").and_then(|(_, rest)| rest.split_whitespace().next());
        id.map(str::to_owned).ok_or_else(|| format!("{} has no build id", file.display()))
    };
    for name in ["libomphalos.so", "libompd.so", "libompd-2016.so", "libompd-2013.so"] {
        let debug = format!(".debug/{name}.debug");
        let (library, debug) = (paths::lib().join(name), paths::lib().join(debug));
        let sections = readelf("-SW", &library)?;
        for unwanted in [".debug_info", ".symtab"] {
            if sections.contains(unwanted) {
                return Err(format!("{name} has {unwanted}"));
            }
        }
        if !sections.contains(".gnu_debuglink") || !readelf("-SW", &debug)?.contains(".debug_info")
        {
            return Err(format!("{name} leads to no debug information"));
        }
        let id = id_of(&library)?;
        let by_id = format!("debug/.build-id/{}/{}.debug", &id[..2], &id[2..]);
        for file in [debug, paths::lib().join(by_id)] {
            if id_of(&file)? != id {
                return Err(format!("{} is of another build", file.display()));
            }
        }
    }
    Ok(())
}

fn names_are_filed() -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    let cache = cache(&paths::scratch("install cache"))?;
    let outcome = exec::run(Command::new("/sbin/ldconfig").arg("-p").arg("-C").arg(&cache))?;
    for name in NAMES {
        // The loader takes the first entry of a name for its kind of program.
        let kind = format!("{name} (libc6,x86-64)");
        let line = outcome.stdout.lines().find(|line| line.trim().starts_with(&kind));
        let wanted = folder().join(name);
        if !line.is_some_and(|line| line.ends_with(&format!("=> {}", wanted.display()))) {
            return Err(format!("{name}: {line:?}, not {}", wanted.display()));
        }
    }
    Ok(())
}

/// Tests a program of one compiler that loads a library of the other, with `cache` in place of the
/// system's cache, or else with the folder in the loader's path.
fn mixed(compiler: Compiler, cache: Option<&Path>) -> Result<(), String> {
    let other = if compiler == Compiler::Gcc { Compiler::Clang } else { Compiler::Gcc };
    let source = |name: &str| paths::tests().join("process").join(name);
    let flags = ["-O2", "-g", "-fopenmp", "-fPIC", "-shared"];
    let library = other.compile_with(&source("team_lib.c"), &flags)?;
    let program = compiler.compile(&source("mixed.c"), &["-ldl"])?;
    if suite::stock_only() {
        return Ok(());
    }
    let mut command = match cache {
        None => Command::new(&program),
        Some(cache) => {
            let mut command = in_namespace();
            let bind = "mount --bind \"$1\" /etc/ld.so.cache && shift && exec \"$@\"";
            command.args(["sh", "-c", bind, "sh"]).arg(cache).arg(&program);
            command
        }
    };
    let runtime = match cache {
        None => Runtime::Directory(folder()),
        Some(_) => Runtime::Stock,
    };
    runtime.check()?;
    runtime.apply(&mut command);
    let outcome = exec::run(command.arg(&library))?;
    if outcome.success() && outcome.stdout.lines().last() == Some("ok") {
        Ok(())
    } else {
        Err(outcome.describe())
    }
}

/// Returns a command that runs in its own mount namespace, where nobody else sees its mounts.
fn in_namespace() -> Command {
    let mut command = Command::new("unshare");
    command.args(["--mount", "--map-root-user"]);
    command
}

/// A shell script that changes the machine's folders in its own mount namespace alone. `$1` is the
/// folder of the changes, `$2` the program `omphalos` of the tree, `$3` a program of GCC's.
const ON_A_COPY: &str = r#"
    mount -t tmpfs none "$1"
    for folder in etc usr/local var; do
        mkdir -p "$1/$folder/up" "$1/$folder/work"
        options="lowerdir=/$folder,upperdir=$1/$folder/up,workdir=$1/$folder/work"
        mount -t overlay -o "$options" overlay "/$folder"
    done
    [ -n "$2" ] || exit 0
    contents() { find /etc /usr/local ! -type d | sort; sha256sum /etc/ld.so.cache; }
    /sbin/ldconfig
    before=$(contents)
    for time in 1 2; do "$2" install --yes --as libgomp; done
    "$2" install --yes --as libomp
    "$2" doctor | grep omphalos-ldconfig || true
    ldd "$3"
    "$2" uninstall --yes --as libomp
    ldd "$3"
    "$2" uninstall --yes --as all
    [ "$before" = "$(contents)" ] && echo as before
"#;

/// Tests that `omphalos install --as` serves the machine's programs, once or twice, and is undone
/// without a trace.
fn for_the_machine() -> Result<(), String> {
    let source = paths::tests().join("process").join("mixed.c");
    let program = Compiler::Gcc.compile(&source, &["-ldl"])?;
    let place = paths::scratch("install machine");
    let on_a_copy = |omphalos: &Path| {
        let mut command = in_namespace();
        command.args(["sh", "-euc", ON_A_COPY, "sh"]).arg(&place).arg(omphalos).arg(&program);
        exec::run(&mut command)
    };
    if suite::stock_only() || !on_a_copy(Path::new("")).is_ok_and(|outcome| outcome.success()) {
        return Ok(());
    }
    let outcome = on_a_copy(&paths::dist().join("bin/omphalos"))?;
    let found = "libgomp.so.1 => /usr/local/lib/omphalos-ldconfig/libgomp.so.1";
    let said = &outcome.stdout;
    let is_served = said.matches(found).count() == 2 && said.contains("libomphalos.so");
    let is_told = said.contains("libomp.so.5") && said.contains("there already");
    match outcome.success() && is_served && is_told && said.ends_with("as before\n") {
        true => Ok(()),
        false => Err(outcome.describe()),
    }
}

/// Tests a program with the cache. Where the system allows no such namespace (some containers) this
/// does nothing, and the folder's test has to do.
fn from_the_cache(compiler: Compiler) -> Result<(), String> {
    let mut probe = in_namespace();
    probe.args(["mount", "--bind", "/etc/ld.so.cache", "/etc/ld.so.cache"]);
    if suite::stock_only() || !exec::run(&mut probe).is_ok_and(|outcome| outcome.success()) {
        return Ok(());
    }
    let cache = cache(&paths::scratch(&format!("install cache {}", compiler.name())))?;
    mixed(compiler, Some(&cache))
}
