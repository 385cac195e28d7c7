import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NAME_PATTERN } from './schema.ts';

const isName = (text: string): boolean => new RegExp(NAME_PATTERN, 'u').test(text);

test('a name is one line of visible characters, in any script', () => {
  for (const text of [
    'a',
    ' Acme Inc. ',
    'Zoë',
    'می\u200cخواهم',
    'שלום\u200e!',
    '👩\u200d💻',
    '漢字',
    "O'Neil-Smith & Co",
    'क\u094d\u200dष',
  ])
    assert.equal(isName(text), true, text);
  const steering = [
    '\u001b[2J',
    'a\nb',
    'a\r',
    '\t',
    'a\u007f',
    'a\u009b',
    'a\u2028b',
    '\u202egpj.exe',
    'a\u2066b',
    'a\u200bb',
    'a\ufeff',
    'a\u00adb',
  ];
  for (const text of ['', ' ', '\u3000', ...steering]) assert.equal(isName(text), false, JSON.stringify(text));
});
