import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { policyTemplates } from '../templates/policy-templates.ts';
import { validateVersion } from '../validate/validate-version.ts';
import { analyseVersion } from './analyse-version.ts';
import type { AnalysedTool } from './analysed-tool.ts';

type When = NonNullable<PolicyRule['when']>;

const is = (field: string, op: string, value?: unknown, quantifier?: string) =>
  ({ field, op, ...(value === undefined ? {} : { value }), ...(quantifier === undefined ? {} : { quantifier }) }) as never;
const all = (...parts: never[]) => ({ all: parts }) as never;
const any = (...parts: never[]) => ({ any: parts }) as never;
const not = (part: never) => ({ not: part }) as never;

const rule = (id: string, effect: PolicyRule['effect'], when?: When, more: Partial<PolicyRule> = {}): PolicyRule => ({
  id,
  effect,
  reason: 'r',
  ...(when === undefined ? {} : { when }),
  ...more,
});

const analyse = (rules: readonly PolicyRule[], tools: readonly AnalysedTool[] = []): PolicyWarning[] => {
  const checked = validateVersion({ rules });
  assert.ok(checked.ok, JSON.stringify(checked));
  const { warnings, complete } = analyseVersion(checked.body, tools);
  assert.equal(complete, true);
  return warnings;
};

const briefly = (warnings: readonly PolicyWarning[]): string[] =>
  warnings.map(({ kind, rule_id, other_rule_id, pointer }) => [kind, rule_id, other_rule_id ?? '-', pointer].join(' '));

