import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint } from '@svc/contract/endpoint.ts';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { replayOf } from './idempotent-change.ts';

test('what is kept of an answer for a replay holds none of the secrets that its row marks, whatever they are called', () => {
  assert.deepEqual(replayOf(ENDPOINTS.createAgent, { data: { agent: { id: 'agt_1' }, private_key: 'k' } }), {
    data: { agent: { id: 'agt_1' }, private_key: null },
  });
  const { result } = ENDPOINTS.createApiKey;
  const keyRow: Endpoint = { ...ENDPOINTS.createApiKey, result, idempotent: true };
  assert.deepEqual(replayOf(keyRow, { api_key: { id: 'apk_1' }, token: 'svc_key_1' }), { api_key: { id: 'apk_1' }, token: null });
});

test('an answer without secrets is kept as it is', () => {
  const answer = { id: 'wsp_1', name: 'private_key' };
  assert.equal(replayOf(ENDPOINTS.createWorkspace, answer), answer);
});
