//! Devices: target constructs on the host, tools' events of them, and the refusal of OpenACC.

use super::*;

/// Tests a program with code for LLVM's host devices: its regions run there, and the runtime and
/// the device library agree on the number of devices.
pub fn offloaded(compiler: Compiler) -> Result<(), String> {
    let flags = ["-fopenmp-targets=x86_64-pc-linux-gnu", "-Wl,-rpath,/usr/lib/llvm-19/lib"];
    let program = compiler.compile(&source("offloaded"), &flags)?;
    // The device library looks for its tool interface under the name `libomp.so`, in the loader's
    // folders alone.
    let stock = Runtime::Directory("/usr/lib/llvm-19/lib".into());
    fine(&mut Command::new(&program), &stock)
        .map_err(|e| format!("the test itself is wrong: {e}"))?;
    on_ours(|| {
        fine(&mut Command::new(&program), &Runtime::Omphalos)?;
        // A tool gets the same events of devices as on LLVM's own runtime.
        let wanted = device_events(&program, &stock)?;
        let got = device_events(&program, &Runtime::Omphalos)?;
        let kinds = ["device_initialize", "target kind=Target ", "TransferFromDevice", "submit"];
        match kinds.iter().find(|kind| !wanted.contains(*kind)) {
            Some(kind) => Err(format!("the test itself is wrong: no {kind} in {wanted}")),
            // The device library has no events of mapping, on either runtime.
            None if !wanted.contains("target_map_emi answer=Never") => {
                Err(format!("the test itself is wrong: mapping is not refused: {wanted}"))
            }
            None if got == wanted => Ok(()),
            None => Err(format!("events of devices: {got}\nwanted: {wanted}")),
        }
    })
}

/// Returns the recorder's events of devices and target constructs, without the parts that differ
/// from run to run.
fn device_events(program: &Path, runtime: &Runtime) -> Result<String, String> {
    let whose = if *runtime == Runtime::Omphalos { "ours" } else { "stock" };
    let trace = program.with_extension(format!("{whose}.{}", std::process::id()));
    let mut command = Command::new(program);
    command.env("OMPHALOS_RECORD_OUT", &trace);
    command.env("OMP_TOOL_LIBRARIES", paths::lib().join("omphalos/libomphalos_recorder.so"));
    fine(&mut command, runtime)?;
    let text = std::fs::read_to_string(&trace).map_err(|e| format!("{}: {e}", trace.display()))?;
    let _ = std::fs::remove_file(&trace);
    let varies = ["on=", "state=", "task=", "target=", "code="];
    let told = text.lines().filter(|line| {
        line.starts_with("target") || line.starts_with("device") || line.contains("target_map")
    });
    Ok(told
        .map(|line| {
            let words = line.split(' ').filter(|word| !varies.iter().any(|v| word.starts_with(v)));
            words.collect::<Vec<_>>().join(" ") + "\n"
        })
        .collect())
}

/// Tests that a child of `fork` does not wait for a thread that told tools of the devices in the
/// parent.
pub fn fork_devices() -> Result<(), String> {
    let headers = format!("-I{}", paths::repository().join("runtime/abi/include").display());
    let flags = ["-rdynamic", &headers, "-foffload=disable"];
    let program = Compiler::Gcc.compile(&source("fork_devices"), &flags)?;
    on_ours(|| {
        let mut command = Command::new(&program);
        fine(command.env("OMPHALOS_DEVICES", "host"), &Runtime::Omphalos).map(drop)
    })
}

/// Tests that a child of `fork` does not wait for the loader's lock, which a thread of its parent
/// held.
pub fn fork_loader() -> Result<(), String> {
    let flags = ["-foffload=disable", "-ldl"];
    let program = Compiler::Gcc.compile(&source("fork_loader"), &flags)?;
    let flags = ["-O2", "-fopenmp", "-foffload=disable", "-fPIC", "-shared", "-DLIBRARY"];
    let library = Compiler::Gcc.compile_with(&source("fork_loader"), &flags)?;
    on_ours(|| {
        let mut command = Command::new(&program);
        command.arg(&library).env("OMPHALOS_DEVICES", "host");
        fine(&mut command, &Runtime::Omphalos).map(drop)
    })
}

/// Tests that a program which refers to OpenACC's names runs until it calls one; then one line
/// names it.
pub fn openacc(how: &'static str) -> Result<(), String> {
    let program = Compiler::Gcc.compile(&source("openacc"), &[])?;
    on_ours(|| {
        let mut command = Command::new(&program);
        let name = match how {
            "routine" => {
                command.arg(how);
                "acc_get_num_devices"
            }
            _ => "GOACC_parallel_keyed",
        };
        let outcome = outcome(&mut command, &Runtime::Omphalos)?;
        let said = outcome.stderr.lines().count() == 1 && outcome.stderr.contains(name);
        match outcome.stdout.trim() == "2 threads" && said && outcome.status.code() == Some(1) {
            true => Ok(()),
            false => Err(outcome.describe()),
        }
    })
}
