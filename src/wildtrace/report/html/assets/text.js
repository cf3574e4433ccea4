// Text from data enters the page here and only as text: no markup, no address, no style is ever made from it.

// The chart library clears its element with an empty string; every other string of markup is refused.
if (window.trustedTypes) {
  window.trustedTypes.createPolicy('default', { createHTML: (text) => (text === '' ? '' : null) });
}

// What would be invisible, or would change the order in which a reader sees the letters beside it.
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udc7f]/g;
const HAN = /\p{Script=Han}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

function codeName(text) {
  return 'U+' + text.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
}

// The text with what is unseen written out, for places that hold plain strings.
function plain(text) {
  return String(text).replace(/\r\n/g, '\n').replace(UNSEEN, (found) => '⟨' + codeName(found) + '⟩');
}

// Put text into an element; what is unseen becomes a marked name of its code point.
function show(element, text) {
  const clean = String(text).replace(/\r\n/g, '\n');
  let from = 0;
  for (const found of clean.matchAll(UNSEEN)) {
    element.append(clean.slice(from, found.index), el('span', { class: 'unseen', text: codeName(found[0]) }));
    from = found.index + found[0].length;
  }
  element.append(clean.slice(from));
  if (HAN.test(clean)) element.lang = KANA.test(clean) ? 'ja' : 'zh-Hans';
  return element;
}

// An element. `text` is set as text; every other property is one of ours, with a value that is not from data, or a
// label (title, aria-label) in which what is unseen is written out.
function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'text') element.textContent = value;
    else if (name === 'click') element.addEventListener('click', value);
    else element.setAttribute(name, value === true ? '' : plain(value));
  }
  element.append(...children);
  return element;
}

// A name or a short text from data, kept apart from the direction of what stands around it.
function name(text) {
  return show(el('bdi'), text);
}

const LONG = 1500;

// A text from data with its line breaks; a long one scrolls in a box of its own, which the Tab key reaches.
function prose(text) {
  const long = text.length > LONG;
  return show(el('div', { class: long ? 'prose long' : 'prose', dir: 'auto', tabindex: long ? 0 : null }), text);
}

function button(label, click, properties = {}) {
  const made = el('button', { type: 'button', click, ...properties });
  return show(made, label);
}

// One decimal, ties to the even digit, as the tables have it.
function oneDecimal(value) {
  const tie = Number.isInteger(value * 20) && Math.abs(value * 20) % 2 === 1;
  return tie ? ((2 * Math.round(value * 5)) / 10).toFixed(1) : value.toFixed(1);
}

// A mean or a credit (0 to 1) as points of 100.
function points(credit) {
  return credit === null || credit === undefined ? '–' : oneDecimal(100 * credit);
}

function counted(count, word) {
  return count.toLocaleString('en') + ' ' + word + (count === 1 ? '' : 's');
}
