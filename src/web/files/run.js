/* run.js - the page of takt run: figures, curves, histograms, parameters,
 * orders. What the server says is in run/page.h. */
'use strict';
(() => {
const KEEP = 40000, SHOWN = 60, MARKS = 200;
const $ = id => document.getElementById(id), {make, number} = takt;
const token = new URLSearchParams(location.hash.slice(1)).get('token');
const say = (text, bad) => { $('said').textContent = text; $('said').className = bad ? 'bad' : 'good'; };

/* ---- orders ---- */
async function order(text) {
  try {
    const r = await fetch('order', {method: 'POST', body: text, headers: {'X-Takt-Token': token || ''}});
    const answer = (await r.text()).trim();
    say(text + ': ' + answer, !r.ok);
    return r.ok;
  } catch (e) { say(text + ': the run does not answer', true); return false; }
}
for (const b of document.querySelectorAll('[data-order]')) {
  b.disabled = !token;
  b.onclick = () => order(b.dataset.order === 'step' ? 'step ' + ($('count').value || 1) : b.dataset.order);
}
if (!token) say('only to look at: the address that takt printed has the token for orders', true);

/* ---- figures ---- */
const us = v => number(+(v / 1e3).toPrecision(4));
const figures = [['time', 'time of the model', 's', e => number(+e.time.toFixed(4))], ['steps', 'steps', '', e => e.steps],
  ['work', 'last step', '\u00b5s', e => us(e.work)], ['longest', 'longest step', '\u00b5s', e => us(e.longest)],
  ['late', 'woken late', '\u00b5s', e => us(e.late)], ['overruns', 'overruns', '', e => e.overruns],
  ['skipped', 'skipped ticks', '', e => e.skipped]];
const cell = {};
for (const [key, title, unit] of figures) {
  const box = make($('figures'), 'div');
  make(box, 'dt', {}, unit ? title + ', ' + unit : title);
  cell[key] = make(box, 'dd', {id: 'figure-' + key}, '-');
}

/* ---- curves ---- */
let model, source, plot, chosen = [], times = [], lines = [], marks = [], held = false, dirty = true;
const colours = new Map();
/* A signal keeps its colour while it is chosen. */
function colourOf(i) {
  for (let c = 0; !colours.has(i); c++) if (c > 15 || ![...colours.values()].includes(c)) colours.set(i, c);
  return colours.get(i);
}
function choose(list) {
  const old = new Map(chosen.map((i, k) => [i, lines[k]]));
  for (const i of colours.keys()) if (!list.includes(i)) colours.delete(i);
  lines = list.map(i => old.get(i) || times.map(() => null));
  chosen = list;
  $('chosen').textContent = chosen.length;
  for (const box of $('signals').querySelectorAll('input'))
    box.disabled = !box.checked && chosen.length >= model.most;
  plot = null;
  $('plot').replaceChildren();
  listen();
  dirty = true;
}
function spec() {
  const span = +$('span').value, end = times[times.length - 1] || 0;
  let from = 0;
  if (!plot || !plot.view) {
    let hi = times.length;
    while (from < hi) { const m = (from + hi) >> 1; if (times[m] < end - span) from = m + 1; else hi = m; }
  }
  const x = times.slice(from), panels = new Map();
  chosen.forEach((i, k) => {
    const unit = model.units[i];
    if (!panels.has(unit)) panels.set(unit, {label: '', unit, items: []});
    panels.get(unit).items.push({name: model.names[i], colour: colourOf(i), x, y: lines[k].slice(from)});
  });
  return {x: {label: 'time', unit: 's'}, panels: [...panels.values()], times: marks.filter(t => t >= (x[0] || 0)),
    height: panels.size > 1 ? 170 : 260};
}
function draw() {
  if (!dirty || held || !model) return;
  dirty = false;
  const s = spec();
  if (!s.panels.length) { $('plot').replaceChildren(); plot = null; return; }
  if (!plot) { $('plot').replaceChildren(); plot = takt.plot($('plot'), s); } else { plot.spec = s; plot.draw(); }
}
function take(e) {
  for (const [key, , , text] of figures) cell[key].textContent = text(e);
  for (const key of ['overruns', 'skipped']) cell[key].parentNode.classList.toggle('bad', e[key] > 0);
  state(e.paused ? 'paused' : 'running');
  if (e.histograms) histograms(e.histograms);
  if (e.parameters) present(e.parameters);
  const first = e.rows.length ? e.rows[0][0] : e.time;
  if (times.length && first < times[times.length - 1]) { times = []; marks = []; lines = chosen.map(() => []); }
  for (const r of e.rows) { times.push(r[0]); lines.forEach((l, k) => l.push(r[k + 1])); }
  if (times.length > KEEP) { const n = times.length - KEEP * .8; times.splice(0, n); for (const l of lines) l.splice(0, n); }
  marks.push(...e.overran);
  if (marks.length > MARKS) marks.splice(0, marks.length - MARKS);
  $('note').textContent = (e.stride > 1 ? 'one step of ' + e.stride + ' is drawn' : 'every step is drawn') +
    (marks.length ? '; overruns are marked in red' : '') + (e.missed ? '; ' + e.missed + ' steps were missed' : '');
  dirty = dirty || e.rows.length > 0;
}
$('freeze').onclick = () => { held = !held; $('freeze').setAttribute('aria-pressed', held);
  $('freeze').textContent = held ? 'go on' : 'hold the picture'; dirty = true; };
$('span').onchange = () => { if (plot) plot.view = null; dirty = true; };
setInterval(() => requestAnimationFrame(draw), 100);

/* ---- histograms ---- */
const bars = {};
function staircase(list) {
  const x = [], y = [];
  let end = null;
  for (const [lo, hi, n] of list) {
    if (end !== null && lo > end * 1.001) { x.push(end, lo); y.push(.5, .5); }
    x.push(Math.max(lo, .01), Math.max(hi, .01)); y.push(n, n); end = hi;
  }
  return {x: x.length ? [x[0], ...x, x[x.length - 1]] : [], y: y.length ? [.5, ...y, .5] : []};
}
function histograms(h) {
  for (const key of ['late', 'work']) {
    const s = staircase(h[key]);
    const spec = {x: {label: 'time', unit: '\u00b5s', log: true}, height: 170, times: model.deadline ? [model.deadline * 1e6] : [],
      panels: [{label: 'ticks', unit: '', log: true, items: [{name: key === 'late' ? 'woken late' : 'a step', colour: 0, ...s}]}]};
    if (!s.x.length || held) continue;
    if (!bars[key]) bars[key] = takt.plot($(key + '-plot'), spec);
    else { bars[key].spec = spec; bars[key].draw(); }
  }
}

/* ---- parameters ---- */
const rows = [];
function addParameter(p) {
  const tr = make($('parameters'), 'tr', {'data-parameter': p.name});
  make(tr, 'td', {class: 't mono'}, p.name);
  const now = make(tr, 'td', {class: 'now'}, '-'), cellOf = make(tr, 'td');
  const field = make(cellOf, 'input', {type: 'number', step: p.whole ? 1 : 'any', 'aria-label': 'new value of ' + p.name});
  if ('min' in p) field.min = p.min;
  if ('max' in p) field.max = p.max;
  make(tr, 'td', {class: 't'}, p.unit);
  make(tr, 'td', {}, 'min' in p ? number(p.min) : '');
  make(tr, 'td', {}, 'max' in p ? number(p.max) : '');
  const b = make(make(tr, 'td'), 'button', {type: 'button'}, 'set');
  b.disabled = field.disabled = !token;
  const name = /\s/.test(p.name) ? '"' + p.name + '"' : p.name;
  const set = () => { if (field.value === '' || !field.checkValidity()) say(p.name + ': ' +
    (field.validationMessage || 'a value is needed'), true); else order('set ' + name + ' ' + field.value); };
  b.onclick = set;
  field.onkeydown = e => { if (e.key === 'Enter') set(); };
  rows.push({tr, now, name: p.name.toLowerCase()});
}
function present(values) { values.forEach((v, i) => { rows[i].now.textContent = number(v); }); }
function search() {
  const q = $('parameter-search').value.toLowerCase();
  let n = 0, all = 0;
  for (const r of rows) { const hit = r.name.includes(q); all += hit; r.tr.hidden = !hit || ++n > SHOWN; }
  $('parameter-note').textContent = all > SHOWN ? SHOWN + ' of ' + all + ' are shown' :
    rows.length ? '' : 'the model has none that can be changed';
}
$('parameter-search').oninput = search;

/* ---- the run ---- */
const state = word => { $('state').textContent = model.method + ', step ' + number(model.step * 1e3) + ' ms' +
  (model.period ? ', a tick every ' + number(model.period * 1e3) + ' ms' : ', as fast as possible') + ': ' + word; };
function listen() {
  if (source) source.close();
  source = new EventSource('events?signals=' + chosen.join(','));
  source.onmessage = e => take(JSON.parse(e.data));
  source.addEventListener('end', e => { take(JSON.parse(e.data)); gone('ended'); });
  source.onerror = () => gone('the run is gone');
}
function gone(word) {
  source.close();
  state(word);
  for (const b of document.querySelectorAll('#orders button, #tuning button')) b.disabled = true;
}
fetch('model').then(r => r.json()).then(m => {
  model = m;
  document.title = m.model + ' \u2013 takt run';
  document.querySelector('h1').textContent = m.model;
  $('offered').textContent = m.names.length;
  m.names.forEach((name, i) => {
    const label = make($('signals'), 'label', {}), box = make(label, 'input', {type: 'checkbox', 'data-signal': name});
    box.checked = i < 4;
    label.append(' ' + name + (m.units[i] ? ' in ' + m.units[i] : ''));
    box.onchange = () => choose(box.checked ? [...chosen, i] : chosen.filter(k => k !== i));
  });
  $('signal-search').oninput = () => { const q = $('signal-search').value.toLowerCase();
    for (const l of $('signals').children) l.hidden = !l.textContent.toLowerCase().includes(q); };
  m.parameters.forEach(addParameter);
  search();
  choose(m.names.map((n, i) => i).slice(0, 4));
}).catch(() => { $('state').textContent = 'the run is gone'; });
})();