describe('reports a rule that no request can match', () => {
  const impossible: readonly [string, When][] = [
    ['two values of one field', all(is('tool.name', 'eq', 'a'), is('tool.name', 'eq', 'b'))],
    ['lists without a common value', all(is('tool.name', 'in', ['a', 'b']), is('tool.name', 'in', ['c']))],
    ['a list that is taken away', all(is('tool.name', 'in', ['a', 'b']), is('tool.name', 'not_in', ['a', 'b', 'c']))],
    ['every word of a field taken away', is('tool.risk_rating', 'not_in', ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])],
    ['an empty range', all(is('amount', 'gt', 10), is('amount', 'lt', 11))],
    ['less than the least', is('amount', 'lt', 0)],
    ['ranges that do not meet', all(is('amount', 'between', [1, 5]), is('amount', 'between', [6, 9]))],
    ['an empty range of numbers of any kind', all(is('parameters.x', 'gt', 1), is('parameters.x', 'lte', 1))],
    ['a number and a text', all(is('parameters.x', 'gt', 1), is('parameters.x', 'starts_with', 'a'))],
    ['two beginnings', all(is('tool.name', 'starts_with', 'a'), is('tool.name', 'starts_with', 'b'))],
    ['a value without its beginning', all(is('tool.name', 'eq', 'abc'), not(is('tool.name', 'starts_with', 'ab')))],
    ['a beginning without a piece of it', all(is('tool.name', 'starts_with', 'abc'), is('tool.name', 'not_contains', 'b'))],
    ['hosts of other domains', all(is('destination.host', 'ends_with', '.example.com'), is('destination.host', 'eq', 'API.example.ORG.'))],
    ['networks apart', all(is('request.source_ip', 'cidr', '10.0.0.0/8'), is('request.source_ip', 'cidr', '192.168.0.0/16'))],
    ['an address outside', all(is('request.source_ip', 'cidr', '10.0.0.0/8'), is('request.source_ip', 'eq', '::ffff:11.0.0.1'))],
    [
      'a network taken away in halves',
      all(is('request.source_ip', 'cidr', '10.0.0.0/8'), not(is('request.source_ip', 'cidr', ['10.0.0.0/9', '10.128.0.0/9']))),
    ],
    ['hours apart', all(is('time.clock', 'within_hours', '22:00-06:00'), is('time.clock', 'within_hours', '06:00-22:00'))],
    ['no weekday left', all(is('time.weekday', 'on_weekdays', ['SAT']), is('time.weekday', 'neq', 'SAT'))],
    ['days apart', all(is('time.date', 'lt', '2026-01-01'), is('time.date', 'gte', '2026-01-01'))],
    ['there and not there', all(is('parameters.x', 'exists'), is('parameters.x', 'not_exists'))],
    ['absent with a value', all(is('parameters.x', 'not_exists'), is('parameters.x', 'neq', 'a'))],
    ['true and false', all(is('tool.dangerous', 'is_true'), is('tool.dangerous', 'is_false'))],
    ['a pattern and its opposite', all(is('tool.name', 'matches', '^a'), not(is('tool.name', 'matches', '^a')))],
    ['an element that is not there', all(is('agent.capabilities', 'contains', 'a'), is('agent.capabilities', 'not_contains', 'a'))],
    ['two patterns that never meet', all(is('tool.name', 'matches', '^a$'), is('tool.name', 'matches', '^b$'))],
    ['a pattern and another beginning', all(is('agent.name', 'matches', '^(ab|ac)'), is('agent.name', 'starts_with', 'ad'))],
    ['an hour beside the clock', all(is('time.hour', 'eq', 7), is('time.clock', 'within_hours', '08:00-09:00'))],
    ['a weekday beside the day', all(is('time.date', 'eq', '2026-12-24'), is('time.weekday', 'on_weekdays', ['MON']))],
    ['an address beside the host', all(is('destination.host', 'eq', '10.1.2.3'), is('destination.ip', 'cidr', '192.168.0.0/16'))],
    ['a capability under both its names', all(is('capability', 'eq', 'a'), is('tool.capability', 'eq', 'b'))],
    ['an amount without a currency', all(is('amount', 'gt', 1), is('currency', 'not_exists'))],
    ['what lies inside a number', all(is('parameters.a', 'eq', 1), is('parameters.a.b', 'eq', 2))],
    ['a name that no tool can have', is('tool.name', 'eq', 'Refund Create')],
    [
      'every way of an any',
      all(is('amount', 'gt', 5), any(is('amount', 'eq', 1), all(is('tool.name', 'eq', 'a'), is('tool.name', 'eq', 'b')))),
    ],
    [
      'across fields',
      all(any(is('amount', 'gt', 5), is('currency', 'eq', 'EUR')), not(is('amount', 'gt', 5)), not(is('currency', 'eq', 'EUR'))),
    ],
  ];
  for (const [what, when] of impossible) {
    test(what, () => assert.deepEqual(briefly(analyse([rule('a', 'BLOCK', when)])), ['never_matches a - /rules/0/when']));
  }

  test('with the field that causes it, if it is one', () => {
    assert.match(
      analyse([rule('a', 'BLOCK', all(is('amount', 'gt', 5), is('amount', 'lt', 3), is('tool.name', 'eq', 'x')))])[0]?.message ?? '',
      /no value of amount/,
    );
  });

  const possible: readonly [string, When, Partial<PolicyRule>?][] = [
    ['a range of one', all(is('amount', 'gt', 10), is('amount', 'lt', 12))],
    ['between whole numbers', all(is('parameters.x', 'gt', 1), is('parameters.x', 'lt', 2))],
    ['one beginning of another', all(is('tool.name', 'starts_with', 'a'), is('tool.name', 'starts_with', 'ab'))],
    ['more than a very large number', is('parameters.x', 'gt', 1e17)],
    ['less than a very small one', is('parameters.x', 'lt', -1e300)],
    ['between numbers that are far apart', all(is('parameters.x', 'gt', 1e308), is('parameters.x', 'lt', 1.7e308))],
    ['two patterns that meet', all(is('tool.name', 'matches', '^a'), is('tool.name', 'matches', 'b$'))],
    ['an address in another spelling', all(is('parameters.x', 'cidr', '10.1.2.3/32'), is('parameters.x', 'neq', '10.1.2.3'))],
    ['two elements of a list', all(is('parameters.x', 'contains', 'a'), is('parameters.x', 'contains', 7))],
    ['different elements', all(is('parameters.x.*', 'eq', 'a'), is('parameters.x.*', 'eq', 'b'))],
    ['hours that meet for a minute', all(is('time.clock', 'within_hours', '22:00-06:01'), is('time.clock', 'within_hours', '06:00-22:00'))],
    ['a contradiction that matches on missing data', all(is('amount', 'gt', 10), is('amount', 'lt', 5)), { if_missing: 'match' }],
    [
      'a pattern and its opposite where a text can be too long to search',
      all(is('parameters.x', 'matches', '^a'), not(is('parameters.x', 'matches', '^a'))),
    ],
  ];
  for (const [what, when, more] of possible) {
    test(`but not ${what}`, () => assert.deepEqual(briefly(analyse([rule('a', 'BLOCK', when, more)])), []));
  }
});

