//! Our own debuggers, one for each generation of OMPD.

use omphalos_tests::compiler::Compiler;
use omphalos_tests::paths;

use super::standing::{Standing, ask, debugger, same};

/// Variables of the programs. `nthreads-var` is still a list at the places where the threads stand.
const ENV: [(&str, &str); 3] =
    [("OMP_NUM_THREADS", "4,3,2"), ("OMP_PROC_BIND", "false"), ("OMP_TOOL", "disabled")];

/// Lines of a dump that show where the threads of `standing.c` and `standing.f90` stand.
const PLACES: [&str; 5] = [
    "ompt_state_wait_lock",
    "ompt_state_wait_critical",
    "ompt_state_wait_barrier_explicit",
    "explicit-task-var = 1 \"true\"",
    "levels-var = 2 \"2\"",
];

fn program(compiler: Compiler) -> &'static str {
    if compiler == Compiler::Gfortran { "standing.f90" } else { "standing.c" }
}

/// Tests OMPD 5.0 to 6.0, on a process and on its core: every question, each return code, and 10000
/// random calls.
pub fn five(compiler: Compiler) -> Result<(), String> {
    let five = debugger("five")?;
    let standing = Standing::start(compiler, program(compiler), &ENV)?;
    let pid = standing.pid().to_string();
    let live = standing.settle(|| ask(&five, &[], &["live", &pid, "dump"]), &PLACES)?;
    check(&live)?;
    let folder = paths::scratch(&format!("five-{}", compiler.name()));
    let core = standing.core(&folder)?;
    let core = core.to_str().ok_or("a path that is no text")?;
    same("five", &live, &ask(&five, &[], &["core", core, "dump"])?)?;
    for (kind, what) in [("live", pid.as_str()), ("core", core)] {
        let list = [("EXPECT_LIST", "1")];
        clean(&ask(&five, &list, &[kind, what, "codes"])?)?;
        clean(&ask(&five, &[], &[kind, what, "random", "10000"])?)?;
        snapshot(&ask(&five, &[], &[kind, what, "snapshot"])?)?;
    }
    Ok(())
}

/// Checks that the library released all of the debugger's memory.
fn clean(said: &str) -> Result<(), String> {
    if said.contains(" 0 pieces of memory left") || said.starts_with("0 pieces of memory left") {
        Ok(())
    } else {
        Err(format!("memory is left: {said}"))
    }
}

/// Checks the dump of the standing program, except the places.
fn check(dump: &str) -> Result<(), String> {
    let count = |what: &str| dump.matches(what).count();
    // The ICVs of all versions, with the values from the environment.
    for line in [
        "nthreads-var = 3, ... \"3,2\"",
        "OMP_NUM_THREADS=4,3,2",
        "team-size-var = 6 \"6\"",
        "thread-num-var = 5 \"5\"",
        "max-active-levels-var = 3 \"3\"",
        "bind-var = 0 \"false\"",
        "made by the interrupted one: yes",
        "tool-var = 0 \"disabled\"",
    ] {
        if count(line) == 0 {
            return Err(format!("{line:?} is missing:\n{dump}"));
        }
    }
    // An ICV must have a number or a text.
    let silent = dump.lines().find(|line| line.contains(" = code") && line.contains(" code "));
    match silent.filter(|line| line.matches("code").count() == 2) {
        Some(line) => Err(format!("no value: {line}")),
        None => Ok(()),
    }
}

/// Checks the extra functions: a snapshot, findings about it, and no finding in something that is
/// no snapshot.
fn snapshot(said: &str) -> Result<(), String> {
    let lines: Vec<&str> = said.lines().collect();
    let [now, why, none] = lines[..] else { return Err(format!("three lines, not: {said}")) };
    let now: serde_json::Value = serde_json::from_str(now).map_err(|error| error.to_string())?;
    let why: serde_json::Value = serde_json::from_str(why).map_err(|error| error.to_string())?;
    let threads = now["threads"].as_array().map_or(0, Vec::len);
    if threads < 6 || !why.is_array() || none != "none" {
        return Err(format!("{threads} threads, {why}, {none}"));
    }
    Ok(())
}

/// Tests the look that debuggers' extensions take, at a process whose memory and registers have
/// random contents. `TEST_CORRUPTIONS` is the number of looks, 400 by default, and `TEST_SEED`
/// selects another random sequence.
pub fn hostile(compiler: Compiler) -> Result<(), String> {
    let five = debugger("five")?;
    let standing = Standing::start(compiler, program(compiler), &ENV)?;
    let core = standing.core(&paths::scratch(&format!("hostile-{}", compiler.name())))?;
    let core = core.to_str().ok_or("a path that is no text")?;
    let of = |name: &str, otherwise: &str| std::env::var(name).unwrap_or(otherwise.to_owned());
    let (count, seed) = (of("TEST_CORRUPTIONS", "400"), of("TEST_SEED", "0"));
    let said = ask(&five, &[], &["core", core, "look", &count, &seed])?;
    let last = said.lines().last().unwrap_or_default();
    if last.starts_with(&format!("{count} looks, ")) { clean(last) } else { Err(said) }
}

