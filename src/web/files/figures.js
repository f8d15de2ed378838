/* figures.js - draws what a page holds: <figure data-kind='plot'> with its
 * data in a <script type='application/json'>. */
'use strict';
takt.kinds = {plot: (box, spec) => takt.plot(box, spec), grid: (box, spec) => takt.grid(box, spec),
  loops: (box, spec) => takt.loops(box, spec), choice: (box, spec) => takt.choice(box, spec)};
/* One of several plots at a time: samples of a spectrum. */
takt.choice = (box, spec) => {
  const bar = takt.make(box, 'div', {class: 'bar'});
  const label = takt.make(bar, 'label', {}, spec.label + ' ');
  const select = takt.make(label, 'select', {});
  spec.plots.forEach((p, k) => takt.make(select, 'option', {value: k}, p.name));
  const plot = takt.plot(takt.make(box, 'div', {}), spec.plots[0].spec);
  select.onchange = () => { plot.spec = spec.plots[select.value].spec; plot.view = null; plot.draw(); };
};
for (const f of document.querySelectorAll('figure[data-kind]')) {
  const data = f.querySelector('script');
  takt.kinds[f.dataset.kind](takt.make(f, 'div', {style: 'position:relative'}), JSON.parse(data.textContent));
}
/* A table with a field to search in. */
for (const field of document.querySelectorAll('input[data-search]')) {
  const rows = document.querySelectorAll('#' + field.dataset.search + ' tbody tr');
  field.oninput = () => { const q = field.value.toLowerCase();
    for (const r of rows) r.hidden = q !== '' && !r.textContent.toLowerCase().includes(q); };
}