describe('reports a rule that never decides, with the stricter one', () => {
  const refund = is('tool.name', 'eq', 'refund');
  const cases: readonly [string, PolicyRule[], string[]][] = [
    ['a catch-all', [rule('a', 'ALLOW', refund), rule('b', 'BLOCK')], ['shadowed a b /rules/0']],
    [
      'a wider range',
      [rule('a', 'ALLOW', is('amount', 'gt', 10)), rule('b', 'REQUIRE_APPROVAL', is('amount', 'gte', 5))],
      ['shadowed a b /rules/0'],
    ],
    [
      'an opposite spelled out',
      [rule('a', 'ALLOW', is('amount', 'gt', 10)), rule('b', 'BLOCK', not(is('amount', 'lte', 10)))],
      ['shadowed a b /rules/0'],
    ],
    [
      'a pattern alike',
      [rule('a', 'ALLOW', all(refund, is('agent.name', 'matches', '^x'))), rule('b', 'BLOCK', is('agent.name', 'matches', '^x'))],
      ['shadowed a b /rules/0'],
    ],
    [
      'an approval that is blocked anyway',
      [rule('a', 'REQUIRE_APPROVAL', refund), rule('b', 'BLOCK', is('tool.name', 'in', ['refund', 'x']))],
      ['shadowed a b /rules/0'],
    ],
    [
      'missing data that the stricter one takes too',
      [rule('a', 'ALLOW', is('amount', 'gt', 5)), rule('b', 'BLOCK', is('amount', 'gt', 5), { if_missing: 'match' })],
      ['shadowed a b /rules/0'],
    ],
    [
      'two rules that leave nothing between them',
      [
        rule('a', 'ALLOW', refund),
        rule('b', 'BLOCK', is('tool.dangerous', 'is_true')),
        rule('c', 'REQUIRE_APPROVAL', is('tool.dangerous', 'is_false')),
      ],
      ['shadowed a - /rules/0'],
    ],
    [
      'a pattern that a beginning holds',
      [rule('a', 'ALLOW', is('tool.name', 'matches', '^delete\\.')), rule('b', 'BLOCK', is('tool.name', 'starts_with', 'delete'))],
      ['shadowed a b /rules/0'],
    ],
    ['not a rule that permits what is masked', [rule('a', 'ALLOW', refund), rule('b', 'MASK', undefined, { mask: { result: ['x'] } })], []],
    ['not a mask, whose paths stay hidden', [rule('a', 'MASK', refund, { mask: { result: ['x'] } }), rule('b', 'REQUIRE_APPROVAL')], []],
    [
      'not where missing data makes the difference',
      [rule('a', 'REQUIRE_APPROVAL', is('amount', 'gt', 5), { if_missing: 'match' }), rule('b', 'BLOCK', is('amount', 'gt', 5))],
      [],
    ],
    ['not by a narrower one', [rule('a', 'ALLOW', is('amount', 'gt', 5)), rule('b', 'REQUIRE_APPROVAL', is('amount', 'gt', 6))], []],
    [
      'not by a rule that never matches',
      [rule('a', 'ALLOW', refund), rule('b', 'BLOCK', all(refund, is('tool.name', 'eq', 'x')))],
      ['never_matches b - /rules/1/when'],
    ],
    ['not by a weaker one', [rule('a', 'BLOCK', refund), rule('b', 'REQUIRE_APPROVAL')], []],
  ];
  for (const [what, rules, expected] of cases) test(what, () => assert.deepEqual(briefly(analyse(rules)), expected));
});

