import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { compileSet, compileSetInSteps } from './compile-set.ts';
import { compileVersion, type PolicySource } from './compile-version.ts';
import { evaluate } from './evaluate.ts';

const version = (policy_id: string, rules: readonly Partial<PolicyRule>[], more: Partial<PolicySource> = {}) =>
  compileVersion({
    policy_id,
    policy_name: policy_id,
    version_id: `${policy_id}-v`,
    version_number: 1,
    binding: { scope: 'ORGANIZATION', id: 'org_1' },
    body: { rules: rules.map((rule, index) => ({ id: `r${index}`, effect: 'ALLOW', reason: 'r', ...rule })), tests: [] },
    ...more,
  });

const forTool = (name: string): Partial<PolicyRule> => ({ when: { field: 'tool.name', op: 'eq', value: name } });
const consultedBy = (set: ReturnType<typeof compileSet>, context: object): string[] =>
  evaluate(set, context).matched_rules.map((rule) => rule.policy_id + rule.id);

test('blocks under an empty set, with the reason that no rule allows', () => {
  assert.deepEqual(evaluate(compileSet([]), {}), {
    effect: 'BLOCK',
    matched_rule: null,
    matched_rules: [],
    skipped: 0,
    reason: 'No policy rule allows this action',
    obligations: { approvals: [], limits: [], mask: null },
    unknown_fields: [],
  });
});

test('consults only rules that can match the tool or the capability, and counts the others', () => {
  const rules = Array.from({ length: 200 }, (_, index) => forTool(`tool-${index}`));
  const set = compileSet([version('p', [...rules, { when: { field: 'capability', op: 'in', value: ['a', 'b'] } }, {}])]);
  const decision = evaluate(set, { tool: { name: 'tool-7', capability: 'z' }, capability: 'b', agent: { id: 'agt_1' } });
  assert.deepEqual(
    decision.matched_rules.map((rule) => rule.id),
    ['r7', 'r200', 'r201'],
  );
  assert.equal(decision.skipped, 199);
});

test('consults a rule that can match by the tool or by the capability once, in order', () => {
  const either: Partial<PolicyRule> = {
    when: {
      any: [
        { field: 'tool.name', op: 'eq', value: 'x' },
        { field: 'capability', op: 'eq', value: 'c' },
      ],
    },
  };
  const set = compileSet([version('p', [forTool('x'), either, {}, forTool('x')])]);
  assert.deepEqual(consultedBy(set, { tool: { name: 'x' }, capability: 'c' }), ['pr0', 'pr1', 'pr2', 'pr3']);
  assert.deepEqual(consultedBy(set, { tool: { name: 'y' }, capability: 'c' }), ['pr1', 'pr2']);
  assert.deepEqual(consultedBy(set, { tool: { name: 'y' }, capability: 'd' }), ['pr2']);
});

test('always consults a rule with a negated requirement', () => {
  const set = compileSet([version('p', [{ when: { not: { field: 'tool.name', op: 'eq', value: 'x' } } }])]);
  assert.deepEqual(consultedBy(set, { tool: { name: 'y' } }), ['pr0']);
});

test('consults every rule on a tool that is unknown, or not a text', () => {
  const set = compileSet([version('p', [forTool('x'), forTool('y')])]);
  assert.deepEqual(consultedBy(set, {}), ['pr0', 'pr1']);
  assert.deepEqual(consultedBy(set, { tool: { name: 5 } }), ['pr0', 'pr1']);
});

test('consults rules bound to an agent for that agent only, before wider ones', () => {
  const bound = (id: string) => version(`p-${id}`, [{}], { binding: { scope: 'AGENT', id } });
  const set = compileSet([version('p', [{}]), bound('agt_1'), bound('agt_2')]);
  assert.deepEqual(consultedBy(set, { agent: { id: 'agt_1' } }), ['p-agt_1r0', 'pr0']);
  assert.deepEqual(consultedBy(set, { agent: { id: 'agt_3' } }), ['pr0']);
  assert.deepEqual(evaluate(set, {}).unknown_fields, ['agent.id']);
});

test('orders equal bindings by policy, then version, independently of the loading order', () => {
  const versions = [version('p2', [{}]), version('p1', [{}], { version_number: 2 }), version('p1', [{}])];
  const decision = evaluate(compileSet(versions), {});
  assert.deepEqual([decision.matched_rule?.policy_id, decision.matched_rule?.version_number], ['p1', 1]);
});

test('compiles a set of very many values in small steps, with the same result as at once', () => {
  const names = (from: number) => Array.from({ length: 1_000 }, (_, n) => `tool-${from + n}`);
  const rules = Array.from(
    { length: 60 },
    (_, n): Partial<PolicyRule> => ({ when: { field: 'tool.name', op: 'in', value: names(n * 500) } }),
  );
  const versions = [version('p', rules), version('q', rules, { binding: { scope: 'AGENT', id: 'agt_1' } })];
  const steps = compileSetInSteps(versions);
  let count = 0;
  let made = steps.next();
  for (; !made.done; made = steps.next()) count += 1;
  assert.ok(count >= 60, `${count} steps for 120,000 values`);
  const request = { tool: { name: 'tool-700' }, agent: { id: 'agt_1' } };
  assert.deepEqual(evaluate(made.value, request), evaluate(compileSet(versions), request));
  assert.deepEqual(consultedBy(made.value, request), ['qr0', 'qr1', 'pr0', 'pr1']);
});

test('consults a rule that names one value twice once', () => {
  const twice: Partial<PolicyRule> = { when: { field: 'tool.name', op: 'in', value: ['x', 'y', 'x'] } };
  const either: Partial<PolicyRule> = {
    when: {
      any: [
        { field: 'tool.name', op: 'eq', value: 'x' },
        { field: 'tool.name', op: 'in', value: ['z', 'x'] },
      ],
    },
  };
  const set = compileSet([version('p', [twice, either, twice])]);
  assert.deepEqual(consultedBy(set, { tool: { name: 'x' } }), ['pr0', 'pr1', 'pr2']);
  assert.deepEqual(consultedBy(set, {}), ['pr0', 'pr1', 'pr2']);
});

test('returns the rule of a decision with policy, version, binding and reason', () => {
  const decision = evaluate(compileSet([version('p', [{ id: 'why', effect: 'BLOCK', reason: 'Because.' }])]), {});
  const identity = {
    id: 'why',
    policy_id: 'p',
    policy_name: 'p',
    version_id: 'p-v',
    version_number: 1,
    effect: 'BLOCK',
    reason: 'Because.',
    binding: { scope: 'ORGANIZATION', id: 'org_1' },
  };
  assert.deepEqual(decision.matched_rule, identity);
  assert.deepEqual(decision.matched_rules, [{ ...identity, outcome: 'matched', matched_on_missing: false, conditions: [] }]);
  assert.equal(decision.reason, 'Because.');
});

test('never matches an ALLOW rule on missing data, even in a body that was never validated', () => {
  const set = compileSet([version('p', [{ if_missing: 'match', when: { field: 'amount', op: 'lt', value: 5 } }])]);
  assert.equal(evaluate(set, {}).matched_rule, null);
});
