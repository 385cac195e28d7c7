import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { newTextSeal } from './sealed-text.ts';

const newSeal = () => newTextSeal(createSecretKey(randomBytes(32)));
const TEXT = 'm5abc.90071992547.evt_01ARZ3NDEKTSV4RRFFQ69G5FAV';

test('opens a sealed text unchanged; the sealed form is deterministic and reveals nothing', () => {
  const { seal, open } = newSeal();
  const sealed = seal(TEXT);
  assert.match(sealed, /^[A-Za-z0-9_-]+$/);
  assert.equal(open(sealed), TEXT);
  assert.equal(seal(TEXT), sealed);
  assert.ok(!Buffer.from(sealed, 'base64url').toString('latin1').includes('evt_'));
  assert.notEqual(seal(`${TEXT}!`).slice(0, 16), sealed.slice(0, 16));
});

test('opens nothing with a changed, cut or added character, or of another key', () => {
  const { seal, open } = newSeal();
  const sealed = seal(TEXT);
  for (let at = 0; at < sealed.length; at += 1) {
    assert.equal(open(sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)), undefined, `changed at ${at}`);
    assert.equal(open(sealed.slice(0, at)), undefined, `cut at ${at}`);
  }
  for (const text of [`${sealed}A`, `${sealed}=`, ` ${sealed}`, '', 'A'.repeat(1_000_000), newSeal().seal(TEXT)])
    assert.equal(open(text), undefined);
});
