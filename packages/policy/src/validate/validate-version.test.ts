import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { VersionBody } from '@svc/contract/policies/language.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { countRepetitions, getSeed } from '@svc/testing/length/test-length.ts';
import fc from 'fast-check';
import Value from 'typebox/value';
import { compileSet } from '../judge/compile-set.ts';
import { compileVersion } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { validateVersion } from './validate-version.ts';

const rule = (more: object = {}) => ({ id: 'a', effect: 'BLOCK', reason: 'Because.', ...more });
const withRule = (more: object) => ({ rules: [rule(more)] });
const withWhen = (when: unknown) => withRule({ when });
const nest = (depth: number): object => (depth === 0 ? { field: 'amount', op: 'gt', value: 1 } : { not: nest(depth - 1) });
const withTest = (more: object) => ({ rules: [rule()], tests: [{ name: 't', given: {}, then: { effect: 'BLOCK' }, ...more }] });
const many = (count: number, make: (index: number) => unknown) => Array.from({ length: count }, (_, index) => make(index));
const fieldIs = (field: string, op: string, value?: unknown, quantifier?: string) =>
  withWhen({ field, op, ...(value === undefined ? {} : { value }), ...(quantifier === undefined ? {} : { quantifier }) });

/** Body, the pointer to the fault, and words of the sentence with the correction. */
const MALFORMED: readonly [unknown, string, RegExp][] = [
  [withWhen({ and: [nest(0)] }), '/rules/0/when/and', /no group "and"\. Did you mean "all"\?/],
  [withWhen({ or: [nest(0)] }), '/rules/0/when/or', /Did you mean "any"\?/],
  [withWhen({ all: [{ anyOf: [nest(0)] }] }), '/rules/0/when/all/0/anyOf', /Did you mean "any"\?/],
  [withWhen({ '!': nest(0) }), '/rules/0/when/!', /Did you mean "not"\?/],
  [fieldIs('amount', '>=', 1), '/rules/0/when/op', /no such operator\. Did you mean "gte"\?/],
  [fieldIs('amount', '==', 1), '/rules/0/when/op', /Did you mean "eq"\?/],
  [fieldIs('tool.name', 'regex', 'x'), '/rules/0/when/op', /Did you mean "matches"\?/],
  [null, '', /object/],
  [[], '', /object/],
  ['x', '', /object/],
  [{}, '/rules', /requires the member "rules"/],
  [{ rules: {} }, '/rules', /at least one rule/],
  [{ rules: [] }, '/rules', /at least one rule/],
  [{ rules: many(201, (index) => rule({ id: `r${index}` })) }, '/rules', /at most 200 rules/],
  [{ rules: [rule()], extra: 1 }, '/extra', /no member "extra"/],
  [{ rule: [rule()], rules: [rule()] }, '/rule', /mean "rules"/],
  [{ rules: [rule(), rule()] }, '/rules/1/id', /unique/],
  [{ rules: [7] }, '/rules/0', /object/],
  [{ rules: [null] }, '/rules/0', /object/],
  [{ rules: [{ id: 'a' }] }, '/rules/0/effect', /requires the member "effect"/],
  [withRule({ id: 'not good' }), '/rules/0/id', /letters, digits/],
  [withRule({ id: '' }), '/rules/0/id', /letters, digits/],
  [withRule({ id: 'a'.repeat(65) }), '/rules/0/id', /1 to 64/],
  [withRule({ id: 5 }), '/rules/0/id', /letters/],
  [withRule({ effect: 'DENY' }), '/rules/0/effect', /ALLOW, MASK, LIMIT, REQUIRE_APPROVAL, BLOCK/],
  [withRule({ effect: 'constructor' }), '/rules/0/effect', /one of/],
  [withRule({ reason: '  ' }), '/rules/0/reason', /empty/],
  [withRule({ reason: 'x'.repeat(501) }), '/rules/0/reason', /at most 500/],
  [withRule({ reason: 1 }), '/rules/0/reason', /text/],
  [withRule({ description: 'x'.repeat(2001) }), '/rules/0/description', /at most 2000/],
  [withRule({ unless: {} }), '/rules/0/unless', /no member "unless"/],
  [withRule({ 'a/b~c': 1 }), '/rules/0/a~1b~0c', /no member/],
  [JSON.parse('{"rules":[{"id":"a","effect":"BLOCK","reason":"r","__proto__":{}}]}'), '/rules/0/__proto__', /no member/],
  [withRule({ if_missing: 'allow' }), '/rules/0/if_missing', /Must be "match"/],
  [withRule({ if_missing: 'match', effect: 'ALLOW' }), '/rules/0/if_missing', /stricter effect/],
  [withWhen([]), '/rules/0/when', /condition must be an object/],
  [withWhen(null), '/rules/0/when', /condition must be an object/],
  [withWhen({ all: [] }), '/rules/0/when/all', /at least one condition/],
  [withWhen({ any: {} }), '/rules/0/when/any', /list/],
  [withWhen({ not: [] }), '/rules/0/when/not', /condition must be an object/],
  [withWhen({ all: [{}] }), '/rules/0/when/all/0/field', /requires the member "field"/],
  [withWhen({ all: [{ field: 'amount', op: 'gt', value: 1 }], any: [] }), '/rules/0/when/any', /no member "any"/],
  [withWhen(nest(9)), `/rules/0/when${'/not'.repeat(8)}`, /at most 8 levels/],
  [
    { rules: many(6, (id) => rule({ id: `r${id}`, when: { any: many(84, () => nest(0)) } })) },
    '/rules',
    /at most 500 conditions; this one has 504/,
  ],
  [fieldIs('tool.nam', 'eq', 'x'), '/rules/0/when/field', /mean "tool.name"/],
  [fieldIs('zzzzzzzz', 'eq', 'x'), '/rules/0/when/field', /The fields are principal.type/],
  [fieldIs('__proto__', 'eq', 'x'), '/rules/0/when/field', /no field/],
  [fieldIs('parameters', 'exists'), '/rules/0/when/field', /Add a member name/],
  [fieldIs('parameters.', 'exists'), '/rules/0/when/field', /Add a member name/],
  [fieldIs('agent.labels', 'exists'), '/rules/0/when/field', /Add a member name/],
  [fieldIs('parameters.a..b', 'exists'), '/rules/0/when/field', /not a path/],
  [fieldIs('parameters.a~b', 'exists'), '/rules/0/when/field', /~1 for "."/],
  [fieldIs('parameters.a*', 'exists'), '/rules/0/when/field', /~2 for "\*"/],
  [fieldIs(`parameters.${'a.'.repeat(16)}a`, 'exists'), '/rules/0/when/field', /16 parts/],
  [fieldIs(`parameters.${'a'.repeat(300)}`, 'exists'), '/rules/0/when/field', /at most 256/],
  [withWhen({ field: 5, op: 'eq', value: 1 }), '/rules/0/when/field', /must be a string/],
  [fieldIs('tool.name', 'equals', 'x'), '/rules/0/when/op', /[Oo]perator/],
  [fieldIs('tool.name', 'startswith', 'x'), '/rules/0/when/op', /mean "starts_with"/],
  [fieldIs('tool.name', 'toString', 'x'), '/rules/0/when/op', /[Oo]perator/],
  [fieldIs('tool.name', 'gt', 1), '/rules/0/when/op', /is not valid for tool.name; must be one of eq, neq/],
  [fieldIs('tool.dangerous', 'in', [true]), '/rules/0/when/op', /is not valid for/],
  [fieldIs('agent.capabilities', 'eq', 'x'), '/rules/0/when/op', /must be one of contains, not_contains, exists, not_exists/],
  [fieldIs('tool.risk_rating', 'starts_with', 'H'), '/rules/0/when/op', /is not valid for/],
  [fieldIs('tool.name', 'eq'), '/rules/0/when/value', /requires the member "value", for example "refund.create"/],
  [fieldIs('tool.name', 'in'), '/rules/0/when/value', /for example \["refund.create"\]/],
  [fieldIs('tool.name', 'eq', 5), '/rules/0/when/value', /must be text, for example/],
  [fieldIs('tool.name', 'eq', null), '/rules/0/when/value', /not_exists/],
  [fieldIs('tool.name', 'eq', ['x']), '/rules/0/when/value', /must be text/],
  [fieldIs('tool.name', 'in', 'x'), '/rules/0/when/value', /requires a list/],
  [fieldIs('tool.name', 'in', []), '/rules/0/when/value', /at least one value/],
  [fieldIs('tool.name', 'in', ['a', 2]), '/rules/0/when/value/1', /must be text/],
  [fieldIs('tool.name', 'in', many(1001, String)), '/rules/0/when/value', /at most 1000 values/],
  [fieldIs('tool.name', 'eq', 'x'.repeat(2049)), '/rules/0/when/value', /at most 2048/],
  [fieldIs('tool.name', 'contains', ''), '/rules/0/when/value', /non-empty/],
  [fieldIs('tool.risk_rating', 'eq', 'high'), '/rules/0/when/value', /one of LOW, MEDIUM, HIGH, CRITICAL/],
  [fieldIs('tool.dangerous', 'eq', 'true'), '/rules/0/when/value', /true or false/],
  [
    fieldIs('amount', 'gt', '5'),
    '/rules/0/when/value',
    /whole number from 0 \(minor units of the currency of the version\), for example 50000/,
  ],
  [fieldIs('amount', 'gt', 5.5), '/rules/0/when/value', /whole number/],
  [fieldIs('amount', 'gt', -1), '/rules/0/when/value', /from 0/],
  [fieldIs('amount', 'gt', 2 ** 53), '/rules/0/when/value', /whole number/],
  [fieldIs('destination.port', 'eq', 65_536), '/rules/0/when/value', /from 0 to 65535/],
  [fieldIs('currency', 'eq', 'eur'), '/rules/0/when/value', /three-letter code/],
  [fieldIs('destination.ip', 'eq', 'localhost'), '/rules/0/when/value', /IPv4/],
  [fieldIs('parameters.a', 'eq', { b: 1 }), '/rules/0/when/value', /text, a number, or true or false/],
  [fieldIs('parameters.a', 'gt', 'x'), '/rules/0/when/value', /compared with a number/],
  [fieldIs('parameters.a', 'gt', JSON.parse('1e400')), '/rules/0/when/value', /number/],
  [fieldIs('amount', 'between'), '/rules/0/when/value', /for example \[50000,50000\]/],
  [fieldIs('amount', 'between', 5), '/rules/0/when/value', /list of two values/],
  [fieldIs('amount', 'between', [5]), '/rules/0/when/value', /list of two values/],
  [fieldIs('amount', 'between', [5, 6, 7]), '/rules/0/when/value', /the lower one first/],
  [fieldIs('amount', 'between', [6, 5]), '/rules/0/when/value', /No value is between/],
  [fieldIs('amount', 'between', [1, 5.5]), '/rules/0/when/value/1', /whole number/],
  [fieldIs('parameters.a', 'between', ['a', 5]), '/rules/0/when/value/0', /compared with a number/],
  [fieldIs('time.date', 'between', ['2026-02-28', '2026-02-30']), '/rules/0/when/value/1', /YYYY-MM-DD/],
  [fieldIs('time.date', 'eq', '2026-13-01'), '/rules/0/when/value', /date in the form/],
  [fieldIs('time.date', 'eq', '26-1-1'), '/rules/0/when/value', /YYYY-MM-DD/],
  [fieldIs('time.hour', 'eq', 24), '/rules/0/when/value', /from 0 to 23/],
  [fieldIs('time.hour', 'within_hours'), '/rules/0/when/value', /"22:00-06:00"/],
  [fieldIs('time.hour', 'within_hours', 22), '/rules/0/when/value', /"22:00-06:00"/],
  [fieldIs('time.hour', 'within_hours', '22-06'), '/rules/0/when/value', /"22:00-06:00"/],
  [fieldIs('time.hour', 'within_hours', '22:00-24:30'), '/rules/0/when/value', /24-hour time/],
  [fieldIs('time.hour', 'within_hours', '25:00-06:00'), '/rules/0/when/value', /24-hour time/],
  [fieldIs('time.hour', 'within_hours', '22:30-06:00'), '/rules/0/when/value', /time\.clock/],
  [fieldIs('time.clock', 'within_hours', '08:00-08:00'), '/rules/0/when/value', /00:00-24:00/],
  [fieldIs('time.clock', 'gt', '8:30'), '/rules/0/when/value', /HH:MM/],
  [fieldIs('time.clock', 'eq', '08:30'), '/rules/0/when/op', /is not valid for/],
  [fieldIs('time.weekday', 'on_weekdays', 'MON'), '/rules/0/when/value', /list, for example \["SAT"\]/],
  [fieldIs('time.weekday', 'on_weekdays', ['MON', 'Tuesday']), '/rules/0/when/value/1', /MON, TUE, WED/],
  [fieldIs('time.weekday', 'on_weekdays', []), '/rules/0/when/value', /at least one/],
  [fieldIs('time.date', 'on_weekdays', ['MON']), '/rules/0/when/op', /is not valid for/],
  [fieldIs('amount', 'within_hours', '22:00-06:00'), '/rules/0/when/op', /is not valid for/],
  [fieldIs('tool.dangerous', 'is_true', true), '/rules/0/when/value', /takes no value/],
  [fieldIs('tool.name', 'is_true'), '/rules/0/when/op', /is not valid for/],
  [fieldIs('request.source_ip', 'cidr'), '/rules/0/when/value', /10\.0\.0\.0\/8/],
  [fieldIs('request.source_ip', 'cidr', 8), '/rules/0/when/value', /slash and a prefix length/],
  [fieldIs('request.source_ip', 'cidr', []), '/rules/0/when/value', /list of 1 to 1000/],
  [fieldIs('request.source_ip', 'cidr', ['10.0.0.0/8', 'x']), '/rules/0/when/value/1', /slash and a prefix length/],
  [fieldIs('request.source_ip', 'cidr', '203.0.113.7'), '/rules/0/when/value', /203\.0\.113\.7\/32/],
  [fieldIs('request.source_ip', 'cidr', '::1'), '/rules/0/when/value', /::1\/128/],
  [fieldIs('request.source_ip', 'cidr', '10.1.2.3/8'), '/rules/0/when/value', /"10\.0\.0\.0\/8"/],
  [fieldIs('request.source_ip', 'cidr', '2001:db8::1/32'), '/rules/0/when/value', /"2001:db8::\/32"/],
  [fieldIs('request.source_ip', 'cidr', '10.0.0.0/33'), '/rules/0/when/value', /Invalid network/],
  [fieldIs('request.source_ip', 'cidr', '010.0.0.0/8'), '/rules/0/when/value', /Invalid network/],
  [fieldIs('request.source_ip', 'cidr', '10.0.0.0/08'), '/rules/0/when/value', /slash/],
  [fieldIs('request.source_ip', 'cidr', '::ffff:0:0/90'), '/rules/0/when/value', /network/],
  [fieldIs('request.source_ip', 'eq', '1.2.3.999'), '/rules/0/when/value', /IPv4/],
  [fieldIs('tool.name', 'cidr', '10.0.0.0/8'), '/rules/0/when/op', /is not valid for/],
  [fieldIs('tool.name', 'matches'), '/rules/0/when/value', /for example "\^\[A-Z\]/],
  [fieldIs('tool.name', 'matches', 5), '/rules/0/when/value', /requires a pattern/],
  [fieldIs('tool.name', 'matches', ''), '/rules/0/when/value', /non-empty/],
  [fieldIs('tool.name', 'matches', '('), '/rules/0/when/value', /Invalid RE2 pattern/],
  [fieldIs('tool.name', 'matches', '(?=a)'), '/rules/0/when/value', /lookaround/],
  [fieldIs('tool.name', 'matches', '(a)\\1'), '/rules/0/when/value', /backreferences/],
  [fieldIs('tool.name', 'matches', '(?:a{1000}){1000}'), '/rules/0/when/value', /RE2|steps/],
  [fieldIs('tool.name', 'matches', 'a{600}'), '/rules/0/when/value', /steps; the maximum is 250/],
  [fieldIs('tool.name', 'matches', 'a'.repeat(501)), '/rules/0/when/value', /at most 500/],
  [fieldIs('amount', 'matches', 'a'), '/rules/0/when/op', /is not valid for/],
  [
    { rules: many(3, (id) => rule({ id: `r${id}`, when: { field: 'tool.name', op: 'matches', value: 'a{200}' } })) },
    '/rules',
    /500 steps in total; these take 6\d\d/,
  ],
  [fieldIs('destination.host', 'ends_with', '.'), '/rules/0/when/value', /dot/],
  [fieldIs('destination.host', 'ends_with', '.example.com.'), '/rules/0/when/value', /dot/],
  [fieldIs('tool.name', 'ends_with', ''), '/rules/0/when/value', /non-empty/],
  [fieldIs('tool.name', 'not_contains', ''), '/rules/0/when/value', /non-empty/],
  [fieldIs('parameters.items.*.sku', 'not_contains', 'a'), '/rules/0/when/quantifier', /set "quantifier"/],
  [fieldIs('amount', 'exists', true), '/rules/0/when/value', /takes no value/],
  [fieldIs('amount', 'gt', 1, 'any'), '/rules/0/when/quantifier', /only for paths with "\*"/],
  [fieldIs('parameters.*', 'eq', 1, 'some'), '/rules/0/when/quantifier', /"any".*"all"/],
  [fieldIs('parameters.items.*.sku', 'neq', 'a'), '/rules/0/when/quantifier', /set "quantifier"/],
  [fieldIs('parameters.items.*.sku', 'not_exists'), '/rules/0/when/quantifier', /set "quantifier"/],
  [withWhen({ field: 'amount', op: 'gt', value: 1, values: [] }), '/rules/0/when/values', /mean "value"/],
  [withRule({ effect: 'MASK' }), '/rules/0/mask', /requires the member "mask"/],
  [withRule({ effect: 'LIMIT' }), '/rules/0/limit', /requires the member "limit"/],
  [withRule({ effect: 'MASK', mask: {} }), '/rules/0/mask', /"parameters", "result" or both/],
  [withRule({ effect: 'MASK', mask: { parameters: [] } }), '/rules/0/mask/parameters', /list of 1 to 50/],
  [withRule({ effect: 'MASK', mask: { result: ['a..b'] } }), '/rules/0/mask/result/0', /not a path/],
  [withRule({ effect: 'MASK', mask: { result: [5] } }), '/rules/0/mask/result/0', /path must be a string/],
  [withRule({ effect: 'LIMIT', limit: {} }), '/rules/0/limit', /"max_amount", "max_calls" or both/],
  [withRule({ effect: 'LIMIT', limit: { max_calls: 1 } }), '/rules/0/limit', /requires "window_seconds"/],
  [withRule({ effect: 'LIMIT', limit: { max_calls: 0, window_seconds: 1 } }), '/rules/0/limit/max_calls', /from 1/],
  [withRule({ effect: 'LIMIT', limit: { max_amount: 1.5 } }), '/rules/0/limit/max_amount', /whole number/],
  [withRule({ effect: 'LIMIT', limit: { max_amount: 1, every: 'day' } }), '/rules/0/limit/every', /no member/],
  [withRule({ limit: { max_amount: 1 } }), '/rules/0/limit', /is not allowed with the effect BLOCK/],
  [withRule({ effect: 'REQUIRE_APPROVAL', approval: [] }), '/rules/0/approval', /object/],
  [withRule({ effect: 'REQUIRE_APPROVAL', approval: { quorum: 0 } }), '/rules/0/approval/quorum', /from 1 to 10/],
  [withRule({ effect: 'REQUIRE_APPROVAL', approval: { approver_role: '' } }), '/rules/0/approval/approver_role', /role/],
  [withRule({ effect: 'REQUIRE_APPROVAL', approval: { expires_in_seconds: 1 } }), '/rules/0/approval/expires_in_seconds', /from 60/],
  [withRule({ effect: 'REQUIRE_APPROVAL', approval: { step_up: 'yes' } }), '/rules/0/approval/step_up', /true or false/],
  [{ rules: [rule()], tests: {} }, '/tests', /list of 0 to 200/],
  [{ rules: [rule()], tests: many(201, () => null) }, '/tests', /list of 0 to 200/],
  [{ rules: [rule()], tests: [1] }, '/tests/0', /object/],
  [{ rules: [rule()], tests: [{}] }, '/tests/0/given', /requires the member "given"/],
  [withTest({ name: '' }), '/tests/0/name', /empty/],
  [withTest({ then: { effect: 'NO' } }), '/tests/0/then/effect', /one of/],
  [withTest({ then: { effect: 'BLOCK', rule: 'b' } }), '/tests/0/then/rule', /no such rule/],
  [withTest({ then: { effect: 'ALLOW', rule: null } }), '/tests/0/then/rule', /effect must be BLOCK/],
  [withTest({ then: { effect: 'BLOCK', rule: 5 } }), '/tests/0/then/rule', /no such rule/],
  [withTest({ then: null }), '/tests/0/then', /object/],
  [withTest({ given: [] }), '/tests/0/given', /object of known fields/],
  [withTest({ given: { amount: '5' } }), '/tests/0/given/amount', /whole number/],
  [withTest({ given: { tool: { nam: 'x' } } }), '/tests/0/given/tool/nam', /mean "tool.name"/],
  [withTest({ given: { parameters: { a: '\0' } } }), '/tests/0/given/parameters/a', /U\+0000/],
  [withTest({ given: { parameters: { a: '\ud800' } } }), '/tests/0/given/parameters/a', /surrogate/],
  [withTest({ given: { parameters: { '\ud800': 1 } } }), '/tests/0/given/parameters', /name cannot be stored/],
  [withTest({ given: { parameters: { a: JSON.parse('1e400') } } }), '/tests/0/given/parameters/a', /too large/],
  [{ rules: [rule()], tests: many(2, () => ({ name: 't', given: {}, then: { effect: 'BLOCK' } })) }, '/tests/1/name', /unique/],
];

describe('rejects a malformed version with a pointer to the fault and a correction', () => {
  for (const [body, pointer, sentence] of MALFORMED) {
    test(`${JSON.stringify(body).slice(0, 120)} at "${pointer}"`, () => {
      const checked = validateVersion(body);
      assert.ok(!checked.ok, 'it is refused');
      const there = checked.faults.filter((fault) => fault.pointer === pointer);
      assert.ok(
        there.some((fault) => sentence.test(fault.message)),
        `${sentence} at ${pointer} among ${JSON.stringify(checked.faults)}`,
      );
    });
  }
});

test('reports all faults at once, each at its pointer', () => {
  const checked = validateVersion({
    rules: [
      rule({
        effect: 'DENY',
        when: {
          all: [
            { field: 'amont', op: 'gt', value: 1 },
            { field: 'amount', op: 'gt', value: '1' },
          ],
        },
      }),
      rule({ id: 'b', reason: '' }),
    ],
    tests: [{ name: 't', given: { currency: 5 }, then: { effect: 'ALLOW', rule: 'c' } }],
  });
  assert.ok(!checked.ok);
  assert.deepEqual(
    checked.faults.map((fault) => fault.pointer),
    [
      '/rules/0/when/all/0/field',
      '/rules/0/when/all/1/value',
      '/rules/0/effect',
      '/rules/1/reason',
      '/tests/0/given/currency',
      '/tests/0/then/rule',
    ],
  );
});

test('accepts a rule without conditions, or with an empty when, that matches every request', () => {
  for (const more of [{}, { when: {} }]) {
    const checked = validateVersion(withRule(more));
    assert.ok(checked.ok);
    const version = compileVersion({
      policy_id: 'p',
      policy_name: 'p',
      version_id: 'v',
      version_number: 1,
      binding: { scope: 'ORGANIZATION', id: 'o' },
      body: checked.body,
    });
    const decision = evaluate(compileSet([version]), {});
    assert.equal(decision.matched_rule?.id, 'a');
    assert.deepEqual(decision.matched_rules[0]?.conditions, []);
  }
});

test('accepts a version at every limit', () => {
  const rules = many(POLICY_LIMITS.rules_max, (index) =>
    rule({ id: `r${index}`, when: { any: many(index < 100 ? 3 : 2, () => nest(POLICY_LIMITS.depth_max - 1)) } }),
  );
  assert.equal(validateVersion({ rules }).ok, true);
});

test('returns a version without tests with an empty list of them', () => {
  const checked = validateVersion(withRule({}));
  assert.deepEqual(checked, { ok: true, body: { rules: [rule()], tests: [] } });
});

test('rejects nesting of any depth without a crash', () => {
  const nested = (open: string, close: string) => JSON.parse(`${open.repeat(5000)}1${close.repeat(5000)}`);
  for (const deep of [nested('{"not":', '}'), nested('{"all":[', ']}'), nested('[', ']')]) {
    assert.equal(validateVersion(withWhen(deep)).ok, false);
    assert.equal(validateVersion(withTest({ given: { parameters: deep } })).ok, false);
    assert.equal(validateVersion(deep).ok, false);
  }
});

const vocabulary = fc.constantFrom(
  'rules',
  'tests',
  'id',
  'effect',
  'when',
  'all',
  'any',
  'not',
  'field',
  'op',
  'value',
  'quantifier',
  'if_missing',
  'reason',
  'approval',
  'limit',
  'mask',
  'name',
  'given',
  'then',
  'rule',
  'amount',
  'parameters',
  '__proto__',
);
const leaf = fc.oneof(
  fc.constantFrom('BLOCK', 'ALLOW', 'MASK', 'amount', 'tool.name', 'parameters.a.*', 'eq', 'in', 'gt', 'any', 'match', 'a'),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.string({ unit: 'binary' }),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof({ maxDepth: 5 }, leaf, fc.array(tie('json'), { maxLength: 3 }), fc.dictionary(vocabulary, tie('json'), { maxKeys: 6 })),
}));

