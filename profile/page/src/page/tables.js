// Tables: sorted by a click on a head, opened where rows have more to say, cut with "N more".
const ROWS_AT_FIRST = 15;

// A column: `title`, `of(row)` is what it is sorted by, `show(row)` what stands in the cell;
// `wide` for names, `graphic` for bars. `detail(row)` is what a row opens to, or nothing.
function table(columns, rows, { detail, leftOut } = {}) {
  let sorted = rows, by = null, down = true, all = rows.length <= ROWS_AT_FIRST + 3;
  const body = el('tbody'), below = el('div.below');
  const heads = columns.map((column) => {
    const button = el('button', { type: 'button', title: column.says, onclick: () => sort(column) },
      column.title);
    return el('th' + (column.wide ? '.wide' : column.graphic ? '.graphic' : ''), { scope: 'col' }, button);
  });

  function sort(column) {
    down = by === column ? !down : !column.wide;
    by = column;
    const key = (row) => column.of(row) ?? -1;
    sorted = [...rows].sort((a, b) => (down ? -1 : 1) * (key(a) < key(b) ? -1 : key(a) > key(b)));
    heads.forEach((head) => head.removeAttribute('aria-sort'));
    heads[columns.indexOf(column)].setAttribute('aria-sort', down ? 'descending' : 'ascending');
    draw();
  }

  function cells(row) {
    return columns.map((column) => el('td' + (column.wide ? '.wide' : ''), null,
      column.show ? column.show(row) : broken(String(column.of(row)))));
  }

  function line(row) {
    const more = detail && detail(row);
    if (!more) { return [el('tr', null, cells(row))]; }
    const inside = el('tr.detail', { hidden: true }, el('td', { colspan: columns.length }, more));
    const toggle = () => {
      inside.hidden = !inside.hidden;
      open.setAttribute('aria-expanded', String(!inside.hidden));
    };
    const own = cells(row);
    const open = el('button.open', { type: 'button', 'aria-expanded': 'false', title: 'more' });
    own[0].prepend(open);
    const shown = el('tr.opens', {
      onclick: () => { if (String(getSelection()) === '') { toggle(); } },
    }, own);
    return [shown, inside];
  }

  function draw() {
    const shown = all ? sorted : sorted.slice(0, ROWS_AT_FIRST);
    body.replaceChildren(...shown.flatMap(line));
    below.replaceChildren();
    if (!all) {
      below.append(el('button.more', { type: 'button', onclick: () => { all = true; draw(); } },
        `${grouped(rows.length - ROWS_AT_FIRST)} more`));
    }
    if (leftOut) { below.append(el('p.note', null, leftOut)); }
  }

  draw();
  return el('div.table', null,
    el('div.scroll', null, el('table', null, el('thead', null, el('tr', null, heads)), body)),
    below);
}

// What the page lacks of a table, in a sentence.
function leftOut(process, name, what) {
  const rest = process.left_out && process.left_out[name];
  if (!rest) { return null; }
  const together = rest.elapsed_ns ? `, ${duration(rest.elapsed_ns)} together` : '';
  return `and ${grouped(rest.rows)} more ${what}${together}, which are left out of this page: `
    + '`omphalos report FILE --json` has all';
}
