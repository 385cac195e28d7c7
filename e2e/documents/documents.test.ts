import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, test } from 'node:test';
import { namedScripts } from './play-documents.ts';
import { root, SESSIONS, textOf } from './play-session.ts';
import { readBlocks } from './read-blocks.ts';

/** The published package is installed elsewhere; its own tests install it and run its examples. */
const PROVEN_ELSEWHERE = ['packages/sdk/README.md'];

const documents = globSync('{*.md,docs/**/*.md,packages/*/*.md,apps/*/*.md}', { cwd: root }).sort();

describe('the documents', () => {
  test('show no command that is not run here or elsewhere', () => {
    const withCommands = documents.filter((file) => readBlocks(textOf(file)).some(({ kind }) => kind === 'sh'));
    assert.deepEqual(withCommands, [...new Set([...Object.values(SESSIONS).flat(2), ...PROVEN_ELSEWHERE])].sort());
  });

  test('name only scripts of the project that exist', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const named = documents.flatMap((file) => namedScripts(textOf(file)).map((name) => `${file}: ${name}`));
    assert.ok(named.length > 10);
    const elsewhere = new Set(['build']);
    assert.deepEqual(
      named.filter((each) => !Object.hasOwn(scripts, each.split(': ')[1] ?? '') && !elsewhere.has(each.split(': ')[1] ?? '')),
      [],
    );
  });
});
