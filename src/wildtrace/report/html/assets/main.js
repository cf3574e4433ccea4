// The page: drawn from the payload, then led by the part of its address after "#", so that Back goes back.

const stateAddress = (kind, state) => `#${kind}?${encodeURIComponent(JSON.stringify(state))}`;
let scrollToAnswers = true;
let answersAddress = '';

function goAnswers(filter, scroll = true) {
  scrollToAnswers = scroll;
  go(stateAddress('answers', filter));
}

function goItem(state) {
  go(stateAddress('item', state));
}

function go(address) {
  if (location.hash === address) route();
  else location.hash = address;
}

// A kind and a state, or null where the address is none of ours; anyone can write an address, so nothing in it is trusted.
function readAddress() {
  const found = /^#(answers|item)\?(.*)$/s.exec(location.hash);
  if (!found) return null;
  try {
    const state = JSON.parse(decodeURIComponent(found[2]));
    return state && typeof state === 'object' ? { kind: found[1], state: knownState(state) } : null;
  } catch {
    return null;
  }
}

function knownState(state) {
  const facets = [...LISTS, 'flag', 'judge_flag', 'judge', 'text', 'criterion', 'unit', 'scored', 'every_judge', 'complete', 'top'];
  const kept = Object.entries(state).filter(([facet]) => facets.includes(facet));
  if (!Array.isArray(state.item) && state.item !== undefined) return { item: String(state.item), model: state.model, criterion: state.criterion };
  return Object.fromEntries(kept.map(([facet, value]) => [facet, LISTS.includes(facet) ? [value].flat().map(String) : value]));
}

async function route() {
  const address = readAddress();
  if (!address) return;
  try {
    if (address.kind === 'item') {
      if (!list.ordered) await showAnswers({});
      await showItem(address.state);
      return;
    }
    answersAddress = location.hash;
    await showAnswers(address.state);
    if (dialog.open) dialog.close();
    if (scrollToAnswers) {
      document.getElementById('answers').scrollIntoView();
      document.getElementById('answers-title').focus({ preventScroll: true });
    }
    scrollToAnswers = true;
  } catch (error) {
    document.getElementById('answers-summary').replaceChildren(`The answers could not be opened: ${error.message}.`);
  }
}

dialog.addEventListener('close', () => {
  dialog.replaceChildren();
  if (!location.hash.startsWith('#item')) return;
  scrollToAnswers = false;
  location.hash = answersAddress || stateAddress('answers', list.filter);
});

function drawContents(entries) {
  const links = entries.map(([id, label]) => el('li', {}, show(el('a', { href: '#' + id }), label)));
  const box = document.getElementById('contents-box');
  box.querySelector('ol').replaceChildren(...links);
  box.open = window.innerWidth > 900;
}

function drawTables() {
  const figures = new Map(payload.figures.map((figure) => [figure, figureOf(figure)]));
  const used = new Set(payload.tables.map((table) => table.name));
  const sections = payload.tables.map((table) =>
    tableSection(table, payload.figures.filter((figure) => figure.name === table.name).map((figure) => figures.get(figure))));
  const others = payload.figures.filter((figure) => !used.has(figure.name)).map((figure) => figures.get(figure));
  document.getElementById('tables').replaceChildren(...sections, ...others);
  drawContents([...payload.tables.map((table) => [table.name, table.title]), ['answers', 'Answers and items'], ['runs', 'Runs']]);
}

function startTheme() {
  const select = document.getElementById('theme');
  const remembered = () => {
    try {
      return localStorage.getItem('wildtrace-theme') || '';
    } catch {
      return ''; // storage may be closed to files
    }
  };
  const set = (theme) => {
    document.documentElement.dataset.theme = ['light', 'dark'].includes(theme) ? theme : '';
  };
  select.value = remembered();
  set(select.value);
  select.addEventListener('change', () => {
    set(select.value);
    try {
      localStorage.setItem('wildtrace-theme', select.value);
    } catch {
      // storage may be closed to files; the choice then lasts as long as the page
    }
  });
}

function start() {
  startTheme();
  show(document.getElementById('title'), payload.title);
  document.getElementById('marks').append(...payload.marks.map((mark) => show(el('p', { class: 'mark' }), mark)));
  const documents = new Set(items.map((item) => item.source_id || item.question_id)).size;
  document.getElementById('facts').textContent =
    `${counted(models.length, 'system')}, ${counted(items.length, 'item')} over ${counted(documents, 'document')}, ${counted(judges.length, 'judge')}.`;
  drawTables();
  drawRuns();
  watchCharts();
  window.addEventListener('hashchange', route);
  if (readAddress()) route();
  else showAnswers({}).catch((error) => document.getElementById('answers-summary').replaceChildren(`The answers could not be opened: ${error.message}.`));
}

start();
