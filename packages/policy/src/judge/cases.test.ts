import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { type ConditionTrace, OPERATORS, type PolicyDecision, type PolicyRule } from '@svc/contract/policies/language.ts';
import { FIELDS } from '../language/fields.ts';
import { findField } from '../language/find-field.ts';
import { validateVersion } from '../validate/validate-version.ts';
import { compileSet } from './compile-set.ts';
import { compileVersion, type PolicySource } from './compile-version.ts';
import { evaluate } from './evaluate.ts';

type ByCondition<Value> = Record<string, Record<string, Value>>;
type Expectation = Partial<Pick<PolicyDecision, 'effect' | 'reason' | 'skipped' | 'obligations' | 'unknown_fields'>> & {
  readonly rule: string | null;
  /** Outcome per rule; null for a rule that was not consulted. */
  readonly outcomes?: Record<string, string | null>;
  readonly conditions?: ByCondition<ConditionTrace['outcome']>;
  readonly because?: ByCondition<ConditionTrace['unknown_because']>;
  readonly actual?: ByCondition<unknown>;
  readonly expected?: ByCondition<unknown>;
};
type CaseFile = {
  readonly description: string;
  readonly policies: readonly { policy_id?: string; binding?: PolicySource['binding']; rules: PolicyRule[] }[];
  readonly cases: readonly { name: string; context: object; expect: Expectation }[];
};

const folder = resolve(import.meta.dirname, '../../cases');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

const compilePolicies = (policies: CaseFile['policies']) =>
  compileSet(
    policies.map(({ policy_id = 'pol_1', binding = { scope: 'ORGANIZATION', id: 'org_1' }, rules }) => {
      const checked = validateVersion({ rules });
      assert.ok(checked.ok, `the policy is valid: ${JSON.stringify(checked)}`);
      const version_id = policy_id.replace('pol_', 'pvr_');
      return compileVersion({ policy_id, policy_name: policy_id, version_id, version_number: 1, binding, body: checked.body });
    }),
  );

const checkConditions = (
  decision: PolicyDecision,
  expected: ByCondition<unknown> | undefined,
  read: (trace: ConditionTrace) => unknown,
) => {
  for (const [rule, byPath] of Object.entries(expected ?? {})) {
    const conditions = decision.matched_rules.find((consulted) => consulted.id === rule)?.conditions ?? [];
    for (const [path, value] of Object.entries(byPath)) {
      const trace = conditions.find((condition) => condition.path === path);
      assert.ok(trace !== undefined, `rule ${rule} has a condition at ${path}`);
      assert.deepEqual(read(trace), value, `rule ${rule} at ${path}`);
    }
  }
};

const check = (decision: PolicyDecision, expected: Expectation): void => {
  assert.equal(decision.effect, expected.effect);
  assert.equal(decision.matched_rule?.id ?? null, expected.rule);
  for (const [rule, outcome] of Object.entries(expected.outcomes ?? {})) {
    assert.equal(decision.matched_rules.find((consulted) => consulted.id === rule)?.outcome ?? null, outcome, `outcome of rule ${rule}`);
  }
  for (const member of ['reason', 'skipped', 'obligations', 'unknown_fields'] as const) {
    if (expected[member] !== undefined) assert.deepEqual(decision[member], expected[member], member);
  }
  checkConditions(decision, expected.conditions, (trace) => trace.outcome);
  checkConditions(decision, expected.because, (trace) => trace.unknown_because);
  checkConditions(decision, expected.actual, (trace) => trace.actual);
  checkConditions(decision, expected.expected, (trace) => trace.expected);
};

test('finds decision cases to run', () => assert.ok(files.length >= 8));

for (const name of files) {
  const file: CaseFile = JSON.parse(readFileSync(resolve(folder, name), 'utf8'));
  describe(`${name}: ${file.description}`, () => {
    const set = compilePolicies(file.policies);
    for (const { name: title, context, expect } of file.cases) test(title, () => check(evaluate(set, context), expect));
  });
}

const listTraces = (name: string): ConditionTrace[] => {
  const file: CaseFile = JSON.parse(readFileSync(resolve(folder, name), 'utf8'));
  const set = compilePolicies(file.policies);
  return file.cases.flatMap(({ context }) => evaluate(set, context).matched_rules.flatMap(({ conditions }) => conditions));
};

const outcomesBy = (
  traces: readonly ConditionTrace[],
  keyOf: (trace: ConditionTrace) => string,
): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map([...Map.groupBy(traces, keyOf)].map(([key, own]) => [key, new Set(own.map(({ outcome }) => outcome))]));

test('covers every operator and every field that holds, does not hold and is unknown', () => {
  const traces = files.flatMap(listTraces);
  const byOperator = outcomesBy(traces, ({ op }) => op);
  for (const op of OPERATORS) {
    const wanted = op.endsWith('exists') ? ['true', 'false'] : ['true', 'false', 'unknown'];
    for (const outcome of wanted) assert.ok(byOperator.get(op)?.has(outcome), `no case in which ${op} is ${outcome}`);
  }
  const getRow = ({ field }: ConditionTrace): string => {
    const found = findField(field);
    return 'fault' in found ? field : found.row.name;
  };
  const byField = outcomesBy(traces, getRow);
  for (const { name } of FIELDS) {
    for (const outcome of ['true', 'false', 'unknown'])
      assert.ok(byField.get(name)?.has(outcome), `no case in which a condition on ${name} is ${outcome}; see cases/fields.json`);
  }
});
