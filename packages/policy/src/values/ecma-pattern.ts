import { CLASS_MEMBERS, writeCode } from './code-ranges.ts';
import { getPropertyName } from './ecma-properties.ts';

/** RE2 syntax of a pattern, or why no linear-time engine can match it; null if it is not valid ECMA-262 syntax. */
type Translation = { readonly source: string } | { readonly fault: string } | null;

type Flags = { readonly ignoreCase: boolean; readonly dotAll: boolean };
type Reading = {
  readonly text: string;
  at: number;
  readonly out: string[];
  /** Flags of the open groups, the outermost first. */
  readonly flags: Flags[];
  /** Set if parsing has to stop. */
  stop: 'not ECMA-262' | { readonly fault: string } | null;
};
/** One atom of a class: a character, or members of an RE2 class. */
type Atom = { readonly code: number } | { readonly members: string };

const FAULTS = {
  lookaround: 'Lookaround cannot be matched in linear time; use several constraints, such as allOf with a pattern each.',
  backreference: 'Backreferences and octal escapes are not supported.',
  multiline: 'The flag m is not supported.',
  folding: 'Inside a group that ignores case, \\w, \\b and \\p are not supported; write the characters out.',
} as const;

const CONTROLS: Readonly<Record<string, number>> = { f: 0xc, n: 0xa, r: 0xd, t: 0x9, v: 0xb };
const POSIX = /\[:\^?\w+:\]/;
const REPEAT = /\{\d+(?:,\d*)?\}/y;
const UNICODE = /\\u(?:\{([0-9A-Fa-f]+)\}|([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})|([0-9A-Fa-f]{4}))/y;
const HEX = /\\x([0-9A-Fa-f]{2})/y;
const CONTROL = /\\c([A-Za-z])/y;
const PROPERTY = /\\([pP])\{([^{}]*)\}/y;
const NAMED = /\(\?<(?![=!])[^>]+>/y;
const MODIFIERS = /\(\?([ims]*)(?:-([ims]*))?:/y;
const CODES_MAX = 0x10ffff;

const take = (pattern: RegExp, reading: Reading): RegExpExecArray | null => {
  pattern.lastIndex = reading.at;
  const found = pattern.exec(reading.text);
  if (found !== null) reading.at += found[0].length;
  return found;
};

const stopAt = (reading: Reading, stop: Reading['stop']): null => {
  reading.stop ??= stop;
  return null;
};

const flagsAt = ({ flags }: Reading): Flags => flags.at(-1) ?? { ignoreCase: false, dotAll: false };

const readUnicode = (reading: Reading): Atom | null => {
  const found = take(UNICODE, reading);
  if (found === null) return stopAt(reading, 'not ECMA-262');
  const [, braced, lead, trail, unit] = found;
  if (lead !== undefined && trail !== undefined)
    return { code: String.fromCharCode(Number.parseInt(lead, 16), Number.parseInt(trail, 16)).codePointAt(0) ?? 0 };
  const code = Number.parseInt(braced ?? unit ?? '', 16);
  return code > CODES_MAX ? stopAt(reading, 'not ECMA-262') : { code };
};

const readProperty = (reading: Reading): Atom | null => {
  const [, letter, written = ''] = take(PROPERTY, reading) ?? [];
  const name = getPropertyName(written);
  if (letter === undefined || name === undefined) return stopAt(reading, 'not ECMA-262');
  return flagsAt(reading).ignoreCase ? stopAt(reading, { fault: FAULTS.folding }) : { members: `\\${letter}{${name}}` };
};

const readSet = (reading: Reading, letter: string): Atom | null => {
  reading.at += 2;
  if (letter === 's') return { members: CLASS_MEMBERS.space };
  if (letter === 'S') return { members: CLASS_MEMBERS.notSpace };
  const isWord = letter === 'w' || letter === 'W';
  return isWord && flagsAt(reading).ignoreCase ? stopAt(reading, { fault: FAULTS.folding }) : { members: `\\${letter}` };
};

/**
 * Reads an escape of one character: `
 * `, and punctuation, which older expressions escape without need.
 */
const readPlainEscape = (reading: Reading, letter: string): Atom | null => {
  const code = letter === '0' ? 0 : (CONTROLS[letter] ?? (/[A-Za-z]/.test(letter) ? undefined : reading.text.codePointAt(reading.at + 1)));
  if (code === undefined) return stopAt(reading, 'not ECMA-262');
  reading.at += code > 0xffff ? 3 : 2;
  return { code };
};

const readEscape = (reading: Reading, isInClass: boolean): Atom | null => {
  const letter = reading.text[reading.at + 1] ?? '';
  const next = reading.text[reading.at + 2] ?? '';
  if (letter === '') return stopAt(reading, 'not ECMA-262');
  if (/[dDsSwW]/.test(letter)) return readSet(reading, letter);
  if (letter === 'p' || letter === 'P') return readProperty(reading);
  if (letter === 'u') return readUnicode(reading);
  if (letter === 'k' || /[1-9]/.test(letter) || (letter === '0' && /[0-9]/.test(next))) {
    return stopAt(reading, { fault: FAULTS.backreference });
  }
  if (letter === 'x' || letter === 'c') {
    const [, digits] = take(letter === 'x' ? HEX : CONTROL, reading) ?? [];
    if (digits === undefined) return stopAt(reading, 'not ECMA-262');
    return { code: letter === 'x' ? Number.parseInt(digits, 16) : digits.charCodeAt(0) % 32 };
  }
  if (letter === 'b' && isInClass) {
    reading.at += 2;
    return { code: 8 };
  }
  return readPlainEscape(reading, letter);
};

const readCharacter = (reading: Reading): Atom => {
  const code = reading.text.codePointAt(reading.at) ?? 0;
  reading.at += code > 0xffff ? 2 : 1;
  return { code };
};

const readAtom = (reading: Reading): Atom | null =>
  reading.text[reading.at] === '\\' ? readEscape(reading, true) : readCharacter(reading);

const write = (atom: Atom): string => ('code' in atom ? writeCode(atom.code) : atom.members);

/** Reads the members of a class, up to its closing bracket. A hyphen next to a set, as in `[\w-.]`, is literal. */
const readMembers = (reading: Reading): string[] => {
  const members: string[] = [];
  while (reading.stop === null && reading.text[reading.at] !== ']') {
    if (reading.at >= reading.text.length) stopAt(reading, 'not ECMA-262');
    const first = readAtom(reading);
    if (first === null) break;
    const isRange = reading.text[reading.at] === '-' && (reading.text[reading.at + 1] ?? ']') !== ']';
    if (!isRange) {
      members.push(write(first));
      continue;
    }
    reading.at += 1;
    const last = readAtom(reading);
    if (last === null) break;
    if (!('code' in first && 'code' in last)) members.push(write(first), writeCode(0x2d), write(last));
    else if (first.code > last.code) stopAt(reading, 'not ECMA-262');
    else members.push(`${writeCode(first.code)}-${writeCode(last.code)}`);
  }
  return members;
};

const readClass = (reading: Reading): void => {
  const isNegated = reading.text[reading.at + 1] === '^';
  reading.at += isNegated ? 2 : 1;
  const members = readMembers(reading);
  reading.at += 1;
  // RE2 has no empty class: the negation of all characters is used instead.
  const isEmpty = members.length === 0;
  reading.out.push(`[${isNegated === isEmpty ? '' : '^'}${isEmpty ? CLASS_MEMBERS.all : members.join('')}]`);
};

const readGroup = (reading: Reading): void => {
  const { text, at } = reading;
  const before = flagsAt(reading);
  const [, added, removed = ''] = (text[at + 1] === '?' ? take(MODIFIERS, reading) : null) ?? [];
  if (added !== undefined) {
    if (added.includes('m') || removed.includes('m')) stopAt(reading, { fault: FAULTS.multiline });
    const isFlagOn = (letter: string, current: boolean): boolean => added.includes(letter) || (current && !removed.includes(letter));
    const flags = { ignoreCase: isFlagOn('i', before.ignoreCase), dotAll: isFlagOn('s', before.dotAll) };
    reading.flags.push(flags);
    reading.out.push(flags.ignoreCase === before.ignoreCase ? '(?:' : flags.ignoreCase ? '(?i:' : '(?-i:');
    return;
  }
  if (text[at + 1] !== '?') reading.at += 1;
  else if (take(NAMED, reading) === null) {
    stopAt(reading, /^\(\?<?[=!]/.test(text.slice(at, at + 4)) ? { fault: FAULTS.lookaround } : 'not ECMA-262');
  }
  reading.flags.push(before);
  reading.out.push('(?:');
};

const readBoundary = (reading: Reading): void => {
  if (flagsAt(reading).ignoreCase) stopAt(reading, { fault: FAULTS.folding });
  reading.out.push(reading.text.slice(reading.at, reading.at + 2));
  reading.at += 2;
};

/** Unbalanced brackets are literal, as in expressions without the flag u, unless they are a POSIX class. */
const readBracket = (reading: Reading): void => {
  const repeat = take(REPEAT, reading);
  if (repeat !== null) {
    reading.out.push(repeat[0]);
    return;
  }
  if (reading.text[reading.at] === ']' && POSIX.test(reading.text)) stopAt(reading, 'not ECMA-262');
  reading.out.push(write(readCharacter(reading)));
};

const readOutside = (reading: Reading, isEscape: boolean): void => {
  const { at, text } = reading;
  const atom = isEscape ? readEscape(reading, false) : readCharacter(reading);
  if (atom === null) return;
  if ('code' in atom) reading.out.push(writeCode(atom.code));
  // Negated, it stays short and is not walked character by character if case is ignored.
  else reading.out.push(text[at + 1] === 'S' ? `[^${CLASS_MEMBERS.space}]` : `[${atom.members}]`);
};

const readNext = (reading: Reading): void => {
  const { text, at } = reading;
  const next = text[at] ?? '';
  if (next === '[') readClass(reading);
  else if (next === '(') readGroup(reading);
  else if (next === '{' || next === '}' || next === ']') readBracket(reading);
  else if (next === '\\' && /[bB]/.test(text[at + 1] ?? '')) readBoundary(reading);
  else if (/[\^$*+?|)]/.test(next)) {
    if (next === ')') reading.flags.pop();
    reading.out.push(next);
    reading.at += 1;
  } else if (next === '.') {
    reading.out.push(flagsAt(reading).dotAll ? `[${CLASS_MEMBERS.all}]` : `[^${CLASS_MEMBERS.line}]`);
    reading.at += 1;
  } else readOutside(reading, next === '\\');
};

/**
 * Translates a regular expression of ECMA-262, with its meaning under the flag `u`, to the syntax of RE2: `\s`, `.`, escapes, classes
 * and surrogate pairs differ between the two. Escapes and brackets that only expressions without the flag may have are accepted.
 */
export const translateEcma = (text: string): Translation => {
  const reading: Reading = { text, at: 0, out: [], flags: [], stop: null };
  while (reading.at < text.length && reading.stop === null) readNext(reading);
  if (reading.stop === null) return { source: text === '' ? '(?:)' : reading.out.join('') };
  return reading.stop === 'not ECMA-262' ? null : reading.stop;
};
