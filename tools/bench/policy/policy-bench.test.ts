import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describePolicies } from './describe.ts';
import { compare, ENGINES } from './in-process.ts';
import { QUICK } from './plan.ts';
import { COUNTS, getExpected, getRules, REQUESTS } from './rules.ts';
import { runPolicyBench } from './run-policy-bench.ts';

test('the requests of the policy bench are allowed and blocked for every reason of its rules, at every number of rules', () => {
  for (const count of COUNTS) {
    const rules = getRules(count);
    assert.equal(rules.length, count);
    assert.equal(rules.filter((rule) => rule.tool === REQUESTS[0]?.tool).length, 3);
    assert.equal(new Set(rules.map((rule) => rule.id)).size, count);
    const answers = REQUESTS.map((request) => getExpected(rules, request));
    assert.ok(answers.filter((effect) => effect === 'ALLOW').length >= 15 && answers.filter((effect) => effect === 'BLOCK').length >= 15);
  }
});

test('an engine that decides one request differently ends the policy bench', () => {
  assert.throws(
    () => compare('some engine', ['ALLOW', 'ALLOW'], ['ALLOW', 'BLOCK']),
    /some engine answers ALLOW where the rules say BLOCK/,
  );
  assert.throws(() => compare('some engine', ['ALLOW'], ['ALLOW', 'BLOCK']), /some engine answers undefined/);
});

test('the policy bench sends every engine the same requests, gets the same decisions, and describes what it measured', async (t) => {
  const report = await runPolicyBench(QUICK, () => undefined);
  assert.deepEqual(
    report.inProcess.map(({ name }) => name),
    ENGINES.map(({ name }) => name),
  );
  for (const { micros } of report.inProcess) for (const count of COUNTS) assert.ok(micros[count] > 0);
  if (report.cerbosMissing === null) assert.equal(report.overHttp.length, 3);
  else t.diagnostic(`Cerbos was not compared: ${report.cerbosMissing}`);
  for (const { at } of report.overHttp) {
    for (const count of COUNTS) assert.ok(at[count].answered > 0 && at[count].p50Ms <= at[count].p99Ms, JSON.stringify(at[count]));
  }
  const text = describePolicies(report);
  for (const word of [
    'casbin 5.51.1',
    'json-rules-engine 7.3.1',
    '@cedar-policy/cedar-wasm 4.13.0',
    'cerbos 0.51.0',
    'this gateway, dry run',
  ])
    assert.ok(text.includes(word), `${word} is missing in:\n${text}`);
});