test("never throws for any JSON, and accepts only what the contract's schema and the engine accept", () => {
  const good = { id: fc.constant('a'), effect: fc.constantFrom('ALLOW', 'BLOCK'), reason: fc.constant('r') };
  const halfGood = fc.record({
    rules: fc.tuple(fc.record({ ...good, when: fc.oneof(json, fc.record({ field: leaf, op: leaf, value: leaf })) })),
    tests: fc.constant([]),
  });
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(json, halfGood), (body) => {
      const checked = validateVersion(body);
      if (!checked.ok) return assert.ok(checked.faults.length > 0);
      accepted += 1;
      assert.ok(Value.Check(VersionBody, checked.body), 'the schema accepts it');
      const source = {
        policy_id: 'p',
        policy_name: 'p',
        version_id: 'v',
        version_number: 1,
        binding: { scope: 'ORGANIZATION' as const, id: 'o' },
      };
      evaluate(compileSet([compileVersion({ ...source, body: checked.body })]), {});
    }),
    { numRuns: countRepetitions({ short: 4_000, long: 20_000 }), seed: getSeed(7) },
  );
  assert.ok(accepted > countRepetitions({ short: 20, long: 200 }), `validation accepts some of what was generated, here ${accepted}`);
});

test('compiles no unvalidated body to something that decides', () => {
  const body = {
    rules: [{ id: 'a', effect: 'BLOCK' as const, reason: 'r', when: { field: 'no.such', op: 'eq' as const, value: 1 } }],
    tests: [],
  };
  const source = {
    policy_id: 'p',
    policy_name: 'p',
    version_id: 'v',
    version_number: 1,
    binding: { scope: 'ORGANIZATION' as const, id: 'o' },
  };
  assert.throws(() => compileVersion({ ...source, body }), /unknown field or operator/);
});
