// The tables: sorted by a header, filtered by a text, and every cell a way to what stands behind it.

const ROWS_SHOWN = 60;
const ROWS_PRINTED = 5000; // a sheet has no button to the next rows
const FILTER_FROM = 9;
const SHORT_HEADER = 14;
const SHORT_TEXT = 24;
const COLUMNS_ON_PAPER = 40;

const cellText = (cell) => (typeof cell === 'string' ? cell : cell[0]);
const cellNumber = (cell) => (typeof cell === 'string' ? null : cell[1]);

// Numbers by size, texts by letters; what is missing comes last, whichever way.
function byColumn(at, descending) {
  return (left, right) => {
    const [a, b] = [left.cells[at], right.cells[at]];
    const [x, y] = [cellNumber(a), cellNumber(b)];
    const numeric = typeof a !== 'string' && typeof b !== 'string';
    if (numeric && (x === null || y === null)) return (x === null) - (y === null);
    const order = numeric ? x - y : cellText(a).localeCompare(cellText(b), 'en', { numeric: true });
    return descending ? -order : order;
  };
}

function drillOf(table, row, columnAt) {
  return { ...table.filter, ...row.filter, ...table.columns[columnAt].filter };
}

function tableCell(table, row, at) {
  const cell = row.cells[at];
  const missing = typeof cell !== 'string' && cell[1] === null;
  const reason = missing ? cell[2] : null;
  const box = el(at === 0 ? 'th' : 'td', { scope: at === 0 ? 'row' : null, class: table.columns[at].numeric ? 'number' : cellText(cell).length <= SHORT_TEXT && 'short' });
  const label = reason ? cellText(cell) + ': ' + reason : null;
  if (!items.length || table.filter === null || table.columns[at].filter === null || !cellText(cell)) {
    box.append(show(el('span', { title: reason, 'aria-label': label }), cellText(cell)));
    return box;
  }
  const open = () => goAnswers(drillOf(table, row, at));
  box.append(button(cellText(cell), open, { class: 'cell', tabindex: -1, title: reason, 'aria-label': label }));
  return box;
}

// One stop of the Tab key for a whole table; the arrow keys move within.
function arrowKeys(grid) {
  const first = grid.querySelector('tbody button');
  if (first) first.tabIndex = 0;
  grid.onkeydown = (event) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    const box = event.target.closest('tbody th, tbody td');
    if (!step || !box) return;
    const line = box.parentElement.parentElement.rows[box.parentElement.sectionRowIndex + step[0]];
    const next = line && line.cells[box.cellIndex + step[1]] && line.cells[box.cellIndex + step[1]].querySelector('button');
    if (!next) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  };
}

function headerCell(view, at) {
  const { header, unit, about, numeric } = view.table.columns[at];
  const sorted = view.sort === at ? (view.descending ? 'descending' : 'ascending') : 'none';
  const sort = () => {
    view.descending = view.sort === at ? !view.descending : numeric;
    view.sort = at;
    view.page = 0;
    view.draw();
    view.grid.querySelectorAll('thead button')[at].focus();
  };
  const classes = [numeric && 'number', header.length <= SHORT_HEADER && 'short'].filter(Boolean).join(' ');
  const box = el('th', { scope: 'col', 'aria-sort': sorted, class: classes || null });
  // Browsers do not repeat buttons with a table's head on the next sheet.
  box.append(button(header, sort, { class: 'sort', title: about || null }), show(el('span', { class: 'paper' }), header));
  if (unit) box.append(show(el('span', { class: unit.length <= SHORT_HEADER ? 'unit short' : 'unit' }), unit));
  return box;
}

function pager(view, count) {
  const pages = Math.ceil(count / ROWS_SHOWN);
  if (pages < 2) return '';
  const turn = (step) => () => {
    view.page += step;
    view.draw();
  };
  const from = view.page * ROWS_SHOWN;
  const words = `Rows ${from + 1} to ${Math.min(from + ROWS_SHOWN, count)} of ${count.toLocaleString('en')} `;
  return el('p', { class: 'pager' }, words,
    button('Previous', turn(-1), { disabled: view.page === 0 }), ' ',
    button('Next', turn(1), { disabled: view.page >= pages - 1 }));
}

