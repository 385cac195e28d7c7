import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RequirementProof } from './requirement.ts';

/** Matches titles as written, `test('...'` or `test(` with the title on the next line; a template including its placeholders. */
const TITLE = /\btest\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)/g;
/** Matches table-driven tests, `for (const [what, ...] of ...) test(what`. */
const OF_TABLE = /\btest\((?:what|name)\b/;
const CASE = /^\s*'((?:\\.|[^'\\])*)':/gm;
const HEADING = /^#+ (.+)$/gm;

const casesIn = (text: string): string[] => (OF_TABLE.test(text) ? [...text.matchAll(CASE)].map(([, name = '']) => name) : []);

const writtenIn = (text: string): string[] =>
  [...text.matchAll(TITLE)].map(([, single, double, template]) => (single ?? double ?? template ?? '').replaceAll(/\\(['"`])/g, '$1'));

const titlesIn = (text: string): ReadonlySet<string> => new Set([...writtenIn(text), ...casesIn(text)]);

const headingsIn = (text: string): ReadonlySet<string> => new Set([...text.matchAll(HEADING)].map(([, heading = '']) => heading));

/** Creates a function that returns what is wrong with a proof; undefined if its file has that test or part. Each file is read once. */
export const newProofCheck = (root: string): ((proof: RequirementProof) => string | undefined) => {
  const read = new Map<string, ReadonlySet<string> | undefined>();
  const namesIn = (file: string): ReadonlySet<string> | undefined => {
    const at = path.join(root, file);
    if (!read.has(file)) {
      const text = existsSync(at) ? readFileSync(at, 'utf8') : undefined;
      read.set(file, text === undefined ? undefined : file.endsWith('.md') ? headingsIn(text) : titlesIn(text));
    }
    return read.get(file);
  };
  return (proof) => {
    const names = namesIn(proof.file);
    if (names === undefined) return `there is no file ${proof.file}`;
    const name = 'test' in proof ? proof.test : proof.heading;
    return names.has(name) ? undefined : `${proof.file} has no ${'test' in proof ? 'test' : 'heading'} "${name}"`;
  };
};
