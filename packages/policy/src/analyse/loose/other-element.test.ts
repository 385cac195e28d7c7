import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { validateVersion } from '../../validate/validate-version.ts';
import { otherElement } from './other-element.ts';

const tool = (name: string) => ({ field: 'tool.name', op: 'eq', value: name });
const all = (...parts: object[]) => ({ all: parts });
const rule = (id: string, effect: string, when: object): PolicyRule => ({ id, effect, reason: 'r', when }) as PolicyRule;

test('warns of two conditions on a list with a list in which different elements match them, and not for a single-element group', () => {
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
