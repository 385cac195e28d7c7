import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { longOnly } from '@svc/testing/length/test-length.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let governed: Governed;
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes);
});
after(async () => {
  await planes.stop();
});

let made = 0;
const post = (path: string, body?: unknown) => governed.owner('POST', path, body);
const rule = (when: object | undefined, more: object = {}) => ({ id: 'stop', effect: 'BLOCK', reason: 'x', when, ...more });
const create = async (rules: readonly object[], binding?: object) => {
  const tests = [{ name: 'nothing given', given: {}, then: { effect: 'BLOCK' } }];
  const answer = await post('/v1/policies', { name: `In force ${++made}`, rules, tests, ...(binding ? { binding } : {}) });
  assert.equal(answer.status, 201, answer.text);
  return { id: answer.json.id as string, version_id: answer.json.versions[0].version_id as string };
};
const activate = ({ id, version_id }: { id: string; version_id: string }) =>
  post(`/v1/policies/${id}/activate`, { version_id, reason: 'now' });
const environment = () => ({ scope: 'ENVIRONMENT', id: governed.tenant.environment_id });
/** Differs by `n`, so that no search is shared; slightly more than a tenth of the work that a decision may take. */
const heavy = (n: number) => [rule({ field: `parameters.list.*`, op: 'contains', value: `piece ${n}` })];

describe('the cost of a pattern is reported before it is compiled', () => {
  const dear = `(?i)[${'\\pL'.repeat(120)}]`;

  test('a policy with one is refused with its pointer and the remedy, and its siblings cost nothing more', async () => {
    const rules = Array.from({ length: 80 }, (_, n) =>
      rule({ field: 'parameters.t', op: 'matches', value: `${dear}${n}` }, { id: `r${n}` }),
    );
    const refused = async (of: object[]) => {
      const start = performance.now();
      const answer = await post('/v1/policies', { name: 'Dear', rules: of });
      return { answer, ms: performance.now() - start };
    };
    const { answer, ms } = await refused(rules);
    assert.equal(answer.json.error.code, 'INVALID_POLICY', answer.text);
    const [fault] = answer.json.error.details.faults;
    assert.equal(fault.pointer, '/rules/0/when/value');
    assert.match(fault.message, /units of work; the maximum is 1500\. .*fewer classes such as \\pL/);
    // Preparing all of them takes more than two seconds; the fastest of several, since other load only adds time.
    const quickest = Math.min(ms, (await refused(rules)).ms, (await refused(rules)).ms);
    const alone = Math.min((await refused(rules.slice(0, 1))).ms, (await refused(rules.slice(0, 1))).ms);
    assert.ok(quickest < alone + 1_500, `${quickest} ms, and ${alone} ms for one`);
  });

  test('many expensive ones together are refused as well, in policies, invariants and tools', async () => {
    const some = (n: number) => `[\\pL\\pN\\pP\\pS\\pM\\pZ]${'a'.repeat(n + 1)}`;
    const rules = Array.from({ length: 20 }, (_, n) => rule({ field: 'parameters.t', op: 'matches', value: some(n) }, { id: `r${n}` }));
    const policy = await post('/v1/policies', { name: 'Dear together', rules });
    assert.match(policy.json.error.details.faults[0].message, /patterns of a version must take at most 6000 units of work in total/);
    const any = rules.map(({ when }) => when);
    const invariant = await post('/v1/policies/invariants/check', { when: { any }, at_least: 'BLOCK' });
    assert.match(invariant.text, /patterns of a version must take at most 6000 units of work in total/);
    const properties = Object.fromEntries(any.map((_, n) => [`p${n}`, { type: 'string', pattern: some(n) }]));
    const tool = await post('/v1/tools', {
      environment_id: governed.tenant.environment_id,
      name: 'dear',
      kind: 'SDK',
      required_capability: 'work',
      parameters_schema: { type: 'object', properties },
    });
    assert.equal(tool.json.error.code, 'VALIDATION_FAILED', tool.text);
    assert.match(tool.text, /must have at most 8000 units of work to compile its patterns/);
  });
});

describe('active policies fit a decision and the memory of a gateway', () => {
  test('the sum over all policies that apply is bounded, wherever they are bound, and the refusal names the heaviest', async () => {
    // A policy bound elsewhere costs nothing here.
    const elsewhere = await post('/v1/workspaces', { name: 'Elsewhere' });
    const apart = await create(heavy(99), { scope: 'WORKSPACE', id: elsewhere.json.id });
    assert.equal((await activate(apart)).status, 200);
    const policies = [];
    for (let n = 0; n < 20; n += 1) policies.push(await create(heavy(n), n % 2 === 0 ? environment() : undefined));
    const answers = [];
    for (const policy of policies) answers.push(await activate(policy));
    const refused = answers.filter(({ status }) => status !== 200);
    assert.ok(refused.length > 0 && refused.length < 19, `${refused.length} of 20 refused`);
    const { code, message, details } = refused[0]?.json.error ?? {};
    assert.equal(code, 'UNPROCESSABLE');
    assert.match(message, /would take 1\d\d % of the work that one decision may take over all policies that apply/);
    assert.equal(details.work_max, POLICY_LIMITS.decision_work_max);
    assert.ok(details.work > details.work_max);
    assert.equal(details.heaviest[0].pointer, '/rules/0/when');
    assert.match(details.heaviest[0].policy_id, /^pol_/);
    const bound = await post(`/v1/policies/${apart.id}/bindings`, { ...environment(), reason: 'here too' });
    assert.equal(bound.status, 422, bound.text);
    assert.equal(bound.json.error.code, 'UNPROCESSABLE');
    for (const policy of [...policies, apart]) await post(`/v1/policies/${policy.id}/suspend`, { reason: 'done', accept_warnings: true });
  });

  test('bytes of active rules are bounded, and the refusal states what is counted', longOnly, async () => {
    const description = 'd'.repeat(1_200);
    const rules = Array.from({ length: 190 }, (_, n) => ({
      ...rule({ field: 'tool.name', op: 'eq', value: `t${n}` }),
      id: `r${n}`,
      description,
    }));
    const each = JSON.stringify(rules).length;
    const fitting = Math.floor(LIMITS.policies.bytesInForceMax / each);
    for (let n = 0; n < fitting; n += 1) {
      const answer = await activate(await create(rules));
      assert.equal(answer.status, 200, answer.text);
    }
    const refused = await activate(await create(rules));
    assert.equal(refused.json.error.code, 'UNPROCESSABLE', refused.text);
    assert.match(refused.json.error.message, /at most 500 policies, 10000 rules and 4194304 bytes of rules active/);
    assert.ok(refused.json.error.details.in_force.bytes > LIMITS.policies.bytesInForceMax);
    // The policies in force decide as before.
    assert.equal((await governed.act({})).status, 200);
  });
});
