// The sections of one process' report.
function headOf(process) {
  const { program, summary } = process, runs = data.runs;
  const cpus = program.usable_cpus && program.usable_cpus < program.cpus
    ? `${program.usable_cpus} of ${plural(program.cpus, 'CPU')}`
    : program.cpus ? plural(program.cpus, 'CPU') : 'unknown CPUs';
  const alive = summary.threads_alive_ns || 1;
  const tile = (name, figure, more) => el('div.tile', null, el('span', null, name),
    el('b', null, figure), el('small', null, more));
  const spread = runs && runs.elapsed_ns
    ? `median of ${runs.count} runs, ${duration(runs.elapsed_ns.least)} to `
      + duration(runs.elapsed_ns.most)
    : `on ${cpus}`;
  return [
    el('div.tiles', null,
      tile('Elapsed', duration(summary.elapsed_ns), spread),
      tile('Threads', grouped(summary.threads), `on ${cpus}`),
      tile('OpenMP Work', percent(summary.openmp_work_ns / alive), duration(summary.openmp_work_ns)),
      tile('OpenMP Wait', percent(summary.openmp_wait_ns / alive), duration(summary.openmp_wait_ns)),
      tile('Serial', percent(summary.serial_ns / (summary.elapsed_ns || 1)),
        `${duration(summary.serial_ns)} outside of regions`)),
    whole(process),
  ];
}

// All threads' time in one bar.
function whole(process) {
  const row = {};
  CLASSES.forEach(([id, , of]) => { row[id] = sum(process.threads.map((t) => of(t) || 0)); });
  const all = sum(Object.values(row)) || 1;
  const parts = CLASSES.map(([id, name]) => ({ id, name, time: row[id] })).filter((p) => p.time > 0);
  return el('div.whole', null,
    el('div.bar.tall', { role: 'img', 'aria-label': 'all threads\' time' }, parts.map((part) =>
      el('i.' + part.id, { title: `${part.name} ${duration(part.time)}`,
        style: { width: 100 * part.time / all + '%' } }))),
    legend(parts, all));
}

function diagnosisOf(process) {
  const elapsed = process.summary.elapsed_ns || 1, findings = process.diagnosis;
  const cards = findings.map((finding, at) => el('li.finding', null,
    el('div.cost', null, el('b', null, percent(finding.cost_ns / elapsed)),
      el('small', null, (finding.cost_is_bound ? 'up to ' : 'about ') + duration(finding.cost_ns)),
      el('div.meter', null, el('i', { style: {
        width: Math.min(100, 100 * finding.cost_ns / elapsed) + '%' } }))),
    el('div', null,
      el('h3', null, `${at + 1}. ${finding.name}`, el('code', null, broken(finding.place))),
      el('p', null, finding.evidence),
      el('p.advice', null, finding.advice))));
  const nothing = process.inconclusive.length ? 'Nothing was found that is sure.'
    : process.summary.used_openmp ? 'No OpenMP problem found.' : 'No OpenMP was used.';
  const seen = new Set(findings.map((finding) => finding.disease));
  const absent = process.looked_for.filter((id) => !seen.has(id)).map((id) => data.names[id] || id);
  return section('diagnosis', 'Diagnosis',
    findings.length ? el('ol.findings', null, cards) : el('p.healthy', null, nothing),
    process.inconclusive.map((doubt) => el('p.doubt', null, el('b', null, 'Inconclusive: '), doubt)),
    absent.length ? el('p.absent', null, el('b', null, 'Looked for and not found: '),
      absent.join(', ') + '.') : null);
}

