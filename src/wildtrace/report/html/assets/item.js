// One item: question, the answer of a system, each judge's points and reply, the rubric, and the hidden part.

const records = new Map();
const dialog = document.getElementById('item');

async function recordOf(at) {
  if (!records.has(at)) records.set(at, await unpack('i' + at));
  return records.get(at);
}

function part(title, ...content) {
  return el('section', {}, el('h3', { text: title }), ...content);
}

function folded(title, ...content) {
  return el('details', {}, show(el('summary'), title), ...content);
}

const number = (value) => (value === null || value === undefined ? '–' : String(Math.round(value * 1e4) / 1e4));

// The rubric with every judge's points beside it; only the points that a judge gave for as many criteria stand there.
function rubricTable(record, answer, pointed) {
  const given = Object.entries(answer ? answer.judges : {});
  const fits = (entry) => (entry.points_awarded && entry.points_awarded.length === record.rubric.length ? entry.points_awarded : null);
  const head = ['criterion', 'points'].map((label) => el('th', { scope: 'col', text: label }));
  const heads = given.map(([judge]) => el('th', { scope: 'col', class: 'number' }, name(judge)));
  const lines = record.rubric.map((criterion, at) => {
    const words = el('th', { scope: 'row' }, el('b', {}, name(criterion.id)), ' ', name(criterion.criterion || ''));
    if (criterion.spans && criterion.spans.length) words.append(show(el('span', { class: 'unit' }), 'rests on ' + criterion.spans.join(', ')));
    const awarded = given.map(([, entry]) => el('td', { class: 'number', text: fits(entry) ? number(fits(entry)[at]) : '–' }));
    return el('tr', { class: criterion.id === pointed ? 'strong' : null }, words, el('td', { class: 'number', text: number(criterion.points) }), ...awarded);
  });
  const total = given.map(([, entry]) => el('td', { class: 'number', text: number(entry.total ?? (entry.score === undefined ? null : 100 * entry.score)) }));
  const sum = record.rubric.reduce((all, criterion) => all + criterion.points, 0);
  const foot = el('tr', {}, el('th', { scope: 'row', text: 'total' }), el('td', { class: 'number', text: number(sum) }), ...total);
  return el('div', { class: 'scroll' }, el('table', {}, el('thead', {}, el('tr', {}, ...head, ...heads)), el('tbody', {}, ...lines), el('tfoot', {}, foot)));
}

function judgeReply([judge, entry]) {
  const verdict = entry.error ? `no usable reply: ${entry.error}` : `${points(entry.score)} points`;
  const flags = entry.flags && entry.flags.length ? ` (${entry.flags.join(', ')})` : '';
  const reply = entry.reply ? prose(entry.reply) : el('p', { class: 'hint', text: 'The reply is not in this report.' });
  return folded(`${judge}: ${verdict}${flags}`, reply);
}

function answerPart(record, answer, model) {
  if (!answer) return part('Answer', el('p', { class: 'hint', text: 'This system has no answer to the item.' }));
  const cell = modelPlace.get(model) * items.length + itemPlace.get(record.question_id);
  const facts = [`status ${answer.status}`, answer.reason && `reason ${answer.reason}`, zeroReason(cell) && 'counts zero in All',
    `score ${points(allScore(cell))}`, answer.chars !== null && answer.chars !== undefined && counted(answer.chars, 'character'),
    answer.flags.length && `flags ${answer.flags.join(', ')}`];
  const absent = payload.answers === 'none' ? 'Answers were left out of this report.' : 'The text of the answer is not in this report.';
  const text = answer.response ? prose(answer.response) : el('p', { class: 'hint', text: absent });
  return part('Answer', show(el('p', { class: 'facts' }), facts.filter(Boolean).join(' · ')), text,
    ...(answer.reasoning ? [folded('Reasoning that was kept apart', prose(answer.reasoning))] : []));
}

