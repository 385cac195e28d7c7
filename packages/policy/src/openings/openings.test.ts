import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { compileSet } from '../judge/compile-set.ts';
import { compileVersion, type PolicySource } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { readGiven } from '../language/read-given.ts';
import type { ScopeDirectory } from '../prove/places.ts';
import { validateVersion } from '../validate/validate-version.ts';
import { comparePlaces } from './comparisons.ts';
import { type ChangeFindings, findOpenings } from './openings.ts';

const ORGANIZATION = 'org_1';
const AGENT = 'agt_0000000000000000000000000A';
const DIRECTORY: ScopeDirectory = {
  environments: [{ id: 'env_1', name: 'Production', workspace_id: 'wsp_1', type: 'PRODUCTION' }],
  agents: [{ id: AGENT, name: 'Bot', environment_id: 'env_1' }],
};

const is = (field: string, op: string, value?: unknown) => ({ field, op, ...(value === undefined ? {} : { value }) });
const all = (...parts: object[]) => ({ all: parts });
const any = (...parts: object[]) => ({ any: parts });
const not = (part: object) => ({ not: part });
const element = (of: string, meets: object) => ({ any_element: { of, meets } });
const rule = (id: string, effect: string, when?: object, more: object = {}): PolicyRule =>
  ({ id, effect, reason: 'r', ...(when === undefined ? {} : { when }), ...more }) as PolicyRule;

const allow = rule('all', 'ALLOW');
const block = (when?: object, more: object = {}) => rule('stop', 'BLOCK', when, more);
const ask = (when?: object, approval?: object) => rule('ask', 'REQUIRE_APPROVAL', when, approval === undefined ? {} : { approval });
const limit = (values: object, when?: object) => rule('few', 'LIMIT', when, { limit: values });
const mask = (paths: string[], when?: object) => rule('hide', 'MASK', when, { mask: { parameters: paths } });

const sql = (pattern: string) => is('parameters.sql', 'matches', pattern);
const items = 'parameters.items.*';
const item = (member: string, op: string, value?: unknown) => is(`${items}.${member}`, op, value);
const gold = element(items, all(item('kind', 'eq', 'gold'), item('price', 'gt', 100)));
const refund = is('tool.name', 'eq', 'refund.create');

type Bound = {
  readonly rules: readonly PolicyRule[];
  readonly at?: PolicySource['binding'];
  readonly policy?: string;
  readonly currency?: string;
};

let versions = 0;
const getSource = ({
  rules,
  at = { scope: 'ORGANIZATION', id: ORGANIZATION },
  policy = 'pol_own',
  currency = 'EUR',
}: Bound): PolicySource => {
  const checked = validateVersion({ rules });
  assert.ok(checked.ok, JSON.stringify(checked));
  versions += 1;
  const version = { policy_id: policy, policy_name: policy, version_id: `pvr_${versions}`, version_number: versions };
  return { ...version, binding: at, currency, body: checked.body };
};

const compare = (before: readonly Bound[], after: readonly Bound[], beside: readonly Bound[] = []) => {
  const others = beside.map((one, index) => getSource({ policy: `pol_${index}`, ...one }));
  const sides = [before, after].map((side) => [...side.map(getSource), ...others]) as [PolicySource[], PolicySource[]];
  const found = findOpenings({ ...comparePlaces(...sides, DIRECTORY), policy_id: 'pol_own', isReplaced: before.length > 0 });
  return { found, sides };
};

const decide = (sources: readonly PolicySource[], given: PolicyWarning['example']) => {
  const read = readGiven(given ?? {});
  assert.ok(read.ok, JSON.stringify(given));
  return evaluate(compileSet(sources.map(compileVersion)), read.context);
};

const newlyPermitted = ({ warnings }: ChangeFindings) => warnings.filter(({ kind }) => kind === 'newly_permits');

type Rules = readonly PolicyRule[];
type Case = readonly [title: string, before: Rules, after: Rules, opens: string | null];

