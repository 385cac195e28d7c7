import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEgress } from '../create-egress.ts';
import { formatUserMessage } from './explain-to-people.ts';

const SETTINGS = { allowRealEgress: true, timeoutMs: 1_000, responseMaxBytes: 1_000 };

test('names the setting for a refused private address to people, and none in the result itself', async () => {
  const egress = createEgress({ ...SETTINGS, allowCidrs: [] });
  const result = await egress.call({ method: 'GET', url: 'https://10.1.2.3/', headers: {}, tenant: 'org_1' });
  assert.equal(result.kind, 'unreachable');
  if (result.kind !== 'unreachable') return;
  assert.match(formatUserMessage(result), /private or reserved address.*can allow it with SVC_EGRESS_ALLOW_CIDRS\.$/);
  assert.doesNotMatch(result.detail, /SVC_/);
});

test('names no setting for a name that cannot be resolved', () => {
  const detail = 'The name of the destination could not be resolved.';
  assert.equal(formatUserMessage({ kind: 'unreachable', detail }), detail);
  const blocked = 'The destination is blocked by an emergency control of the organization.';
  assert.equal(formatUserMessage({ kind: 'unreachable', detail: blocked, forbidden: true }), blocked);
});

test('names the setting for a refused plain-text call with a credential', () => {
  const reason = 'The call has a credential but does not use TLS.';
  assert.match(formatUserMessage({ kind: 'refused', reason, setting: 'credentialsOverHttp' }), /SVC_CREDENTIALS_OVER_HTTP\.$/);
});
