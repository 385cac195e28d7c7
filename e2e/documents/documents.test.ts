import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { describe, test } from 'node:test';
import { getNamedScripts } from './play-documents.ts';
import { readDocument, root, SESSIONS } from './play-session.ts';
import { readBlocks } from './read-blocks.ts';

/** The published package is installed elsewhere; its own tests install it and run its examples. */
const PROVEN_ELSEWHERE = ['docs/operating/cells.md', 'packages/sdk/README.md'];

const documents = globSync('{*.md,docs/**/*.md,packages/*/*.md,apps/*/*.md}', { cwd: root }).sort();

const GROUPS = ['ops', 'e2e', 'bench', 'generate'];

/** Reads the commands of a group from its help text, such as `ops backup` of `npm run ops -- backup`. */
const readCommands = (name: string, script = ''): string[] => {
  const file = script.split(' ').at(-1) ?? '';
  if (!GROUPS.includes(name)) return [];
  const { stdout } = spawnSync(process.execPath, [file, '--help'], { cwd: root, encoding: 'utf8' });
  return [...stdout.matchAll(/^ {4}npm run \w+ -- (\S+) /gm)].map(([, command]) => `${name} ${command}`);
};

describe('the documents', () => {
  test('show only commands that are tested here or elsewhere', () => {
    const withCommands = documents.filter((file) => readBlocks(readDocument(file)).some(({ kind }) => kind === 'sh'));
    assert.deepEqual(withCommands, [...new Set([...Object.values(SESSIONS).flat(2), ...PROVEN_ELSEWHERE])].sort());
  });

  test('name only scripts of the project that exist, and so do messages', () => {
    const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> };
    const known = new Set(['build', ...Object.keys(scripts).flatMap((name) => [name, ...readCommands(name, scripts[name])])]);
    const sources = globSync('{apps,packages,tools,e2e}/**/*.{ts,tsx,mjs}', { cwd: root, exclude: ['**/node_modules'] });
    const named = [...documents, ...sources].flatMap((file) => getNamedScripts(readDocument(file)).map((name) => [file, name] as const));
    assert.ok(named.length > 100);
    assert.deepEqual(
      named.filter(([, name]) => !known.has(name)).map((each) => each.join(': ')),
      [],
    );
  });
});
