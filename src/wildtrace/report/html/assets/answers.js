// The list of answers, or of items, that a filter keeps: what stands behind a number.

const ANSWERS_SHOWN = 50;
const list = { filter: {}, found: [], sort: null, descending: false, page: 0 };

function facetChoices() {
  const distinct = (values) => [...new Set(values)].filter(Boolean).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const every = (key) => columns.flatMap((entry) => entry[key].flat());
  return [
    ['model', 'System', models],
    ['tier', 'Tier', distinct(items.map((item) => item.tier))],
    ['geometry', 'Geometry', distinct(items.map((item) => item.geometry))],
    ['family', 'Source family', distinct(items.map((item) => item.source_family))],
    ['zero', 'Counts zero', distinct(every('zero'))],
    ['flag', 'Answer flag', distinct(every('flags'))],
    ['judge_flag', 'Judging flag', distinct(every('judge_flags'))],
  ].filter(([, , choices]) => choices.length);
}

const LISTS = ['model', 'tier', 'geometry', 'family', 'document', 'item', 'zero'];

function chooser([facet, label, choices]) {
  const select = el('select', { id: 'filter-' + facet });
  select.append(el('option', { value: '', text: 'any' }));
  choices.forEach((choice, at) => select.append(show(el('option', { value: String(at), title: meaningOf(choice) }), choice)));
  const chosen = [list.filter[facet]].flat();
  if (chosen.length === 1 && choices.includes(chosen[0])) select.value = String(choices.indexOf(chosen[0]));
  select.addEventListener('change', () => {
    const choice = select.value === '' ? undefined : choices[Number(select.value)];
    narrow(facet, choice !== undefined && LISTS.includes(facet) ? [choice] : choice);
  });
  return el('label', {}, label + ' ', select);
}

function narrow(facet, value) {
  const filter = { ...list.filter };
  if (value === undefined || value === '') delete filter[facet];
  else filter[facet] = value;
  goAnswers(filter, false);
}

function drawTools() {
  const search = el('input', { type: 'search', id: 'filter-text', 'aria-label': 'Words of the question or its id', placeholder: 'Words of the question, or id' });
  search.value = list.filter.text || '';
  search.addEventListener('change', () => narrow('text', search.value.trim()));
  const unit = el('select', { id: 'filter-unit' }, el('option', { value: '', text: 'answers' }), el('option', { value: 'items', text: 'items' }));
  unit.value = list.filter.unit || '';
  unit.addEventListener('change', () => narrow('unit', unit.value));
  document.getElementById('answers-tools').replaceChildren(el('label', {}, 'List ', unit), ...facetChoices().map(chooser), search);
}

const FILTER_WORDS = {
  model: 'system', zero: 'counts zero', flag: 'answer flag', judge_flag: 'judging flag', judge: 'scored by', scored: 'scored by the full panel',
  every_judge: 'scored by every judge', complete: 'systems that have an All', top: 'best systems', unit: 'list', text: 'words',
};

function drawKept() {
  const chips = Object.entries(list.filter).filter(([facet]) => facet !== 'criterion').map(([facet, value]) => {
    const shown = value === true ? '' : ': ' + [value].flat().join(', ');
    const label = (FILTER_WORDS[facet] || facet) + shown;
    return button(label + ' ×', () => narrow(facet, undefined), { class: 'chip', 'aria-label': 'Remove the filter ' + label });
  });
  if (chips.length > 1) chips.push(button('clear all', () => goAnswers({}, false), { class: 'chip' }));
  document.getElementById('answers-kept').replaceChildren(...chips);
}

function summaryOf(found) {
  const words = (label, value) => `${label} ${points(value)}`;
  if (list.filter.unit === 'items') return `${counted(found.length, 'item')}; mean over systems that have an All ${points(mean(found.map(itemMean)))}.`;
  const judged = found.filter((cell) => column(cell, 'zero') === null).map((cell) => column(cell, 'score'));
  const asked = new Set(found.map(itemOf)).size;
  const one = list.filter.judge;
  const byOne = one ? [words(`mean by ${one}`, mean(found.map((cell) => judgeScore(cell, judgePlace.get(one)))))] : [];
  const means = [words('mean as in All (zeros filled in)', mean(found.map(allScore))), words('mean of judged answers', mean(judged)), ...byOne];
  return `${counted(found.length, 'answer')} to ${counted(asked, 'item')}; ${means.join(', ')} points.`;
}