const PATTERNS: readonly Case[] = [
  ['a block by a pattern is removed', [allow, block(sql('(?i)drop'))], [allow], 'stop'],
  ['a block by a pattern is added', [allow], [allow, block(sql('(?i)drop'))], null],
  ['a pattern is anchored', [allow, block(sql('drop'))], [allow, block(sql('^drop'))], 'stop'],
  ['a pattern loses its anchor', [allow, block(sql('^drop'))], [allow, block(sql('drop'))], null],
  ['a pattern no longer ignores case', [allow, block(sql('(?i)drop'))], [allow, block(sql('drop'))], 'stop'],
  [
    'a pattern is replaced by a piece that is in all of it',
    [allow, block(sql('drop table'))],
    [allow, block(is('parameters.sql', 'contains', 'drop'))],
    'stop',
  ],
  ['an allow by a pattern is added', [block()], [rule('reads', 'ALLOW', sql('^select '))], 'reads'],
  [
    'an allow by a pattern is narrowed to one text',
    [rule('reads', 'ALLOW', sql('^select '))],
    [rule('reads', 'ALLOW', is('parameters.sql', 'eq', 'select 1'))],
    null,
  ],
  ['a pattern at any depth is removed', [allow, block(is('parameters.**', 'matches', 'drop'))], [allow], 'stop'],
  [
    'a pattern at any depth is removed beside a condition on one parameter',
    [rule('some', 'ALLOW', is('parameters.table', 'eq', 'a')), block(is('parameters.**', 'matches', 'drop'))],
    [rule('some', 'ALLOW', is('parameters.table', 'eq', 'a'))],
    'stop',
  ],
  ['a pattern on a host is removed', [allow, block(is('destination.host', 'matches', '\\.onion$'))], [allow], 'stop'],
  [
    'a pattern on a tool is removed and a block of all such tools stays',
    [allow, block(is('tool.name', 'matches', '^db\\.drop')), rule('db', 'BLOCK', is('tool.name', 'starts_with', 'db.'))],
    [allow, rule('db', 'BLOCK', is('tool.name', 'starts_with', 'db.'))],
    null,
  ],
];

const ELEMENTS: readonly Case[] = [
  ['a block by one element is removed', [allow, block(gold)], [allow], 'stop'],
  ['a block by one element is added', [allow], [allow, block(gold)], null],
  [
    'the price of one element is raised',
    [allow, block(gold)],
    [allow, block(element(items, all(item('kind', 'eq', 'gold'), item('price', 'gt', 200))))],
    'stop',
  ],
  [
    'the price of one element is lowered',
    [allow, block(gold)],
    [allow, block(element(items, all(item('kind', 'eq', 'gold'), item('price', 'gt', 50))))],
    null,
  ],
  [
    'a group is split into conditions that different elements meet',
    [allow, block(gold)],
    [allow, block(all({ ...item('kind', 'eq', 'gold'), quantifier: 'any' }, { ...item('price', 'gt', 100), quantifier: 'any' }))],
    null,
  ],
  [
    'conditions that different elements meet become a group',
    [allow, block(all({ ...item('kind', 'eq', 'gold'), quantifier: 'any' }, { ...item('price', 'gt', 100), quantifier: 'any' }))],
    [allow, block(gold)],
    'stop',
  ],
  ['one element by a pattern is removed', [allow, block(element(items, item('sku', 'matches', '^X')))], [allow], 'stop'],
  [
    'a pattern of one element is widened',
    [allow, block(element(items, item('sku', 'matches', '^XY')))],
    [allow, block(element(items, item('sku', 'matches', '^X')))],
    null,
  ],
  [
    'every element is asked instead of one',
    [allow, block({ ...item('kind', 'eq', 'gold'), quantifier: 'any' })],
    [allow, block({ ...item('kind', 'eq', 'gold'), quantifier: 'all' })],
    'stop',
  ],
  ['an allow of orders without gold permits what one of all orders did', [rule('fine', 'ALLOW')], [rule('fine', 'ALLOW', not(gold))], null],
  [
    'an allow of one element is added beside a block of all lists',
    [allow, block(is('parameters.items', 'exists'))],
    [allow, block(all(is('parameters.items', 'exists'), not(gold)))],
    'stop',
  ],
  [
    'a group on members of an object is removed',
    [allow, block(element('parameters.*', is('parameters.*', 'eq', 'secret')))],
    [allow],
    'stop',
  ],
];

