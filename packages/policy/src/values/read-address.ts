/** The 128 bits of an address, the highest first; for IPv4 only the last word. */
export type AddressWords = Uint32Array;
export const newWords = (): AddressWords => new Uint32Array(4);

/** The parse result of a text: IPv4, IPv6, or no address. */
export type AddressFamily = 4 | 6 | 0;

/** `words` are valid if there is a family. */
export type ReadAddress = { readonly family: AddressFamily; readonly words: AddressWords };

const COLON = 58;
const DOT = 46;
const GROUPS = 8;
/** Parse buffer; one text is parsed at a time. */
const groups = new Uint16Array(GROUPS);

/** Returns the value of a hexadecimal digit, or -1. */
const getDigit = (code: number): number => {
  if (code >= 48 && code <= 57) return code - 48;
  const small = code | 32;
  return small >= 97 && small <= 102 ? small - 87 : -1;
};

/** Reads four decimal parts up to the end as one number, or -1. `mayPad` allows leading zeros of a part. */
const readParts = (text: string, from: number, end: number, mayPad: boolean): number => {
  let whole = 0;
  let at = from;
  for (let part = 0; part < 4; part += 1) {
    const start = at;
    let value = 0;
    for (; at < end; at += 1) {
      const digit = text.charCodeAt(at) - 48;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
      if (value > 255) return -1;
    }
    const isPadded = at - start > 1 && text.charCodeAt(start) === 48;
    if (at === start || (isPadded && !mayPad)) return -1;
    whole = whole * 256 + value;
    if (part < 3) {
      if (text.charCodeAt(at) !== DOT) return -1;
      at += 1;
    }
  }
  return at === end ? whole : -1;
};

const isZeroTo = (count: number): boolean => {
  for (let at = 0; at < count; at += 1) if (groups[at] !== 0) return false;
  return true;
};

/** A dotted end after only zeros is ambiguous between parsers, and one of them alone accepts it before a zone. */
const isTwoThings = (count: number, hasZone: boolean): boolean => !hasZone && isZeroTo(count);

/** The number of groups and the index of the gap between them, -1 if there is none; a count of -1 is no address. */
type Read = { count: number; gap: number; isFour: boolean };
const read: Read = { count: 0, gap: -1, isFour: false };

const readDotted = (text: string, start: number, end: number): boolean => {
  const hasZone = end < text.length;
  const four = readParts(text, start, end, true);
  if (four < 0 || read.count > GROUPS - 2 || isTwoThings(read.count, hasZone)) return false;
  // A dotted end after only "::" is the address itself.
  read.isFour = hasZone && read.count === 0;
  groups[read.count] = four >>> 16;
  groups[read.count + 1] = four & 0xffff;
  read.count += 2;
  return true;
};

/** Reads the groups of an IPv6 address that ends before `end`. */
const readGroups = (text: string, end: number): boolean => {
  let at = 0;
  read.count = 0;
  read.gap = -1;
  read.isFour = false;
  if (text.charCodeAt(0) === COLON) {
    if (text.charCodeAt(1) !== COLON) return false;
    read.gap = 0;
    at = 2;
  }
  while (at < end) {
    const start = at;
    let value = 0;
    for (let digit = getDigit(text.charCodeAt(at)); at < end && digit >= 0; digit = getDigit(text.charCodeAt(at))) {
      value = ((value << 4) | digit) & 0xffff;
      at += 1;
    }
    if (at < end && text.charCodeAt(at) === DOT) return readDotted(text, start, end);
    if (at === start || at - start > 4 || read.count === GROUPS) return false;
    groups[read.count] = value;
    read.count += 1;
    if (at === end) return true;
    if (text.charCodeAt(at) !== COLON) return false;
    at += 1;
    if (at === end) return false;
    if (text.charCodeAt(at) !== COLON) continue;
    if (read.gap >= 0) return false;
    read.gap = read.count;
    at += 1;
  }
  return true;
};

/** Moves the groups after the gap to the end. */
const spread = (): void => {
  const { count, gap } = read;
  const moved = GROUPS - count;
  for (let at = GROUPS - 1; at >= gap; at -= 1) groups[at] = at - moved >= gap ? (groups[at - moved] as number) : 0;
};

/** Returns true if the groups are an IPv4-mapped address, or one of an IPv6-only network (RFC 6052). */
const isWrapped = (): boolean => {
  if (groups[0] === 0x64) return groups[1] === 0xff9b && !groups[2] && !groups[3] && !groups[4] && !groups[5];
  return groups[5] === 0xffff && isZeroTo(5);
};

const ZONE = /^[0-9A-Za-z]+$/;

/** Writes the groups into the words, and returns the family. */
const settle = (into: AddressWords, isFour: boolean): AddressFamily => {
  for (let word = 0; word < 4; word += 1)
    into[word] = isFour && word < 3 ? 0 : (((groups[2 * word] as number) << 16) | (groups[2 * word + 1] as number)) >>> 0;
  return isFour ? 4 : 6;
};

/**
 * Parses the address of a text into `into`. After `%`, a zone of letters and digits is ignored. An IPv4-mapped
 * IPv6 address is the IPv4 address. Takes a few nanoseconds per character, and allocates nothing.
 */
export const readAddress = (text: string, into: AddressWords): AddressFamily => {
  if (getDigit(text.charCodeAt(0)) < 0 && text.charCodeAt(0) !== COLON) return 0;
  const zone = text.indexOf('%');
  const end = zone < 0 ? text.length : zone;
  if (zone < 0) {
    const four = readParts(text, 0, end, false);
    if (four >= 0) {
      into.fill(0);
      into[3] = four;
      return 4;
    }
  }
  if (!readGroups(text, end) || (zone >= 0 && !ZONE.test(text.slice(zone + 1)))) return 0;
  if (read.gap < 0 ? read.count !== GROUPS : read.count >= GROUPS) return 0;
  if (read.gap >= 0) spread();
  return settle(into, read.isFour || isWrapped());
};
