import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildId, getIdPattern, ID_PREFIXES, type IdNoun, isId, SECRET_PREFIXES } from './ids.ts';

const ULID = '01JXA4T0000000000000000ABC';
const nouns = Object.keys(ID_PREFIXES) as IdNoun[];

test('no two nouns share a prefix, and no secret looks like an identifier', () => {
  const prefixes = Object.values(ID_PREFIXES);
  assert.equal(new Set(prefixes).size, prefixes.length);
  assert.ok(prefixes.length >= 37);
  for (const prefix of prefixes) assert.match(prefix, /^[a-z][a-z0-9]{2,3}$/);
  for (const secret of Object.values(SECRET_PREFIXES)) assert.ok(!prefixes.some((prefix) => secret.startsWith(`${prefix}_`)));
});

test('an identifier is recognised as its own noun and as no other', () => {
  for (const noun of nouns) {
    const id = buildId(noun, ULID);
    assert.deepEqual(
      nouns.filter((other) => isId(other, id)),
      [noun],
    );
    assert.match(id, new RegExp(getIdPattern(noun)));
  }
});

test('a text without a ULID of 128 bits after the prefix is no identifier', () => {
  const bodies = [
    '',
    ULID.slice(1),
    `${ULID}0`,
    ULID.toLowerCase(),
    `8${ULID.slice(1)}`,
    `${ULID.slice(0, 25)}U`,
    `${ULID.slice(0, 25)}\n`,
    `${ULID}\n`,
  ];
  for (const body of bodies) {
    assert.equal(isId('agent', `agt_${body}`), false, JSON.stringify(body));
    assert.doesNotMatch(`agt_${body}`, new RegExp(getIdPattern('agent')));
  }
  assert.equal(isId('agent', ULID), false);
  assert.equal(isId('agent', `AGT_${ULID}`), false);
  assert.equal(isId('agent', ` agt_${ULID}`), false);
});
