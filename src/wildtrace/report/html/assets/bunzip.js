// Opens bzip2, which browsers do not: prose becomes a sixth smaller than by deflate, Chinese prose a fifth.
// A stream is "BZh" and a digit, then blocks; a block is run lengths, a Burrows-Wheeler transform, move-to-front and
// Huffman codes. Its checksums are not looked at: these bytes come from this very file.

const BLOCK = 0x314159265359;
const RUN_A = 0;
const RUN_B = 1;
const CODES_A_TABLE = 50;

class Bits {
  constructor(bytes) {
    Object.assign(this, { bytes, at: 0, held: 0, left: 0 });
  }

  one() {
    if (this.left === 0) {
      if (this.at >= this.bytes.length) throw new Error('a packed block ends too early');
      this.held = this.bytes[this.at++];
      this.left = 8;
    }
    this.left--;
    return (this.held >> this.left) & 1;
  }

  many(count) {
    let value = 0;
    for (; count > 0; count--) value = 2 * value + this.one();
    return value;
  }
}

function bunzip(bytes) {
  const bits = new Bits(bytes);
  bits.many(24);
  const most = 100000 * (bits.many(8) - 48);
  const parts = [];
  while (bits.many(48) === BLOCK) {
    bits.many(32);
    parts.push(withoutRuns(openBlock(bits, most)));
  }
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

// The bytes that a block uses, in order.
function usedBytes(bits) {
  const ranges = bits.many(16);
  const used = [];
  for (let high = 0; high < 16; high++) {
    if (!((ranges >> (15 - high)) & 1)) continue;
    const row = bits.many(16);
    for (let low = 0; low < 16; low++) if ((row >> (15 - low)) & 1) used.push(16 * high + low);
  }
  return used;
}

// Which table codes the next fifty symbols, and the next, …
function selectorList(bits, tableCount) {
  const order = [...Array(tableCount).keys()];
  const selectors = [];
  for (let left = bits.many(15); left > 0; left--) {
    let place = 0;
    while (bits.one()) place++;
    order.unshift(...order.splice(place, 1));
    selectors.push(order[0]);
  }
  return selectors;
}

// A canonical Huffman code: for each length the first code, how many there are, and the symbols in order.
function codeTable(bits, symbolCount) {
  const lengths = [];
  let length = bits.many(5);
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    while (bits.one()) length += bits.one() ? -1 : 1;
    lengths.push(length);
  }
  const counts = new Uint32Array(21);
  lengths.forEach((each) => counts[each]++);
  const symbols = [...lengths.keys()].sort((a, b) => lengths[a] - lengths[b] || a - b);
  return { counts, symbols: Uint16Array.from(symbols) };
}

function nextSymbol(bits, { counts, symbols }) {
  let code = 0;
  let first = 0;
  let before = 0;
  for (let length = 1; length < counts.length; length++) {
    code = 2 * code + bits.one();
    if (code - first < counts[length]) return symbols[before + code - first];
    before += counts[length];
    first = 2 * (first + counts[length]);
  }
  throw new Error('a packed answer is damaged');
}

// A block's bytes before their runs are written out; there are `most` at most.
function openBlock(bits, most) {
  bits.one();
  const origin = bits.many(24);
  const recent = Uint8Array.from(usedBytes(bits));
  const end = recent.length + 1;
  const tableCount = bits.many(3);
  const selectors = selectorList(bits, tableCount);
  const tables = Array.from({ length: tableCount }, () => codeTable(bits, end + 1));
  const column = new Uint8Array(most);
  let length = 0;
  let weight = 1;
  for (let read = 0; ; read++) {
    const symbol = nextSymbol(bits, tables[selectors[Math.floor(read / CODES_A_TABLE)]]);
    if (symbol === end) return transformedBack(column.subarray(0, length), origin);
    if (symbol === RUN_A || symbol === RUN_B) {
      column.fill(recent[0], length, length + (weight << symbol));
      length += weight << symbol;
      weight <<= 1;
      continue;
    }
    weight = 1;
    const byte = recent[symbol - 1];
    recent.copyWithin(1, 0, symbol - 1);
    recent[0] = byte;
    column[length++] = byte;
  }
}

// The Burrows-Wheeler transform undone: the last column of all rotations in order, and which of them was the text.
function transformedBack(column, origin) {
  const starts = new Uint32Array(257);
  for (const byte of column) starts[byte + 1]++;
  for (let byte = 0; byte < 256; byte++) starts[byte + 1] += starts[byte];
  const next = new Uint32Array(column.length);
  for (let at = 0; at < column.length; at++) next[starts[column[at]]++] = at;
  const text = new Uint8Array(column.length);
  for (let at = 0, place = next[origin]; at < text.length; at++, place = next[place]) text[at] = column[place];
  return text;
}

// Four equal bytes are followed by how many more of them there are.
function withoutRuns(text) {
  const out = [];
  let same = 0;
  for (let at = 0; at < text.length; at++) {
    if (same === 4) {
      for (let more = text[at]; more > 0; more--) out.push(text[at - 1]);
      same = 0;
      continue;
    }
    same = at > 0 && same > 0 && text[at] === text[at - 1] ? same + 1 : 1;
    out.push(text[at]);
  }
  return out;
}