function hiddenPart(record) {
  const clues = (record.clues || []).map((clue) => {
    const place = clue.start === null || clue.start === undefined ? '' : ` [${clue.start}, ${clue.end})`;
    return el('li', {}, el('b', {}, name(clue.span_id)), ' ', name(clue.role || ''), show(el('span', { class: 'unit' }), place), prose(clue.quote));
  });
  const edges = (record.edges || []).map((edge) => el('li', {}, name(`${edge.from} → ${edge.to}: ${edge.type}`)));
  return [
    record.reference_answer ? folded('Reference answer', prose(record.reference_answer)) : '',
    record.key_facts && record.key_facts.length ? folded('Key facts', el('ol', {}, ...record.key_facts.map((fact) => show(el('li'), fact)))) : '',
    clues.length ? folded(`Clues (${clues.length}) and relations`, el('ol', {}, ...clues), el('ul', {}, ...edges)) : '',
  ];
}

function everySystem(record) {
  const at = itemPlace.get(record.question_id);
  const lines = models.map((model, place) => {
    const cell = place * items.length + at;
    const open = () => goItem({ item: record.question_id, model });
    return el('tr', {}, el('th', { scope: 'row' }, button(model, open, { class: 'cell' })), el('td', { class: 'number', text: points(allScore(cell)) }),
      ...judges.map((_, judge) => el('td', { class: 'number', text: points(judgeScore(cell, judge)) })), el('td', {}, ...explained(remarks(cell))));
  });
  const heads = ['system', 'score', ...judges, 'remark'].map((label) => el('th', { scope: 'col' }, name(label)));
  return el('div', { class: 'scroll' }, el('table', {}, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...lines)));
}

// The answer before and after this one in the list that it was opened from.
function neighbours(state) {
  const entries = list.ordered || [];
  const key = unitIsItems() ? itemPlace.get(state.item) : modelPlace.get(state.model) * items.length + itemPlace.get(state.item);
  const at = entries.indexOf(key);
  const to = (step) => () => {
    const entry = entries[at + step];
    const item = items[unitIsItems() ? entry : itemOf(entry)].question_id;
    goItem(unitIsItems() ? { item, model: state.model } : { item, model: models[modelOf(entry)] });
  };
  return [button('Previous', to(-1), { disabled: at < 1 }), button('Next', to(1), { disabled: at < 0 || at + 1 >= entries.length })];
}

function systemChooser(state) {
  const select = el('select', { 'aria-label': 'System' }, el('option', { value: '', text: 'all systems' }));
  models.forEach((model, at) => select.append(show(el('option', { value: String(at) }), model)));
  if (modelPlace.has(state.model)) select.value = String(modelPlace.get(state.model));
  select.addEventListener('change', () => goItem({ ...state, model: select.value === '' ? undefined : models[Number(select.value)] }));
  return select;
}

async function showItem(state) {
  const at = itemPlace.get(state.item);
  if (at === undefined) return;
  await loadCells();
  const record = await recordOf(at);
  const answer = record.answers.find((entry) => entry.model === state.model);
  const facts = [record.tier, record.geometry, record.source_family, record.source_id].filter(Boolean).join(' · ');
  const title = el('h2', { id: 'item-title', tabindex: -1 }, 'Item ', name(record.question_id));
  const close = button('Close', () => dialog.close(), { class: 'close' });
  const parts = [part('Question', prose(record.question || 'The question is not in the data.'))];
  if (state.model === undefined) parts.push(part('Every system', everySystem(record)));
  else parts.push(answerPart(record, answer, state.model));
  if (record.rubric) parts.push(part('Rubric and points', rubricTable(record, answer, state.criterion || list.filter.criterion)));
  if (answer && Object.keys(answer.judges).length) parts.push(part('Judges', ...Object.entries(answer.judges).map(judgeReply)));
  parts.push(part('Hidden part of the item', ...hiddenPart(record)));
  dialog.replaceChildren(el('div', { class: 'bar' }, title, systemChooser(state), ...neighbours(state), close), show(el('p', { class: 'facts' }), facts), ...parts);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  title.focus();
}
