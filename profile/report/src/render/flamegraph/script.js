(function () {
  'use strict';
  var byId = function (id) { return document.getElementById(id); };
  var page = document.documentElement, box = byId('frames');
  var detail = byId('detail'), reset = byId('reset'), field = byId('search');
  var found = byId('found'), side = 10, shown = null;
  // All frames, outermost first: x and w are parts of the whole graph.
  var frames = [].map.call(box.children, function (g) {
    var rect = g.querySelector('rect');
    var title = g.querySelector('title').textContent;
    return {
      g: g, rect: rect, text: g.querySelector('text'), title: title,
      name: title.split('\n')[0],
      x: parseFloat(rect.getAttribute('x')) / 100,
      w: parseFloat(rect.getAttribute('width')) / 100,
      y: parseFloat(rect.getAttribute('y')),
      searched: title.toLowerCase()
    };
  });
  var root = frames[0], slack = 1e-7;
  var letter = (function () {
    var text = root.text, old = text.textContent, width = 0;
    text.textContent = 'MMMMMMMMMM';
    try { width = text.getComputedTextLength() / 10; } catch (error) { width = 0; }
    text.textContent = old;
    return width || 7.3;
  })();

  // Arguments of templates go first, the innermost before others.
  function fitted(name, room) {
    var short = name, last = '';
    while (short.length > room && short !== last) {
      last = short;
      short = short.replace(/(\w)<(?!\.\.>)[^<>]+>/g, '$1\u2039..\u203a');
    }
    short = short.replace(/\u2039/g, '<').replace(/\u203a/g, '>');
    return short.length <= room ? short : room < 3 ? '' : short.slice(0, room - 2) + '..';
  }

  function draw() {
    var pixels = parseFloat(box.getAttribute('width')), z = shown;
    frames.forEach(function (f) {
      var holds = f.y >= z.y && f.x <= z.x + slack && f.x + f.w >= z.x + z.w - slack;
      var inside = f.y <= z.y && f.x >= z.x - slack && f.x + f.w <= z.x + z.w + slack;
      f.g.style.display = holds || inside ? '' : 'none';
      if (!holds && !inside) { return; }
      f.g.classList.toggle('outside', holds && f !== z);
      var x = holds ? 0 : (f.x - z.x) / z.w, w = holds ? 1 : f.w / z.w;
      var room = Math.floor((w * pixels - 6) / letter);
      f.rect.setAttribute('x', 100 * x + '%');
      f.rect.setAttribute('width', 100 * w + '%');
      f.text.setAttribute('x', 100 * x + '%');
      f.text.textContent = fitted(f.name, room);
    });
    reset.setAttribute('class', z === root ? 'hidden' : 'button');
  }

  function zoom(frame) { shown = frame; draw(); }

  function fit() {
    var width = Math.max(page.clientWidth || window.innerWidth || 1200, 400);
    page.setAttribute('width', width);
    box.setAttribute('width', width - 2 * side);
    byId('title').setAttribute('x', width / 2);
    byId('tools').setAttribute('x', width - side - 320);
    draw();
  }

  function search() {
    var word = field.value.toLowerCase(), part = 0, until = 0, hits = [];
    frames.forEach(function (f) {
      var hit = word !== '' && f !== root && f.searched.indexOf(word) >= 0;
      f.g.classList.toggle('hit', hit);
      if (hit) { hits.push(f); }
    });
    box.classList.toggle('searched', word !== '');
    // What lies inside of a match is part of it.
    hits.sort(function (a, b) { return a.x - b.x || b.w - a.w; });
    hits.forEach(function (f) {
      if (f.x + slack >= until) { part += f.w; until = f.x + f.w; }
    });
    found.textContent = word === '' ? ''
      : (100 * part).toFixed(1) + ' % of all time in ' + hits.length + ' frames';
  }

  frames.forEach(function (f) {
    f.g.addEventListener('click', function () { zoom(f); });
    f.g.addEventListener('mouseover', function () {
      detail.textContent = f.title.split('\n').join('  |  ');
    });
    f.g.addEventListener('mouseout', function () { detail.textContent = ' '; });
  });
  reset.addEventListener('click', function () { zoom(root); });
  field.addEventListener('input', search);
  page.addEventListener('keydown', function (event) {
    if (event.key === 'Escape') { field.value = ''; search(); zoom(root); }
  });
  window.addEventListener('resize', fit);
  page.removeAttribute('viewBox');
  shown = root;
  fit();
})();
