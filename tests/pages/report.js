// What a reader does with a report's page; `say` writes what came of it.
const all = (what, from) => [...(from || document).querySelectorAll(what)];
const one = (what) => document.querySelector(what);
const key = (name, at) => (at || document.body).dispatchEvent(
  new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
const widths = () => all('.frame').map((frame) => frame.getBoundingClientRect().width);
const named = (text) => all('.frame').find((frame) => frame.textContent.includes(text));

say('title ' + document.title);
say('sections ' + all('main > section').map((section) => section.id).join(' '));
say('scripts ' + all('script').length + ' images ' + all('img').length);
say('asked ' + performance.getEntriesByType('resource').length);

// A click zooms, Escape goes back.
key('Escape');
const frames = all('.frame').length;
named('region at').click();
const zoomed = named('region at').getBoundingClientRect().width;
say('zoomed ' + (zoomed > 0.99 * one('.flame').clientWidth) + ' ' + !one('.tools > button:last-child').hidden);
key('Escape');
say('whole again ' + (all('.frame').length === frames));

// A search says which part of the time matches.
key('/');
say('search focused ' + (document.activeElement === one('#flame-search')));
one('#flame-search').value = 'region at';
one('#flame-search').dispatchEvent(new Event('input'));
say('found ' + /^\d+(\.\d)?\s% of the time in \d+ frame/.test(one('.found').textContent)
  + ' ' + (all('.frame.hit').length > 0));
key('Escape', one('#flame-search'));
say('search cleared ' + (one('#flame-search').value === '' && !all('.frame.hit').length));

// Work and wait part the time; turned round, the innermost frames come first.
const total = () => one('.frame').getAttribute('aria-label');
const whole = total();
const [, work, wait] = all('.switch button');
work.click();
say('work ' + (total() !== whole) + ' ' + !all('.k-wait').filter((k) => k.matches('.frame')).length);
wait.click();
const waits = total();
say('wait ' + (waits !== whole));
all('.switch button')[0].click();
key('i');
say('inverted ' + one('#flame-invert').getAttribute('aria-pressed') + ' ' + (total() === whole));
key('i');

// Frames are walked by arrows.
one('.frame').focus();
key('ArrowDown', one('.frame'));
say('arrow ' + document.activeElement.getAttribute('aria-level'));
key('Enter', document.activeElement);
say('entered ' + (widths()[1] > 0.99 * one('.flame').clientWidth));
key('Escape');

// A head sorts, a row opens, more rows come.
const heads = all('#threads th button');
heads.find((head) => head.textContent === 'Work').click();
say('sorted ' + all('#threads th').filter((head) => head.getAttribute('aria-sort')).length);
one('#regions .opens').click();
say('opened ' + !one('#regions .detail').hidden);

// Counters stand by region and by function, and no column is without a figure.
const columns = (at) => [...at.querySelectorAll('th')].map((head) => head.textContent);
const counted = all('#counters table').map(columns);
say('counted ' + (counted.length === 2 && counted.every((heads) => heads.includes('CPU time')))
  + ' ' + all('#counters table').every((at) => columns(at).every((_, number) =>
  [...at.querySelectorAll('tbody tr')].some((row) => row.cells[number].textContent !== '–'))));

// Light and dark.
const paper = () => getComputedStyle(document.body).backgroundColor;
const before = paper();
key('t');
say('turned ' + (paper() !== before));
one('#theme').click();
say('turned back ' + (paper() === before));
key('?');
say('help ' + one('#keys').open);
