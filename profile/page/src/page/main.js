// Puts the sections together: head, ways through the page, keys, light and dark.
const page = document.documentElement;

// Light or dark, whatever the system prefers; a second press goes back.
function turnTheme() {
  const isDark = page.dataset.theme ? page.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  page.dataset.theme = isDark ? 'light' : 'dark';
}

const main = el('main'), nav = el('nav', { 'aria-label': 'sections' });
let keys = {};

function show(parts) {
  const shown = parts.flat().filter(Boolean);
  main.replaceChildren(...shown);
  const sections = shown.filter((part) => part.tagName === 'SECTION');
  const short = (one) => one.querySelector('h2').textContent;
  nav.replaceChildren(...sections.map((one) => el('a', { href: '#' + one.id }, short(one))));
  const graph = main.querySelector('.graph');
  keys = graph ? graph.keys : {};
}

function showProcess(process) {
  show([
    headOf(process),
    diagnosisOf(process),
    regionsOf(process),
    section('flame', 'Flame graph', flameGraph(process.frames, false)),
    threadsOf(process),
    countersOf(process),
    sourceOf(process),
    tasksOf(process),
    aboutOf(process),
  ]);
}

function start() {
  const processes = data.processes || [];
  const isReport = data.page === 'report';
  const [kind, title, about] = isReport
    ? ['profile', processes[0].program.command.join(' ') || processes[0].program.executable,
      [processes[0].program.host, processes[0].program.runtime].filter(Boolean)]
    : data.page === 'scaling'
      ? ['scaling', data.scaling.command.join(' '), [`with ${data.scaling.sizes.map((size) => size.threads).join(', ')} threads`]]
      : ['comparison', `${data.comparison.before.name} → ${data.comparison.after.name}`,
        [data.comparison.after.command.join(' ')]];
  const choice = processes.length > 1 ? el('select', { 'aria-label': 'process', onchange: (event) =>
    showProcess(processes[event.target.value]) }, processes.map((process, at) => el('option',
    { value: at }, `process ${process.program.pid}: ${process.program.executable.split('/').pop()}`))) : null;
  const rest = isReport ? data.all_processes - processes.length : 0;
  const help = el('dialog', { id: 'keys' }, el('h2', null, 'Keys'), el('dl', null, [
    ['/', 'search the flame graph'], ['i', 'turn the flame graph round'],
    ['arrows', 'walk through frames, once one is chosen'], ['Enter', 'zoom into that frame'],
    ['Esc', 'all of the flame graph'], ['1 … 9', 'go to a section'], ['t', 'light or dark'],
    ['?', 'this list']].flatMap(([key, does]) => [el('dt', null, el('kbd', null, key)),
    el('dd', null, does)])), el('form', { method: 'dialog' }, el('button', null, 'Close')));
  document.body.append(
    el('header', null, el('div', null,
      el('p.brand', null, 'Omphalos ', kind),
      el('h1', null, broken(title)), el('p.about', null, about.join(' · '))),
    el('div.controls', null, choice,
      rest ? el('small', null, `and ${plural(rest, 'process')} with less work`) : null,
      el('button', { type: 'button', id: 'theme', title: 'light or dark (t)', onclick: turnTheme,
        'aria-label': 'light or dark' }, '◐'),
      el('button', { type: 'button', title: 'keys (?)', 'aria-label': 'keys',
        onclick: () => help.showModal() }, '?'))),
    nav, main, el('footer', null, `Made by Omphalos ${data.version}. All data is in this page.`), help);
  document.addEventListener('keydown', (event) => {
    const isTyping = ['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (isTyping && event.key !== 'Escape') { return; }
    if (help.open) { return; }
    const link = nav.children[Number(event.key) - 1];
    if (keys[event.key]) { keys[event.key](); }
    else if (event.key === 't') { turnTheme(); }
    else if (event.key === '?') { help.showModal(); }
    else if (link && event.key !== ' ') { link.click(); }
    else { return; }
    event.preventDefault();
  });
  if (isReport) { showProcess(processes[0]); }
  else { show(data.page === 'scaling' ? scalingOf(data) : changeOf(data)); }
}

start();
