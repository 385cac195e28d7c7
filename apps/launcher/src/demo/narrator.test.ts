import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newNarrator } from './narrator.ts';

const told = (work: (tell: ReturnType<typeof newNarrator>) => void): string[] => {
  const lines: string[] = [];
  work(
    newNarrator(
      (line) => lines.push(line),
      (style, text) => (style === 'red' ? `<${text}>` : text),
    ),
  );
  return lines;
};

test('chapters are numbered, and a style covers the label alone', () => {
  const lines = told((tell) => {
    tell.chapter('First');
    tell.chapter('Second');
    tell.answered('refused', '403 NO');
  });
  assert.deepEqual(lines, ['\n1. First\n', '\n2. Second\n', '    <answer  >403 NO']);
});

test('a long request continues below its beginning, broken after commas and spaces only', () => {
  const request = `POST /v1/x {"a":"${'y'.repeat(50)}","b":"${'z'.repeat(50)}","c":1}`;
  const [first = '', second = '', ...rest] = told((tell) => tell.asks('Ada', request));
  assert.equal(first, `    Ada     POST /v1/x {"a":"${'y'.repeat(50)}",`);
  assert.equal(second, `            "b":"${'z'.repeat(50)}","c":1}`);
  assert.deepEqual(rest, []);
  assert.deepEqual(
    told((tell) => tell.asks('Ada', 'x'.repeat(300))),
    [`    Ada     ${'x'.repeat(300)}`],
  );
});
