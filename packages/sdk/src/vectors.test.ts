import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { requestBody } from './act/act.ts';
import { deriveApprovalKey } from './act/idempotency-key.ts';
import { getRetryDelayMs } from './exchange/backoff.ts';
import { Governance } from './governance.ts';
import { maskPaths } from './guard/mask-paths.ts';
import { mayProceed } from './guard/may-proceed.ts';
import { importPrivateKey } from './identity/import-private-key.ts';
import { signAssertion } from './identity/sign-assertion.ts';
import { verifyWebhook } from './webhooks/verify-webhook.ts';
import { createError } from './wire/errors.ts';
import { isDecision } from './wire/read-answers.ts';

/** Test vectors that the Python client must pass as well: sdks/python/tests/test_vectors.py. */
const vectors = JSON.parse(readFileSync(join(resolve(import.meta.dirname, '../../..'), 'sdks/vectors.json'), 'utf8'));

test('assertions are signed as in the shared vectors', async (t) => {
  t.mock.method(crypto, 'getRandomValues', (bytes: Uint8Array) => {
    bytes.set(Buffer.from(vectors.nonce, 'base64url'));
    return bytes;
  });
  for (const { agent_id, key_generation, audience, now_ms, context, assertion } of vectors.assertions) {
    const facts = { agentId: agent_id, keyGeneration: key_generation, audience, nowMs: now_ms, context };
    assert.equal(await signAssertion(importPrivateKey(vectors.private_key), facts), assertion);
  }
});

test('ids of contexts are accepted and refused as in the shared vectors', () => {
  const client = new Governance({ gatewayUrl: 'http://127.0.0.1:1', agentId: 'agt_1', privateKey: vectors.private_key });
  for (const { id, accepted } of vectors.contexts) {
    if (accepted) assert.equal(client.withContext(id).agentId, 'agt_1');
    else assert.throws(() => client.withContext(id), { name: 'TypeError', message: /id of a context/ });
  }
});

test('requests have the text and the key of the shared vectors', async () => {
  for (const { tool, request, dry_run, text, key_of_approval } of vectors.requests) {
    const { delegation_id, approval_id, ...rest } = request;
    const given = { ...rest, delegationId: delegation_id, approvalId: approval_id, ...(dry_run ? { dryRun: true } : {}) };
    assert.equal(requestBody(tool, given), text);
    assert.equal(await deriveApprovalKey('apr_1', text), key_of_approval);
  }
});

test('values are masked as in the shared vectors', () => {
  for (const { value, paths, masked } of vectors.masks) assert.deepEqual(maskPaths(value, paths), masked);
});

test('decisions are read and permit as in the shared vectors', () => {
  for (const { change, understood, may_proceed } of vectors.decisions) {
    const decision = { ...vectors.decision, ...change };
    assert.deepEqual(
      [isDecision(decision), isDecision(decision) && mayProceed(decision)],
      [understood, may_proceed],
      JSON.stringify(change),
    );
  }
});

test('errors have the class, the next step and the retries of the shared vectors', () => {
  for (const each of vectors.errors) {
    const { code, status, next_step, retryable } = each;
    const known = { message: 'Message', remedy: 'Remedy.', details: { approval_id: 'apr_1' }, retryAfterSeconds: 1 };
    const error = createError({ code, ...(status === null ? {} : { status }), ...known });
    assert.deepEqual([error.name, error.retryable, error.nextStep], [each.class, retryable, next_step], code);
    const repeated = [0, 1, 3].filter((attempt) => getRetryDelayMs(error, attempt, false) !== undefined);
    assert.deepEqual(repeated, each.repeated_at_attempt, code);
    assert.equal(getRetryDelayMs(error, 0, true) !== undefined, each.repeated_after_lost_answer, code);
  }
});

test('webhooks are verified and refused as in the shared vectors', async () => {
  for (const { title, body, headers, secrets, now, refused } of vectors.webhooks) {
    const verifying = verifyWebhook(body, headers, secrets, now * 1_000);
    if (refused === null) {
      const { 'svc-event-id': eventId, 'svc-event-type': eventType, 'svc-delivery-id': deliveryId } = headers;
      assert.deepEqual(await verifying, { eventId, eventType, deliveryId, attempt: 2 }, title);
    } else await assert.rejects(verifying, (error: Error) => error.name === 'WebhookNotVerified' && error.message.includes(refused), title);
  }
});
