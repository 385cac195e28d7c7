import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newChannel } from './channel.ts';
import { newChannels } from './channels.ts';
import type { Framed } from './framed.ts';

const BOUNDS = { chunkBytesMax: 100, waitingBytesMax: 1_000 };
const ORGANIZATION = 'org_1';
const VIEW = { organization_id: ORGANIZATION, workspace_ids: null, environment_id: null };

let made = 0;
const event = (text: string, organization_id = ORGANIZATION): Framed => ({
  event: { organization_id, type: 'x', actor: { id: 'a' }, subject: { id: 's' } } as unknown as AuditEvent,
  text: () => {
    made += 1;
    return text;
  },
});

test('sends all readers of a view the same bytes, encoded once, in bounded pieces', async () => {
  const { listen, publish } = newChannel(VIEW, BOUNDS);
  const [one, other] = [listen(), listen()];
  made = 0;
  publish([event('a'.repeat(60)), event('foreign', 'org_2'), event('b'.repeat(60)), event('c'.repeat(300))]);
  const taken = [await one.next(), await one.next(), await one.next()];
  assert.deepEqual(
    taken.map((bytes) => `${bytes}`.slice(0, 1) + bytes?.length),
    ['a60', 'b60', 'c300'],
  );
  assert.equal(await other.next(), taken[0]);
  assert.equal(made, 3);
});

test('drops a slow reader at the limit with a notice and frees its buffer, while others read on', async () => {
  const channel = newChannel(VIEW, BOUNDS);
  const [slow, quick] = [channel.listen(), channel.listen()];
  for (let n = 0; n < 10; n += 1) {
    channel.publish([event('x'.repeat(100))]);
    await quick.next();
  }
  assert.equal(channel.heldBytes(), 1_000);
  channel.publish([event('y')]);
  assert.deepEqual([await slow.next(), slow.hasFallenBehind()], [undefined, true]);
  assert.deepEqual([`${await quick.next()}`, quick.hasFallenBehind(), channel.heldBytes()], ['y', false, 0]);
  quick.end();
  assert.deepEqual([await quick.next(), channel.isEmpty()], [undefined, true]);
});

test('bounds the buffers of all views together: the reader furthest behind is dropped first', async () => {
  const channels = newChannels({ ...LIMITS.streams, waitingBytesMax: 1_000, waitingBytesTotalMax: 1_500 });
  const listeners = ['org_1', 'org_2'].map((organization_id) => channels.listen({ ...VIEW, organization_id }));
  channels.publish([event('x'.repeat(700), 'org_1'), event('y'.repeat(600), 'org_2')]);
  assert.deepEqual(
    listeners.map((each) => each.hasFallenBehind()),
    [false, false],
  );
  channels.publish([event('x'.repeat(250), 'org_2')]);
  assert.deepEqual(
    listeners.map((each) => each.hasFallenBehind()),
    [false, true],
  );
});
