import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { analyseAside } from './analyse-aside.ts';

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
const asked = (rules: PolicyRule[]) => ({ body: { rules, tests: [] }, tools: [], unrated: new Map<string, string>() });

test('an analysis aside finds what it would find here, and each of many at once gets its own answer', async () => {
  const [first, second, third] = await Promise.all([
    analyseAside(asked([never])),
    analyseAside(asked([{ id: 'all', effect: 'ALLOW', reason: 'r' }])),
    analyseAside(asked([{ ...never, id: 'other' }])),
  ]);
  assert.deepEqual(
    [first, second, third].map((found) => found?.warnings.map(({ rule_id }) => rule_id)),
    [['never'], [], ['other']],
  );
});

test('a process that breaks answers that it could not, and the next question gets another', async () => {
  const broken = await analyseAside(asked([null as never]));
  assert.equal(broken, null);
  assert.equal((await analyseAside(asked([never])))?.warnings.length, 1);
});
