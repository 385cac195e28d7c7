import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Static, Type } from 'typebox';
import { ENDPOINTS } from '../endpoints.ts';
import { SECRET_MEMBERS } from '../tables/secret-members.ts';
import { closedObject, nullable } from './schema.ts';
import { listSecrets, removeSecrets, secret } from './secret.ts';

const Holder = closedObject({
  name: Type.String(),
  ...secret('token', Type.String()),
  ...secret('private_key', Type.Optional(nullable(Type.String()))),
});

test('a marked member keeps its type, and stays optional', () => {
  const holder: Static<typeof Holder> = { name: 'a', token: 't' };
  assert.deepEqual(
    [Holder.required, Object.keys(holder)],
    [
      ['name', 'token'],
      ['name', 'token'],
    ],
  );
  // @ts-expect-error A word that the table of secrets does not have.
  secret('nickname', Type.String());
});

test('marked members are null at any place, and nothing else is changed', () => {
  const value = { name: 'a', token: 't', private_key: 'k' };
  const hidden = { name: 'a', token: null, private_key: null };
  assert.deepEqual(removeSecrets(Holder, value), hidden);
  assert.deepEqual(removeSecrets(Type.Array(Holder), [value, value]), [hidden, hidden]);
  assert.deepEqual(removeSecrets(Type.Record(Type.String(), Holder), { one: value }), { one: hidden });
  assert.deepEqual(removeSecrets(closedObject({ data: Type.Union([Type.Null(), Holder]) }), { data: value }), { data: hidden });
  assert.deepEqual(removeSecrets(closedObject({ data: Type.Intersect([closedObject({}), Holder]) }), { data: value }), { data: hidden });
  assert.deepEqual(removeSecrets(Holder, { name: 'a' }), { name: 'a' });
  assert.deepEqual(removeSecrets(closedObject({ token: Type.String() }), { token: 'a cursor' }), { token: 'a cursor' });
});

test('marked members are found in recursive schemas, at any depth', () => {
  const Tree = Type.Cyclic({ Tree: closedObject({ ...secret('token', Type.String()), below: Type.Array(Type.Ref('Tree')) }) }, 'Tree');
  assert.deepEqual([...listSecrets(Tree)], ['token']);
  const leaf = { token: 't', below: [] };
  assert.deepEqual(removeSecrets(Tree, { token: 't', below: [{ token: 't', below: [leaf] }] }), {
    token: null,
    below: [{ token: null, below: [{ token: null, below: [] }] }],
  });
});

test('every word for a secret is marked by a row, and every marked member is one of them', () => {
  const marked = new Set(Object.values(ENDPOINTS).flatMap((row) => [...listSecrets([row.result, 'body' in row && row.body])]));
  assert.deepEqual([...marked].sort(), Object.keys(SECRET_MEMBERS).sort());
});
