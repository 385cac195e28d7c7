import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Explanation } from '@svc/contract/actions/decisions.ts';
import type { ConsultedRule, PolicyRule } from '@svc/contract/policies/language.ts';
import type { PolicyContext } from '@svc/policy/evaluation/policy-context.ts';
import { compileSet } from '@svc/policy/judge/compile-set.ts';
import { compileVersion } from '@svc/policy/judge/compile-version.ts';
import { judge } from '@svc/policy/judge/evaluate.ts';
import { ALL_PASSED } from '../decision/all-passed.ts';
import { foldExplanation } from './fold-explanation.ts';
import { readVersionStatics, type VersionStatics } from './rule-statics.ts';
import { STAGE_LISTS } from './stage-lists.ts';
import { type KeptExplanation, listVersionIds, unfoldExplanation } from './unfold-explanation.ts';

const RULES: readonly PolicyRule[] = [
  { id: 'small', effect: 'ALLOW', reason: 'Small.', when: { field: 'amount', op: 'lte', value: 50_000 } },
  {
    id: 'abroad',
    effect: 'BLOCK',
    reason: 'Not there.',
    when: {
      all: [
        { field: 'parameters.country', op: 'in', value: ['KP', 'IR'] },
        { any: [{ not: { field: 'parameters.note', op: 'exists' } }, { field: 'parameters.iban', op: 'starts_with', value: 'DE' }] },
        { field: 'agent.name', op: 'eq', value: 'x' },
      ],
    },
  },
];
const BINDINGS = [
  { scope: 'WORKSPACE', id: 'wsp_1' },
  { scope: 'ORGANIZATION', id: 'org_1' },
] as const;
const versions = new Map([['pvr_1', readVersionStatics(RULES)]]);

const judged = () => {
  const bound = BINDINGS.map((binding) =>
    compileVersion({
      ...{ policy_id: 'pol_1', policy_name: 'Refunds', version_id: 'pvr_1', version_number: 3, currency: 'EUR' },
      ...{ binding, body: { rules: [...RULES], tests: [] } },
    }),
  );
  const context = { amount: 12, amounts: new Map([['EUR', 1250]]), parameters: { country: 'FR', iban: null }, agent: { name: 7 } };
  const { decision, rules } = judge(compileSet(bound), context as unknown as PolicyContext);
  const explanation = {
    ...{ decision: decision.effect, matched_rule: decision.matched_rule, matched_rules: decision.matched_rules },
    ...{ skipped_rules: 0, authority: { source: 'GRANT' }, risk: { signals: [] }, stages: ALL_PASSED },
  } as unknown as Explanation;
  return { explanation, rules };
};

/** A stored record: its format and meaning are a promise to every existing database. */
const RECORD =
  '{"folded":2,"matched_rule":0,"sources":[["pol_1","Refunds","pvr_1",3,{"scope":"WORKSPACE","id":"wsp_1"}],' +
  '["pol_1","Refunds","pvr_1",3,{"scope":"ORGANIZATION","id":"org_1"}]],' +
  '"rules":[["small",0,"matched",false,[[1,1250]],"EUR"],' +
  '["abroad",0,"not_matched",false,[[0,"FR"],[0],["missing",null],["wrong_type",7]]],' +
  '["small",1,"matched",false,[[1,1250]],"EUR"],' +
  '["abroad",1,"not_matched",false,[[0,"FR"],[0],["missing",null],["wrong_type",7]]]],' +
  '"stages":3,"decision":"ALLOW","skipped_rules":0,"authority":{"source":"GRANT"},"risk":{"signals":[]}}';

const ABROAD = [
  { path: '/all/0', field: 'parameters.country', op: 'in', expected: ['KP', 'IR'], actual: 'FR', outcome: 'false', unknown_because: null },
  { path: '/all/1/any/0/not', field: 'parameters.note', op: 'exists', outcome: 'false', unknown_because: null },
  {
    ...{ path: '/all/1/any/1', field: 'parameters.iban', op: 'starts_with', expected: 'DE', actual: null },
    ...{ outcome: 'unknown', unknown_because: 'missing' },
  },
  { path: '/all/2', field: 'agent.name', op: 'eq', expected: 'x', actual: 7, outcome: 'unknown', unknown_because: 'wrong_type' },
];
const SMALL = [{ path: '', field: 'amount', op: 'lte', expected: 50_000, actual: 1250, outcome: 'true', unknown_because: null }];
const identity = (id: string, effect: string, reason: string, binding: object) => ({
  ...{ id, policy_id: 'pol_1', policy_name: 'Refunds', version_id: 'pvr_1', version_number: 3, effect, reason, binding },
});
const FIRST_STAGES = [
  ...['identity', 'environment', 'agent', 'tool', 'request', 'destination'],
  ...['authority', 'currency', 'policy', 'obligations', 'approval'],
];
const WITH_CREDENTIAL = [...FIRST_STAGES, 'credential'];
const WITH_RISK = [
  ...['identity', 'environment', 'agent', 'tool', 'request', 'destination', 'authority', 'currency', 'risk'],
  ...['policy', 'obligations', 'approval', 'credential'],
];
const STAGES = WITH_RISK.flatMap((stage) => (stage === 'currency' ? ['trust', stage] : [stage]));
const passed = (stages: readonly string[]) => stages.map((stage) => ({ stage, outcome: 'passed' }));
const TOLD = {
  decision: 'ALLOW',
  matched_rule: identity('small', 'ALLOW', 'Small.', BINDINGS[0]),
  matched_rules: BINDINGS.flatMap((binding) => [
    { ...identity('small', 'ALLOW', 'Small.', binding), outcome: 'matched', matched_on_missing: false, conditions: SMALL, currency: 'EUR' },
    { ...identity('abroad', 'BLOCK', 'Not there.', binding), outcome: 'not_matched', matched_on_missing: false, conditions: ABROAD },
  ]),
  ...{ skipped_rules: 0, authority: { source: 'GRANT' }, risk: { signals: [] } },
  stages: passed(STAGES),
};

