//! Plugins for devices, as GCC's runtime loads them: one of our own, which plays a device with
//! memory and code of its own, and GCC's own for NVIDIA's devices, where that is installed; without
//! such a device it finds none.

use super::{Outcome, Path, PathBuf, Runtime, exec, stem, suite};
use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::paths;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

const NAME: &str = "libgomp-plugin-player.so.1";

pub fn trials(right: &[PathBuf]) -> Vec<Trial> {
    let mut trials = vec![
        suite::test("devices::plugin::image", image),
        suite::test("devices::plugin::messages", messages),
        suite::test("devices::plugin::nvptx", nvptx),
    ];
    for source in right {
        let (name, source) = (format!("devices::plugin::native::{}", stem(source)), source.clone());
        trials.push(suite::test(name, move || native(&source)));
    }
    trials
}

/// Builds the plugin, and returns a folder in which it has the name that the runtime looks for.
fn plugin() -> Result<PathBuf, String> {
    let source = paths::tests().join("devices/plugin/player.c");
    let flags = ["-O1", "-g", "-shared", "-fPIC", "-pthread"];
    let built = Compiler::Gcc.compile_with(&source, &flags)?;
    let folder = built.with_extension("folder");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    match symlink(&built, folder.join(NAME)) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error.to_string()),
        _ => Ok(folder),
    }
}

fn run(program: &Path, variables: &[(&str, &str)]) -> Result<Outcome, String> {
    Runtime::Omphalos.check()?;
    let mut command = Command::new(program);
    Runtime::Omphalos.apply(&mut command);
    let path = format!("{}:{}", paths::lib().display(), plugin()?.display());
    command.env("LD_LIBRARY_PATH", path).env("OMP_NUM_THREADS", "4");
    command.envs(variables.iter().copied());
    exec::run(&mut command)
}

fn says(ours: &Outcome, words: &str, complains: &str) -> Result<(), String> {
    let quiet = complains.is_empty() == ours.stderr.is_empty();
    let good = ours.stdout.contains(words) && ours.stderr.contains(complains) && quiet;
    if good { Ok(()) } else { Err(ours.describe()) }
}

const PLAYER: (&str, &str) = ("OMPHALOS_DEVICES", "plugin:player");

fn program() -> Result<PathBuf, String> {
    super::compile(&paths::tests().join("devices/plugin/image.c"))
}

/// Tests a program with code for devices; each device has variables of its own.
fn image() -> Result<(), String> {
    let program = program()?;
    if suite::stock_only() {
        return Ok(());
    }
    let on = |devices: u32| {
        format!(
            "devices {devices}\nno code: 2\nregion: 1101\nvariable: 1\ncounter: 100\ngone: 2\n\
             again: 1101\ncopied: 5 6 7 8 5 6 7 8\n"
        )
    };
    says(&run(&program, &[PLAYER])?, &on(1), "")?;
    says(&run(&program, &[PLAYER, ("PLAYER_DEVICES", "2")])?, &on(2), "")
}

/// Tests the messages that a plugin writes, and those about a plugin.
fn messages() -> Result<(), String> {
    let program = program()?;
    if suite::stock_only() {
        return Ok(());
    }
    let debug = "player: 1 of 4 devices, 0.5, 4, 6, 7, 8, last";
    says(&run(&program, &[PLAYER, ("GOMP_DEBUG", "1")])?, "devices 1", debug)?;
    let cases = [
        (("PLAYER_DEVICES", "0"), "devices 0", "libgomp-plugin-player.so.1 finds none"),
        (("PLAYER_DEVICES", "9"), "", "9 devices are too many, 4 are possible; the program ends"),
        (("PLAYER_VERSION", "99"), "devices 0", "its version is 99"),
        (("OMPHALOS_DEVICES", "plugin:absent"), "devices 0", "libgomp-plugin-absent.so.1: cannot"),
        (("OMP_TARGET_OFFLOAD", "disabled"), "devices 0", ""),
    ];
    for (variable, words, complains) in cases {
        says(&run(&program, &[PLAYER, variable])?, words, complains)?;
    }
    Ok(())
}

/// Tests GCC's own plugin, Debian's package libgomp-plugin-nvptx1: it loads, and finds no device.
fn nvptx() -> Result<(), String> {
    let program = program()?;
    if suite::stock_only() || !is_installed("libgomp-plugin-nvptx.so.1") {
        return Ok(());
    }
    let plugin = ("OMPHALOS_DEVICES", "plugin:nvptx");
    let ours = run(&program, &[plugin])?;
    if Path::new("/dev/nvidiactl").exists() {
        return Ok(());
    }
    says(&ours, "devices 0\nno code: 2\nregion: 2\n", "libgomp-plugin-nvptx.so.1 finds none")
}

fn is_installed(library: &str) -> bool {
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"];
    folders.iter().any(|folder| Path::new(folder).join(library).exists())
}

/// Tests programs without code for devices, on devices that run the host's code.
fn native(source: &Path) -> Result<(), String> {
    let program = super::compile(source)?;
    let stock = super::run(&program, &Runtime::Stock, &[])?;
    if suite::stock_only() {
        return Ok(());
    }
    let ours = run(&program, &[PLAYER, ("PLAYER_NATIVE", "1"), ("PLAYER_DEVICES", "2")])?;
    match ours.success() && ours.stdout == stock.stdout {
        true => Ok(()),
        false => Err(format!("{}\nit should say: {}", ours.describe(), stock.stdout)),
    }
}