describe('reports an overlap of ALLOW and BLOCK with a request', () => {
  test('at their intersection', () => {
    const [warning, ...rest] = analyse([
      rule('a', 'ALLOW', is('tool.name', 'starts_with', 'refund.')),
      rule('b', 'BLOCK', is('amount', 'gt', 100)),
    ]);
    assert.deepEqual(rest, []);
    assert.deepEqual(briefly(warning ? [warning] : []), ['overlap a b /rules/0']);
    assert.match(String(warning?.example?.['tool.name']), /^refund\./);
    assert.equal(warning?.example?.amount, 101);
  });

  test('by a pattern, and by one element that matches a condition as a whole', () => {
    const gold = {
      any_element: { of: 'parameters.l.*', meets: all(is('parameters.l.*.kind', 'eq', 'gold'), is('parameters.l.*.sku', 'matches', '^X')) },
    } as never;
    for (const when of [is('parameters.sql', 'matches', '(?i)drop'), gold, not(gold)]) {
      const found = analyse([rule('a', 'ALLOW', is('tool.name', 'starts_with', 'refund.')), rule('b', 'BLOCK', when)]);
      assert.deepEqual(briefly(found), ['overlap a b /rules/0']);
      assert.deepEqual(briefly(analyse([rule('a', 'ALLOW'), rule('b', 'BLOCK', when)])), [], 'an exception inside a broad ALLOW');
    }
    assert.deepEqual(briefly(analyse([rule('a', 'ALLOW', gold), rule('b', 'BLOCK', not(gold))])), []);
  });

  test('within lists and elements', () => {
    const [warning] = analyse([
      rule('a', 'ALLOW', is('agent.capabilities', 'contains', 'x')),
      rule('b', 'BLOCK', is('parameters.items.*.sku', 'eq', 'y')),
    ]);
    assert.deepEqual(warning?.example, { 'agent.capabilities': ['x'], parameters: { items: { any: { sku: 'y' } } } });
  });

  test('but not a strict rule inside a broad ALLOW', () => {
    const refunds = is('tool.name', 'eq', 'refund');
    for (const [allow, block] of [
      [undefined, is('amount', 'gt', 100)],
      [refunds, all(refunds, is('amount', 'gt', 100))],
      [is('amount', 'lte', 500), all(is('amount', 'lte', 300), is('parameters.country', 'eq', 'XX'))],
      [is('tool.name', 'in', ['refund', 'pay']), all(refunds, is('parameters.note', 'matches', '(?i)test'))],
      [refunds, all(refunds, is('time.weekday', 'on_weekdays', ['SAT', 'SUN']))],
    ])
      assert.deepEqual(briefly(analyse([rule('a', 'ALLOW', allow), rule('b', 'BLOCK', block)])), []);
  });

  const apart: readonly [string, When, When][] = [
    ['other tools', is('tool.name', 'eq', 'a'), is('tool.name', 'eq', 'b')],
    ['ranges apart', is('amount', 'lte', 5), is('amount', 'gt', 5)],
    ['one capability spelled by two fields', is('capability', 'eq', 'a'), is('tool.capability', 'eq', 'b')],
    ['an hour and a time of day that is not in it', is('time.hour', 'eq', 3), is('time.clock', 'within_hours', '10:00-11:00')],
    ['a weekday and a day that is none', is('time.weekday', 'eq', 'SUN'), is('time.date', 'eq', '2026-03-02')],
    ['a value with and without members', is('parameters.a', 'eq', 'x'), is('parameters.a.b', 'eq', 'y')],
  ];
  for (const [what, allow, block] of apart)
    test(`but not ${what}`, () => assert.deepEqual(briefly(analyse([rule('a', 'ALLOW', allow), rule('b', 'BLOCK', block)])), []));
});