const PLAIN: readonly Case[] = [
  [
    'a larger range is permitted',
    [rule('small', 'ALLOW', is('amount', 'lte', 500))],
    [rule('small', 'ALLOW', is('amount', 'lte', 600))],
    'small',
  ],
  [
    'a smaller range is permitted',
    [rule('small', 'ALLOW', is('amount', 'lte', 600))],
    [rule('small', 'ALLOW', is('amount', 'lte', 500))],
    null,
  ],
  [
    'a range is written in another way',
    [rule('small', 'ALLOW', is('amount', 'between', [0, 500]))],
    [rule('small', 'ALLOW', is('amount', 'lte', 500))],
    null,
  ],
  [
    'a range is split into two rules',
    [rule('small', 'ALLOW', is('amount', 'lte', 500))],
    [rule('a', 'ALLOW', is('amount', 'lte', 100)), rule('b', 'ALLOW', is('amount', 'between', [101, 500]))],
    null,
  ],
  [
    'a gap between two ranges is closed',
    [rule('a', 'ALLOW', is('amount', 'lt', 100)), rule('b', 'ALLOW', is('amount', 'gt', 100))],
    [rule('a', 'ALLOW', is('amount', 'exists'))],
    'a',
  ],
  [
    'a block of what is missing is removed',
    [allow, block(is('amount', 'gt', 5), { if_missing: 'match' })],
    [allow, block(is('amount', 'gt', 5))],
    'stop',
  ],
  [
    'a block of what is missing is added',
    [allow, block(is('amount', 'gt', 5))],
    [allow, block(is('amount', 'gt', 5), { if_missing: 'match' })],
    null,
  ],
  [
    'working hours are extended',
    [rule('day', 'ALLOW', is('time.clock', 'within_hours', '09:00-17:00'))],
    [rule('day', 'ALLOW', is('time.clock', 'within_hours', '08:00-17:00'))],
    'day',
  ],
  [
    'working hours are written as hours',
    [rule('day', 'ALLOW', is('time.clock', 'within_hours', '09:00-17:00'))],
    [rule('day', 'ALLOW', is('time.hour', 'between', [9, 16]))],
    null,
  ],
  [
    'weekdays are named one by one',
    [allow, block(is('time.weekday', 'on_weekdays', ['SAT', 'SUN']))],
    [allow, block(not(is('time.weekday', 'in', ['MON', 'TUE', 'WED', 'THU', 'FRI'])))],
    null,
  ],
  [
    'a day of a freeze is left out',
    [allow, block(is('time.date', 'between', ['2026-12-20', '2026-12-31']))],
    [allow, block(is('time.date', 'between', ['2026-12-21', '2026-12-31']))],
    'stop',
  ],
  [
    'a suffix of hosts is widened',
    [rule('ours', 'ALLOW', is('destination.host', 'ends_with', '.acme.example'))],
    [rule('ours', 'ALLOW', is('destination.host', 'ends_with', 'acme.example'))],
    'ours',
  ],
  [
    'a host is written in another case',
    [rule('ours', 'ALLOW', is('destination.host', 'eq', 'ACME.example'))],
    [rule('ours', 'ALLOW', is('destination.host', 'eq', 'acme.example'))],
    null,
  ],
  [
    'a network is halved',
    [allow, block(is('destination.ip', 'cidr', '10.0.0.0/8'))],
    [allow, block(is('destination.ip', 'cidr', '10.0.0.0/9'))],
    'stop',
  ],
  [
    'a network is written as its halves',
    [allow, block(is('destination.ip', 'cidr', '10.0.0.0/8'))],
    [allow, block(is('destination.ip', 'cidr', ['10.0.0.0/9', '10.128.0.0/9']))],
    null,
  ],
  [
    'a currency is added to a list',
    [rule('known', 'ALLOW', is('currency', 'in', ['EUR']))],
    [rule('known', 'ALLOW', is('currency', 'in', ['EUR', 'USD']))],
    'known',
  ],
  [
    'a tool is removed from a block list',
    [allow, block(is('tool.name', 'in', ['a.b', 'c.d']))],
    [allow, block(is('tool.name', 'in', ['a.b']))],
    'stop',
  ],
  ['a capability of a list is no longer blocked', [allow, block(is('agent.capabilities', 'contains', 'pay'))], [allow], 'stop'],
  ['the same condition is negated twice', [allow, block(refund)], [allow, block(not(not(refund)))], null],
  [
    'a negated any becomes an all of negations',
    [allow, block(not(any(refund, is('amount', 'gt', 1))))],
    [allow, block(all(not(refund), not(is('amount', 'gt', 1))))],
    null,
  ],
  ['a rule gets another id', [allow, block(refund)], [allow, rule('halt', 'BLOCK', refund)], null],
  ['a block becomes an approval', [allow, block(refund)], [allow, ask(refund)], 'stop'],
  ['an approval becomes a block', [allow, ask(refund)], [allow, block(refund)], null],
  ['an approval is removed', [allow, ask(refund)], [allow], 'ask'],
  ['an approval is added', [allow], [allow, ask(refund)], null],
  ['an approval is asked for by a larger amount', [allow, ask(is('amount', 'gt', 100))], [allow, ask(is('amount', 'gt', 200))], 'ask'],
  ['one approver is enough where two were', [allow, ask(refund, { quorum: 2 })], [allow, ask(refund, { quorum: 1 })], 'ask'],
  ['two approvers are needed where one was', [allow, ask(refund, { quorum: 1 })], [allow, ask(refund, { quorum: 2 })], null],
  ['an approver need no longer authenticate again', [allow, ask(refund, { step_up: true })], [allow, ask(refund)], 'ask'],
  [
    'an approval is kept by another rule',
    [allow, ask(refund), rule('every', 'REQUIRE_APPROVAL')],
    [allow, rule('every', 'REQUIRE_APPROVAL')],
    null,
  ],
  ['a limit is removed', [allow, limit({ max_calls: 5, window_seconds: 60 })], [allow], 'few'],
  ['a limit is raised', [allow, limit({ max_calls: 5, window_seconds: 60 })], [allow, limit({ max_calls: 9, window_seconds: 60 })], 'few'],
  [
    'a limit is moved to another rule id, under which it starts counting anew',
    [allow, limit({ max_calls: 5, window_seconds: 60 })],
    [allow, { ...limit({ max_calls: 5, window_seconds: 60 }), id: 'renamed' }],
    'few',
  ],
  [
    'a limit per call is moved to another rule id',
    [allow, limit({ max_amount: 5 })],
    [allow, { ...limit({ max_amount: 5 }), id: 'renamed' }],
    null,
  ],
  [
    'one of two equal limits is removed',
    [allow, limit({ max_calls: 5, window_seconds: 60 }), { ...limit({ max_calls: 5, window_seconds: 60 }), id: 'same' }],
    [allow, { ...limit({ max_calls: 5, window_seconds: 60 }), id: 'same' }],
    null,
  ],
  ['a limit is lowered', [allow, limit({ max_calls: 5, window_seconds: 60 })], [allow, limit({ max_calls: 3, window_seconds: 60 })], null],
  [
    'a limit lasts longer',
    [allow, limit({ max_calls: 5, window_seconds: 60 })],
    [allow, limit({ max_calls: 5, window_seconds: 600 })],
    null,
  ],
  [
    'a limit is added up per agent instead of per person',
    [allow, limit({ max_calls: 5, window_seconds: 60, per: 'root_principal' })],
    [allow, limit({ max_calls: 5, window_seconds: 60 })],
    'few',
  ],
  [
    'a limit is added up per person instead of per agent, where nothing is counted yet',
    [allow, limit({ max_calls: 5, window_seconds: 60 })],
    [allow, limit({ max_calls: 5, window_seconds: 60, per: 'root_principal' })],
    'few',
  ],
  [
    'a limit states the scope that it had by default',
    [allow, limit({ max_calls: 5, window_seconds: 60 })],
    [allow, limit({ max_calls: 5, window_seconds: 60, per: 'agent' })],
    null,
  ],
  [
    'a limit of what is refused is removed',
    [rule('fine', 'ALLOW', refund), limit({ max_calls: 5, window_seconds: 60 }, is('tool.name', 'eq', 'other'))],
    [rule('fine', 'ALLOW', refund)],
    null,
  ],
  ['a masked path is removed', [allow, mask(['pin', 'iban'])], [allow, mask(['pin'])], 'hide'],
  ['a masked path is covered by all members', [allow, mask(['customer.iban'])], [allow, mask(['customer.*'])], null],
  [
    'a mask is split into two rules',
    [allow, mask(['pin', 'iban'])],
    [allow, mask(['pin']), rule('hide-2', 'MASK', undefined, { mask: { parameters: ['iban'] } })],
    null,
  ],
];

