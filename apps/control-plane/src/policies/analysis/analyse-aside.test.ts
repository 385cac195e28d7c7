import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { ANALYSIS_QUEUE, analyseInWorkerProcess } from './analyse-aside.ts';

const never: PolicyRule = {
  id: 'never',
  effect: 'BLOCK',
  reason: 'r',
  when: {
    all: [
      { field: 'amount', op: 'gt', value: 5 },
      { field: 'amount', op: 'lt', value: 5 },
    ],
  },
};
/** Maximum by which a timer fires early. */
const TIMER_MS = 50;

const asked = (rules: PolicyRule[]) => ({ body: { rules, tests: [] }, tools: [], unrated: new Map<string, string>() });

test('an analysis in a worker process returns the same findings as here, and concurrent ones each get their own response', async () => {
  const [first, second, third] = await Promise.all([
    analyseInWorkerProcess('org_1', asked([never])),
    analyseInWorkerProcess('org_1', asked([{ id: 'all', effect: 'ALLOW', reason: 'r' }])),
    analyseInWorkerProcess('org_1', asked([{ ...never, id: 'other' }])),
  ]);
  assert.deepEqual(
    [first, second, third].map((found) => found?.warnings.map(({ rule_id }) => rule_id)),
    [['never'], [], ['other']],
  );
});

test('a crashed process reports its failure, and the next request gets another process', async () => {
  const broken = await analyseInWorkerProcess('org_1', asked([null as never]));
  assert.equal(broken, null);
  assert.equal((await analyseInWorkerProcess('org_1', asked([never])))?.warnings.length, 1);
});

const contains = (field: string, texts: string) => ({ any: [...texts].map((value) => ({ field, op: 'contains' as const, value })) });

/** Uses all the steps of an analysis. */
const dear = asked(
  Array.from({ length: 3 }, (_, turn) => ({
    id: `dear_${turn}`,
    effect: turn === 0 ? ('ALLOW' as const) : ('BLOCK' as const),
    reason: 'r',
    when: { all: [contains('principal.id', 'abcdefgh'), contains('agent.id', '01234567')] },
  })),
);

/** Runs an analysis; returns whether it was refused because it waited too long. */
const analyseTimed = async (organizationId: string, question: ReturnType<typeof asked>) => {
  const startedAt = performance.now();
  const found = await analyseInWorkerProcess(organizationId, question);
  return { found, isLate: found === null && performance.now() - startedAt > ANALYSIS_QUEUE.waitMsMax - TIMER_MS };
};

test('an organization with two hundred expensive analyses delays another by two of them at most, and does not change its result', async () => {
  // The process has started by then: the start is no part of what one organization costs another.
  await analyseInWorkerProcess('org_greedy', asked([never]));
  // On a busy machine two analyses take longer than one may wait: then all of it is repeated.
  await waitUntil('the machine does two analyses in the time of a turn', async () => {
    let greedyDone = 0;
    const greedy = Array.from({ length: 200 }, async () => {
      if (!(await analyseTimed('org_greedy', dear)).isLate) greedyDone += 1;
    });
    const other = await analyseTimed('org_other', asked([never]));
    assert.ok(greedyDone <= 2, `${greedyDone} were answered before`);
    await Promise.all(greedy);
    if (other.isLate) return false;
    assert.deepEqual(
      other.found?.warnings.map(({ rule_id }) => rule_id),
      ['never'],
    );
    return true;
  });
});