function drawTable(view) {
  const { table } = view;
  const wanted = view.text.toLowerCase();
  let rows = table.rows.filter((row) => !wanted || row.cells.some((cell) => cellText(cell).toLowerCase().includes(wanted)));
  if (view.sort !== null) rows = [...rows].sort(byColumn(view.sort, view.descending));
  const from = view.printed ? 0 : view.page * ROWS_SHOWN;
  const shown = rows.slice(from, from + (view.printed ? ROWS_PRINTED : ROWS_SHOWN));
  const head = el('tr', {}, ...table.columns.map((_, at) => headerCell(view, at)));
  const lines = shown.map((row) => {
    const line = el('tr', { class: row.strong ? 'strong' : null });
    line.append(...row.cells.map((_, at) => tableCell(table, row, at)));
    return line;
  });
  view.grid.replaceChildren(el('thead', {}, head), el('tbody', {}, ...lines));
  view.foot.replaceChildren(view.printed ? '' : pager(view, rows.length), rows.length ? '' : el('p', { class: 'hint', text: 'No row.' }));
  arrowKeys(view.grid);
}

// What the columns are, a line for each explanation.
function columnNotes(table) {
  const headers = new Map();
  for (const { about, header } of table.columns) {
    if (about) headers.set(about, [...(headers.get(about) || []), header]);
  }
  // An explanation that begins with its header does not say it twice.
  return [...headers].map(([about, named]) => `${named.join(', ')}: ${about.startsWith(`${named} `) ? about.slice(named[0].length + 1) : about}.`);
}

function tableNotes(table) {
  const gaps = new Set(table.rows.flatMap((row) => row.cells.filter((cell) => cell[1] === null && cell[2]).map((cell) => cell[2])));
  const all = [...table.notes, ...columnNotes(table), ...[...gaps].map((reason) => '– ' + reason + '.')];
  return el('ul', { class: 'notes' }, ...all.map((note) => show(el('li'), note)));
}

function tableSection(table, figures) {
  const heading = el('h2', { id: table.name + '-title', tabindex: -1 });
  show(heading, table.title);
  if (table.n !== null) heading.append(el('span', { class: 'n', text: ` n = ${[table.n.toLocaleString('en'), table.counted].join(' ').trim()}` }));
  const section = el('section', { id: table.name, 'aria-labelledby': table.name + '-title' }, heading, ...figures);
  if (table.rows.length) section.append(...tableView(table));
  section.append(tableNotes(table));
  section.className = paperClass(table.columns.length);
  if (table.columns.length > COLUMNS_ON_PAPER) section.append(el('p', { class: 'paper', text: tooWide(table) }));
  return section;
}

// How much must be done for a table of so many columns to fit on a sheet.
function paperClass(count) {
  if (count > COLUMNS_ON_PAPER) return 'columns-most';
  if (count > 26) return 'columns-many columns-more';
  return count > 12 ? 'columns-many' : '';
}

const tooWide = (table) => `${table.columns.length} columns do not fit on paper; the table stands in tables/${table.name}.csv.`;

// On paper a table has all its rows.
function printWhole(view) {
  const redraw = (printed) => () => {
    view.printed = printed;
    view.draw();
  };
  window.addEventListener('beforeprint', redraw(true));
  window.addEventListener('afterprint', redraw(false));
}

function tableView(table) {
  const grid = el('table', { 'aria-labelledby': table.name + '-title' });
  const view = { table, grid, foot: el('div'), text: '', sort: null, descending: false, page: 0 };
  view.draw = () => drawTable(view);
  view.draw();
  if (table.rows.length > ROWS_SHOWN) printWhole(view);
  const parts = [el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-labelledby': table.name + '-title' }, grid), view.foot];
  if (table.rows.length < FILTER_FROM) return parts;
  const input = el('input', { type: 'search', 'aria-label': 'Filter the rows of ' + table.title, placeholder: 'Filter rows' });
  input.addEventListener('input', () => {
    view.text = input.value;
    view.page = 0;
    view.draw();
  });
  return [el('p', { class: 'screen' }, input), ...parts];
}