const title = (opens: string | null, text: string): string => `${opens === null ? 'stays silent and complete' : 'warns'} when ${text}`;

for (const [name, cases] of [
  ['patterns', PATTERNS],
  ['one element of a list', ELEMENTS],
  ['plain conditions and demands', PLAIN],
] as const)
  describe(`a change of ${name}`, () => {
    for (const [text, before, after, opens] of cases)
      test(title(opens, text), () => {
        const { found, sides } = compare([{ rules: before }], [{ rules: after }]);
        assert.equal(found.undecided, null);
        const warnings = newlyPermitted(found);
        if (opens === null) return assert.deepEqual(warnings, []);
        assert.ok(
          warnings.some(({ rule_id }) => rule_id === opens),
          JSON.stringify(found),
        );
        for (const { example, rule_id } of warnings) {
          const [old, current] = sides.map((side) => decide(side, example));
          assert.notEqual(current?.effect, 'BLOCK', rule_id);
          const isDemand = old?.effect !== 'BLOCK';
          if (isDemand) assert.notDeepEqual(old?.obligations, current?.obligations, rule_id);
        }
      });
  });

test('shows the newly permitted values in the example of a warning', () => {
  const small = (most: number) => rule('small', 'ALLOW', all(refund, is('amount', 'lte', most)));
  const [warning, ...more] = newlyPermitted(compare([{ rules: [small(50_000)] }], [{ rules: [small(60_000)] }]).found);
  assert.deepEqual([warning?.rule_id, warning?.pointer, more], ['small', '/rules/0', []]);
  const { amount, 'tool.name': name } = warning?.example ?? {};
  assert.ok(typeof amount === 'number' && amount > 50_000 && amount <= 60_000);
  assert.equal(name, 'refund.create');
  const removed = newlyPermitted(compare([{ rules: [allow, block(refund)] }], [{ rules: [allow] }]).found);
  assert.deepEqual(
    removed.map(({ rule_id, pointer, example }) => [rule_id, pointer, example]),
    [['stop', '/rules', { 'tool.name': 'refund.create' }]],
  );
});

