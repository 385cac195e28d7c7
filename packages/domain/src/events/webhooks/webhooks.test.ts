import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { buildDeliveryBody, type TellableEvent } from './body.ts';
import { computeRetryDelayMs, isFailingTooLong } from './retry-schedule.ts';
import { type DeliveryReceiver, shareSlots, standingAfter } from './share-slots.ts';
import { buildDeliveryHeaders } from './signed-text.ts';
import { findUrlFault } from './url-fault.ts';
import { mayReceiveEvent, voucherRights } from './voucher.ts';

const { concurrentSendsMax, unprovenSendsMax, concurrentSendsPerOrganizationMax, receiverSendsMax, bodyBytesMax } = LIMITS.webhooks;

test('waits as the table states within a fifth, and not at all after the eighth failure', () => {
  const seconds = [0, 10, 60, 300, 1_800, 7_200, 21_600, 86_400];
  seconds.forEach((each, failures) => {
    assert.deepEqual(
      [computeRetryDelayMs(failures, 0), computeRetryDelayMs(failures, 0.5), computeRetryDelayMs(failures, 1)],
      [each * 800, each * 1_000, each * 1_200],
    );
  });
  assert.equal(computeRetryDelayMs(8, 0.5), undefined);
});

test('counts a receiver as failing for days after five days', () => {
  const since = '2026-01-01T00:00:00.000Z';
  const end = Date.parse('2026-01-06T00:00:00.000Z');
  assert.deepEqual([isFailingTooLong(since, end - 1), isFailingTooLong(since, end), isFailingTooLong(null, end)], [false, true, false]);
});

test('allows http only if the operator allows private networks', () => {
  assert.equal(findUrlFault('http://10.0.0.1:8080/hook', { allowsHttp: true }), undefined);
  assert.match(findUrlFault('http://10.0.0.1:8080/hook', { allowsHttp: false }) ?? '', /https/);
  for (const url of ['wss://a.example/', 'https://a.example/#', 'https://a@a.example/', 'a.example'])
    assert.equal(typeof findUrlFault(url, { allowsHttp: true }), 'string', url);
});

const event: Omit<TellableEvent, 'data'> = {
  ...{ id: 'evt_1', type: 'agent.created', occurred_at: '2026-01-01T00:00:00.000Z', organization_id: 'org_1' },
  ...{ workspace_id: null, environment_id: null, subject: { type: 'agent', id: 'agt_1' } },
};

test('omits event data that would make a body too large, and reports it', () => {
  const small = JSON.parse(buildDeliveryBody({ ...event, data: { a: 1 } }, 'JSON'));
  assert.deepEqual([small.data, 'data_left_out' in small], [{ a: 1 }, false]);
  for (const letter of ['x', 'ü', '漢', '😀']) {
    const text = buildDeliveryBody({ ...event, data: { a: letter.repeat(bodyBytesMax / 2 / Buffer.byteLength(letter)) } }, 'JSON');
    assert.ok(Buffer.byteLength(text) <= bodyBytesMax && text.includes(letter), letter);
    const large = buildDeliveryBody({ ...event, data: { a: letter.repeat(bodyBytesMax) } }, 'JSON');
    assert.deepEqual([JSON.parse(large).data, JSON.parse(large).data_left_out], [{}, true]);
  }
  assert.equal(JSON.parse(buildDeliveryBody({ ...event, data: { a: 'x'.repeat(bodyBytesMax) } }, 'CLOUDEVENTS')).dataleftout, true);
});

test('omits event data that is too deep for a body, and reports it', () => {
  const data = { a: JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) };
  const { data: told, data_left_out } = JSON.parse(buildDeliveryBody({ ...event, data }, 'JSON'));
  assert.deepEqual([told, data_left_out], [{}, true]);
  assert.equal(JSON.parse(buildDeliveryBody({ ...event, data }, 'CLOUDEVENTS')).dataleftout, true);
});

