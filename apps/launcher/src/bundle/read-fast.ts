import type { Plugin } from 'rolldown';

/** In what is told raw an escape would be other text. */
const RAW = /\braw\s*`[^`]*[^\p{ASCII}]/u;
const NOT_ASCII = /(?<!\\)(\\*)(\P{ASCII})/gu;

const escapeOf = (char: string): string =>
  char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** The same program in ASCII alone, which the engine takes as it lies on the disk: other text is made anew in twice the memory at each start. */
export const inAscii = (code: string): string =>
  RAW.test(code)
    ? code
    : code.replaceAll(NOT_ASCII, (_, before: string, char: string) =>
        // A character that was escaped already stands for itself.
        before.length % 2 === 0 ? before + escapeOf(char) : before.slice(1) + escapeOf(char),
      );

const HTTP = /^import (?:(\w+)(?:, )?)?(?:\{([^}]*)\})? ?from "(?:node:)?http";$/gm;

/**
 * Node's HTTP module without what it loads for whoever imports it: every name that it exports is read then, and one of them brings a whole
 * client (undici) that no program here asks for.
 */
export const withoutClient = (code: string): string =>
  code.replaceAll(HTTP, (_, whole: string | undefined, named: string | undefined) =>
    [whole, named === undefined ? undefined : `{${named.replaceAll(' as ', ': ')}}`]
      .flatMap((taken) => (taken === undefined ? [] : [`const ${taken} = process.getBuiltinModule("node:http");`]))
      .join(' '),
  );

/** What a program costs before its first line runs. */
export const readFast = (): Plugin => ({
  name: 'read-fast',
  renderChunk: (code) => ({ code: inAscii(withoutClient(code)), map: null }),
});
