/* grid.js - a square matrix on a canvas: zoom, move, search, what stands where.
 *
 *   takt.grid(box, spec)
 *   spec = { n, rows: [text], cols: [text], tips: [text], lines: [link or null],
 *            blocks: [[first, size, chain, is_assignment]],
 *            cells: [row, col, mark, ...], marks: [[text, colour, letter]] }
 *
 * rows may be null: the matrix has no names then.
 */
'use strict';
takt.grid = (box, spec) => {
  const bar = takt.make(box, 'div', {class: 'bar'});
  const find = takt.make(bar, 'input', {type: 'search', placeholder: 'search equations and unknowns', size: 30,
    'aria-label': 'search'});
  const button = (text, name, f) => { const b = takt.make(bar, 'button', {type: 'button', 'aria-label': name, title: name,
    'data-zoom': name}, text); b.onclick = f; };
  button('+', 'zoom in', () => zoom(1.6));
  button('\u2212', 'zoom out', () => zoom(1 / 1.6));
  button('all', 'show all', () => { fit(); draw(); });
  const note = takt.make(bar, 'span', {class: 'pale', 'data-role': 'note'});
  const canvas = takt.make(box, 'canvas', {class: 'grid', tabindex: 0});
  const tip = takt.make(box, 'div', {class: 'tip', hidden: ''});
  const byRow = Array.from({length: spec.n}, () => []);
  for (let k = 0; k < spec.cells.length; k += 3) byRow[spec.cells[k]].push([spec.cells[k + 1], spec.cells[k + 2]]);
  let hits = new Set(), size = 1, ox = 0, oy = 0, width = 0, height = 0, drag = null;
  if (!spec.rows) find.hidden = true;
  canvas.dataset.cells = spec.cells.length / 3;

  const names = () => spec.rows && size >= 11;
  const margin = () => names() ? Math.min(300, width * .35) : 0;
  function fit() {
    size = Math.max(.02, Math.min(24, Math.min(width / spec.n, height / spec.n)));
    if (names()) size = Math.max(.02, Math.min(24, Math.min((width - margin()) / spec.n, (height - margin() * .6) / spec.n)));
    ox = oy = 0;
  }
  function measure() {
    width = Math.max(200, box.clientWidth);
    height = Math.min(Math.max(240, width * .7), 640, spec.n * 24 + (spec.rows ? Math.min(300, width * .35) * .6 : 0) + 4);
    const k = window.devicePixelRatio || 1;
    canvas.width = width * k; canvas.height = height * k;
    canvas.style.height = height + 'px';
  }
  function draw() {
    const g = canvas.getContext('2d'), k = window.devicePixelRatio || 1, css = getComputedStyle(box);
    const c = v => css.getPropertyValue(v).trim();
    const left = margin(), top = margin() * .6;
    g.setTransform(k, 0, 0, k, 0, 0);
    g.clearRect(0, 0, width, height);
    g.save();
    g.beginPath(); g.rect(left, top, width - left, height - top); g.clip();
    const X = j => left + (j - ox) * size, Y = i => top + (i - oy) * size;
    for (const [first, n, chain, assign] of spec.blocks || []) {
      if (X(first + n) < 0 || X(first) > width) continue;
      const rest = n - chain, px = Math.max(size, 1);
      g.fillStyle = c('--loop');
      if (!assign) g.fillRect(X(first), Y(first), n * size, n * size);
      g.fillStyle = c('--torn');
      if (!assign) { g.fillRect(X(first + chain), Y(first), rest * size, n * size);
        g.fillRect(X(first), Y(first + chain), chain * size, rest * size); }
      g.fillStyle = c('--solved');
      for (let i = 0; i < (assign ? n : chain); i++) g.fillRect(X(first + i), Y(first + i), px, px);
    }
    g.fillStyle = c('--hit'); g.globalAlpha = .55;
    for (const i of hits) { g.fillRect(left, Y(i), width, Math.max(size, 1)); g.fillRect(X(i), top, Math.max(size, 1), height); }
    g.globalAlpha = 1;
    const i0 = Math.max(0, Math.floor(oy)), i1 = Math.min(spec.n, Math.ceil(oy + height / size));
    let drawn = 0;
    g.textAlign = 'center'; g.textBaseline = 'middle'; g.font = Math.min(size * .8, 13) + 'px ui-monospace, monospace';
    const paint = spec.marks.map(m => c(m[1]));
    for (let i = i0; i < i1; i++) for (const [j, m] of byRow[i]) {
      const x = X(j), y = Y(i);
      if (x < left - size || x > width) continue;
      drawn++;
      g.fillStyle = paint[m];
      if (spec.marks[m][2] && size >= 9) g.fillText(spec.marks[m][2], x + size / 2, y + size / 2);
      else { const s = Math.max(1, size * .8); g.fillRect(x + (size - s) / 2, y + (size - s) / 2, s, s); }
    }
    canvas.dataset.drawn = drawn;
    g.restore();
    if (names()) label(g, c, left, top, X, Y, i0, i1);
    g.strokeStyle = c('--rule'); g.strokeRect(left, top, Math.min(width - left, (spec.n - ox) * size), Math.min(height - top, (spec.n - oy) * size));
  }
  function label(g, c, left, top, X, Y, i0, i1) {
    g.font = '11px ui-monospace, monospace';
    const cut = (t, room) => { const most = Math.floor(room / 6.7); return t.length > most ? t.slice(0, most - 1) + '\u2026' : t; };
    for (let i = i0; i < i1; i++) {
      g.fillStyle = hits.has(i) ? c('--bad') : c('--ink');
      g.textAlign = 'right'; g.textBaseline = 'middle';
      if (Y(i) >= top - 1) g.fillText(cut(spec.rows[i], left - 8), left - 6, Y(i) + size / 2);
    }
    const j0 = Math.max(0, Math.ceil(ox)), j1 = Math.min(spec.n, Math.ceil(ox + (width - left) / size));
    for (let j = j0; j < j1; j++) {
      g.fillStyle = hits.has(j) ? c('--bad') : c('--ink');
      g.save(); g.translate(X(j) + size / 2, top - 5); g.rotate(-Math.PI / 2);
      g.textAlign = 'left'; g.fillText(cut(spec.cols[j], top - 8), 0, 0); g.restore();
    }
  }
  function zoom(f, px, py) {
    const left = margin(), top = margin() * .6;
    px = px === undefined ? left + (width - left) / 2 : px; py = py === undefined ? top + (height - top) / 2 : py;
    const cx = ox + (px - left) / size, cy = oy + (py - top) / size;
    size = Math.max(.02, Math.min(40, size * f));
    ox = cx - (px - margin()) / size; oy = cy - (py - margin() * .6) / size;
    hold(); draw();
  }
  /* Something of the matrix stays in sight. */
  function hold() {
    ox = Math.max(Math.min(0, spec.n - width / size), Math.min(ox, Math.max(0, spec.n - (width - margin()) / size)));
    oy = Math.max(Math.min(0, spec.n - height / size), Math.min(oy, Math.max(0, spec.n - (height - margin() * .6) / size)));
    if (spec.n * size <= width) ox = 0;
    if (spec.n * size <= height) oy = 0;
  }
  function go(i) {
    if (size < 12) size = Math.max(size, 16);
    ox = i - (width - margin()) / size / 2; oy = i - (height - margin() * .6) / size / 2;
    hold(); draw();
  }
  const at = e => { const r = canvas.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; };
  canvas.onpointerdown = e => { drag = at(e); canvas.setPointerCapture(e.pointerId); };
  canvas.onpointerup = () => { drag = null; };
  canvas.onpointerleave = () => { tip.hidden = true; };
  canvas.onpointermove = e => {
    const [px, py] = at(e);
    if (drag) { ox -= (px - drag[0]) / size; oy -= (py - drag[1]) / size; drag = [px, py]; hold(); draw(); return; }
    const i = Math.floor(oy + (py - margin() * .6) / size), j = Math.floor(ox + (px - margin()) / size);
    if (i < 0 || i >= spec.n) { tip.hidden = true; return; }
    const cell = byRow[i].find(c => c[0] === j), text = [];
    if (spec.tips) text.push(spec.tips[i]); else if (spec.rows) text.push(spec.rows[i]); else text.push('row ' + (i + 1));
    if (j >= 0 && j < spec.n) text.push((spec.cols ? spec.cols[j] : 'column ' + (j + 1)) + (cell ? ': ' + spec.marks[cell[1]][0] : ': nothing'));
    takt.tip(tip, box, e, text.join('\n'));
  };
  canvas.ondblclick = e => { const [, py] = at(e), i = Math.floor(oy + (py - margin() * .6) / size);
    if (spec.lines && spec.lines[i]) location.hash = spec.lines[i]; };
  canvas.addEventListener('wheel', e => { if (!e.ctrlKey) return; e.preventDefault();
    const [px, py] = at(e); zoom(e.deltaY < 0 ? 1.25 : .8, px, py); }, {passive: false});
  canvas.onkeydown = e => { const d = 40 / size;
    const f = {'+': () => zoom(1.6), '-': () => zoom(1 / 1.6), '0': () => { fit(); draw(); }, ArrowLeft: () => { ox -= d; },
      ArrowRight: () => { ox += d; }, ArrowUp: () => { oy -= d; }, ArrowDown: () => { oy += d; }}[e.key];
    if (f) { e.preventDefault(); f(); hold(); draw(); } };
  find.oninput = () => {
    const q = find.value.toLowerCase();
    hits = new Set();
    if (q) for (let i = 0; i < spec.n; i++)
      if (spec.rows[i].toLowerCase().includes(q) || spec.cols[i].toLowerCase().includes(q)) hits.add(i);
    note.textContent = q ? hits.size + ' of ' + spec.n + ' found' : '';
    if (hits.size) go(Math.min(...hits)); else draw();
  };
  let order = -1;
  find.onkeydown = e => { if (e.key !== 'Enter' || !hits.size) return;
    const list = [...hits].sort((a, b) => a - b); order = (order + 1) % list.length; go(list[order]); };
  new ResizeObserver(() => { const w = width; measure(); if (w !== width) fit(); draw(); }).observe(box);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  measure(); fit(); draw();
  box.taktGo = go;
};
