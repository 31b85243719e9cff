// What `--counters` counted, by region and by function: as the report's text has it.
function countersOf(process) {
  const counters = process.counters;
  if (!counters) { return null; }
  const names = { serial: '<outside of regions>', waiting: '<waiting, and in the runtime>',
    others: '<other threads>' };
  const region = { title: 'Region', wide: true,
    of: (row) => row.construct ? place(row.construct.label) : names[row.place] };
  const name = { title: 'Function', wide: true, of: (row) => row.function };
  const energy = counters.energy.map((one) => el('p.note', null,
    `${one.package}: ${grouped(one.joules, 1)} J in ${duration(one.elapsed_ns)}, other programs' `
    + 'and what idles in it'));
  const part = (own, rows, options) =>
    table([own, ...COUNTS.filter((column) => rows.some((row) => column.of(row)))], rows, options);
  const title = 'Counters' + (counters.user_only ? ', hardware in user code alone' : '');
  return section('counters', title,
    part(region, counters.rows, { leftOut: leftOut(process, 'counter_rows', 'rows') }),
    counters.functions.length ? [el('h3', null, 'By function'), part(name, counters.functions,
      { leftOut: leftOut(process, 'counter_functions', 'functions') })] : null,
    energy, counters.missing.map((line) => el('p.note', null, line)));
}

// Columns of counts; those without a figure are left out.
const COUNTS = (() => {
  const column = (title, says, figure, show) => {
    const of = (row) => figure(row.counts);
    const cell = (value) => (value === null ? faint('–', 'not counted') : show(value));
    return { title, says, of, show: (row) => cell(of(row)) };
  };
  const ratio = (part, whole, times) => (part === null || !whole ? null : times * part / whole);
  const count = (title, says, key) => column(title, says, (counts) => counts[key], number);
  const share = (title, says, figure) => column(title, says, figure, percent);
  const rate = (title, says, figure) => column(title, says, figure, (of) => grouped(of, 2));
  const slots = (title, says, key) =>
    share(title, says, ({ slots }) => slots && ratio(slots[key], slots.all, 1));
  return [
    column('CPU time', 'on a processor, ms', (counts) => counts.running_ns, ms),
    rate('IPC', 'instructions a cycle', (of) => ratio(of.instructions, of.cycles, 1)),
    rate('Misses', 'of the last cache, in 1,000 instructions',
      (of) => ratio(of.cache_misses, of.instructions, 1000)),
    share('Front', 'cycles that stalled for want of instructions',
      (of) => ratio(of.stalled_cycles_frontend, of.cycles, 1)),
    share('Back', 'cycles that stalled for want of data or units',
      (of) => ratio(of.stalled_cycles_backend, of.cycles, 1)),
    slots('Retired', 'slots for instructions that were used', 'retiring'),
    slots('Wrong way', 'slots lost to branches that were guessed wrong', 'bad_speculation'),
    slots('Fetch', 'slots lost to fetching', 'frontend_bound'),
    slots('Data', 'slots lost to waiting for data or units', 'backend_bound'),
    count('Faults', 'pages that were met for the first time', 'page_faults'),
    count('Major', 'page faults that waited for a file', 'major_faults'),
    count('Switches', 'the thread gave its processor back, to wait', 'switches_left'),
    count('Taken off', 'the system took the processor away', 'switches_taken'),
  ];
})();
