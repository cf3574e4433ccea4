// Every answer by number (system * items + item), what is known of it, and which answers a filter keeps.

const { models, judges, items, labels } = payload;
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
  return column(cell, 'zero') >= 0 ? 0 : column(cell, 'score');
}

function zeroReason(cell) {
  const at = column(cell, 'zero');
  return at >= 0 ? labels.zero[at] : '';
}

function flagsOf(cell) {
  return { answer: labels.flags[column(cell, 'flags')], judging: labels.flags[column(cell, 'judge_flags')] };
}

// What is to be said beside the score.
function remark(cell) {
  const { answer, judging } = flagsOf(cell);
  const waiting = allScore(cell) === null ? ['awaits a judge'] : [];
  return [...new Set([zeroReason(cell), ...waiting, ...answer, ...judging])].filter(Boolean).join(', ');
}

function isComplete(model) {
  const { zero, score } = columns[model];
  return score.every((value, at) => value !== null || zero[at] >= 0);
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
  if (filter.scored && !(full && column(cell, 'zero') < 0)) return false;
  if (filter.every_judge && !judges.every((_, at) => judgeScore(cell, at) !== null)) return false;
  if (filter.judge && judgeScore(cell, judgePlace.get(filter.judge)) == null) return false;
  if (filter.zero && !filter.zero.includes(zeroReason(cell))) return false;
  if (filter.flag && !flagsOf(cell).answer.includes(filter.flag)) return false;
  if (filter.judge_flag && !flagsOf(cell).judging.includes(filter.judge_flag)) return false;
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

// The mean with an exactly rounded sum (Shewchuk's partials), as the tables have it; null of no values.
function mean(values) {
  const known = values.filter((value) => value !== null);
  const partials = [];
  for (let term of known) {
    let kept = 0;
    for (let partial of partials) {
      if (Math.abs(term) < Math.abs(partial)) [term, partial] = [partial, term];
      const high = term + partial;
      const low = partial - (high - term);
      if (low) partials[kept++] = low;
      term = high;
    }
    partials.length = kept;
    partials.push(term);
  }
  return known.length ? partials.reduceRight((sum, partial) => sum + partial, 0) / known.length : null;
}

// The mean of an item over the systems that have an All.
function itemMean(item) {
  const complete = keptModels({ complete: true });
  return mean(complete.map((model) => allScore(model * items.length + item)));
}
