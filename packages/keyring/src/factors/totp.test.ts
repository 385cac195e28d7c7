import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { findTotpStep, newTotp } from './totp.ts';

const key = createSecretKey(Buffer.alloc(32, 1));
const place = { user_id: 'usr_1', id: 'mfa_1' };
const { sealed, secret } = newTotp(key, place, 'ada@example.com');
const now = new Date('2026-01-01T00:00:15Z');
const step = Math.floor(now.getTime() / 30_000);
const codeAt = (aside: number): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: (step + aside) * 30_000 });
const stepOf = (code: string): number | undefined => findTotpStep(key, place, sealed, code, now);

test('accepts six ASCII digits only as a code', () => {
  const code = codeAt(0);
  assert.notEqual(stepOf(code), undefined);
  const inScript = (zero: number) => [...code].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');
  const spellings = [0xff10, 0x0660, 0x06f0, 0x0966, 0x1d7ce].map(inScript);
  for (const other of [...spellings, ` ${code}`, `${code} `, `${code}\n`, `0${code}`, code.slice(1), `${code}${code}`, ''])
    assert.equal(stepOf(other), undefined, JSON.stringify(other));
});

test('accepts a code of its step, the previous and the next one, and for no other row', () => {
  const near = [-1, 0, 1].map(codeAt);
  for (const aside of [-1, 0, 1]) assert.equal(stepOf(codeAt(aside)), step + near.indexOf(codeAt(aside)) - 1);
  for (const aside of [-3, -2, 2, 3]) if (!near.includes(codeAt(aside))) assert.equal(stepOf(codeAt(aside)), undefined, String(aside));
  assert.throws(() => findTotpStep(key, { ...place, id: 'mfa_2' }, sealed, codeAt(0), now));
});
