// Every answer by number (system * items + item), what is known of it, and which answers a filter keeps.

const { models, judges, items } = payload;
const meanings = new Map(payload.meanings);
let columns = null;
const placeOf = (names) => new Map(names.map((label, at) => [label, at]));
const modelPlace = placeOf(models);
const judgePlace = placeOf(judges);
const itemPlace = placeOf(items.map((item) => item.question_id));
const FACETS = { tier: 'tier', geometry: 'geometry', family: 'source_family', document: 'source_id', item: 'question_id' };

async function loadCells() {
  if (!columns) columns = await Promise.all(models.map((_, at) => unpack('m' + at)));
}

const modelOf = (cell) => Math.floor(cell / items.length);
const itemOf = (cell) => cell % items.length;

function column(cell, key) {
  return columns[modelOf(cell)][key][itemOf(cell)];
}

function judgeScore(cell, judge) {
  return columns[modelOf(cell)].judges[judge][itemOf(cell)];
}

// The credit as All counts it: 0 where the answer counts zero, null where it awaits a judge.
function allScore(cell) {
  return column(cell, 'zero') === null ? column(cell, 'score') : 0;
}

const zeroReason = (cell) => column(cell, 'zero') ?? '';

// What is to be said beside the score.
function remarks(cell) {
  const waiting = allScore(cell) === null ? ['awaits a judge'] : [];
  return [...new Set([zeroReason(cell), ...waiting, ...column(cell, 'flags'), ...column(cell, 'judge_flags')])].filter(Boolean);
}

// What a word of the files means, to be shown under the pointer; null for a word that is none of ours.
function meaningOf(word) {
  return meanings.get(word) ?? meanings.get(word.replace(/^pending:/, '')) ?? null;
}

// Words with their meanings under the pointer, a comma between them.
function explained(words) {
  return words.flatMap((word, at) => [at ? ', ' : '', show(el('bdi', { title: meaningOf(word) }), word)]);
}

function isComplete(model) {
  const { zero, score } = columns[model];
  return score.every((value, at) => value !== null || zero[at] !== null);
}

function keptModels(filter) {
  let kept = models.map((_, at) => at);
  if (filter.complete || filter.top) kept = kept.filter(isComplete);
  if (filter.top) kept = kept.slice(0, filter.top);
  if (filter.model) kept = kept.filter((at) => filter.model.includes(models[at]));
  return kept;
}

function keptItems(filter) {
  const wanted = Object.entries(FACETS).filter(([facet]) => filter[facet]);
  const words = (filter.text || '').toLowerCase().split(/\s+/).filter(Boolean);
  const kept = [];
  items.forEach((item, at) => {
    const fits = wanted.every(([facet, key]) => filter[facet].includes(item[key]));
    if (fits && words.every((word) => (item.question_id + ' ' + item.question).toLowerCase().includes(word))) kept.push(at);
  });
  return kept;
}

function fitsAnswer(filter, cell) {
  const full = column(cell, 'score') !== null;
  if (filter.scored && !(full && column(cell, 'zero') === null)) return false;
  if (filter.every_judge && !judges.every((_, at) => judgeScore(cell, at) !== null)) return false;
  if (filter.judge && judgeScore(cell, judgePlace.get(filter.judge)) == null) return false;
  if (filter.zero && !filter.zero.includes(zeroReason(cell))) return false;
  if (filter.flag && !column(cell, 'flags').includes(filter.flag)) return false;
  if (filter.judge_flag && !column(cell, 'judge_flags').includes(filter.judge_flag)) return false;
  return true;
}

// The numbers of the answers that the filter keeps, best system first, items in the order of the data.
function keptAnswers(filter) {
  const chosen = keptItems(filter);
  const found = [];
  for (const model of keptModels(filter)) {
    for (const item of chosen) {
      const cell = model * items.length + item;
      if (fitsAnswer(filter, cell)) found.push(cell);
    }
  }
  return found;
}

// The sum that is nearest to the exact one (Shewchuk's partials, which do not overlap), as Python's `math.fsum` has it.
function exactSum(values) {
  const partials = [];
  for (let term of values) {
    let count = 0;
    for (let partial of partials) {
      if (Math.abs(term) < Math.abs(partial)) [term, partial] = [partial, term];
      const high = term + partial;
      const low = partial - (high - term);
      if (low) partials[count++] = low;
      term = high;
    }
    partials.length = count;
    partials.push(term);
  }
  let sum = partials.pop() ?? 0;
  let low = 0;
  while (partials.length && !low) {
    const next = partials.pop();
    const before = sum;
    sum = before + next;
    low = next - (sum - before);
  }
  // What is left below a tie says to which side it belongs.
  const rest = partials.at(-1) ?? 0;
  const other = sum + 2 * low;
  return low * rest > 0 && other - sum === 2 * low ? other : sum;
}

// The mean of what is known; null of no values.
function mean(values) {
  const known = values.filter((value) => value !== null);
  return known.length ? exactSum(known) / known.length : null;
}

// The mean of an item over the systems that have an All.
function itemMean(item) {
  const complete = keptModels({ complete: true });
  return mean(complete.map((model) => allScore(model * items.length + item)));
}
