// Elements, and figures in words, as all reports have them.
const data = JSON.parse(document.getElementById('data').textContent);

// `tag.class.class`, attributes, `on…` listeners, and what stands inside. Text stays text.
function el(tag, props, ...inside) {
  const [name, ...classes] = tag.split('.');
  const made = document.createElement(name);
  if (classes.length) { made.className = classes.join(' '); }
  for (const [key, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) { continue; }
    if (key.startsWith('on')) { made.addEventListener(key.slice(2), value); }
    else if (key === 'style') {
      for (const [what, how] of Object.entries(value)) { made.style.setProperty(what, how); }
    } else { made.setAttribute(key, value === true ? '' : value); }
  }
  made.append(...inside.flat().filter((part) => part !== null && part !== undefined));
  return made;
}

const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

function duration(ns) {
  const units = [[1e9, 's', 2], [1e6, 'ms', 1], [1e3, 'µs', 1]];
  const [size, unit, digits] = units.find(([size]) => Math.abs(ns) >= size) || [1, 'ns', 0];
  return grouped(ns / size, digits) + '\u202f' + unit;
}

function percent(share) {
  const of100 = 100 * share;
  if (of100 > 0 && of100 < 0.05) { return '<0.1\u202f%'; }
  return of100.toFixed(of100 < 9.95 ? 1 : 0) + '\u202f%';
}

// `1,234.5`.
function grouped(number, digits) {
  const [whole, rest] = Math.abs(number).toFixed(digits || 0).split('.');
  const parted = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return (number < 0 ? '−' : '') + parted + (rest ? '.' + rest : '');
}

const plural = (number, one) => grouped(number) + ' ' + one + (number === 1 ? '' : 's');

// Milliseconds in a column: what is nothing does not catch the eye.
function ms(ns) {
  if (ns === null || ns === undefined) { return faint('–', 'not told'); }
  if (ns === 0) { return faint('0'); }
  return ns < 5e4 ? faint('<0.1') : grouped(ns / 1e6, 1);
}

const number = (of) => of === null || of === undefined ? faint('–', 'not told')
  : of === 0 ? faint('0') : grouped(of);
const faint = (text, title) => el('span.faint', { title }, text);

// `file.c:42 in f` of `region at file.c:42 in f`.
const place = (label) => label.replace(/^(region|task|target)[a-z ]* at /, '');

// A place can be broken behind its parts.
function broken(text) {
  const parts = text.split(/(?<=[/:,>])(?=[^/:,>])/);
  return parts.flatMap((part, at) => at ? [el('wbr'), part] : [part]);
}

// Classes of threads' time: what the report's rows call them, in the order of the bars.
const CLASSES = [
  ['work', 'work in regions', (row) => row.parallel_work_ns ?? row.work_ns],
  ['serial', 'serial work', (row) => row.serial_work_ns],
  ['barrier', 'waiting at barriers', (row) => row.barrier_wait_ns],
  ['mutex', 'waiting for locks', (row) => row.mutex_wait_ns],
  ['tasks', 'waiting for tasks', (row) => row.task_wait_ns],
  ['idle', 'idle', (row) => row.idle_ns],
  ['overhead', 'runtime overhead', (row) => row.overhead_ns],
  ['blocked', 'blocked in calls', (row) => row.blocked_ns],
  ['queued', 'without a CPU', (row) => row.without_cpu_ns],
  ['mpi', 'in MPI', (row) => row.mpi_ns],
];

// What of a row's time each class is, those that are nothing left out.
function classesOf(row) {
  const all = CLASSES.map(([id, name, of]) => ({ id, name, time: of(row) || 0 }));
  return all.filter((one) => one.time > 0);
}

// A bar of classes; `whole` is what its full width stands for.
function bar(row, whole) {
  const parts = classesOf(row);
  const all = whole || sum(parts.map((part) => part.time)) || 1;
  const says = parts.map((part) => part.name + ' ' + duration(part.time)).join(', ');
  return el('div.bar', { role: 'img', 'aria-label': says, title: says },
    parts.map((part) => el('i.' + part.id, { style: { width: 100 * part.time / all + '%' } })));
}

function legend(parts, all) {
  return el('ul.legend', null, parts.map((part) => el('li', null, el('i.' + part.id), part.name,
    all ? el('b', null, percent(part.time / all)) : null)));
}

const section = (id, title, ...inside) =>
  el('section', { id, 'aria-labelledby': id + '-title' }, el('h2', { id: id + '-title' }, title),
    ...inside);
