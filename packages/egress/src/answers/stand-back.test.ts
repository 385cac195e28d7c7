import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { openLargeAnswers, openSlowResponses } from './open-large-answers.ts';

const skip = process.platform !== 'linux' && 'only Linux tells it';

/** Returns the niceness of each thread of this process. */
const niceness = (): number[] =>
  readdirSync('/proc/self/task').map((thread) => {
    const status = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1').replace(/^.*\) /s, '');
    return Number(status.split(' ')[16]);
  });

test('lowers the priority of a thread that reads responses, and of no other thread', { skip }, async (t) => {
  const before = niceness().filter((each) => each === 10).length;
  const ownPriority = getPriority();
  const [large, dear] = [openLargeAnswers(), openSlowResponses()];
  t.after(() => Promise.all([large.close(), dear.close()]));
  const hidden = { secrets: [], sent: [] };
  const body = () => new Uint8Array(Buffer.from('{}'));
  await large.tell('org_1', { body: body(), saysJson: true, masks: [], hidden, valuesMax: 10, bytesMax: 100 });
  await dear.tell('org_1', { body: body(), saysJson: true, headers: {}, hidden });
  assert.equal(niceness().filter((each) => each === 10).length - before, 2);
  assert.equal(getPriority(), ownPriority);
});