describe('a change in an environment of several policies', () => {
  const production = { scope: 'ENVIRONMENT', id: 'env_1' } as const;
  const only = (rules: Rules, more: Partial<Bound> = {}): Bound[] => [{ rules, ...more }];
  const getKinds = ({ found }: ReturnType<typeof compare>) => newlyPermitted(found).map(({ rule_id }) => rule_id);

  test('warns of nothing that another policy refuses', () => {
    assert.deepEqual(
      getKinds(
        compare(only([block(gold)]), only([rule('x', 'MASK', undefined, { mask: { parameters: ['p'] } })]), [
          { rules: [allow, rule('gold', 'BLOCK', gold)] },
        ]),
      ),
      [],
    );
  });
  test('warns of a removed block next to a policy that allows', () => {
    assert.deepEqual(getKinds(compare(only([block(sql('drop'))]), [], [{ rules: [allow] }])), ['stop']);
  });
  test('warns if only one environment allows', () => {
    const found = compare(only([block(refund)]), [], [{ rules: [allow], at: production }]);
    assert.deepEqual(getKinds(found), ['stop']);
    assert.match(newlyPermitted(found.found)[0]?.message ?? '', /Production/);
  });
  test('is silent if every affected scope blocks anyway', () => {
    const released = compare(only([block(refund)], { at: production }), [], [{ rules: [allow, rule('org', 'BLOCK', refund)] }]);
    assert.deepEqual([getKinds(released), released.found.undecided], [[], null]);
  });
  test('warns of an agent that keeps its own policy', () => {
    const agent = { scope: 'AGENT', id: AGENT } as const;
    assert.deepEqual(getKinds(compare(only([block(refund)]), [], [{ rules: [rule('bot', 'ALLOW', refund)], at: agent }])), ['stop']);
    assert.deepEqual(
      getKinds(compare(only([block(refund)], { at: production }), [], [{ rules: [rule('bot', 'ALLOW', refund)], at: agent }])),
      ['stop'],
    );
  });
  test('uses the fixed type of an environment', () => {
    const staging = compare(only([block(is('environment.type', 'eq', 'STAGING'))], { at: production }), [], [{ rules: [allow] }]);
    assert.deepEqual([getKinds(staging), staging.found.undecided], [[], null]);
    const live = compare(only([block(is('environment.type', 'eq', 'PRODUCTION'))], { at: production }), [], [{ rules: [allow] }]);
    assert.deepEqual(getKinds(live), ['stop']);
  });
  test('warns for any mode that a rule reads', () => {
    assert.deepEqual(getKinds(compare(only([allow, block(is('environment.mode', 'eq', 'ENFORCE'))]), only([allow]))), ['stop']);
  });
  test('compares amounts in several currencies at no rate', () => {
    const euros = [rule('small', 'ALLOW', is('amount', 'lte', 100))];
    const dollars = compare(only(euros), only(euros, { currency: 'USD' }));
    assert.deepEqual(getKinds(dollars), ['small']);
    const same = compare(only(euros), only(euros), [{ rules: [rule('large', 'BLOCK', is('amount', 'gt', 7))], currency: 'USD' }]);
    assert.deepEqual([getKinds(same), same.found.undecided], [[], null]);
  });
  test('warns of nothing if no version was in force', () => {
    assert.deepEqual(getKinds(compare([], only([allow]))), []);
  });
  test('reports a comparison that takes too long', () => {
    const [before, after] = [[allow, block(sql('(a|b)*c'))], [allow]].map((rules) => [getSource({ rules })]) as [
      PolicySource[],
      PolicySource[],
    ];
    const found = findOpenings({ ...comparePlaces(before, after, DIRECTORY), policy_id: 'pol_own', isReplaced: true }, 5);
    assert.deepEqual(found.warnings, []);
    assert.match(found.undecided ?? '', /too long/);
  });
});

