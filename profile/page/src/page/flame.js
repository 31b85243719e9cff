// The flame graph: outermost frames on top, or, turned round, the innermost ones with their callers.
const WORK_KINDS = new Set(['function', 'system', 'region', 'task', 'target', 'small']);
const KINDS = {
  function: 'function', system: 'C library, interpreter', region: 'parallel region', task: 'task',
  target: 'target region', wait: 'waiting for OpenMP', overhead: 'runtime overhead', idle: 'idle',
  blocked: 'blocked in a call', queued: 'without a CPU', small: 'smaller frames',
  'small-wait': 'smaller frames, waiting', grown: 'takes longer', shrunk: 'takes less',
};
const ROW = 22, LEAST_PIXELS = 0.7;

// The tree of the page's lists: nodes with `name`, `kind`, `own`, `earlier`, `lines`, `children`.
function treeOf(frames) {
  const path = [];
  frames.name.forEach((name, at) => {
    const depth = frames.depth[at];
    const node = {
      name: frames.names[name] || 'all threads', kind: frames.kind[at], own: frames.own_ns[at],
      earlier: frames.earlier_own_ns[at] || 0, lines: frames.lines[at] || [], children: [],
      parent: depth ? path[depth - 1] : null,
    };
    path[depth] = node;
    if (node.parent) { node.parent.children.push(node); }
  });
  return path[0];
}

function walk(root, each) {
  const open = [root];
  while (open.length) {
    const node = open.pop();
    each(node);
    for (let i = node.children.length; i--;) { open.push(node.children[i]); }
  }
}

// What is drawn: of the time that `counts` lets count, with sums.
function counted(root, counts, isInverted) {
  const made = (node, parent) => ({
    name: node.name, kind: node.kind, own: 0, earlier: 0, lines: node.lines, children: [], parent,
  });
  const top = made(root, null);
  top.lines = [];
  const all = [top], known = new Map([[root, top]]);
  walk(root, (node) => {
    const isCounted = counts(node);
    if (!isInverted) {
      const own = node === root ? top : made(node, known.get(node.parent));
      if (node !== root) { own.parent.children.push(own); all.push(own); known.set(node, own); }
      if (isCounted) { own.own = node.own; own.earlier = node.earlier; }
    } else if (isCounted && node.own + node.earlier > 0 && node !== root) {
      let at = top;
      for (let from = node; from !== root; from = from.parent) {
        const key = from.kind + ' ' + from.name;
        at.by = at.by || new Map();
        if (!at.by.has(key)) {
          const child = made(from, at);
          at.by.set(key, child);
          at.children.push(child);
          all.push(child);
        }
        at = at.by.get(key);
      }
      at.own += node.own;
      at.earlier += node.earlier;
    }
  });
  all.forEach((node) => { node.total = node.own; node.before = node.earlier; });
  for (let i = all.length; --i > 0;) {
    all[i].parent.total += all[i].total;
    all[i].parent.before += all[i].before;
  }
  const size = (node) => node.total + node.before;
  all.forEach((node) => {
    node.children = node.children.filter((child) => size(child) > 0);
    node.children.sort((a, b) => size(b) - size(a));
  });
  return { top, all, size };
}

// The shade comes from the name, so that one function looks alike everywhere.
function shade(name) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) { hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193); }
  return ((hash >>> 8) % 13) - 6;
}

