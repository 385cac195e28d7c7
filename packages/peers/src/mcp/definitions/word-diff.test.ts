import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ToolDefinition } from './definition.ts';
import { definitionDiff, wordDiff } from './word-diff.ts';

test('shows the words that changed', () => {
  assert.deepEqual(wordDiff('Lists all jobs of a user.', 'Lists jobs of a user. Call it twice.'), [
    { kind: 'same', text: 'Lists ' },
    { kind: 'removed', text: 'all ' },
    { kind: 'same', text: 'jobs of a user' },
    { kind: 'added', text: '. Call it twice' },
    { kind: 'same', text: '.' },
  ]);
  assert.deepEqual(wordDiff('', ''), []);
  assert.deepEqual(wordDiff('Saves.', 'Sa\u200bves.'), [
    { kind: 'removed', text: 'Saves' },
    { kind: 'added', text: 'Sa<U+200B>ves' },
    { kind: 'same', text: '.' },
  ]);
});

test('both texts can be read from the difference', () => {
  const word = fc.constantFrom('a', 'b', 'c', ' ', '.', 'ab', '\n');
  const texts = fc.array(word, { maxLength: 30 }).map((words) => words.join(''));
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const changes = wordDiff(before, after);
      const without = (kind: string): string =>
        changes
          .filter((change) => change.kind !== kind)
          .map(({ text }) => text)
          .join('');
      assert.deepEqual([without('added'), without('removed')], [before, after]);
      for (const [index, change] of changes.entries()) assert.notEqual(change.kind, changes[index + 1]?.kind);
    }),
  );
});

test('takes bounded time for texts that have nothing in common, and hides nothing of them', () => {
  const words = (letter: string): string => Array.from({ length: 4_000 }, (_, at) => `${letter}${(at * 7_919) % 1_000}`).join(' ');
  const before = process.cpuUsage();
  const changes = wordDiff(words('a'), words('b'));
  assert.ok(process.cpuUsage(before).user < 2_000_000);
  assert.deepEqual(
    changes.map(({ kind }) => kind),
    ['removed', 'added'],
  );
});

const base: ToolDefinition = {
  name: 'a',
  description: 'Lists jobs.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' }, old: {} }, required: ['id'] },
};

test('names each changed place of a definition', () => {
  const after: ToolDefinition = {
    name: 'a',
    description: 'Lists all jobs.',
    annotations: { destructiveHint: true },
    inputSchema: { type: 'object', properties: { id: { type: 'number' }, 'new/one': {} }, required: ['id', 'x'] },
  };
  assert.deepEqual(definitionDiff(base, after), [
    {
      pointer: '/description',
      kind: 'changed',
      before: 'Lists jobs.',
      after: 'Lists all jobs.',
      words: [
        { kind: 'same', text: 'Lists ' },
        { kind: 'added', text: 'all ' },
        { kind: 'same', text: 'jobs.' },
      ],
    },
    {
      pointer: '/inputSchema/properties/id/type',
      kind: 'changed',
      before: 'string',
      after: 'number',
      words: [
        { kind: 'removed', text: 'string' },
        { kind: 'added', text: 'number' },
      ],
    },
    { pointer: '/inputSchema/properties/old', kind: 'removed', before: '{}' },
    { pointer: '/inputSchema/properties/new~1one', kind: 'added', after: '{}' },
    { pointer: '/inputSchema/required', kind: 'changed', before: '["id"]', after: '["id","x"]' },
    { pointer: '/annotations', kind: 'added', after: '{"destructiveHint":true}' },
  ]);
  assert.deepEqual(definitionDiff(base, structuredClone(base)), []);
});

test('lists at most 200 positions', () => {
  const many = (value: number): ToolDefinition => ({
    ...base,
    inputSchema: Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`x${at}`, value])),
  });
  assert.equal(definitionDiff(many(1), many(2)).length, 200);
});