function answerColumns() {
  const item = (cell) => items[itemOf(cell)];
  return [
    ['item', (cell) => item(cell).question_id],
    ['system', (cell) => models[modelOf(cell)]],
    ['tier', (cell) => item(cell).tier],
    ['geometry', (cell) => item(cell).geometry],
    ['family', (cell) => item(cell).source_family],
    ['score', allScore, true],
    ...judges.map((judge, at) => [judge, (cell) => judgeScore(cell, at), true]),
    ['remark', (cell) => remarks(cell).join(', '), false, (cell) => explained(remarks(cell))],
  ];
}

function itemColumns() {
  return [
    ['item', (at) => items[at].question_id],
    ['tier', (at) => items[at].tier],
    ['geometry', (at) => items[at].geometry],
    ['family', (at) => items[at].source_family],
    ['document', (at) => items[at].source_id],
    ['mean over systems', itemMean, true],
    ['question', (at) => items[at].question],
  ];
}

const unitIsItems = () => list.filter.unit === 'items';

function sorted(found, columnsOfList) {
  if (list.sort === null) return found;
  const [, value, numeric] = columnsOfList[list.sort];
  const sign = list.descending ? -1 : 1;
  const compare = numeric
    ? (a, b) => (a === null) - (b === null) || sign * (a - b)
    : (a, b) => sign * String(a).localeCompare(String(b), 'en', { numeric: true });
  return found.map((entry) => [value(entry), entry]).sort((a, b) => compare(a[0], b[0])).map((pair) => pair[1]);
}

function listHeader([label, , numeric], at) {
  const order = list.sort === at ? (list.descending ? 'descending' : 'ascending') : 'none';
  const sort = () => {
    list.descending = list.sort === at ? !list.descending : false;
    list.sort = at;
    list.page = 0;
    drawList();
    document.querySelectorAll('#answers-list thead button')[at].focus();
  };
  return el('th', { scope: 'col', 'aria-sort': order, class: numeric ? 'number' : 'short' }, button(label, sort, { class: 'sort' }));
}

function listRow(entry, columnsOfList) {
  const open = () => goItem(unitIsItems() ? { item: items[entry].question_id } : { item: items[itemOf(entry)].question_id, model: models[modelOf(entry)] });
  const boxes = columnsOfList.map(([, value, numeric, parts], at) => {
    const text = numeric ? points(value(entry)) : String(value(entry));
    if (at === 0) return el('th', { scope: 'row' }, button(text, open, { class: 'cell' }));
    if (parts) return el('td', {}, ...parts(entry));
    return el('td', { class: numeric ? 'number' : text.length <= SHORT_TEXT && 'short' }, name(text.length > 160 ? text.slice(0, 160) + '…' : text));
  });
  const line = el('tr', { class: 'opens' }, ...boxes);
  line.addEventListener('click', (event) => event.target.closest('button') || open());
  return line;
}

function drawList() {
  const columnsOfList = unitIsItems() ? itemColumns() : answerColumns();
  const ordered = (list.ordered = sorted(list.found, columnsOfList));
  const from = list.page * ANSWERS_SHOWN;
  const grid = el('table', { 'aria-labelledby': 'answers-title' },
    el('thead', {}, el('tr', {}, ...columnsOfList.map(listHeader))),
    el('tbody', {}, ...ordered.slice(from, from + ANSWERS_SHOWN).map((entry) => listRow(entry, columnsOfList))));
  const turn = (step) => () => {
    list.page += step;
    drawList();
  };
  const last = Math.min(from + ANSWERS_SHOWN, ordered.length);
  const foot = el('p', { class: 'pager' }, `${ordered.length ? from + 1 : 0} to ${last} of ${ordered.length.toLocaleString('en')} `,
    button('Previous', turn(-1), { disabled: list.page === 0 }), ' ', button('Next', turn(1), { disabled: last >= ordered.length }));
  document.getElementById('answers-list').replaceChildren(el('div', { class: 'scroll' }, grid), foot);
}

async function showAnswers(filter) {
  await loadCells();
  if (filter.unit !== list.filter.unit) list.sort = null;
  Object.assign(list, { filter, page: 0, found: filter.unit === 'items' ? keptItems(filter) : keptAnswers(filter) });
  drawTools();
  drawKept();
  document.getElementById('answers-summary').replaceChildren(name(summaryOf(list.found)));
  drawList();
}
