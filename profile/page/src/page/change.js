// The sections of a comparison.
function changeOf({ comparison, frames }) {
  const { elapsed, before, after, circumstances } = comparison, rows = [];
  const add = (of, level) => of.forEach((row) => { rows.push({ ...row, level }); add(row.parts, level + 1); });
  add(comparison.parts, 0);
  const beside = comparison.beside.map((row) => ({ ...row, level: 0 }));
  const side = (name, of, ns) => el('div.tile', null, el('span', null, name),
    el('b', null, duration(ns)), el('small', null, `${of.name}, ${plural(of.runs, 'run')}`));
  const share = elapsed.before_ns ? elapsed.change_ns / elapsed.before_ns : 0;
  const sign = (ns) => (ns > 0 ? '+' : '') + grouped(ns / 1e6, 1);
  const change = (row) => row.time.change_ns;
  const most = Math.max(1, ...rows.map((row) => Math.abs(change(row))));
  const shift = (row) => el('div.shift', { role: 'img', 'aria-label': sign(change(row)) + ' ms' },
    el('i' + (change(row) > 0 ? '.grown' : '.shrunk'), { style: {
      width: 50 * Math.abs(change(row)) / most + '%' } }));
  const columns = [
    { title: 'What', wide: true, of: (row) => row.label, show: (row) => el('span',
      { style: { 'padding-left': `${row.level * 1.2}em` } }, broken(row.label), ' ',
      faint([row.status === 'same' ? '' : row.status,
        row.earlier_label ? 'was ' + row.earlier_label : '', ...row.notes].filter(Boolean).join(', '))) },
    { title: 'Before', of: (row) => row.time.before_ns, show: (row) => ms(row.time.before_ns) },
    { title: 'After', of: (row) => row.time.after_ns, show: (row) => ms(row.time.after_ns) },
    { title: '', graphic: true, of: change, show: shift },
    { title: 'Change', of: change, show: (row) => el('span' + (row.time.is_beyond_noise
      ? change(row) > 0 ? '.worse' : '.better' : '.faint'), null, sign(change(row))) },
    { title: 'Noise', says: 'what may be chance', of: (row) => row.time.noise_ns,
      show: (row) => ms(row.time.noise_ns) },
  ];
  return [
    el('div.tiles', null, side('Before', before, elapsed.before_ns), side('After', after, elapsed.after_ns),
      el('div.tile', null, el('span', null, 'Change'), el('b', null, sign(elapsed.change_ns) + '\u202fms'),
        el('small', null, (share > 0 ? '+' : '') + (100 * share).toFixed(1) + '\u202f%'))),
    section('diagnosis', 'What changed', el('p.sentence', null, comparison.sentence)),
    circumstances.length ? section('circumstances', 'What differs around the program', table([
      { title: 'What', wide: true, of: (row) => row.what },
      { title: 'Before', wide: true, of: (row) => row.before },
      { title: 'After', wide: true, of: (row) => row.after }], circumstances)) : null,
    section('regions', 'Elapsed time by region', table(columns, rows),
      el('p.note', null, 'Milliseconds of the elapsed time; grey changes may be chance.')),
    beside.length ? section('tasks', 'Tasks, locks, target constructs', table(columns, beside),
      el('p.note', null, 'Milliseconds, sums over threads.')) : null,
    section('flame', 'Call paths of both', flameGraph(frames, true)),
  ];
}
