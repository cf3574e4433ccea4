// The charts: drawn when they come into view, with a legend of buttons; a mark leads to what stands behind it.

const charts = [];

// A text as charts show it. The chart library takes a name that every object has (`constructor`) for that property
// when it orders by it; a space behind it makes it another name.
function drawn(text) {
  const shown = plain(text);
  return shown in {} ? shown + ' ' : shown;
}

// Every string of a specification as it is shown: names in data stand in domains and orders too. What leads to a mark's
// answers keeps the names as they are.
function drawnDeep(value) {
  if (typeof value === 'string') return drawn(value);
  if (Array.isArray(value)) return value.map(drawnDeep);
  if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, key === 'drill' ? entry : drawnDeep(entry)]));
  return value;
}

function tip(_, event, __, value) {
  const box = document.getElementById('tip');
  box.hidden = !value;
  if (!value) return;
  const lines = Object.entries(value).map(([key, entry]) => el('div', {}, el('b', { text: key + ' ' }), String(entry)));
  box.replaceChildren(...lines);
  const left = Math.min(event.clientX + 14, window.innerWidth - box.offsetWidth - 8);
  const top = Math.min(event.clientY + 14, window.innerHeight - box.offsetHeight - 8);
  box.style.left = `${Math.max(0, left)}px`;
  box.style.top = `${Math.max(0, top)}px`;
}

// What a mark of the entry looks like: its shape, or its line with its pattern.
function swatch({ color, dash, shape }) {
  const space = 'http://www.w3.org/2000/svg';
  const picture = document.createElementNS(space, 'svg');
  const mark = document.createElementNS(space, 'path');
  picture.setAttribute('class', 'swatch');
  picture.setAttribute('viewBox', '-13 -5 26 10');
  picture.setAttribute('aria-hidden', 'true');
  mark.setAttribute('d', shape || 'M-13,0H13');
  if (shape) mark.setAttribute('transform', 'scale(4)');
  mark.style.fill = shape ? color : 'none';
  mark.style.stroke = shape ? 'none' : color;
  mark.style.strokeWidth = 2.5;
  if (dash) mark.style.strokeDasharray = dash.join(' ');
  picture.append(mark);
  return picture;
}

function chartLegend(chart) {
  const { legend } = chart;
  const emphasised = new Set(legend.emphasised);
  const buttons = [];
  const draw = () => {
    legend.entries.forEach((entry, at) => buttons[at].setAttribute('aria-pressed', String(emphasised.has(entry.name))));
    chart.emphasised = legend.entries.map((entry) => entry.name).filter((label) => emphasised.has(label));
    if (chart.view) chart.view.signal('emphasised', chart.emphasised.map(drawn)).runAsync();
  };
  const all = (on) => () => {
    legend.entries.forEach((entry) => (on ? emphasised.add(entry.name) : emphasised.delete(entry.name)));
    draw();
  };
  for (const entry of legend.entries) {
    const press = () => {
      if (!emphasised.delete(entry.name)) emphasised.add(entry.name);
      draw();
    };
    buttons.push(el('button', { type: 'button', class: 'entry', click: press }, swatch(entry), name(entry.name)));
  }
  draw();
  return el('div', { class: 'legend', role: 'group', 'aria-label': `${legend.title}: press to emphasise or fade` },
    ...buttons, button('all', all(true), { class: 'screen' }), button('none', all(false), { class: 'screen' }));
}

function figureOf(figure) {
  const caption = show(el('figcaption'), figure.caption);
  const box = el('div', { class: 'chart' });
  const chart = { ...figure, box, view: null, drawing: null };
  charts.push(chart);
  const legend = figure.legend ? chartLegend(chart) : '';
  return el('figure', { id: 'figure-' + figure.name }, caption, el('div', { class: 'drawing' }, box, legend));
}

async function drawChart(chart) {
  const options = { ast: true, renderer: 'svg', actions: false, defaultStyle: false, tooltip: tip };
  try {
    const { view } = await window.vegaEmbed(chart.box, drawnDeep(chart.spec), options);
    chart.view = view;
    view.addEventListener('click', (_, mark) => {
      const drill = mark && mark.datum && mark.datum.drill;
      if (drill && items.length) goAnswers(drill);
    });
    if (chart.emphasised) await view.signal('emphasised', chart.emphasised.map(drawn)).runAsync();
  } catch (error) {
    chart.box.replaceChildren(show(el('p', { class: 'hint' }), 'This chart could not be drawn: ' + error.message));
  }
}

const drawOnce = (chart) => (chart.drawing = chart.drawing || drawChart(chart));

// Those in view at once, the others when the browser has time, so that all are there when the page is printed.
function watchCharts() {
  const watcher = new IntersectionObserver((entries) => {
    entries.filter((entry) => entry.isIntersecting).forEach((entry) => drawOnce(charts.find((chart) => chart.box === entry.target)));
  }, { rootMargin: '400px' });
  charts.forEach((chart) => watcher.observe(chart.box));
  const rest = async () => {
    for (const chart of charts) {
      await drawOnce(chart);
      await new Promise((done) => setTimeout(done));
    }
    document.body.dataset.charts = 'drawn';
  };
  (window.requestIdleCallback || setTimeout)(rest);
}
