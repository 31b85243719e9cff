//! A job on several machines. The machines are namespaces of this one, each with its own address
//! and host name; the launcher reaches them as it would by ssh.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use omphalos_tests::{exec, paths, suite};

use super::mpi::{Done, Mpi, profile_by};
use super::whole::{first, holds};

/// The number of nodes of the job, and of ranks on each.
const NODES: u32 = 4;
const RANKS: u32 = 2;

/// The namespaces, which are removed with this value.
struct Nodes {
    name: String,
    /// The address without its last number.
    network: String,
}

fn ip(words: &str) -> bool {
    let outcome = exec::run(Command::new("ip").args(words.split(' ')));
    outcome.is_ok_and(|outcome| outcome.success())
}

impl Nodes {
    /// Makes the nodes; `None` if the system does not allow it.
    fn make() -> Option<Nodes> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = std::process::id() * 8 + MADE.fetch_add(1, Ordering::Relaxed);
        // The name of an interface has 15 letters at most.
        let name = format!("om{:x}", number & 0xff_ffff);
        let network = format!("10.{}.{}", 64 + number / 256 % 64, number % 256);
        if suite::stock_only() || !ip(&format!("link add {name}-b type bridge")) {
            return None;
        }
        let nodes = Nodes { name, network };
        nodes.connect().then_some(nodes)
    }

    fn connect(&self) -> bool {
        let Nodes { name, network } = self;
        let one = |node: u32| {
            ip(&format!("netns add {name}-{node}"))
                && ip(&format!("link add {name}-v{node} type veth peer e0 netns {name}-{node}"))
                && ip(&format!("link set {name}-v{node} master {name}-b up"))
                && ip(&format!("-n {name}-{node} addr add {network}.{node}/24 dev e0"))
                && ip(&format!("-n {name}-{node} link set e0 up"))
                && ip(&format!("-n {name}-{node} link set lo up"))
        };
        ip(&format!("addr add {network}.254/24 dev {name}-b"))
            && ip(&format!("link set {name}-b up"))
            && (1..=NODES).all(one)
    }

    /// Returns the launcher's command, with [`RANKS`] ranks on each node.
    fn run(&self, mpi: Mpi, session: &Path) -> Command {
        let Nodes { name, network } = self;
        let hosts: Vec<String> =
            (1..=NODES).map(|node| format!("{network}.{node}:{RANKS}")).collect();
        let agent = paths::tests().join("jobs/node.sh");
        let ranks = NODES * RANKS;
        let mut command = match mpi {
            Mpi::Open => mpi.run(ranks, session),
            Mpi::Mpich => mpi.run_by(&["-launcher", "ssh"], ranks, session),
        };
        command.env("NODES", name);
        match mpi {
            Mpi::Open => {
                let network = format!("{network}.0/24");
                command.env("OMPI_MCA_plm", "rsh").env("OMPI_MCA_plm_rsh_agent", agent);
                command.env("OMPI_MCA_btl", "self,vader,tcp");
                command.env("OMPI_MCA_oob_tcp_if_include", &network);
                command.env("OMPI_MCA_btl_tcp_if_include", &network);
                command.arg("-host").arg(hosts.join(","));
            }
            Mpi::Mpich => {
                command.arg("-launcher-exec").arg(agent);
                command.args(["-iface", &format!("{name}-b"), "-hosts"]).arg(hosts.join(","));
            }
        }
        command
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        for node in 1..=NODES {
            ip(&format!("link del {}-v{node}", self.name));
            ip(&format!("netns del {}-{node}", self.name));
        }
        ip(&format!("link del {}-b", self.name));
    }
}

/// Tests that one report over all nodes names the ranks of the slow one first.
pub fn slow_node_is_named(mpi: Mpi) -> Result<(), String> {
    let Some(nodes) = Nodes::make() else { return Ok(()) };
    let folder = paths::scratch(&format!("jobs nodes {}", mpi.name()));
    let session = paths::scratch(&format!("jobs session nodes {}", mpi.name()));
    let ranks = NODES * RANKS;
    let done = profile_by(nodes.run(mpi, &session), mpi, "slow_node.c", ranks, &folder);
    let _ = std::fs::remove_dir_all(&session);
    let done = done?;
    holds(&done, ranks)?;
    let slow: Vec<u64> = (2 * u64::from(RANKS)..3 * u64::from(RANKS)).collect();
    first(&done, "slow_node.c", "rank-imbalance", &slow, "// slow node")?;
    are_all_told_apart(&done)?;
    let _ = std::fs::remove_dir_all(&folder);
    Ok(())
}

/// Checks that the report has each node by its name, with its own ranks.
fn are_all_told_apart(done: &Done) -> Result<(), String> {
    let names: Vec<String> = (1..=NODES).map(|node| format!("node-{node}")).collect();
    let of_rank = |row: &serde_json::Value| {
        let rank = row["rank"].as_u64().unwrap_or(u64::MAX);
        row["node"] == format!("node-{}", rank / u64::from(RANKS) + 1)
    };
    let said = done.job()["findings"][0]["name"].as_str().unwrap_or_default();
    let is_named = said.contains("(all that run on node node-3)");
    match done.job()["nodes"] == serde_json::json!(names)
        && done.rows("ranks").all(of_rank)
        && is_named
    {
        true => Ok(()),
        false => Err(format!("which node is which? {:#}", done.job())),
    }
}
