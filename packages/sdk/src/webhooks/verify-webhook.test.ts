import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mock, test } from 'node:test';
import { verifyWebhook, WebhookNotVerified } from './verify-webhook.ts';

const SECRET = 'whsec_of_this_test';
const BODY = '{"id":"evt_1","type":"agent.created","text":"ü"}';
const AT = 1_767_225_600;

const computeDigest = (body: string, secret = SECRET, at: number | string = AT) =>
  createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
const headersWith = (signature: string) => ({
  ...{ 'svc-signature': signature, 'svc-event-id': 'evt_1', 'svc-event-type': 'agent.created' },
  ...{ 'svc-delivery-id': 'dlv_1', 'svc-delivery-attempt': '2' },
});
const signed = (body = BODY, secret = SECRET) => headersWith(`t=${AT},v1=${computeDigest(body, secret)}`);
const refused = (work: Promise<unknown>, why: RegExp) =>
  assert.rejects(work, (error: Error) => error instanceof WebhookNotVerified && why.test(error.message));

test('a delivery is verified by its raw body as text or bytes, with headers of fetch or of Node, by either secret of a rotation', async () => {
  const expected = { eventId: 'evt_1', eventType: 'agent.created', deliveryId: 'dlv_1', attempt: 2 };
  for (const body of [BODY, Buffer.from(BODY)])
    for (const headers of [signed(), new Headers(signed())])
      assert.deepEqual(await verifyWebhook(body, headers, SECRET, AT * 1_000), expected);
  const both = headersWith(`t=${AT},v1=${computeDigest(BODY, 'new')},v1=${computeDigest(BODY)}`);
  for (const secret of [SECRET, 'new', ['other', 'new']]) await verifyWebhook(BODY, both, secret, AT * 1_000);
});

test('a time more than 300 s away either way is refused before any cryptography', async () => {
  for (const seconds of [-300, 300]) await verifyWebhook(BODY, signed(), SECRET, (AT + seconds) * 1_000);
  const computing = [mock.method(crypto.subtle, 'importKey'), mock.method(crypto.subtle, 'verify')];
  for (const seconds of [-301, 301])
    await refused(verifyWebhook(BODY, signed(), SECRET, (AT + seconds) * 1_000), /too old or in the future/);
  for (const each of computing) {
    assert.equal(each.mock.callCount(), 0);
    each.mock.restore();
  }
});

test('another body, secret, time or form is refused', async () => {
  const now = AT * 1_000;
  await refused(verifyWebhook(`${BODY} `, signed(), SECRET, now), /does not match the body and the secret/);
  await refused(verifyWebhook(BODY, signed(), 'other', now), /does not match the body and the secret/);
  await refused(verifyWebhook(BODY, signed(), [], now), /No secret/);
  await refused(verifyWebhook(BODY, signed(), '', now), /No secret/);
  await refused(
    verifyWebhook(BODY, headersWith(`t=${AT + 1},v1=${computeDigest(BODY)}`), SECRET, now),
    /does not match the body and the secret/,
  );
  const wrong = [
    ...[
      '',
      `v1=${computeDigest(BODY)}`,
      `t=${AT}`,
      `t=${AT},v1=`,
      `t=${AT},v1=${computeDigest(BODY).toUpperCase()}`,
      `t=${AT},v1=${computeDigest(BODY)},v0=a`,
    ],
    ...[
      `t=1e9,v1=${computeDigest(BODY)}`,
      `t=${AT},v1=${computeDigest(BODY).slice(2)}`,
      `t=${AT}${`,v1=${computeDigest(BODY)}`.repeat(9)}`,
    ],
  ];
  for (const signature of wrong) await refused(verifyWebhook(BODY, headersWith(signature), SECRET, now), /form/);
  await refused(verifyWebhook(BODY, {}, SECRET, now), /svc-signature is missing/);
  await refused(verifyWebhook(BODY, { ...signed(), 'svc-signature': ['a', 'b'] }, SECRET, now), /more than once/);
});

test('unsigned headers that contradict the body are ignored', async () => {
  const now = AT * 1_000;
  await refused(verifyWebhook(BODY, { ...signed(), 'svc-event-id': 'evt_2' }, SECRET, now), /svc-event-id does not match the body/);
  await refused(verifyWebhook(BODY, { ...signed(), 'svc-event-type': 'agent.revoked' }, SECRET, now), /svc-event-type does not match/);
  for (const body of ['{}', '[]', 'null', '"evt_1"', 'no JSON', '{"id":["evt_1"],"type":"agent.created"}'])
    await refused(verifyWebhook(body, signed(body), SECRET, now), /svc-event-id does not match the body/);
});
