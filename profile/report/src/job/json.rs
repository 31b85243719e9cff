//! Makes a job's report for programs. Names of times end in `_ns` (nanoseconds). What must hold:
//! fields are added, and never renamed.

use serde_json::{Value, json};

use super::{Job, groups};

pub(super) fn value(job: &Job) -> Value {
    json!({
        "size": job.size,
        "name": job.name,
        "library": job.library,
        "thread_level": job.level,
        "nodes": job.nodes,
        "elapsed_ns": job.elapsed,
        "run_ns": job.run,
        "clocks_unsure_ns": job.clocks_unsure,
        "efficiency": {
            "parallel": job.factors.parallel,
            "mpi": job.factors.mpi,
            "balance": job.factors.balance,
            "communication": job.factors.communication,
            "openmp": job.factors.openmp,
            "cpu": job.factors.cpu,
        },
        "findings": job.findings.iter().map(|finding| json!({
            "disease": finding.disease,
            "name": finding.name,
            "place": finding.place,
            "ranks": finding.ranks,
            "cost_ns": finding.cost,
            "evidence": finding.evidence,
            "advice": finding.advice,
        })).collect::<Vec<_>>(),
        "groups": groups::of(&job.rows).iter().map(|group| {
            group.iter().map(|at| job.rows[*at].rank).collect::<Vec<_>>()
        }).collect::<Vec<_>>(),
        "ranks": job.rows.iter().map(|row| json!({
            "rank": row.rank,
            "node": row.host,
            "profile": row.file.display().to_string(),
            "elapsed_ns": row.elapsed,
            "threads": row.threads,
            "threads_alive_ns": row.alive,
            "work_ns": row.work,
            "serial_ns": row.serial,
            "openmp_wait_ns": row.openmp_wait,
            "blocked_ns": row.blocked,
            "without_cpu_ns": row.without_cpu,
            "mpi_wait_ns": row.mpi_wait,
            "mpi_transfer_ns": row.mpi_transfer,
            "mpi_other_ns": row.mpi_other,
            "mpi_start_ns": row.mpi_start,
            "mpi_calls": row.mpi_calls,
            "mpi_threads": row.mpi_threads,
            "mpi_without_cpu_ns": row.mpi_without_cpu,
            "mpi_in_regions_ns": row.mpi_in_regions,
            "outside_mpi_ns": row.outside_mpi,
            "used_openmp": row.used_openmp,
            "complete": row.is_complete,
        })).collect::<Vec<_>>(),
        "mpi_calls": job.calls.iter().map(|row| json!({
            "function": row.function,
            "place": row.place,
            "ranks": row.ranks,
            "count": row.count,
            "elapsed_ns": row.elapsed,
            "wait_ns": row.wait,
            "longest_ns": row.longest,
        })).collect::<Vec<_>>(),
        "warnings": job.warnings,
    })
}
