// The sections of how a program scales.
const FACTORS = [
  ['global', 'global efficiency', 0], ['parallel', 'parallel efficiency', 1],
  ['serial', 'serial part', 2], ['team', 'size of teams', 2], ['load_balance', 'load balance', 2],
  ['serialisation', 'serialisation', 2], ['runtime', 'the runtime', 2],
  ['processor', 'processor', 2], ['computation', 'computation scaling', 1],
];
const LOSSES = [
  ['work_added_ns', 'work added'], ['serial_ns', 'serial: one thread works'],
  ['unused_threads_ns', 'threads that a region does not use'],
  ['barrier_wait_ns', 'waiting at barriers'], ['mutex_wait_ns', 'waiting for locks'],
  ['task_wait_ns', 'waiting for tasks'], ['overhead_ns', 'runtime overhead'],
  ['blocked_ns', 'blocked in calls'], ['without_cpu_ns', 'without a CPU'],
];
// Factors and losses of less than this share are not told apart.
const LEAST_OF_SCALING = 0.005;

const indented = (level, name) => el('span', { style: { 'padding-left': `${level * 1.2}em` } }, broken(name));

function drawn(tag, attributes, ...inside) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes)) { made.setAttribute(key, value); }
  made.append(...inside);
  return made;
}

// The speedup by the threads, both so that twice as much is as far everywhere.
function curvesOf({ sizes, forecast, serial_share: serial }) {
  const first = sizes[0].threads;
  const all = [...sizes, ...(forecast ? [forecast] : [])];
  const most = Math.max(...all.map((size) => size.threads));
  const doublings = Math.log2(most / first);
  if (!(doublings > 0)) { return null; }
  const [width, height, left, foot] = [640, 300, 46, 40];
  const low = Math.min(0, ...all.map((size) => Math.log2(size.speedup)));
  const x = (threads) => left + (width - left - 30) * Math.log2(threads / first) / doublings;
  const y = (speedup) => 14 + (height - foot - 14) * (doublings - Math.log2(speedup)) / (doublings - low);
  const line = (name, points) => drawn('polyline', { class: name, fill: 'none',
    points: points.map(([threads, speedup]) => `${x(threads)},${y(speedup)}`).join(' ') });
  const steps = [...Array(41).keys()].map((at) => 2 ** (doublings * at / 40));
  const amdahl = (grown) => 1 / (serial + (1 - serial) / grown);
  const point = (name, size) => drawn('circle', { class: name, r: 5, cx: x(size.threads), cy: y(size.speedup) },
    drawn('title', {}, `${size.threads} threads: ${size.speedup.toFixed(2)} times as fast`));
  const text = (at, below, anchor, words) => drawn('text', { x: at, y: below, 'text-anchor': anchor }, words);
  const levels = [...Array(Math.floor(doublings) + 1).keys()].map((level) => 2 ** level);
  const says = sizes.map((size) => `${size.threads} threads ${size.speedup.toFixed(2)}`).join(', ');
  return el('div.curves', null, drawn('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img',
    'aria-label': 'speedup: ' + says },
    ...levels.flatMap((level) => [drawn('line', { class: 'grid', x1: left, x2: width - 30, y1: y(level), y2: y(level) }),
      text(left - 8, y(level) + 4, 'end', level.toFixed(2))]),
    line('ideal', steps.map((grown) => [first * grown, grown])),
    line('amdahl', steps.map((grown) => [first * grown, amdahl(grown)])),
    line('measured', sizes.map((size) => [size.threads, size.speedup])),
    ...sizes.map((size) => point(size.is_oversubscribed ? 'crowded' : 'measured', size)),
    ...(forecast ? [point('foretold', forecast)] : []),
    ...all.map((size) => text(x(size.threads), height - foot + 20, 'middle', size.threads)),
    text((left + width) / 2, height - 4, 'middle', 'threads')),
  el('ul.legend', null, [['measured', 'speedup, measured'],
    ...(sizes.some((size) => size.is_oversubscribed) ? [['crowded', 'more threads than CPUs']] : []),
    ...(forecast ? [['foretold', 'foretold']] : []),
    ['amdahl', 'by Amdahl’s law'], ['ideal', 'without a loss']]
    .map(([name, words]) => el('li', null, el('i.' + name), words))));
}

function outputsOf({ sizes, outputs }) {
  const others = outputs.between_sizes, threads = (of) => plural(of.threads, 'thread');
  const ends = outputs.ends.map((other) => `With ${threads(other)} it ended with ${other.end}.`);
  if (outputs.at_one_size.length) {
    return ['The output differs from run to run with one number of threads, so that it says nothing of the sizes.',
      ...ends];
  }
  const says = others.map((other) => other.numbers_by === null
    ? `The output with ${threads(other)} is another one than with ${sizes[0].threads}.`
    : `The output with ${threads(other)} has other numbers, by up to ${other.numbers_by.toExponential(1)} of them.`);
  return [...(others.length || sizes.length < 2 ? says : ['The output is the same at each size.']), ...ends];
}