const tool = (name: string, parameters_schema: Record<string, unknown> = {}, more: Partial<AnalysedTool> = {}): AnalysedTool => ({
  name,
  required_capability: name,
  kind: 'HTTP',
  risk_rating: 'LOW',
  dangerous: false,
  parameters_schema,
  amount_from: null,
  currency_from: null,
  destination_from: null,
  execution: null,
  ...more,
});
const schema = (properties: Record<string, unknown>, required: readonly string[] = [], more: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
});

describe('with the existing tools', () => {
  const country = is('parameters.country', 'eq', 'XX');
  const onRefund = (when: never): When => all(is('tool.name', 'eq', 'refund'), when);
  const about = (when: never, ...tools: AnalysedTool[]) => analyse([rule('a', 'BLOCK', onRefund(when))], tools);

  test('reports a rule about a missing tool', () => {
    assert.deepEqual(briefly(about(country, tool('other'))), ['no_tool a - /rules/0']);
    assert.deepEqual(briefly(about(is('tool.dangerous', 'is_true'), tool('refund'))), ['no_tool a - /rules/0']);
    assert.deepEqual(briefly(analyse([rule('a', 'BLOCK', onRefund(country))], [])), []);
  });

  test('reports a parameter that no such tool has at its condition', () => {
    const closed = schema({ land: { type: 'string' } }, ['land'], { additionalProperties: false });
    assert.deepEqual(briefly(about(country, tool('refund', closed), tool('other'))), ['unknown_parameter a - /rules/0/when/all/1']);
  });

  test('reports a path through a list that no such tool has at its condition, in a single-element group as well', () => {
    const item = schema({ sku: { type: 'string' } }, [], { additionalProperties: false });
    const closed = schema({ items: { type: 'array', items: item } }, [], { additionalProperties: false });
    const element = (of: string, member: string) => ({ any_element: { of, meets: all(is(`${of}.${member}`, 'eq', 'x')) } }) as never;
    const told = (when: never, ...tools: AnalysedTool[]) =>
      about(when, ...tools).flatMap(({ kind, pointer }) => (kind === 'unknown_parameter' ? [pointer] : []));
    const inGroup = '/rules/0/when/all/1/any_element/meets/all/0';
    assert.deepEqual(told(element('parameters.itmes.*', 'sku'), tool('refund', closed), tool('other')), [inGroup]);
    assert.deepEqual(told(element('parameters.items.*', 'skew'), tool('refund', closed)), [inGroup]);
    assert.deepEqual(told(is('parameters.items.*.skew', 'eq', 'x'), tool('refund', closed)), ['/rules/0/when/all/1']);
    assert.deepEqual(told(element('parameters.items.*', 'sku'), tool('refund', closed)), []);
    assert.deepEqual(told(element('parameters.items.*', 'skew'), tool('refund', closed), tool('refund')), []);
    assert.deepEqual(told(element('parameters.items.*', 'skew'), tool('refund')), []);
    const open = schema({ items: { type: ['array', 'object'], items: item } });
    assert.deepEqual(told(element('parameters.items.*', 'skew'), tool('refund', open)), []);
  });

  test('reports a condition on a type or a word that no such tool takes at its pointer', () => {
    const closed = schema(
      {
        cents: { type: 'integer' },
        kind: { enum: ['full', 'part'] },
        note: { type: ['string', 'null'] },
        tags: { type: 'array', items: { type: 'string' } },
        parts: { type: 'array', items: schema({ n: { type: 'number' } }) },
        free: {},
      },
      ['cents', 'kind'],
    );
    const told = (when: never, ...tools: AnalysedTool[]) =>
      about(when, ...tools).flatMap(({ kind, pointer }) => (kind === 'never_holds' ? [pointer] : []));
    const never: readonly (readonly unknown[])[] = [
      ['cents', 'eq', '500'],
      ['cents', 'contains', '5'],
      ['cents', 'matches', '^5'],
      ['cents', 'is_true'],
      ['kind', 'eq', 'FULL'],
      ['kind', 'not_in', ['Full', 'Part']],
      ['kind', 'gt', 5],
      ['note', 'gt', 5],
      ['tags', 'eq', 'a'],
      ['tags', 'starts_with', 'a'],
      ['tags', 'contains', 5],
      ['tags.*', 'eq', 5],
      ['parts.*.n', 'eq', '5'],
    ];
    for (const [name, op, value] of never)
      assert.deepEqual(
        told(is(`parameters.${name}`, op as never, value), tool('refund', closed), tool('other')),
        ['/rules/0/when/all/1'],
        `${name} ${op}`,
      );
    const may: readonly (readonly unknown[])[] = [
      ['cents', 'gt', 500],
      ['cents', 'not_exists'],
      ['kind', 'in', ['full', 'FULL']],
      ['kind', 'starts_with', 'f'],
      ['note', 'eq', 'x'],
      ['tags', 'contains', 'a'],
      ['tags.*', 'eq', 'a'],
      ['parts.*.n', 'gte', 5],
      ['free', 'eq', 'x'],
      ['else', 'eq', 'x'],
    ];
    for (const [name, op, value] of may)
      assert.deepEqual(told(is(`parameters.${name}`, op as never, value), tool('refund', closed), tool('other')), [], `${name} ${op}`);
    assert.deepEqual(told(is('parameters.cents', 'eq', '500'), tool('refund', closed), tool('refund', schema({ cents: {} }))), []);
    const either = { any: [is('parameters.cents', 'eq', '500'), is('parameters.cents', 'gt', 5)] } as never;
    assert.deepEqual(told(either, tool('refund', closed)), ['/rules/0/when/all/1/any/0']);
  });

  test('reports a mask on parameters that no tool has at each path, and none that some tool may have', () => {
    const closed = schema({ order: { type: 'string' }, items: { type: 'array' } }, [], { additionalProperties: false });
    const hiding = (...parameters: string[]) => [rule('a', 'MASK', is('tool.name', 'eq', 'refund'), { mask: { parameters } })];
    const told = analyse(hiding('$.order', 'order', '/order', 'items.sku', 'order[0]'), [tool('refund', closed)]);
    assert.deepEqual(
      told.map(({ kind, pointer }) => `${kind} ${pointer}`),
      [0, 2, 4].map((index) => `unknown_parameter /rules/0/mask/parameters/${index}`),
    );
    assert.deepEqual(briefly(analyse(hiding('$.order'), [tool('refund', closed), tool('other')])), []);
    assert.deepEqual(briefly(analyse(hiding('$.order'), [])), []);
  });

  test('reports a field that a request can leave out at its condition, with a request that bypasses it', () => {
    const [warning, ...rest] = about(country, tool('refund', schema({ country: { type: 'string' } })), tool('other'));
    assert.deepEqual(rest, []);
    assert.deepEqual(briefly(warning ? [warning] : []), ['missing_field a - /rules/0/when/all/1']);
    assert.match(warning?.message ?? '', /tool "refund" can omit parameters.country/);
    assert.equal(warning?.example?.['tool.name'], 'refund');
    assert.equal('parameters' in (warning?.example ?? {}), false);
  });

  test('reports a field that may have another type', () => {
    assert.deepEqual(briefly(about(country, tool('refund', schema({ country: {} }, ['country'])))), [
      'missing_field a - /rules/0/when/all/1',
      'mistyped_field a - /rules/0/when/all/1',
    ]);
    assert.deepEqual(briefly(about(country, tool('refund', schema({ country: { type: ['string', 'number'] } }, ['country'])))), [
      'mistyped_field a - /rules/0/when/all/1',
    ]);
  });

  test('reports amount, currency and destination unless the tool declares their source', () => {
    for (const [when, declared] of [
      [is('amount', 'gt', 5), { amount_from: '/amount' }],
      [is('currency', 'eq', 'EUR'), { currency_from: '/currency' }],
      [is('currency', 'eq', 'EUR'), { amount_from: '/amount' }],
      [is('destination.host', 'eq', 'a.example'), { destination_from: '/url' }],
      [is('destination.host', 'eq', 'a.example'), { execution: { url: 'https://a.example' } }],
    ] as const) {
      assert.deepEqual(briefly(about(when, tool('refund'))), ['missing_field a - /rules/0/when/all/1']);
      assert.deepEqual(briefly(about(when, tool('refund', {}, declared))), []);
    }
    assert.deepEqual(briefly(about(is('destination.ip', 'cidr', '10.0.0.0/8'), tool('refund', {}, { destination_from: '/url' }))), [
      'missing_field a - /rules/0/when/all/1',
    ]);
  });

  test('reports an amount that the agent states separately from the parameters, for any `if_missing`', () => {
    const allow = rule('a', 'ALLOW', onRefund(is('amount', 'lte', 5)));
    const hold = rule('a', 'REQUIRE_APPROVAL', onRefund(is('amount', 'gt', 5)), { if_missing: 'match' });
    const bound = rule('a', 'LIMIT', is('tool.name', 'eq', 'refund'), { limit: { max_amount: 5 } });
    const said = tool('refund', schema({ amount: { type: 'integer' } }, ['amount']), { amount_from: '/amount' });
    for (const [one, place] of [
      [allow, '/rules/0/when/all/1'],
      [hold, '/rules/0/when/all/1'],
      [bound, '/rules/0/limit/max_amount'],
    ] as const) {
      assert.deepEqual(briefly(analyse([one], [tool('refund'), tool('other')])), [`stated_field a - ${place}`]);
      assert.deepEqual(briefly(analyse([one], [said, tool('other')])), []);
    }
  });

  test('reports a text that a request can put into a list if a rule looks for a piece of it, and nowhere else', () => {
    const drop = is('parameters.sql', 'contains', 'drop');
    const none = is('parameters.sql', 'not_contains', 'drop');
    const not = (condition: unknown) => ({ not: condition }) as never;
    const told = (effect: PolicyRule['effect'], when: never, properties: Record<string, unknown> = {}) =>
      briefly(
        analyse(
          [rule('a', effect, onRefund(when), effect === 'ALLOW' ? {} : { if_missing: 'match' })],
          [tool('refund', schema(properties))],
        ),
      );
    const at = '/rules/0/when/all/1';
    assert.deepEqual(told('BLOCK', drop), [`listed_text a - ${at}`]);
    assert.deepEqual(told('BLOCK', not(none)), [`listed_text a - ${at}/not`]);
    assert.deepEqual(told('ALLOW', none), [`listed_text a - ${at}`]);
    assert.deepEqual(told('ALLOW', not(drop)), [`listed_text a - ${at}/not`]);
    for (const [effect, when] of [
      ['BLOCK', none],
      ['BLOCK', not(drop)],
      ['ALLOW', drop],
      ['ALLOW', not(none)],
      ['BLOCK', is('parameters.**', 'contains', 'drop')],
    ] as const)
      assert.deepEqual(told(effect, when), [], `${effect} ${JSON.stringify(when)}`);
    for (const type of ['string', 'array']) assert.deepEqual(told('BLOCK', drop, { sql: { type } }), [], type);
    assert.deepEqual(told('BLOCK', drop, { sql: { type: ['string', 'array'] } }), [`listed_text a - ${at}`]);
  });

  const kept: readonly [string, never, Record<string, unknown>][] = [
    ['what is required', country, schema({ country: { type: 'string' } }, ['country'])],
    ['what is required of words', country, schema({ country: { enum: ['XX', 'YY'] } }, ['country'])],
    ['what is said in ways that are not read', country, { $dynamicRef: '#x' } as never],
    ['what allOf requires', country, { allOf: [schema({ country: { type: 'string' } }, ['country'])] }],
    ['what is asked to be absent', is('parameters.country', 'not_exists'), schema({ country: { type: 'string' } })],
    [
      'what another condition asks to be there',
      any(is('parameters.country', 'not_exists'), country),
      schema({ country: { type: 'string' } }),
    ],
    [
      'members that are required all the way',
      is('parameters.a.b', 'eq', 'x'),
      schema({ a: { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] } }, ['a']),
    ],
  ];
  for (const [what, when, parameters] of kept)
    test(`does not report ${what}`, () => assert.deepEqual(briefly(about(when, tool('refund', parameters))), []));

  test('reports a member if its container can be left out', () => {
    const inner = { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] };
    assert.deepEqual(briefly(about(is('parameters.a.b', 'eq', 'x'), tool('refund', schema({ a: inner })))), [
      'missing_field a - /rules/0/when/all/1',
    ]);
  });

  test('does not report a rule that allows, or one that matches on missing data', () => {
    const tools = [tool('refund')];
    assert.deepEqual(analyse([rule('a', 'ALLOW', onRefund(country))], tools), []);
    assert.deepEqual(analyse([rule('a', 'BLOCK', onRefund(country), { if_missing: 'match' })], tools), []);
  });

  test('reports tools that a rule cannot distinguish together', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const [warning, ...rest] = analyse(
      [rule('x', 'BLOCK', is('amount', 'gt', 5))],
      names.map((name) => tool(name)),
    );
    assert.deepEqual(rest, []);
    assert.match(warning?.message ?? '', /tools "a", "b", "c" and 2 more/);
  });
});