test('signs with two secrets in one header of ours and in one of Standard Webhooks', () => {
  const signatures = [
    { hex: 'aa', base64: 'qg==' },
    { hex: 'bb', base64: 'uw==' },
  ];
  const headers = buildDeliveryHeaders({
    eventId: 'evt_1',
    eventType: 'agent.created',
    deliveryId: 'dlv_1',
    attempt: 3,
    unixSeconds: 12,
    signatures,
  });
  assert.deepEqual([headers['svc-signature'], headers['webhook-signature']], ['t=12,v1=aa,v1=bb', 'v1,qg== v1,uw==']);
  assert.deepEqual([headers['svc-delivery-attempt'], headers['webhook-id'], headers['webhook-timestamp']], ['3', 'evt_1', '12']);
});

const receiver = (id: string, more: Partial<DeliveryReceiver> = {}): DeliveryReceiver => ({
  ...{ id, organizationId: `org of ${id}`, inFlight: 0, window: receiverSendsMax, standing: 'quick', busyAt: 0 },
  ...more,
});
const many = (count: number, prefix: string, more: Partial<DeliveryReceiver> = {}) =>
  Array.from({ length: count }, (_, n) => receiver(`${prefix} ${n}`, more));
const sum = (given: ReadonlyMap<string, number>, prefix = ''): number =>
  [...given].reduce((total, [id, count]) => total + (id.startsWith(prefix) ? count : 0), 0);

test('leaves capacity for working receivers, however many hang', () => {
  const hanging = many(1_000, 'hanging', { standing: 'slow', window: 1 });
  const unknown = many(1_000, 'unknown', { standing: 'unknown', window: 1 });
  const quick = receiver('quick');
  const all = [...hanging, ...unknown, quick];
  const given = shareSlots(all, all);
  assert.deepEqual(
    [sum(given, 'hanging'), sum(given, 'unknown'), sum(given, 'quick')],
    [unprovenSendsMax, unprovenSendsMax, concurrentSendsMax - 2 * unprovenSendsMax],
  );
});

test('bounds the slots of an organization, for any backlog, and of a receiver', () => {
  const greedy = many(50, 'greedy', { organizationId: 'org_1' });
  const other = receiver('other');
  const all = [...greedy, other];
  const given = shareSlots(all, all);
  assert.deepEqual([sum(given, 'greedy'), given.get('other')], [concurrentSendsPerOrganizationMax, receiverSendsMax]);
  const busy = receiver('busy', { inFlight: receiverSendsMax - 2 });
  assert.equal(shareSlots([busy], [busy]).get('busy'), 2);
});

test('shares slots round-robin by organization: a late small one waits for no other', () => {
  const all = [...many(20, 'first', { organizationId: 'org_1' }), ...many(20, 'second', { organizationId: 'org_2' }), receiver('late')];
  const given = shareSlots(all, all);
  assert.equal(given.get('late'), receiverSendsMax);
  assert.ok(Math.abs(sum(given, 'first') - sum(given, 'second')) <= 1);
});

test('widens the window of a receiver while its deliveries arrive, and halves it after a failure', () => {
  assert.deepEqual(standingAfter(1, { arrived: true, durationMs: 5 }), { standing: 'quick', window: 2 });
  assert.deepEqual(standingAfter(receiverSendsMax, { arrived: true, durationMs: 5 }), { standing: 'quick', window: receiverSendsMax });
  assert.deepEqual(standingAfter(64, { arrived: true, durationMs: 5_000 }), { standing: 'slow', window: 8 });
  assert.deepEqual(standingAfter(64, { arrived: false, durationMs: 5 }), { standing: 'slow', window: 32 });
  assert.deepEqual(standingAfter(1, { arrived: false, durationMs: 5 }), { standing: 'slow', window: 1 });
});

test("limits events to the owner's current rights and scope, and stops once they may create no subscription", () => {
  const link = { kind: 'USER', expires_at: null, revoked_at: null } as const;
  const rights = voucherRights([{ ...link, permissions: ['webhook:update', 'agent:read'], workspace_ids: ['wsp_1'] }], 0);
  assert.ok(rights);
  const told = (event_type: string, workspace_id: string | null) => mayReceiveEvent(rights, { event_type, workspace_id });
  assert.deepEqual(
    [told('agent.created', 'wsp_1'), told('agent.created', 'wsp_2'), told('agent.created', null), told('policy.updated', 'wsp_1')],
    [true, false, false, false],
  );
  assert.equal(voucherRights([{ ...link, permissions: ['webhook:read', 'agent:read'], workspace_ids: null }], 0), undefined);
  assert.equal(voucherRights([], 0), undefined);
});
