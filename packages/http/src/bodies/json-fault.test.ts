import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findJsonFault } from './json-fault.ts';

const findPlace = (sentence: string): [number, number] => {
  const [, line, column] = /line (\d+), column (\d+)\.$/.exec(sentence) ?? [];
  return [Number(line), Number(column)];
};

test('malformed JSON is reported with the line and the column, and nothing of its content', () => {
  const texts: readonly (readonly [string, number, number])[] = [
    ['{"secret": hunter2}', 1, 12],
    ['{secret: 1}', 1, 2],
    ['{\n  "a": 1,\n  "b": hunter2\n}', 3, 8],
    ['{\n  "a": 1,\n}', 3, 1],
    ['{"a": 1} hunter2', 1, 10],
    ['[1, 2, hunter2]', 1, 8],
    ['\uFEFF{"a": hunter2}', 1, 7],
    ["{'hunter2': 1}", 1, 2],
    ['{"a": "hunter2\n"}', 1, 15],
    ['hunter2', 1, 1],
    [`[${'1,'.repeat(50_000)}hunter2]`, 1, 100_002],
  ];
  for (const [text, line, column] of texts) {
    const sentence = findJsonFault(text);
    assert.deepEqual(findPlace(sentence), [line, column], text.slice(0, 40));
    assert.doesNotMatch(sentence, /hunter2|secret/);
  }
});

test('a truncated body is reported as such, at its end', () => {
  for (const text of ['{"a": ', '{"a": "x', '[1, 2', '{', '"\\u12', 'tru', '-'])
    assert.match(findJsonFault(text), new RegExp(`it ends unexpectedly at line 1, column ${text.length + 1}\\.$`), text);
});

test('a member that would set a prototype is reported as such', () => {
  for (const text of ['{"__proto__": {}}', '{"a": {"constructor": {"prototype": {}}}}']) assert.match(findJsonFault(text), /__proto__/);
});

test('the reported place is exact: text before it can still become JSON, and with the next character it cannot', () => {
  const spoilt = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('x', '}', ']', ',', ':', '"', '\u0001', '-'));
  fc.assert(
    fc.property(spoilt, ([json, at, character]) => {
      const place = at % (json.length + 1);
      const text = json.slice(0, place) + character + json.slice(place);
      try {
        JSON.parse(text);
      } catch {
        const [, column] = findPlace(findJsonFault(text));
        assert.ok(column >= 1 && column <= text.length + 1, text);
        // The added character cannot cause an error before its own position.
        assert.ok(column > place || text.slice(0, place).includes('"'), `${text} at ${column}`);
      }
    }),
  );
});