function regionsOf(process) {
  const elapsed = process.summary.elapsed_ns || 1, time = (title, key, says) =>
    ({ title, says, of: (row) => row[key], show: (row) => ms(row[key]) });
  const columns = [
    { title: 'Region', wide: true, of: (row) => place(row.construct.label), show: (row) => el('span',
      { style: { 'padding-left': `${Math.max(0, row.level - 1) * 1.1}em` } },
      broken(place(row.construct.label))) },
    { title: 'Share', says: 'of the elapsed time', of: (row) => row.elapsed_ns,
      show: (row) => percent(row.elapsed_ns / elapsed) },
    time('Elapsed', 'elapsed_ns', 'sum over all times that it was entered, ms'),
    { title: 'Entered', of: (row) => row.instances, show: (row) => number(row.instances) },
    { title: 'Threads', of: (row) => row.team_size, show: (row) => grouped(row.team_size, 1) },
    { title: 'Threads\' time', graphic: true, of: (row) => row.work_ns, show: (row) => bar(row) },
    time('Work', 'work_ns', 'ms, of all threads'),
    time('Barrier', 'barrier_wait_ns', 'waiting at barriers, ms, of all threads'),
    time('Locks', 'mutex_wait_ns', 'waiting for locks and critical regions, ms'),
    time('Tasks', 'task_wait_ns', 'waiting for tasks, ms'),
    time('Overhead', 'overhead_ns', 'in the runtime, ms'),
    time('Gain', 'perfect_balance_gain_ns', 'elapsed time that perfect balance would give back, ms'),
  ];
  return section('regions', 'Parallel regions',
    process.regions.length ? table(columns, process.regions, { detail: regionDetail,
      leftOut: leftOut(process, 'regions', 'regions') }) : el('p', null, 'There were none.'),
    el('p.note', null, 'Milliseconds. All but the elapsed time and the gain are sums over threads; '
      + 'gain is the elapsed time that perfect balance would give back.'));
}

// What stands inside of a region, and from where it was entered.
function regionDetail(region) {
  const parts = [];
  if (region.constructs.length) {
    parts.push(table([
      { title: 'Construct', wide: true, of: (row) => row.name, show: (row) => el('span', null,
        row.name, ' ', faint(row.name.startsWith('end of') ? '' : place(row.construct.label))) },
      { title: 'Times', of: (row) => row.instances, show: (row) => number(row.instances) },
      { title: 'Time', of: (row) => row.time_ns, show: (row) => ms(row.time_ns) },
      { title: 'Chunks', of: (row) => row.chunks, show: (row) => number(row.chunks) },
      { title: 'Iterations', of: (row) => row.iterations, show: (row) => number(row.iterations) },
      { title: 'Wait', says: 'in the barrier behind it, or for the lock, ms', of: (row) => row.wait_ns,
        show: (row) => ms(row.wait_ns) },
    ], region.constructs));
  }
  const frame = (one) => one.name + (one.lines.length ? ':' + one.lines[0].line : '');
  region.callers.forEach((caller) => parts.push(el('p.path', null, el('b', null, 'called from '),
    caller.frames.map(frame).join(' › '))));
  return parts.length ? parts : null;
}

function threadsOf(process) {
  const most = Math.max(1, ...process.threads.map((row) => row.alive_ns));
  const time = (title, key) =>
    ({ title, of: (row) => row[key], show: (row) => ms(row[key]) });
  const columns = [
    { title: 'Thread', wide: true, of: (row) => row.thread, show: (row) => `${row.thread} ${row.kind}` },
    { title: 'Time', graphic: true, of: (row) => row.openmp_work_ns, show: (row) => bar(row, most) },
    time('Alive', 'alive_ns'), time('Work', 'openmp_work_ns'), time('Wait', 'openmp_wait_ns'),
    time('Serial', 'serial_work_ns'), time('Barrier', 'barrier_wait_ns'),
    time('Locks', 'mutex_wait_ns'), time('Tasks', 'task_wait_ns'), time('Idle', 'idle_ns'),
    time('Overhead', 'overhead_ns'), time('Blocked', 'blocked_ns'), time('No CPU', 'without_cpu_ns'),
    ...(process.threads.some((row) => row.mpi_ns > 0) ? [time('MPI', 'mpi_ns')] : []),
  ];
  return section('threads', 'Threads', table(columns, process.threads,
    { leftOut: leftOut(process, 'threads', 'threads') }), el('p.note', null, 'Milliseconds.'));
}

