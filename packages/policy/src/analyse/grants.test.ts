import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { validateVersion } from '../validate/validate-version.ts';
import { type Around, grantWarnings } from './grants.ts';
import { otherElement } from './loose/other-element.ts';

const tool = (name: string) => ({ field: 'tool.name', op: 'eq', value: name });
const all = (...parts: object[]) => ({ all: parts });
const rule = (id: string, effect: string, when?: object): PolicyRule =>
  ({
    id,
    effect,
    reason: 'r',
    ...(when ? { when } : {}),
    ...(effect === 'MASK' ? { mask: { parameters: ['pin'] } } : {}),
    ...(effect === 'LIMIT' ? { limit: { max_amount: 60_000, window_seconds: 60 } } : {}),
  }) as PolicyRule;

const told = (rules: PolicyRule[], around: Partial<Around> = {}) => {
  const checked = validateVersion({ rules });
  assert.ok(checked.ok, JSON.stringify(checked));
  return grantWarnings(checked.body, { beside: [], before: null, ...around });
};
const brief = (warnings: ReturnType<typeof told>) => warnings.map(({ kind, rule_id, example }) => [kind, rule_id, example]);

test('a mask or a limit that matches what nothing permits is told with a request, and one that something permits throughout is not', () => {
  assert.deepEqual(brief(told([rule('hide', 'MASK')])), [['permits_nothing', 'hide', {}]]);
  const [warning, ...more] = told([rule('hide', 'MASK'), rule('refunds', 'ALLOW', tool('refund.create'))]);
  assert.deepEqual([warning?.kind, more], ['permits_nothing', []]);
  assert.deepEqual(told([rule('hide', 'MASK'), rule('fine', 'ALLOW')]), []);
  assert.deepEqual(told([rule('few', 'LIMIT', tool('a'))], { beside: [rule('fine', 'ALLOW', tool('a'))] }), []);
  assert.deepEqual(told([rule('few', 'LIMIT', tool('a')), rule('ask', 'REQUIRE_APPROVAL', tool('a'))]), []);
  assert.equal(told([rule('few', 'LIMIT', tool('a')), rule('fine', 'ALLOW', tool('b'))]).length, 1);
});

test('a change that alone permits what nothing permitted is told with the smallest request, and one that narrows is not', () => {
  const small = rule('small', 'ALLOW', all(tool('refund.create'), { field: 'amount', op: 'lte', value: 50_000 }));
  const larger = rule('small', 'ALLOW', all(tool('refund.create'), { field: 'amount', op: 'lte', value: 60_000 }));
  const [widened, ...more] = told([larger], { before: [small] });
  assert.deepEqual([widened?.kind, widened?.rule_id, more], ['newly_permits', 'small', []]);
  const { amount, ...rest } = widened?.example ?? {};
  assert.ok(typeof amount === 'number' && amount > 50_000 && amount <= 60_000);
  assert.deepEqual(rest['tool.name'], 'refund.create');
  assert.deepEqual(told([small], { before: [larger] }), []);
  assert.deepEqual(told([larger], { before: [small], beside: [rule('fine', 'ALLOW')] }), []);
  assert.deepEqual(told([larger], { before: [small], beside: [rule('never', 'BLOCK')] }), []);
  const stop = rule('stop', 'BLOCK', tool('refund.create'));
  assert.deepEqual(
    brief(told([small], { before: [small, stop] })).map(([kind, id]) => [kind, id]),
    [['newly_permits', 'stop']],
  );
  assert.deepEqual(told([small, stop], { before: [small] }), []);
});

test('two conditions on a list that different elements can meet are told with such a list, and one element that meets them whole is not', () => {
  const on = (member: string, op: string, value?: unknown) => ({
    field: `parameters.order.items.*.${member}`,
    op,
    ...(value === undefined ? {} : { value }),
  });
  const of = (when: object) => {
    const checked = validateVersion({ rules: [rule('r', 'BLOCK', when)] });
    assert.ok(checked.ok, JSON.stringify(checked));
    return otherElement(checked.body);
  };
  const pair = [on('kind', 'eq', 'gold'), on('price', 'gt', 100)];
  const [warning] = of(all(tool('buy'), ...pair));
  assert.equal(warning?.kind, 'other_element');
  const { parameters } = warning?.example ?? {};
  const { items } = (parameters as { order: { items: { kind?: unknown; price?: unknown }[] } }).order;
  assert.ok(items.some(({ kind }) => kind === 'gold') && !items.some(({ kind, price }) => kind === 'gold' && Number(price) > 100));
  assert.deepEqual(of({ any_element: { of: 'parameters.order.items.*', meets: all(...pair) } }), []);
  assert.deepEqual(of({ any: pair }), []);
  assert.deepEqual(of(all(pair[0] as object, tool('buy'))), []);
});
