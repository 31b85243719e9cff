//! Link options of the agent's shared library.

fn main() {
    // A tick may be on its way when a runtime unloads its tool: the handler must stay mapped.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rerun-if-changed=build.rs");
}