function flameGraph(frames, isChange) {
  const root = treeOf(frames), modes = { all: () => true, work: (node) => WORK_KINDS.has(node.kind),
    wait: (node) => !WORK_KINDS.has(node.kind) };
  let mode = 'all', isInverted = false, tree, zoomed, at, most = 1;
  const canvas = el('div.flame', { role: 'tree', 'aria-label': 'call paths' });
  const detail = el('div.flame-detail', { 'aria-live': 'polite' });
  const found = el('output.found');
  const field = el('input', { type: 'search', id: 'flame-search', placeholder: 'Search names  /',
    'aria-label': 'search names of frames', oninput: draw });
  const reset = el('button', { type: 'button', hidden: true, onclick: () => zoom(tree.top) },
    'Reset zoom');
  const switches = Object.keys(modes).map((name) => el('button', { type: 'button',
    'aria-pressed': String(name === mode), onclick: () => choose(name) }, name));
  const invert = el('button', { type: 'button', id: 'flame-invert', 'aria-pressed': 'false',
    title: 'innermost frames first, with their callers below (i)', onclick: turn }, 'Invert');

  function rebuild() {
    tree = counted(root, modes[mode], isInverted);
    most = Math.max(1, ...tree.all.filter((n) => n !== tree.top)
      .map((n) => Math.abs(n.total - n.before)));
    zoomed = at = tree.top;
    draw();
  }

  function choose(name) {
    mode = name;
    switches.forEach((one) => one.setAttribute('aria-pressed', String(one.textContent === name)));
    rebuild();
  }

  function turn() {
    isInverted = !isInverted;
    invert.setAttribute('aria-pressed', String(isInverted));
    rebuild();
  }

  function zoom(node) { zoomed = at = node; draw(); }

  function paint(box, node) {
    if (!isChange) { box.classList.add('k-' + node.kind); return; }
    const by = node.total - node.before;
    box.classList.add(by > 0 ? 'k-grown' : 'k-shrunk');
    box.style.setProperty('--strength', (Math.min(1, Math.abs(by) / most) * 100).toFixed(0) + '%');
  }

  function draw() {
    const word = field.value.toLowerCase(), boxes = [], width = canvas.clientWidth || 1200;
    const isHit = (node) => word !== '' && node !== tree.top
      && (node.name.toLowerCase().includes(word)
        || node.lines.some((part) => String(part).toLowerCase().includes(word)));
    const above = [];
    for (let up = zoomed.parent; up; up = up.parent) { above.unshift(up); }
    above.forEach((node, depth) => boxes.push([node, 0, 1, depth]));
    const open = [[zoomed, 0, 1, above.length]];
    let deepest = 0;
    while (open.length) {
      const [node, x, w, depth] = open.pop();
      boxes.push([node, x, w, depth]);
      deepest = Math.max(deepest, depth);
      let from = x;
      for (const child of node.children) {
        const part = w * tree.size(child) / (tree.size(node) || 1);
        if (part * width < LEAST_PIXELS) { break; }
        open.push([child, from, part, depth + 1]);
        from += part;
      }
    }
    canvas.style.height = (deepest + 1) * ROW + 'px';
    canvas.classList.toggle('searched', word !== '');
    canvas.replaceChildren(...boxes.map(([node, x, w, depth]) => {
      const box = el('div.frame', { role: 'treeitem', tabindex: node === at ? '0' : '-1',
        'aria-level': depth + 1, 'aria-label': says(node).join(', '),
        style: { left: 100 * x + '%', width: `calc(${100 * w}% - 1px)`, top: depth * ROW + 'px',
          '--shade': shade(node.name) + '%' } }, w * width > 30 ? node.name : '');
      paint(box, node);
      if (node === tree.top) { box.classList.add('k-root'); }
      if (depth < above.length) { box.classList.add('outside'); }
      if (isHit(node)) { box.classList.add('hit'); }
      box.node = node;
      node.box = box;
      return box;
    }));
    reset.hidden = zoomed === tree.top;
    found.textContent = word === '' ? '' : searched(isHit);
    tell(at);
  }

  // What lies inside of a match is part of it.
  function searched(isHit) {
    let time = 0, hits = 0;
    const open = [[tree.top, false]];
    while (open.length) {
      const [node, isInside] = open.pop(), hit = isHit(node);
      hits += hit;
      if (hit && !isInside) { time += tree.size(node); }
      node.children.forEach((child) => open.push([child, isInside || hit]));
    }
    return hits ? `${percent(time / tree.size(tree.top))} of the time in ${plural(hits, 'frame')}`
      : 'nothing found';
  }

  function says(node) {
    if (isChange) {
      const by = node.total - node.before;
      return [node.name, `${duration(node.before)} → ${duration(node.total)}`,
        (by > 0 ? '+' : '') + duration(by)];
    }
    const parts = [node.name, duration(node.total), percent(node.total / (tree.top.total || 1))];
    if (node.own > 0 && node.own < node.total) { parts.push(`itself ${duration(node.own)}`); }
    return parts;
  }

  function tell(node) {
    const [name, ...figures] = says(node);
    const lines = [];
    for (let i = 0; i < node.lines.length; i += 2) {
      lines.push(el('span.line', null, node.lines[i], ' ',
        faint(percent(node.lines[i + 1] / (tree.top.total || 1)))));
    }
    const kind = isChange || node === tree.top ? '' : KINDS[node.kind];
    detail.replaceChildren(el('b', null, name), el('span.faint', null, kind),
      el('span', null, figures.join(' · ')), ...lines);
  }

  function move(event) {
    const siblings = at.parent ? at.parent.children : [at], here = siblings.indexOf(at);
    const to = { ArrowUp: at.parent, ArrowDown: at.children[0], ArrowLeft: siblings[here - 1],
      ArrowRight: siblings[here + 1] }[event.key];
    if (event.key === 'Enter' || event.key === ' ') { zoom(at); focus(); }
    else if (!event.key.startsWith('Arrow')) { return; }
    else if (to && to.box && to.box.isConnected) { at = to; draw(); focus(); }
    event.preventDefault();
  }

  function focus() { if (at.box) { at.box.focus({ preventScroll: true }); } }

  canvas.addEventListener('click', (event) => {
    if (event.target.node) { zoom(event.target.node); focus(); }
  });
  canvas.addEventListener('mouseover', (event) => {
    if (event.target.node) { tell(event.target.node); }
  });
  canvas.addEventListener('mouseleave', () => tell(at));
  canvas.addEventListener('keydown', move);
  new ResizeObserver(() => draw()).observe(canvas);
  const graph = el('div.graph', null,
    el('div.tools', null,
      isChange ? null : el('div.switch', { role: 'group', 'aria-label': 'which time' }, switches),
      invert, field, found, reset),
    canvas, detail);
  graph.keys = {
    '/': () => field.focus(),
    i: turn,
    Escape: () => { field.value = ''; zoom(tree.top); },
  };
  rebuild();
  const kinds = [...new Set(frames.kind)].filter((kind) => !kind.startsWith('small'));
  const shown = isChange ? ['grown', 'shrunk'] : Object.keys(KINDS).filter((k) => kinds.includes(k));
  graph.append(el('ul.legend', null, shown.map((kind) => el('li', null,
    el('i.k-' + kind, { style: { '--shade': '0%', '--strength': '100%' } }), KINDS[kind]))));
  return graph;
}
