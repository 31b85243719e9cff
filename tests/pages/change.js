// What a reader does with a comparison's page; `say` writes what came of it.
const all = (what) => [...document.querySelectorAll(what)];
say('sections ' + all('main > section').map((section) => section.id).join(' '));
say('sentence ' + document.querySelector('.sentence').textContent);
all('.frame').at(-1).click();
say('zoomed ' + (all('.frame.outside').length > 0));
