import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateVersion } from '../validate/validate-version.ts';

const getFaults = (field: string, op: string, value?: unknown) => {
  const when = { field, op, ...(value === undefined ? {} : { value }) };
  const checked = validateVersion({ rules: [{ id: 'r', effect: 'BLOCK', reason: 'r', when }] });
  return checked.ok ? [] : checked.faults;
};

test('rejects a label that no agent can have where it is named, with the likely intent', () => {
  for (const [name, meant] of [
    ['Team', 'team'],
    [' team', 'team'],
    ['team ', 'team'],
    ['Cost.Centre', 'cost.centre'],
  ] as const) {
    for (const [op, value] of [['eq', 'a'], ['exists']] as const) {
      const [fault, ...others] = getFaults(`agent.labels.${name}`, op, value);
      assert.equal(fault?.pointer, '/rules/0/when/field');
      assert.ok(fault.message.endsWith(`Did you mean "agent.labels.${meant}"?`), fault.message);
      assert.deepEqual(others, []);
    }
  }
  for (const name of ['-team', 'team.', 'größe', 'a b', 'x'.repeat(64)]) {
    const [fault] = getFaults(`agent.labels.${name}`, 'eq', 'a');
    assert.match(fault?.message ?? '', /^No agent has the label .* end with a letter or digit\.$/, name);
  }
  for (const name of ['team', 'a.b', 'break-glass', '9', 'x'.repeat(63)])
    assert.deepEqual(getFaults(`agent.labels.${name}`, 'eq', 'A'), []);
});

test('rejects an invalid capability name, since it would silently match nothing', () => {
  for (const op of ['contains', 'not_contains']) {
    const [fault] = getFaults('agent.capabilities', op, 'Payments.Refund');
    assert.equal(fault?.pointer, '/rules/0/when/value');
    assert.match(fault.message, /Did you mean "payments\.refund"\?$/);
    for (const value of ['payments.', '.refund', 'pay ment', 'payments..refund'])
      assert.equal(getFaults('agent.capabilities', op, value).length, 1, value);
    assert.deepEqual(getFaults('agent.capabilities', op, 'payments.refund'), []);
  }
});