function remarksOf(size) {
  return [[size.is_oversubscribed, 'oversubscribed'], [size.shares_cores, 'shared cores'],
    [size.has_slow_cores && !size.is_oversubscribed, 'slow cores'], [size.is_busy, 'busy machine']]
    .filter(([is]) => is).map(([, words]) => words).join(', ');
}

function scalingOf({ scaling }) {
  const { sizes, forecast, constructs, causes } = scaling, first = sizes[0];
  const judged = sizes.find((size) => size.threads === scaling.judged_threads) || first;
  const tile = (name, value, below) => el('div.tile', null, el('span', null, name), el('b', null, value),
    el('small', null, below));
  const bySize = (of, show) => sizes.map((size, at) => ({ title: String(size.threads),
    says: plural(size.threads, 'thread'), of: (row) => of(row, size, at), show: (row) => show(row, size, at) }));
  const longest = (row) => Math.max(...row.sizes.map((one) => one ? one.elapsed_ns : 0));
  const elapsed = Math.max(...sizes.map((size) => size.elapsed_ns));
  const shown = constructs.filter((row) => longest(row) >= LEAST_OF_SCALING * elapsed);
  const lost = (row) => table([{ title: 'What is lost', wide: true, of: ([, name]) => name },
    ...bySize(([key], size, at) => row.sizes[at] && (key === 'ideal_ns' ? row.sizes[at].ideal_ns : row.sizes[at].lost[key]),
      ([key], size, at) => { const one = row.sizes[at];
        return one ? el('span', null, grouped((key === 'ideal_ns' ? one.ideal_ns : one.lost[key]) / 1e6, 1)) : faint('–'); })],
  [['ideal_ns', 'if nothing were lost'], ...LOSSES.filter(([key]) => row.sizes.some((one) =>
    one && Math.abs(one.lost[key]) >= LEAST_OF_SCALING * elapsed))]);
  const advice = causes.length ? causes[0].advice : null;
  return [
    el('div.tiles', null, tile(plural(first.threads, 'thread'), duration(first.elapsed_ns), 'elapsed'),
      judged === first ? null : tile(plural(judged.threads, 'thread'), duration(judged.elapsed_ns),
        `${judged.speedup.toFixed(2)} times as fast, ${percent(judged.efficiency)} of what it could be`),
      forecast ? tile(plural(forecast.threads, 'thread') + ', foretold', duration(forecast.elapsed_ns),
        (forecast.is_least ? 'at least; ' : '') + `${forecast.speedup.toFixed(2)} times as fast`) : null),
    section('diagnosis', 'What limits it', el('p.sentence', null, scaling.sentence),
      outputsOf(scaling).map((words) => el('p', null, words)),
      advice ? el('p.advice', null, 'To do: ' + advice) : null),
    section('sizes', 'Sizes', table([
      { title: 'Threads', wide: true, of: (size) => size.threads,
        show: (size) => el('span', null, String(size.threads), ' ', faint(remarksOf(size))) },
      { title: 'Elapsed ms', of: (size) => size.elapsed_ns, show: (size) => ms(size.elapsed_ns) },
      { title: 'Least', of: (size) => size.least_ns, show: (size) => ms(size.least_ns) },
      { title: 'Most', of: (size) => size.most_ns, show: (size) => ms(size.most_ns) },
      { title: 'Speedup', of: (size) => size.speedup, show: (size) => size.speedup.toFixed(2) },
      { title: 'Amdahl', says: 'if all but the serial part were shared out without a loss',
        of: (size) => size.amdahl_speedup, show: (size) => size.amdahl_speedup.toFixed(2) },
      { title: 'Efficiency', of: (size) => size.efficiency, show: (size) => percent(size.efficiency) }], sizes),
    curvesOf(scaling)),
    section('factors', 'Factors of the efficiency', table([
      { title: 'Percent, by threads', wide: true, of: ([, name]) => name, show: ([, name, level]) => indented(level, name) },
      ...bySize(([key], size) => size.factors[key], ([key], size) => grouped(100 * size.factors[key], 1))],
    FACTORS.filter(([key, , level]) => level < 2 || sizes.some((size) => size.factors[key] < 1 - LEAST_OF_SCALING))),
    el('p.note', null, '100: nothing is lost. Each is the share that is left of what those above it left.')),
    section('regions', 'Where it is lost', table([
      { title: 'Elapsed ms, by threads', wide: true, of: (row) => row.label,
        show: (row) => indented(Math.max(0, row.level - 1), row.label) },
      ...bySize((row, size, at) => row.sizes[at] && row.sizes[at].elapsed_ns,
        (row, size, at) => row.sizes[at] ? ms(row.sizes[at].elapsed_ns) : faint('–', 'not there'))],
    shown, { detail: lost }),
    el('p.note', null, 'What threads lose at once counts as the sum over them by their number, so that the '
      + 'lines of a construct add up to its elapsed time.')),
  ];
}
