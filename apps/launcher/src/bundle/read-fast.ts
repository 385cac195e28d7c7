import type { Plugin } from 'rolldown';

/** Matches raw template literals, in which an escape would be different text. */
const RAW = /\braw\s*`[^`]*[^\p{ASCII}]/u;
const NOT_ASCII = /(?<!\\)(\\*)(\P{ASCII})/gu;

const getEscape = (char: string): string =>
  char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** Escapes a program to ASCII, which the engine uses in place; other text is converted at each start into twice the memory. */
export const escapeToAscii = (code: string): string =>
  RAW.test(code)
    ? code
    : code.replaceAll(NOT_ASCII, (_, before: string, char: string) =>
        // A character that was already escaped needs no second backslash.
        before.length % 2 === 0 ? before + getEscape(char) : before.slice(1) + getEscape(char),
      );

const HTTP = /^import (?:(\w+)(?:, )?)?(?:\{([^}]*)\})? ?from "(?:node:)?http";$/gm;

/**
 * Removes from Node's HTTP module import what it loads for importers: reading every export loads a whole client (undici) that no program
 * here uses.
 */
export const removeHttpClient = (code: string): string =>
  code.replaceAll(HTTP, (_, whole: string | undefined, named: string | undefined) =>
    [whole, named === undefined ? undefined : `{${named.replaceAll(' as ', ': ')}}`]
      .flatMap((taken) => (taken === undefined ? [] : [`const ${taken} = process.getBuiltinModule("node:http");`]))
      .join(' '),
  );

/** Reduces the startup cost of a program before its first line runs. */
export const readFast = (): Plugin => ({
  name: 'read-fast',
  renderChunk: (code) => ({ code: escapeToAscii(removeHttpClient(code)), map: null }),
});
