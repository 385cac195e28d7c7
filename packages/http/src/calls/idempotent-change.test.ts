import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { listSecrets } from '@svc/contract/rows/secret.ts';
import { redactReplay } from './idempotent-change.ts';

type Member = { readonly anyOf?: readonly { readonly type?: string }[] };

/** Returns the schema members with these names, anywhere. */
const listMembers = (schema: unknown, names: readonly string[]): Member[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, Member>> };
  return [...names.flatMap((name) => properties[name] ?? []), ...Object.values(schema).flatMap((each) => listMembers(each, names))];
};

test('a response stored for a replay has none of the secrets that its row marks, under any name', () => {
  assert.deepEqual(redactReplay(ENDPOINTS.createAgent, { data: { agent: { id: 'agt_1' }, private_key: 'k' } }), {
    data: { agent: { id: 'agt_1' }, private_key: null },
  });
  const { result } = ENDPOINTS.createApiKey;
  const keyRow: Endpoint = { ...ENDPOINTS.createApiKey, result, idempotent: true };
  assert.deepEqual(redactReplay(keyRow, { api_key: { id: 'apk_1' }, token: 'svc_key_1' }), { api_key: { id: 'apk_1' }, token: null });
});

test('a response without secrets is stored unchanged', () => {
  const answer = { id: 'wsp_1', name: 'private_key' };
  assert.equal(redactReplay(ENDPOINTS.createWorkspace, answer), answer);
});

test('a secret omitted from a replay may be null by the schema of its row', () => {
  for (const [name, row] of Object.entries(ENDPOINTS) as [string, Endpoint][]) {
    if (!row.idempotent) continue;
    for (const secret of listMembers(row.result, [...listSecrets(row.result)]))
      assert.ok(
        secret.anyOf?.some(({ type }) => type === 'null'),
        name,
      );
  }
});
