import { escapePointerToken } from '@svc/contract/rows/fault.ts';

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;

/** The index behind the string that begins at an index; the text is valid JSON. */
const stringEnd = (text: string, start: number): number => {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
};

const countWrittenMembers = (text: string): number => {
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === COLON) count += 1;
    at = code === QUOTE ? stringEnd(text, at) : at + 1;
  }
  return count;
};

const countReadMembers = (parsed: unknown): number => {
  let count = 0;
  const open: unknown[] = [parsed];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const values = Object.values(value);
    if (!Array.isArray(value)) count += values.length;
    for (const each of values) if (typeof each === 'object') open.push(each);
  }
  return count;
};

type Level = { readonly names: Set<string> | null; token: string; index: number };

/** The pointer of the first member that its object already has. */
const findRepeated = (text: string): string | undefined => {
  const levels: Level[] = [];
  for (let at = 0; at < text.length; ) {
    const level = levels.at(-1);
    const letter = text[at];
    if (letter === '"') {
      const end = stringEnd(text, at);
      let behind = end;
      while (/\s/.test(text[behind] ?? 'x')) behind += 1;
      if (level?.names && text[behind] === ':') {
        const name = JSON.parse(text.slice(at, end)) as string;
        level.token = escapePointerToken(name);
        if (level.names.has(name)) return levels.map(({ names, token, index }) => `/${names ? token : index}`).join('');
        level.names.add(name);
      }
      at = end;
      continue;
    }
    if (letter === '{') levels.push({ names: new Set(), token: '', index: 0 });
    else if (letter === '[') levels.push({ names: null, token: '', index: 0 });
    else if (letter === '}' || letter === ']') levels.pop();
    else if (letter === ',' && level) level.index += 1;
    at += 1;
  }
  return undefined;
};

/**
 * Returns the JSON pointer of a duplicate member in a JSON text; undefined if there is none. RFC 8259 does not define which of the two
 * counts, so that two parsers of one request could see two requests. The text must be valid JSON; a text without a duplicate costs one
 * pass.
 */
export const findRepeatedMember = (text: string, parsed: unknown): string | undefined =>
  countWrittenMembers(text) === countReadMembers(parsed) ? undefined : findRepeated(text);
