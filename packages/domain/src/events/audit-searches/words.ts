/** Lengths of indexed prefixes of a word: the beginning of a word is found as well as the whole of it. */
const PREFIX_CHARS = [3, 4, 5, 6, 8, 12, 20];
const PREFIX_CHARS_MAX = 20;

/** Case-folded characters; 0 for those outside of words. A non-ASCII letter ends a word, as in the SQL of a search. */
const FOLDED = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(char) ? char.charCodeAt(0) : 0;
});
const IS_NOTED = Uint8Array.from({ length: PREFIX_CHARS_MAX + 1 }, (_, length) => (PREFIX_CHARS.includes(length) ? 1 : 0));

/** Letters beyond ASCII that some locales fold into one of it: of a text that holds one nothing can be ruled out. */
const FOLDS_INTO_ASCII: ReadonlySet<number> = new Set([0x130, 0x131, 0x17f, 0x212a]);

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** FNV-1a of 32 bits. */
const step = (hash: number, code: number): number => Math.imul(hash ^ code, PRIME);

/** A number from 1 on: 0 marks an empty position. */
const ended = (hash: number): number => hash >>> 0 || 1;

const computeHash = (text: string, from: number): number => {
  let hash = from;
  for (let at = 0; at < text.length; at += 1) hash = step(hash, text.charCodeAt(at));
  return hash;
};

/** The hash of a member and its value; no word has the same, but by chance. */
export const hashOfFilter = (name: string, value: string): number => ended(computeHash(value, step(computeHash(name, step(OFFSET, 0)), 0)));

const foldedAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code < FOLDED.length ? (FOLDED[code] ?? 0) : 0;
};

const noteWord = (text: string, at: number, note: (hash: number) => void): void => {
  let hash = OFFSET;
  for (let length = 1; length <= PREFIX_CHARS_MAX; length += 1) {
    const folded = foldedAt(text, at + length - 1);
    if (folded === 0) return;
    hash = step(hash, folded);
    if (IS_NOTED[length] === 1) note(ended(hash));
  }
};

const BACKSLASH = '\\'.charCodeAt(0);
/** Length of a JSON escape after its backslash, if its first character would begin a word. */
const ESCAPED: ReadonlyMap<string, number> = new Map([...[...'bfnrt'].map((char) => [char, 1] as const), ['u', 5]]);

/** Indexes the words of a text that is part of JSON; returns false if case folding may differ elsewhere. */
export const noteWords = (text: string, note: (hash: number) => void): boolean => {
  let isInside = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= FOLDED.length && FOLDS_INTO_ASCII.has(code)) return false;
    const begins = foldedAt(text, at) !== 0;
    if (begins && !isInside) {
      noteWord(text, at, note);
      if (at > 0 && text.charCodeAt(at - 1) === BACKSLASH) noteWord(text, at + (ESCAPED.get(text.charAt(at)) ?? PREFIX_CHARS_MAX), note);
    }
    isInside = begins;
  }
  return true;
};

const longestNoted = (length: number): number => Math.max(0, ...PREFIX_CHARS.filter((chars) => chars <= length));

/** Hashes that a text has noted wherever it holds this, each word of it from its beginning; the longest words first. */
export const hashWords = (asked: string): readonly number[] => {
  if ([...asked].some((char) => FOLDS_INTO_ASCII.has(char.codePointAt(0) ?? 0))) return [];
  const words = asked.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const prefixes = words.map((word) => word.slice(0, longestNoted(word.length))).filter((prefix) => prefix !== '');
  return [...new Set(prefixes)].sort((a, b) => b.length - a.length).map((prefix) => ended(computeHash(prefix, OFFSET)));
};
