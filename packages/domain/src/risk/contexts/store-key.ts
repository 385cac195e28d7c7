import { readPointer } from './find-people.ts';

const KEY_CHARS_MAX = 4_096;

const ESCAPES = /(?:%[0-9a-f]{2})+/gi;

/** Replaces escapes such as `%2F`. Bytes that are no text become the replacement character. */
const decode = (text: string): string => text.replace(ESCAPES, (found) => Buffer.from(found.replaceAll('%', ''), 'hex').toString());

/**
 * Returns one form for the spellings of a key, such as `Notes/./a.txt` and `notes//a.txt`. Different keys of a strict store may get the same
 * form: their labels are then kept together.
 */
export const normalizeKey = (key: string): string => {
  const parts: string[] = [];
  for (const part of decode(key).normalize('NFKC').toLowerCase().replaceAll('\\', '/').split('/')) {
    const name = part.trim();
    if (name === '..') parts.pop();
    else if (name !== '' && name !== '.') parts.push(name);
  }
  return parts.join('/');
};

/** Key of a store at a pointer; null if there is none that can be read. */
export const findStoreKey = (parameters: unknown, pointer: string): string | null => {
  const found = readPointer(parameters, pointer);
  if (typeof found !== 'string' && typeof found !== 'number') return null;
  const text = String(found);
  return text.length > KEY_CHARS_MAX ? null : normalizeKey(text);
};
