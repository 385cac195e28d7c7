import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitLines } from './split-lines.ts';

const split = (bytesMax: number, chunks: readonly string[]) => {
  const lines: string[] = [];
  const splitter = splitLines(bytesMax, (line) => lines.push(line));
  const taken = chunks.map((chunk) => splitter.take(Buffer.from(chunk)));
  splitter.end();
  return { lines, taken };
};

test('joins chunks, ends lines at LF or CR LF, and skips blank ones', () => {
  assert.deepEqual(split(100, ['{"a"', ':1}\r\n\n {"b', '":2}\n', 'rest']).lines, ['{"a":1}', ' {"b":2}', 'rest']);
});

test('keeps a character whose bytes arrive in two chunks', () => {
  const lines: string[] = [];
  const splitter = splitLines(100, (line) => lines.push(line));
  const bytes = Buffer.from('ä€\n');
  splitter.take(bytes.subarray(0, 1));
  splitter.take(bytes.subarray(1, 4));
  splitter.take(bytes.subarray(4));
  assert.deepEqual(lines, ['ä€']);
});

test('reads nothing after a line that exceeds the limit', () => {
  const { lines, taken } = split(8, ['12345678\n', '12345', '6789', '\nshort\n']);
  assert.deepEqual(lines, ['12345678']);
  assert.deepEqual(taken, [true, true, false, false]);
});