test('finds no template with a rule that never matches, is superseded, or blocks what it allows', () => {
  for (const { id, rules } of policyTemplates()) assert.deepEqual(analyse(rules), [], id);
});

test('analyses the largest version with the longest lists quickly, and reports an exhausted budget', () => {
  const values = Array.from({ length: 1000 }, (_, index) => `tool-${index}`);
  const rules = Array.from({ length: 200 }, (_, index) =>
    rule(
      `r${index}`,
      index % 2 === 0 ? 'ALLOW' : 'BLOCK',
      all(is('tool.name', 'in', values), is('amount', 'gt', index), is(`parameters.p${index}`, 'eq', index)),
    ),
  );
  const started = process.cpuUsage();
  const { complete } = analyseVersion(
    { rules, tests: [] },
    Array.from({ length: 300 }, (_, index) => tool(`tool-${index}`)),
  );
  assert.equal(complete, false);
  // Processor time, not wall-clock time, which other processes on the machine would lengthen.
  const { user, system } = process.cpuUsage(started);
  assert.ok((user + system) / 1000 < 6000);
});

test('reports a currency without a rate where a rule requires it, and not where it is excluded or blocked', () => {
  const rules = [
    rule('listed', 'ALLOW', all(is('currency', 'in', ['USD', 'XTS']), is('amount', 'lt', 5))),
    rule('other', 'ALLOW', not(is('currency', 'eq', 'XTS'))),
    rule('stopped', 'BLOCK', is('currency', 'eq', 'XTS')),
  ];
  const checked = validateVersion({ rules });
  assert.ok(checked.ok);
  const { warnings } = analyseVersion(checked.body, [], (currency) => (currency === 'XTS' ? 'USD' : null));
  const told = warnings.filter(({ kind }) => kind === 'no_rate');
  assert.deepEqual(briefly(told), ['no_rate listed - /rules/0/when/all/0']);
  assert.match(told[0]?.message ?? '', /no exchange rate between XTS and USD/);
});
