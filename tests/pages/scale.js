// What a reader does with the page of a scaling; `say` writes what came of it.
const all = (what) => [...document.querySelectorAll(what)];
const text = (what) => document.querySelector(what).textContent;
say('title ' + document.title);
say('kind ' + text('.brand'));
say('sections ' + all('main > section').map((section) => section.id).join(' '));
say('sentence ' + text('.sentence'));
say('scripts ' + all('script').length + ' images ' + all('img').length);
say('sizes ' + all('#sizes tbody tr').map((row) => row.cells[0].textContent.trim().split(' ')[0]).join(' '));
say('measured ' + all('#sizes svg circle.measured, #sizes svg circle.crowded').length);
say('curves ' + all('#sizes svg polyline').map((line) => line.getAttribute('class')).join(' '));
const points = all('#sizes svg polyline').map((line) => line.getAttribute('points')).join(' ');
say('numbers ' + !points.includes('NaN'));
say('first factor ' + text('#factors tbody tr td'));
say('heads ' + all('#factors th').slice(1).map((head) => head.textContent).join(' '));
const row = document.querySelector('#regions tr.opens');
row.click();
say('opened ' + !row.nextSibling.hidden + ' ' + row.nextSibling.querySelector(':scope table td').textContent);
say('asked ' + performance.getEntriesByType('resource').length);
