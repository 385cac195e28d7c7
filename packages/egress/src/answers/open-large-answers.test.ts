import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { LargeText } from './describe-large-answer.ts';
import { openLargeAnswers } from './open-large-answers.ts';
import { openReadingThread } from './open-reading-thread.ts';

const large = openLargeAnswers();
after(() => large.close());

/** The maximum number of parsed values, each masked by name. */
const answerOf = (values: number) => ({
  body: new Uint8Array(Buffer.from(JSON.stringify(Array.from({ length: values }, (_, n) => ({ secret: n }))))),
  saysJson: true,
  masks: ['*.secret'],
  hidden: { secrets: [], sent: [] },
  valuesMax: 200_000,
  bytesMax: 10_485_760,
});

test('delays other tenants by at most one slow response of an organization', async () => {
  const order: string[] = [];
  const tell = async (tenant: string, name: string, values: number): Promise<void> => {
    const told = await large.tell(tenant, answerOf(values));
    assert.equal(told.kind, 'told', name);
    order.push(name);
  };
  const slow = ['slow 1', 'slow 2', 'slow 3'].map((name) => tell('org_slow', name, 60_000));
  const quick = [tell('org_quick', 'quick', 10), tell('org_other', 'other', 10)];
  await Promise.all([...slow, ...quick]);
  assert.deepEqual(order, ['slow 1', 'quick', 'other', 'slow 2', 'slow 3']);
});

test('does not start a response that waited too long', async () => {
  const thread = openReadingThread<ReturnType<typeof answerOf>, LargeText>(new URL('./large-answers-thread.ts', import.meta.url), 1);
  const told = await Promise.all([20_000, 10, 10].map((values) => thread.tell('org_1', answerOf(values))));
  assert.deepEqual(
    told.map(({ kind }) => kind),
    ['told', 'failed', 'failed'],
  );
  await thread.close();
});