describe('an obligation of a version that is saved', () => {
  const idle = (own: Rules, beside: readonly Bound[] = []) => {
    const { found } = compare([], [{ rules: own }], beside);
    return { told: found.warnings.map(({ kind, rule_id, example }) => [kind, rule_id, example]), undecided: found.undecided };
  };
  const few = (when?: object) => limit({ max_calls: 5, window_seconds: 60 }, when);

  test('warns if nothing permits what it matches', () => {
    assert.deepEqual(idle([mask(['pin'])]).told, [['permits_nothing', 'hide', {}]]);
    assert.deepEqual(
      [mask(['pin'], sql('drop')), mask(['pin'], gold), few(element(items, item('sku', 'matches', '^X')))].map(
        (one) => idle([one]).told[0]?.[0],
      ),
      ['permits_nothing', 'permits_nothing', 'permits_nothing'],
    );
    assert.equal(idle([few(sql('drop')), rule('some', 'ALLOW', sql('drop table'))]).told.length, 1);
  });
  test('is silent if something permits or blocks everything it matches', () => {
    for (const permit of [allow, rule('some', 'ALLOW', sql('d')), block(sql('drop'))])
      assert.deepEqual(idle([few(sql('drop')), permit]), { told: [], undecided: null });
    assert.deepEqual(idle([few(gold)], [{ rules: [rule('some', 'ALLOW', gold)] }]), { told: [], undecided: null });
    const production = { scope: 'ENVIRONMENT', id: 'env_1' } as const;
    const here = compare([], [{ rules: [few()], at: production }], [{ rules: [allow], at: { scope: 'WORKSPACE', id: 'wsp_1' } }]);
    assert.deepEqual(here.found, { warnings: [], undecided: null });
  });
});