/** The same in the earlier format, with everything that its rules state. */
const OLDER_RULES = BINDINGS.map(
  (_, source) =>
    `["small",${source},"ALLOW","Small.","matched",false,[["","amount","lte",[50000],[1250],"true",null]],"EUR"],` +
    `["abroad",${source},"BLOCK","Not there.","not_matched",false,[["/all/0","parameters.country","in",[["KP","IR"]],["FR"],"false",null],` +
    '["/all/1/any/0/not","parameters.note","exists",0,0,"false",null],' +
    '["/all/1/any/1","parameters.iban","starts_with",["DE"],[null],"unknown","missing"],' +
    '["/all/2","agent.name","eq",["x"],[7],"unknown","wrong_type"]]]',
);
const OLDER_RECORD =
  '{"folded":1,"matched_rule":0,"sources":[["pol_1","Refunds","pvr_1",3,{"scope":"WORKSPACE","id":"wsp_1"}],' +
  `["pol_1","Refunds","pvr_1",3,{"scope":"ORGANIZATION","id":"org_1"}]],"rules":[${OLDER_RULES.join()}],` +
  `"stages":${JSON.stringify(STAGES)},"decision":"ALLOW","skipped_rules":0,"authority":{"source":"GRANT"},"risk":{"signals":[]}}`;

describe('a record', () => {
  test('is written and read in this form permanently', () => {
    const { explanation, rules } = judged();
    assert.equal(foldExplanation(explanation, rules), RECORD);
    assert.deepEqual(unfoldExplanation(JSON.parse(RECORD), versions), TOLD);
    assert.deepEqual(unfoldExplanation({ ...JSON.parse(RECORD), stages: 0 }, versions), { ...TOLD, stages: passed(FIRST_STAGES) });
    assert.deepEqual(unfoldExplanation({ ...JSON.parse(RECORD), stages: 1 }, versions), { ...TOLD, stages: passed(WITH_CREDENTIAL) });
    assert.deepEqual([...new Set(listVersionIds(JSON.parse(RECORD)))], ['pvr_1']);
  });

  test('that contains everything its rules state is read without any version', () => {
    assert.deepEqual(unfoldExplanation(JSON.parse(OLDER_RECORD), new Map()), TOLD);
  });

  test('names the list of stages, which are those of the pipeline, and no named list ever changed', () => {
    assert.deepEqual(STAGE_LISTS, [FIRST_STAGES, WITH_CREDENTIAL, WITH_RISK, STAGES]);
    assert.ok(STAGE_LISTS.some((list) => list.join() === ALL_PASSED.map(({ stage }) => stage).join()));
  });
});

describe('a record is not read at all', () => {
  const refuses = (
    change: (kept: Record<string, never[]>) => unknown,
    says: RegExp,
    known: ReadonlyMap<string, VersionStatics> = versions,
  ) => {
    const kept = JSON.parse(RECORD);
    change(kept);
    assert.throws(() => unfoldExplanation(kept as KeptExplanation, known), says);
  };
  type Row = (string | number | unknown[])[];
  const row = (kept: Record<string, never[]>, at: number) => kept.rules?.[at] as unknown as Row;
  const conditions = (kept: Record<string, never[]>, at: number) => row(kept, at)[4] as unknown[][];

  test('without its version', () => {
    refuses(() => undefined, /version pvr_1 .* is not there/, new Map());
  });

  test('if its version lacks such a rule', () => {
    refuses((kept) => row(kept, 1).splice(0, 1, 'other'), /has no rule other/);
    refuses((kept) => row(kept, 1).splice(0, 1, '__proto__'), /has no rule __proto__/);
  });

  test('if it has more or fewer conditions than its rule, the last one or one in between', () => {
    refuses((kept) => conditions(kept, 0).push([1, 5]), /does not fit the conditions of the rule small/);
    refuses((kept) => conditions(kept, 1).splice(1, 1), /does not fit the conditions of the rule abroad/);
    refuses((kept) => conditions(kept, 3).pop(), /does not fit the conditions of the rule abroad/);
  });

  test('if a condition has an unknown outcome', () => {
    for (const outcome of [2, '1', 'too long', 'toString', null, true])
      refuses((kept) => conditions(kept, 0)[0]?.splice(0, 1, outcome), /outcome that is none/);
  });

  test('if it names a missing source, deciding rule or list of stages', () => {
    refuses((kept) => row(kept, 0).splice(1, 1, 9), /no source/);
    refuses((kept) => Object.assign(kept, { matched_rule: 4 }), /deciding rule/);
    for (const stages of [4, 11, -1, 0.5]) refuses((kept) => Object.assign(kept, { stages }), /list of stages/);
  });
});

test('a rule states about itself what every explanation of it states', () => {
  const { explanation } = judged();
  const [small, abroad] = explanation.matched_rules as unknown as ConsultedRule[];
  for (const rule of [small, abroad]) {
    const known = versions.get('pvr_1')?.get(rule?.id ?? '');
    assert.deepEqual([known?.effect, known?.reason], [rule?.effect, rule?.reason]);
    assert.deepEqual(
      known?.conditions.map(({ path, field, op, expected }) => [path, field, op, expected]),
      rule?.conditions.map(({ path, field, op, expected }) => [path, field, op, expected]),
    );
  }
});
