import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule, PolicyTestCase } from '@svc/contract/policies/language.ts';
import { compileVersion } from '@svc/policy/judge/compile-version.ts';
import { runTests } from '@svc/policy/trial/run-tests.ts';
import { runInSlices } from './run-in-slices.ts';

const rules = Array.from(
  { length: 100 },
  (_, n): PolicyRule => ({
    id: `r${n}`,
    effect: 'BLOCK',
    reason: 'x',
    when: { field: 'parameters.l.*', op: 'eq', value: n + 1 },
  }),
);
const tests = Array.from(
  { length: 200 },
  (_, n): PolicyTestCase => ({
    name: `t${n}`,
    given: { parameters: { l: Array.from({ length: 2_000 }, () => 0) } },
    then: { effect: n % 2 ? 'BLOCK' : 'ALLOW' },
  }),
);
const binding = { scope: 'ORGANIZATION', id: 'org_1' } as const;
const version = compileVersion({
  policy_id: 'pol_1',
  policy_name: 'p',
  version_id: 'pvr_1',
  version_number: 1,
  binding,
  body: { rules, tests },
});

test('many expensive tests return the same as at once, and no one waits until the last one', async () => {
  let heard = 0;
  let isOver = false;
  const others = (): void => {
    if (isOver) return;
    heard += 1;
    setImmediate(others);
  };
  setImmediate(others);
  const results = await runInSlices(version, tests);
  isOver = true;
  assert.deepEqual(results.slice(0, 4), runTests(version, tests.slice(0, 4)));
  assert.equal(results.filter(({ passed }) => passed).length, 100);
  assert.ok(heard >= 3, `others were heard ${heard} times meanwhile`);
});
