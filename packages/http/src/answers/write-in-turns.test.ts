import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { serializeInSlices } from './write-in-turns.ts';
import { serializeJson } from './written.ts';

const readText = async (value: unknown): Promise<string> => String(serializeJson(await serializeInSlices(value)));

test('the text equals that of JSON.stringify, for any response', async () => {
  const odd = [
    null,
    'text',
    1,
    [],
    {},
    { a: undefined },
    { a: undefined, b: [undefined, () => 1], c: Symbol('c'), d: { toJSON: () => undefined } },
    new Date(0),
    [new Date(0)],
    { at: new Date(0) },
  ];
  for (const value of odd) assert.equal(await readText(value), JSON.stringify(value));
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => assert.equal(await readText(value), JSON.stringify(value))),
    { numRuns: 300 },
  );
});

test('a long list is written in several turns, with others between', async () => {
  const rows = Array.from({ length: 40 }, (_, n) => ({ n, text: 'ä€😀'.repeat(10_000) }));
  for (const value of [rows, { total: 40, items: rows, page: { next_cursor: 'x' } }]) {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const text = await readText(value);
    isDone = true;
    assert.equal(text, JSON.stringify(value));
    assert.ok(turns >= 8, `${turns} turns`);
  }
});