/// Tests OMPD of an earlier generation, as [`five`] does, by its own functions.
pub fn earlier(name: &str, compiler: Compiler) -> Result<(), String> {
    let asks = debugger(name)?;
    let standing = Standing::start(compiler, program(compiler), &ENV)?;
    let pid = standing.pid().to_string();
    // Threads at a lock, at a critical section and at an explicit barrier.
    let places = match name {
        "y2016" => ["state 0x61,", "state 0x62,", "state 0x42,"],
        _ => ["state 0x50,", "state 0x52,", "state 0x40,"],
    };
    let live = standing.settle(|| ask(&asks, &[], &["live", &pid, "dump"]), &places)?;
    for line in ["ompd_get_num_threads 6", "ompd_get_num_threads 2", "OMP_NUM_THREADS=4,3,2"] {
        if !live.contains(line) {
            return Err(format!("{line:?} is missing:\n{live}"));
        }
    }
    let folder = paths::scratch(&format!("{name}-{}", compiler.name()));
    let core = standing.core(&folder)?;
    let core = core.to_str().ok_or("a path that is no text")?;
    same(name, &live, &ask(&asks, &[], &["core", core, "dump"])?)?;
    for (kind, what) in [("live", pid.as_str()), ("core", core)] {
        clean(&ask(&asks, &[], &[kind, what, "codes"])?)?;
        clean(&ask(&asks, &[], &[kind, what, "random", "10000"])?)?;
    }
    Ok(())
}

/// Tests what the debugger sees of state that the runtime may not keep: without OMP_DEBUG it is
/// untracked, in a core that no debugger ever saw and in a process whose regions began before the
/// debugger came; with OMP_DEBUG everything is known.
pub fn tracking(name: &str, compiler: Compiler) -> Result<(), String> {
    let asks = debugger(name)?;
    for (setting, is_kept) in [("disabled", false), ("enabled", true)] {
        let env = [&ENV[..], &[("OMP_DEBUG", setting)]].concat();
        let standing = Standing::start(compiler, program(compiler), &env)?;
        let core =
            standing.core(&paths::scratch(&format!("{name}-{setting}-{}", compiler.name())))?;
        let core = core.to_str().ok_or("a path that is no text")?;
        let pid = standing.pid().to_string();
        for (kind, what) in [("core", core), ("live", &pid)] {
            let said = ask(&asks, &[], &[kind, what, "dump"])?;
            let frames = said.contains("task_frame") && said.contains("untracked");
            let ids = said.contains("parallel_id") && said.contains("untracked");
            if frames == is_kept || ids == is_kept && name == "y2013" {
                return Err(format!("{kind}, OMP_DEBUG={setting}:\n{said}"));
            }
        }
    }
    Ok(())
}

/// Tests that a debugger sees every setting of the runtime in the environment, and the processors.
pub fn settings(compiler: Compiler) -> Result<(), String> {
    const SET: [(&str, &str); 6] = [
        ("GOMP_SPINCOUNT", "17"),
        ("KMP_BLOCKTIME", "3"),
        ("LIBOMP_NUM_HIDDEN_HELPER_THREADS", "2"),
        ("OMPHALOS_MEETING", "flat"),
        ("OMPT_INITIALIZE", "disable"),
        ("OMP_NESTED", "true"),
    ];
    let standing = Standing::start(compiler, program(compiler), &[&ENV[..], &SET].concat())?;
    let core = standing.core(&paths::scratch(&format!("settings-{}", compiler.name())))?;
    let core = core.to_str().ok_or("a path that is no text")?;
    let pid = standing.pid().to_string();
    for name in ["y2013", "y2016"] {
        for (kind, what) in [("core", core), ("live", &pid)] {
            let said = ask(&debugger(name)?, &[], &[kind, what, "dump"])?;
            let mut wanted = SET.iter().map(|(name, value)| format!("{name}={value}"));
            let is_said = |line: &String| said.lines().any(|said| said.trim() == line);
            if !wanted.all(|line| is_said(&line)) || !said.contains("CPU_MASK=") {
                return Err(format!("{kind}:\n{said}"));
            }
        }
    }
    Ok(())
}

/// Tests `ompd_enable` of 2013: the runtime notices it where its next region begins.
pub fn enable(compiler: Compiler) -> Result<(), String> {
    let asks = debugger("y2013")?;
    let looping = Standing::start(compiler, "looping.c", &[])?;
    let pid = looping.pid().to_string();
    ask(&asks, &[], &["live", &pid, "enable"])?;
    looping.settle(|| ask(&asks, &[], &["live", &pid, "enabled"]), &["word 0"])?;
    Ok(())
}
