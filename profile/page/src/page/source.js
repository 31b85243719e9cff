// The source with its costs: a function at a time, the dearest first.
const COSTS = [['work', 'Work'], ['wait', 'Wait'], ['overhead', 'Overhead'], ['blocked', 'Blocked']];
const COST_CLASSES = { work: 'work', wait: 'barrier', overhead: 'overhead', blocked: 'blocked' };

const costOf = (costs) => sum(COSTS.map(([key]) => costs[key + '_ns']));

function costBar(costs, most) {
  const parts = COSTS.filter(([key]) => costs[key + '_ns'] > 0);
  return el('span.bar', null, parts.map(([key, name]) => el('i.' + COST_CLASSES[key], {
    title: `${name} ${duration(costs[key + '_ns'])}`,
    style: { width: 100 * costs[key + '_ns'] / most + '%' } })));
}

function listingOf(listing, all, isOpen) {
  const columns = COSTS.filter(([key]) => listing.lines.some((line) => line[key + '_ns'] > 0));
  const most = Math.max(1, ...listing.lines.map(costOf));
  const rows = [];
  let before = null;
  for (const line of listing.lines) {
    if (before !== null && line.line > before + 1) {
      rows.push(el('tr.gap', null, el('td', { colspan: columns.length + 3 }, '⋯')));
    }
    before = line.line;
    const cost = costOf(line);
    rows.push(el(cost ? 'tr.costs' : 'tr', null, el('td.number', null, line.line),
      columns.map(([key]) => el('td', null, line[key + '_ns'] ? ms(line[key + '_ns']) : '')),
      el('td', null, cost ? costBar(line, most) : ''),
      el('td.text', null, el('code', null, line.text ?? ''))));
  }
  const heads = el('tr', null, el('th', { scope: 'col' }, 'Line'),
    columns.map(([, name]) => el('th', { scope: 'col' }, name)), el('th'), el('th'));
  return el('details.listing', { open: isOpen },
    el('summary', null, el('b', null, percent(costOf(listing) / all)), el('code', null, listing.function),
      el('span.faint', null, broken(listing.path || listing.file || ''))),
    listing.remark ? el('p.note', null, listing.remark) : null,
    rows.length ? el('div.scroll', null, el('table.source', null, el('thead', null, heads),
      el('tbody', null, rows))) : null);
}

function sourceOf(process) {
  if (!process.source.length) { return null; }
  const all = process.summary.threads_alive_ns || 1;
  return section('source', 'Source', process.source.map((listing, at) =>
    listingOf(listing, all, at < 3 && listing.path !== null)),
  el('p.note', null, 'Milliseconds of all threads, from samples: work that ran there; waits, and '
    + 'what the runtime did, for what stands there.'));
}
