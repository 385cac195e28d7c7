import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sanitizeText } from './sanitize-text.ts';

test('removes invisible, blank and reordering characters, and keeps lines', () => {
  const unseen = [
    0x202e, 0x2066, 0x200b, 0xe0041, 0xe0100, 0xfe0f, 0x3164, 0x115f, 0xffa0, 0x2800, 0x034f, 0x180b, 0x17b4, 0xad, 0x7, 0xe000,
  ];
  for (const code of unseen) assert.equal(sanitizeText(`a${String.fromCodePoint(code)}b`), 'ab', code.toString(16));
  assert.equal(sanitizeText('a\r\nb\u2028c\td é ü 漢字 שלום'), 'a\nb\nc\td é ü 漢字 שלום');
});

test('keeps at most four marks per letter', () => {
  assert.equal(sanitizeText(`a${'\u0301'.repeat(50)}b`), `a${'\u0301'.repeat(4)}b`);
  assert.equal(
    sanitizeText(`a${'\u0301\u034f'.repeat(50)}b`),
    `a${'\u0301'.repeat(4)}b`,
    'also where something unseen stands between them',
  );
});

test('reports if nothing is left, masks secrets, and keeps empty text empty', () => {
  assert.deepEqual(['\u3164\u2800', ' \u200b\n', ''].map(sanitizeText), ['(no visible text)', '(no visible text)', '']);
  assert.equal(sanitizeText(`by sk_live_\u200b${'a1B2'.repeat(8)}`), 'by [masked]');
});
