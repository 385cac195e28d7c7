import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import type { NounFacts } from './noun-facts.ts';
import { NOUNS, nounEntries } from './nouns.ts';

const SRC = resolve(import.meta.dirname, '..');

const repeated = (words: readonly string[]): readonly string[] => words.filter((word, index) => words.indexOf(word) !== index);

test('lists every file of facts, and no noun twice', async () => {
  const files = globSync('*/*/noun.ts', { cwd: SRC });
  assert.ok(files.length > 30);
  const modules = await Promise.all(files.map((file): Promise<Record<string, Record<string, NounFacts>>> => import(resolve(SRC, file))));
  const nouns = modules.flatMap((module) => Object.values(module).flatMap((facts) => Object.keys(facts)));
  assert.deepEqual(nouns.toSorted(), Object.keys(NOUNS).toSorted());
});

test('assigns no path parameter and no event type to two nouns', () => {
  const parameters = nounEntries.flatMap(([, { parameters = {}, words = {} }]) => [...Object.keys(parameters), ...Object.keys(words)]);
  const types = nounEntries.flatMap(([, { events = {}, addedEvents = {} }]) => [...Object.keys(events), ...Object.keys(addedEvents)]);
  assert.deepEqual([repeated(parameters), repeated(types)], [[], []]);
});

test('assigns an id prefix to every noun that is a subject of events or named by an id in a path', () => {
  for (const [noun, { idPrefix, eventScope, parameters }] of nounEntries)
    if (eventScope !== undefined || parameters !== undefined) assert.ok(idPrefix, noun);
});