function tasksOf(process) {
  const parts = [], count = (title, key) =>
    ({ title, of: (row) => row[key], show: (row) => number(row[key]) });
  const span = (title, key) =>
    ({ title, of: (row) => row[key], show: (row) => row[key] === null ? number(null) : duration(row[key]) });
  const label = { title: 'Construct', wide: true, of: (row) => place(row.construct.label) };
  if (process.tasks.length) {
    parts.push(table([label, count('Created', 'created'), count('Executed', 'executed'),
      count('By another thread', 'stolen'), span('Work', 'work_ns'), span('Mean', 'mean_ns'),
      span('Shortest', 'shortest_ns'), span('Longest', 'longest_ns')], process.tasks,
    { leftOut: leftOut(process, 'tasks', 'task constructs') }));
  }
  if (process.mutexes.length) {
    const sites = (row) => row.sites.map((site) => place(site.construct.label)).join(', ');
    parts.push(el('h3', null, 'Locks and critical regions'), table([
      { title: 'Lock', wide: true, of: (row) => row.name,
        show: (row) => el('span', null, row.name, ' ', faint(sites(row))) },
      count('Acquired', 'acquisitions'), count('Waited for', 'contended'), span('Wait', 'wait_ns'),
      span('Longest wait', 'longest_wait_ns'), span('Held', 'hold_ns')], process.mutexes,
    { leftOut: leftOut(process, 'mutexes', 'locks') }));
  }
  if (process.targets.length) {
    parts.push(el('h3', null, 'Target constructs'), table([
      { title: 'Construct', wide: true, of: (row) => row.name, show: (row) => el('span', null,
        row.name, ' ', faint(place(row.construct.label))) },
      count('Device', 'device'), count('Executed', 'executions'), span('Elapsed', 'elapsed_ns'),
      span('Kernels', 'kernel_ns'), span('Overlap', 'overlap_ns')], process.targets,
    { leftOut: leftOut(process, 'targets', 'target constructs') }));
  }
  return parts.length ? section('tasks', process.tasks.length ? 'Tasks' : 'Locks and devices', parts)
    : null;
}

// Others tell the profiler's parts where they are.
const isOfProgram = (variable) => !/^(OMPHALOS_PROFILE_|OMP_TOOL(_LIBRARIES)?=)/.test(variable);

function aboutOf(process) {
  const { program, summary } = process;
  const started = program.started_unix_ns
    ? new Date(program.started_unix_ns / 1e6).toISOString().replace('T', ' ').slice(0, 19) + ' UTC' : '';
  const pairs = [['Command', program.command.join(' ')], ['Program', program.executable],
    ['Started', started], ['Machine', program.host], ['Processor', program.processor],
    ['Runtime', program.runtime], ['Compiler', program.compilers.join('\n')],
    ['Environment', program.environment.filter(isOfProgram).join('\n')],
    ['Samples', `${grouped(summary.samples)}, ${grouped(summary.rate_hz)} per second and thread`],
    ['Profiling cost', `${duration(summary.agent_ns)} of all threads' time`]];
  const notes = [...process.warnings.map((text) => 'Warning: ' + text), ...process.notes];
  if (summary.damaged_bytes) {
    notes.unshift(`${grouped(summary.damaged_bytes)} bytes of the profile cannot be read`);
  }
  if (!summary.complete) { notes.unshift('The program did not end in good order.'); }
  if (!summary.exact) { notes.unshift('Times of threads are estimates from samples.'); }
  return section('about', 'About this run',
    el('dl', null, pairs.filter(([, value]) => value).flatMap(([name, value]) =>
      [el('dt', null, name), el('dd', null, value)])),
    notes.length ? el('ul.notes', null, notes.map((note) => el('li', null, note))) : null);
}
