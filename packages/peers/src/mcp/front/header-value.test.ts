import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeHeaderValue } from './header-value.ts';

test('a header value is decoded only from padded base64 of UTF-8', () => {
  const cases: readonly (readonly [value: string, decoded: string | undefined])[] = [
    ['plain', 'plain'],
    ['', ''],
    ['SGVsbG8=', 'SGVsbG8='],
    ['=?base64?SGVsbG8=?=', 'Hello'],
    ['=?base64??=', ''],
    ['=?base64?5LiW55WM?=', '世界'],
    ['=?base64?SGVsbG8=', '=?base64?SGVsbG8='],
    ['=?base64?SGVsbG8?=', undefined],
    ['=?base64?SGVs!!bG8=?=', undefined],
    ['=?base64?SGVsbG9=?=', undefined],
    ['=?base64?/w==?=', undefined],
  ];
  for (const [value, decoded] of cases) assert.equal(decodeHeaderValue(value), decoded, value);
});
