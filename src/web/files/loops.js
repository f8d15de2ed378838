/* loops.js - loops as graphs: a click removes an edge, as a delay of
 * information does, and the graph is peeled (Gustafsson, Proposition 1). */
'use strict';
takt.loops = (box, loops) => {
const el = (name, at, text) => { const e = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const k in at) e.setAttribute(k, at[k]);
  if (text !== undefined) e.textContent = text; return e; };
/* An equation with one unknown left defines it. */
function peel(g) {
  const n = new Map();
  g.edges.forEach((e, i) => { if (g.cut.has(i) || g.goneV.has(e[1]) || g.goneE.has(e[0])) return;
    if (!n.has(e[0])) n.set(e[0], []);
    n.get(e[0]).push(e[1]); });
  let found = 0;
  for (const [q, list] of n) if (list.length === 1 && !g.goneV.has(list[0])) {
    g.goneE.add(q); g.goneV.add(list[0]); g.said.push(g.eqn[q].name + ' gives ' + g.vars[list[0]].name); found++; }
  return found;
}
function draw(g) {
  const h = 26, w = 620, rows = Math.max(g.vars.length, g.eqn.length), y = i => 20 + i * h;
  g.svg.replaceChildren(); g.svg.setAttribute('width', w + 700); g.svg.setAttribute('height', rows * h + 20);
  g.edges.forEach((e, i) => {
    const l = el('line', {x1: 220, y1: y(e[1]), x2: w, y2: y(e[0])});
    if (g.cut.has(i)) l.classList.add('cut');
    if (g.goneV.has(e[1]) || g.goneE.has(e[0])) l.classList.add('gone');
    l.append(el('title', {}, (g.cut.has(i) ? 'put back ' : 'remove ') + g.vars[e[1]].name + ' in ' + g.eqn[e[0]].name));
    l.onclick = () => { g.cut.has(i) ? g.cut.delete(i) : g.cut.add(i); draw(g); };
    g.svg.append(l); });
  g.vars.forEach((v, i) => { const o = el('g', {});
    if (g.goneV.has(i)) o.classList.add('gone');
    o.append(el('circle', {cx: 220, cy: y(i), r: 7, fill: v.torn ? 'var(--torn)' : 'var(--c0)'}),
      el('text', {x: 206, y: y(i) + 4, 'text-anchor': 'end'}, v.name));
    g.svg.append(o); });
  g.eqn.forEach((q, i) => { const o = el('g', {});
    if (g.goneE.has(i)) o.classList.add('gone');
    o.append(el('title', {}, q.tip), el('rect', {x: w - 6, y: y(i) - 6, width: 12, height: 12,
      fill: q.torn ? 'var(--torn)' : 'var(--solved)'}), el('text', {x: w + 14, y: y(i) + 4}, q.text));
    g.svg.append(o); });
  const left = g.vars.length - g.goneV.size;
  g.note.textContent = left === 0 ? 'the loop is broken: every unknown follows' : left + ' of ' + g.vars.length +
    ' unknowns left' + (g.cut.size ? ', ' + g.cut.size + ' edges removed' : '');
  g.list.textContent = g.said.join('; ');
}
function start(g) { g.cut = new Set(); g.goneV = new Set(); g.goneE = new Set(); g.said = []; draw(g); }
for (const g of loops) {
  const d = takt.make(box, 'details', {class: 'loop'});
  takt.make(d, 'summary', {}, g.title);
  const bar = takt.make(d, 'div', {class: 'bar'});
  const b = (text, f) => { takt.make(bar, 'button', {type: 'button'}, text).onclick = () => { f(); draw(g); }; };
  b('peel once', () => peel(g));
  b('peel all', () => { while (peel(g)); });
  b('take iteration variables as known', () => g.vars.forEach((v, i) => { if (v.torn) g.goneV.add(i); }));
  b('put all back', () => start(g));
  g.note = takt.make(d, 'p');
  const wide = takt.make(d, 'div', {class: 'wide'});
  g.svg = wide.appendChild(el('svg', {class: 'graph'}));
  g.list = takt.make(d, 'p');
  start(g);
}
};
