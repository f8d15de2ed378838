/* plot.js - lines and points over axes with units; a panel for each unit.
 *
 *   takt.plot(box, spec) draws into the element `box`:
 *   spec = { x: {label, unit, log}, height, equal, circle, follow,
 *            panels: [{ label, unit, log, items: [
 *              { name, colour, dash, x: [...], y: [...], points, labels }] }] }
 *
 * Drag zooms, double click and key 0 show all, + and - zoom, arrows move; the
 * cursor shows values; a name hides its lines. Numbers that are null are gaps.
 */
'use strict';
const takt = (() => {
const NS = 'http://www.w3.org/2000/svg';
function svg(parent, name, at, text) {
  const e = document.createElementNS(NS, name);
  for (const k in at) e.setAttribute(k, at[k]);
  if (text !== undefined) e.textContent = text;
  return parent.appendChild(e);
}
function make(parent, name, at, text) {
  const e = document.createElement(name);
  for (const k in at || {}) e.setAttribute(k, at[k]);
  if (text !== undefined) e.textContent = text;
  return parent.appendChild(e);
}
const colour = c => c === undefined || c < 0 ? 'var(--ink)' : 'var(--c' + c % 10 + ')';
function number(v) {
  if (v === null || v === undefined) return 'not finite';
  if (v === 0) return '0';
  const a = Math.abs(v);
  return a >= 1e6 || a < 1e-4 ? v.toExponential(4) : String(+v.toPrecision(6));
}
const finite = v => v !== null && v !== undefined && isFinite(v);

/* Texts of marks that lie `step` apart: with as many digits as tell them from each
 * other. Where that are more than six they say how far they are from `base`. */
function texts(values, step) {
  const largest = Math.max(...values.map(Math.abs)), digits = Math.ceil(Math.log10(largest / step) - 1e-9) + 1;
  if (!(digits > 6)) return [values.map(number), null];
  const base = values[values.length >> 1];
  const from = k => Math.round((values[k] - base) / step) * step;
  return [values.map((v, k) => (from(k) > 0 ? '+' : '') + +from(k).toPrecision(3)), String(+base.toPrecision(Math.min(15, digits)))];
}
/* Round marks: 3 to 8 of them; powers of ten where the axis is logarithmic. `base`
 * of the list is the number that its texts are to be added to, if any. */
function marks(lo, hi, log, room) {
  const list = [];
  if (log) {
    const every = Math.max(1, Math.ceil((hi - lo) / Math.max(2, room)));
    for (let e = Math.ceil(lo - 1e-9); e <= hi + 1e-9; e += every)
      list.push([e, Math.abs(e) < 4 ? String(+(10 ** e).toPrecision(3)) : '1e' + e]);
    if (list.length >= 2) return list;
    return marks(10 ** lo, 10 ** hi, false, room).filter(v => v[0] > 0).map(v => [Math.log10(v[0]), v[1]]);
  }
  const raw = (hi - lo) / Math.max(2, room), power = 10 ** Math.floor(Math.log10(raw));
  const step = power * (raw / power <= 1 ? 1 : raw / power <= 2 ? 2 : raw / power <= 5 ? 5 : 10);
  const from = Math.ceil(lo / step - 1e-9), to = Math.floor(hi / step + 1e-9);
  for (let k = from; k <= to && list.length < 50; k++) list.push(k * step);
  if (!list.length) return list;
  const [names, base] = texts(list, step);
  return Object.assign(list.map((v, k) => [v, names[k]]), {base});
}
const title = a => a.unit ? a.label ? a.label + ' in ' + a.unit : a.unit : a.label || '';

class Plot {
  constructor(box, spec) {
    this.box = box; this.spec = spec; this.hidden = new Set(); this.view = null;
    box.classList.add('plotted');
    this.bar = make(box, 'div', {class: 'bar'});
    this.svg = svg(box, 'svg', {class: 'plot', tabindex: 0, role: 'img'});
    this.tip = make(box, 'div', {class: 'tip', hidden: ''});
    this.legend();
    this.listen();
    new ResizeObserver(() => this.draw()).observe(box);
    this.draw();
  }
  items() { return this.spec.panels.flatMap(p => p.items); }
  legend() {
    this.bar.replaceChildren();
    const seen = new Set();
    for (const i of this.items()) {
      if (seen.has(i.name)) continue;
      seen.add(i.name);
      const b = make(this.bar, 'button', {type: 'button', 'data-line': i.name, 'aria-pressed': 'true'});
      const s = make(b, 'span', {class: 'swatch'});
      s.style.background = colour(i.colour);
      b.append(i.name);
      b.onclick = () => { if (this.hidden.delete(i.name) === false) this.hidden.add(i.name);
        b.classList.toggle('off', this.hidden.has(i.name));
        b.setAttribute('aria-pressed', !this.hidden.has(i.name)); this.draw(); };
    }
    for (const [text, name, f] of [['+', 'zoom in', () => this.zoom(.5)], ['\u2212', 'zoom out', () => this.zoom(2)],
      ['all', 'show all', () => this.reset()]]) {
      const b = make(this.bar, 'button', {type: 'button', title: name, 'aria-label': name, 'data-zoom': name}, text);
      b.onclick = f;
    }
  }
  shown(p) { return p.items.filter(i => !this.hidden.has(i.name)); }
  /* Limits of the data, with a margin; in logarithms where asked for. */
  limits(items, key, log) {
    let lo = Infinity, hi = -Infinity;
    for (const i of items) for (const v of i[key]) if (finite(v) && (!log || v > 0)) {
      const w = log ? Math.log10(v) : v;
      if (w < lo) lo = w;
      if (w > hi) hi = w;
    }
    if (!(lo <= hi)) return [0, 1];
    /* rounding is no curve */
    if (hi - lo <= 1e-9 * Math.max(Math.abs(lo), Math.abs(hi), 1e-300)) {
      const pad = Math.max(Math.abs(lo), log ? 1 : 1e-9) * .5;
      return [lo - pad, hi + pad];
    }
    const pad = (key === 'x' && !log && !this.spec.pad ? 0 : .05) * (hi - lo);
    return [lo - pad, hi + pad];
  }
  place() {
    const s = this.spec, width = Math.max(240, this.box.clientWidth || 600);
    const right = 12, gap = 34;
    let height = s.height || (s.panels.length > 1 ? 190 : 280);
    this.x = {log: s.x.log, from: 64, to: width - right};
    [this.x.lo, this.x.hi] = this.view ? this.view.x : s.circle ? [-1.15, 1.15] : this.limits(this.items(), 'x', s.x.log);
    if (s.equal) height = Math.min(width - this.x.from - right, 420);
    let top = 14;
    this.axes = s.panels.map((p, k) => {
      const y = {log: p.log, from: top + height, to: top, panel: p};
      const own = this.view && this.view.y[k];
      [y.lo, y.hi] = own || (s.circle ? [-1.15, 1.15] : this.limits(this.shown(p), 'y', p.log));
      top += height + gap;
      return y;
    });
    if (s.equal) this.x.to = this.x.from + height;
    else this.x.from = Math.max(64, ...this.axes.map(y => this.across(y)));
    this.width = width; this.height = top + 8;
  }
  /* Room that the texts of an axis take, and its title beside them. */
  across(y) {
    const length = this.marks(y).reduce((most, m) => Math.max(most, m[1].length), 0);
    return 30 + 6.8 * length;
  }
  marks(y) { return marks(y.lo, y.hi, y.log, (y.from - y.to) / 40); }
  at(a, v) {
    const w = a.log ? v > 0 ? Math.log10(v) : NaN : v;
    return a.from + (w - a.lo) / (a.hi - a.lo) * (a.to - a.from);
  }
  back(a, px) { return a.lo + (px - a.from) / (a.to - a.from) * (a.hi - a.lo); }
  draw() {
    this.place();
    const s = this.svg, x = this.x;
    s.replaceChildren();
    s.setAttribute('viewBox', '0 0 ' + this.width + ' ' + this.height);
    s.setAttribute('height', this.height);
    const clip = 'clip' + (takt.count = (takt.count || 0) + 1);
    this.axes.forEach((y, k) => this.panel(y, clip + '-' + k, k === this.axes.length - 1));
    this.over = svg(s, 'g', {});
    s.setAttribute('aria-label', this.items().map(i => i.name).join(', '));
    s.dataset.x0 = x.lo; s.dataset.x1 = x.hi;
  }
  panel(y, clip, is_last) {
    const s = this.svg, x = this.x;
    const c = svg(s, 'clipPath', {id: clip});
    svg(c, 'rect', {x: x.from, y: y.to, width: x.to - x.from, height: y.from - y.to});
    const xs = marks(x.lo, x.hi, x.log, (x.to - x.from) / 90);
    for (const [v, text] of xs) {
      const px = x.from + (v - x.lo) / (x.hi - x.lo) * (x.to - x.from);
      svg(s, 'line', {class: 'rule', x1: px, x2: px, y1: y.to, y2: y.from});
      svg(s, 'text', {x: px, y: y.from + 15, 'text-anchor': 'middle'}, text);
    }
    const ys = this.marks(y);
    if (ys.base) svg(s, 'text', {x: x.from, y: y.to - 3, class: 'axis'}, ys.base + ' and');
    for (const [v, text] of ys) {
      const py = y.from + (v - y.lo) / (y.hi - y.lo) * (y.to - y.from);
      svg(s, 'line', {class: 'rule', x1: x.from, x2: x.to, y1: py, y2: py});
      svg(s, 'text', {x: x.from - 6, y: py + 4, 'text-anchor': 'end'}, text);
    }
    svg(s, 'rect', {class: 'edge', x: x.from, y: y.to, width: x.to - x.from, height: y.from - y.to});
    svg(s, 'text', {x: 12, y: (y.from + y.to) / 2, 'text-anchor': 'middle', class: 'axis',
      transform: 'rotate(-90 12 ' + (y.from + y.to) / 2 + ')'}, title(y.panel));
    if (is_last)
      svg(s, 'text', {x: x.to, y: y.from + 30, 'text-anchor': 'end', class: 'axis'},
        (xs.base ? xs.base + ' and ' : '') + title(this.spec.x));
    const g = svg(s, 'g', {'clip-path': 'url(#' + clip + ')'});
    if (this.spec.circle)
      svg(g, 'ellipse', {class: 'edge', cx: this.at(x, 0), cy: this.at(y, 0),
        rx: (x.to - x.from) / (x.hi - x.lo), ry: (y.from - y.to) / (y.hi - y.lo)});
    for (const i of this.shown(y.panel)) i.points ? this.points(g, i, y) : this.line(g, i, y);
    for (const t of this.spec.times || [])
      svg(g, 'line', {class: 'mark', x1: this.at(x, t), x2: this.at(x, t), y1: y.to, y2: y.from,
        stroke: 'var(--bad)', 'stroke-width': 1, 'stroke-opacity': .6});
  }
  /* Of points in the same column of pixels only the first, the least, the
   * largest and the last are drawn: what is seen is the same. */
  line(g, i, y) {
    let d = '', pen = false, col = NaN, first, lo, hi, last;
    const put = (px, py) => { d += (pen ? 'L' : 'M') + px.toFixed(1) + ' ' + py.toFixed(1); pen = true; };
    const flush = () => {
      if (isNaN(col)) return;
      put(col, first);
      if (lo < first || lo < last) put(col, lo);
      if (hi > first || hi > last) put(col, hi);
      if (last !== first) put(col, last);
      col = NaN;
    };
    for (let k = 0; k < i.x.length; k++) {
      const py = finite(i.y[k]) ? this.at(y, i.y[k]) : NaN, px = this.at(this.x, i.x[k]);
      if (isNaN(py) || isNaN(px)) { flush(); pen = false; continue; }
      const c = Math.round(px * 2) / 2, q = Math.max(-1e5, Math.min(1e5, py));
      if (c === col) { lo = Math.min(lo, q); hi = Math.max(hi, q); last = q; continue; }
      flush();
      col = c; first = lo = hi = last = q;
    }
    flush();
    if (d) svg(g, 'path', {class: 'line', d, stroke: colour(i.colour), 'data-name': i.name,
      'stroke-dasharray': i.dash ? '6 4' : 'none'});
  }
  points(g, i, y) {
    for (let k = 0; k < i.x.length; k++) {
      const px = this.at(this.x, i.x[k]), py = finite(i.y[k]) ? this.at(y, i.y[k]) : NaN;
      if (isNaN(px) || isNaN(py)) continue;
      if (i.cross)
        svg(g, 'path', {class: 'point', d: 'M' + (px - 4) + ' ' + (py - 4) + 'l8 8m0-8l-8 8', stroke: colour(i.colour),
          'stroke-width': 1.8, fill: 'none'});
      else
        svg(g, 'circle', {class: 'point', cx: px, cy: py, r: i.size || 4, fill: i.hollow ? 'none' : colour(i.colour),
          stroke: colour(i.colour), 'stroke-width': 1.8});
    }
  }
  /* ---- hands ---- */
  where(e) {
    const r = this.svg.getBoundingClientRect(), k = this.width / r.width;
    return [(e.clientX - r.left) * k, (e.clientY - r.top) * k];
  }
  panelAt(py) { return Math.max(0, this.axes.findIndex(y => py <= y.from + 20)); }
  listen() {
    const s = this.svg;
    s.addEventListener('pointerdown', e => { if (e.button === 0) this.drag = this.where(e); });
    s.addEventListener('pointermove', e => this.move(e));
    s.addEventListener('pointerleave', () => { this.tip.hidden = true; this.over.replaceChildren(); });
    window.addEventListener('pointerup', e => this.drop(e));
    s.addEventListener('dblclick', () => this.reset());
    s.addEventListener('wheel', e => { if (!e.ctrlKey) return; e.preventDefault();
      this.zoom(e.deltaY < 0 ? .7 : 1.4, this.back(this.x, this.where(e)[0])); }, {passive: false});
    s.addEventListener('keydown', e => {
      const f = {'+': () => this.zoom(.5), '-': () => this.zoom(2), '0': () => this.reset(),
        ArrowLeft: () => this.shift(-.2), ArrowRight: () => this.shift(.2)}[e.key];
      if (f) { e.preventDefault(); f(); }
    });
  }
  move(e) {
    const [px, py] = this.where(e);
    this.over.replaceChildren();
    if (this.drag) {
      const [qx, qy] = this.drag, y = this.axes[this.panelAt(qy)], flat = Math.abs(py - qy) < 12;
      svg(this.over, 'rect', {class: 'box', x: Math.min(px, qx), width: Math.abs(px - qx),
        y: flat ? y.to : Math.min(py, qy), height: flat ? y.from - y.to : Math.abs(py - qy)});
      return;
    }
    if (px < this.x.from || px > this.x.to) { this.tip.hidden = true; return; }
    this.say(e, px, py);
  }
  say(e, px, py) {
    const x = this.x, y = this.axes[this.panelAt(py)], unit = y.panel.unit ? ' ' + y.panel.unit : '';
    const list = [];
    let near = null, best = 400;
    for (const i of this.shown(y.panel)) {
      if (i.points) {
        i.x.forEach((v, k) => { const d = (this.at(x, v) - px) ** 2 + (this.at(y, i.y[k]) - py) ** 2;
          if (d < best) { best = d; near = i.labels ? i.labels[k] : i.name + ': ' + number(v) + ', ' + number(i.y[k]); } });
        continue;
      }
      const k = this.nearest(i.x, px);
      if (k >= 0) list.push([i, i.x[k], i.y[k]]);
    }
    if (near) list.unshift(near);
    if (!list.length) { this.tip.hidden = true; return; }
    if (!near) svg(this.over, 'line', {class: 'hair', x1: px, x2: px, y1: this.axes[0].to, y2: this.axes[this.axes.length - 1].from});
    const text = list.map(l => typeof l === 'string' ? l : l[0].name + ': ' + number(l[2]) + unit);
    const head = list.find(l => typeof l !== 'string');
    if (head && !near) text.unshift((this.spec.x.label || 'x') + ' ' + number(head[1]) + (this.spec.x.unit ? ' ' + this.spec.x.unit : ''));
    takt.tip(this.tip, this.box, e, text.join('\n'));
  }
  nearest(xs, px) {
    let lo = 0, hi = xs.length - 1;
    if (hi < 0) return -1;
    while (hi - lo > 1) { const m = (lo + hi) >> 1; if (this.at(this.x, xs[m]) < px) lo = m; else hi = m; }
    return Math.abs(this.at(this.x, xs[lo]) - px) <= Math.abs(this.at(this.x, xs[hi]) - px) ? lo : hi;
  }
  drop(e) {
    if (!this.drag) return;
    const [qx, qy] = this.drag, [px, py] = this.where(e), k = this.panelAt(qy), y = this.axes[k];
    this.drag = null;
    this.over.replaceChildren();
    if (Math.abs(px - qx) < 6) return;
    const v = this.view || {x: null, y: {}}, clamp = p => Math.min(this.x.to, Math.max(this.x.from, p));
    v.x = [this.back(this.x, clamp(Math.min(px, qx))), this.back(this.x, clamp(Math.max(px, qx)))];
    if (Math.abs(py - qy) >= 12) v.y[k] = [this.back(y, Math.max(py, qy)), this.back(y, Math.min(py, qy))];
    this.view = v;
    this.draw();
  }
  zoom(f, about) {
    const {lo, hi} = this.x, c = about === undefined ? (lo + hi) / 2 : about;
    const v = this.view || {x: null, y: {}};
    v.x = [c - (c - lo) * f, c + (hi - c) * f];
    if (this.spec.equal) v.y[0] = [this.axes[0].lo, this.axes[0].hi].map(w => w * f);
    this.view = v;
    this.draw();
  }
  shift(part) { const {lo, hi} = this.x, d = part * (hi - lo), v = this.view || {x: null, y: {}};
    v.x = [lo + d, hi + d]; this.view = v; this.draw(); }
  reset() { this.view = null; this.draw(); }
}
return {
  make, svg, number, colour, finite,
  plot: (box, spec) => new Plot(box, spec),
  /* Beside the cursor, inside of the window. */
  tip(tip, box, e, text) {
    const r = box.getBoundingClientRect();
    tip.textContent = text;
    tip.hidden = false;
    const x = Math.min(e.clientX - r.left + 14, r.width - tip.offsetWidth - 4);
    tip.style.left = Math.max(0, x) + 'px';
    tip.style.top = e.clientY - r.top + 16 + 'px';
  },
  data: id => JSON.parse(document.getElementById(id).textContent)
};
})();
