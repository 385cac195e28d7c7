import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Shell } from './open-shell.ts';
import { type DocumentBlock, getPath, readBlocks } from './read-blocks.ts';

/** Commands that run until they are stopped. */
const SERVES = /\bnpm start\b|\/src\/main\.ts\b|\bnode my-agent\/(?:server|partner|own-agent)\.mjs\b/;

/** Commands of the project that a test cannot run inside itself; their existence is checked all the same. */
const NOT_INSIDE_A_TEST = /^npm (test|run check|run bench)\b/;

export type Reader = {
  readonly shell: Shell;
  readonly folder: string;
  /** Replacements of texts in the documents. */
  readonly instead: ReadonlyMap<string, string>;
};

const inPlace = (text: string, instead: Reader['instead']): string =>
  [...instead].reduce((changed, [from, to]) => changed.replaceAll(from, to), text);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Asserts that every shown line was printed, in this order; … matches anything. */
const assertShown = (shown: string, printed: string): void => {
  const lines = printed.split('\n').map((line) => line.trimEnd());
  let from = 0;
  for (const line of shown.trimEnd().split('\n')) {
    const pattern = new RegExp(`^${line.split('…').map(escaped).join('.*')}$`);
    const found = lines.findIndex((each, index) => index >= from && pattern.test(each));
    assert.notEqual(found, -1, `"${line}" is shown and was not printed, or not after the line above it:\n${printed}`);
    from = found + 1;
  }
};

const typed = (block: DocumentBlock): string =>
  block.text
    .split('\n')
    .filter((line) => !NOT_INSIDE_A_TEST.test(line))
    .join('\n');

const play = async ({ shell, folder, instead }: Reader, block: DocumentBlock, before: string): Promise<string> => {
  const text = inPlace(block.text, instead);
  if (block.kind === 'text') assertShown(text, before);
  if (block.kind === 'file') {
    mkdirSync(path.join(folder, path.dirname(getPath(block))), { recursive: true });
    writeFileSync(path.join(folder, getPath(block)), text);
  }
  if (block.kind !== 'sh') return before;
  // Only the first of several starts runs the launcher; the others join it.
  if (block.stopsFirst || /\bnpm start\b/.test(block.text)) await shell.stopStarted();
  const script = inPlace(typed(block), instead);
  if (!SERVES.test(script)) return shell.run(script);
  const [beforehand = '', served = ''] = splitAtServer(script);
  const printed = beforehand.trim() === '' ? '' : await shell.run(beforehand);
  await shell.start(served);
  return printed;
};

/** Splits a block into the commands before the long-running one, and that one. */
const splitAtServer = (script: string): readonly [string, string] => {
  const lines = script.replaceAll('\\\n', ' ').split('\n');
  const at = lines.findIndex((line) => SERVES.test(line));
  return [lines.slice(0, at).join('\n'), lines.slice(at).join('\n')];
};

/** Scripts whose first argument is the name of a command. */
const GROUPS = /^(ops|e2e|bench|generate)$/;

/** Runs everything in the documents in order in one terminal. */
export const playDocuments = async (reader: Reader, files: readonly string[]): Promise<void> => {
  for (const file of files) {
    let printed = '';
    for (const block of readBlocks(readFileSync(path.join(reader.folder, file), 'utf8'))) {
      try {
        printed = await play(reader, block, printed);
      } catch (error) {
        throw new Error(`${file}:${block.line}: ${(error as Error).message}`, { cause: error });
      }
    }
  }
};

/** Returns the project commands that a text names: `check` of `npm run check`, `ops backup` of `npm run ops -- backup`. */
export const getNamedScripts = (text: string): string[] =>
  [...text.matchAll(/\bnpm (?:(start|test)\b|run (?:-s )?([a-z][\w-]*(?::[\w-]+)*)(?: -- ([a-z][\w-]*(?::[\w-]+)*))?)/g)].map(
    ([, plain, named, command]) => (command !== undefined && GROUPS.test(named ?? '') ? `${named} ${command}` : (plain ?? named ?? '')),
  );
