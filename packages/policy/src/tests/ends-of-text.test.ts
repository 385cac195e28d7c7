import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newRun, type Test } from '../evaluation/node.ts';
import { TRUE } from '../evaluation/outcome.ts';
import { compileEndsWith } from './ends-with.ts';
import { compileStartsWith } from './starts-with.ts';

const run = newRun(Number.POSITIVE_INFINITY);

test('finds beginnings and ends exactly like the built-in search', () => {
  const letters = (least: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀', '\ud83d', '\ude00'), minLength: least, maxLength: 6 });
  fc.assert(
    fc.property(letters(1), letters(0), (piece, text) => {
      for (const whole of [text, piece + text, text + piece]) {
        assert.equal(compileStartsWith(piece)(whole, run) === TRUE, whole.startsWith(piece));
        assert.equal(compileEndsWith(piece)(whole, run) === TRUE, whole.endsWith(piece));
      }
    }),
    { numRuns: 5_000 },
  );
});

test('distinguishes many long beginnings and ends faster than the built-in search', () => {
  const long = 'é'.repeat(2_000);
  const pieces = Array.from({ length: 2_000 }, (_, n) => JSON.parse(JSON.stringify(`${long}${10_000 + n}`)) as string);
  const text = JSON.parse(JSON.stringify(`${long}99999 and ${long}99999`)) as string;
  /** Processor time of several rounds, in milliseconds. */
  const getRounds = (found: readonly ((text: string) => boolean)[]): number => {
    const start = process.threadCpuUsage();
    for (let round = 0; round < 20; round += 1) for (const one of found) assert.equal(one(text), false);
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1_000;
  };
  const compiled = (compile: (piece: string) => Test) => pieces.map(compile).map((test) => (one: string) => test(one, run) === TRUE);
  for (const [compile, builtIn] of [
    [compileStartsWith, (piece: string) => (one: string) => one.startsWith(piece)],
    [compileEndsWith, (piece: string) => (one: string) => one.endsWith(piece)],
  ] as const) {
    const [ours, theirs] = [getRounds(compiled(compile)), getRounds(pieces.map(builtIn))];
    assert.ok(ours < theirs / 2, `${ours} ms, and ${theirs} ms of the built-in search`);
  }
});
