import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maskMembers } from './mask-members.ts';
import { maskSecretText } from './mask-secrets.ts';
import { maskWebTokens } from './web-tokens.ts';

/** A JSON Web Token as one expression: correct, and slow if many could begin. */
const TOKEN = /\beyJ[\w-]{6,}\.[\w-]{6,}(?:\.[\w-]*)?/gi;

test('finds the same JSON Web Tokens as the one expression that defines them', () => {
  const unit = fc.constantFrom('eyJ', 'EYJ', 'a', 'abcdef', '-', '_', '.', '.', ' ', 'é', '"', 'Bearer ');
  const text = fc.array(unit, { maxLength: 40 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (given) => {
      assert.equal(maskWebTokens(given, '<>'), given.replace(TOKEN, '<>'));
    }),
    { numRuns: 3_000 },
  );
});

test('masks them in every output, with or without the word before them', () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
  for (const text of [token, `-${token}`, `at ${token},`, `Bearer ${token}`, `x=${token}&y`])
    assert.ok(!/eyJ|c2ln/.test(maskSecretText(text)), maskSecretText(text));
});

/** Processor time of the best of three, in milliseconds. */
const computeTime = (text: string): number =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const { user, system } = process.cpuUsage();
      maskMembers({ text }, 3);
      const spent = process.cpuUsage({ user, system });
      return (spent.user + spent.system) / 1_000;
    }),
  );

test('masks any text in linear time', () => {
  const pieces = [
    '-eyJ',
    'eyJ.',
    '.eyJaaaaaa',
    'sk-',
    'SG.',
    'Bearer ',
    '-----BEGIN ',
    '2 ',
    '123456:AA',
    'bot',
    'A',
    '-',
    '.',
    ' ',
    '1.',
    '://',
    '://a:',
    ':',
  ];
  const dear = pieces.filter((piece) => computeTime(piece.repeat(Math.ceil(60_000 / piece.length))) > 300);
  assert.deepEqual(dear, []);
});
