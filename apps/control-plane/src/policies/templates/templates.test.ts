import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INERT_WARNING_KINDS } from '@svc/contract/policies/warnings.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

type Template = { readonly id: string; readonly name: string; readonly rules: unknown[]; readonly tests: unknown[] };

const s = createScene({ steppedUp: true });
const { send } = s;
let templates: readonly Template[];
s.before(async () => {
  templates = (await send('GET', '/v1/policies/templates')).json;
});

test('every template of listPolicyTemplates becomes an active policy by its id alone, with passing tests that reach every rule', async () => {
  assert.ok(templates.length >= 12);
  for (const { id, name, rules, tests } of templates) {
    const created = await send('POST', '/v1/policies', { template: id });
    assert.equal(created.status, 201, `${id}: ${created.text.slice(0, 500)}`);
    const [version] = created.json.versions;
    assert.deepEqual([created.json.name, version.rules, version.tests, created.json.untested_rules], [name, rules, tests, []], id);
    const run = (await send('POST', `/v1/policies/${created.json.id}/tests/run`)).json;
    assert.deepEqual([run.failed, run.passed, run.untested_rules], [0, tests.length, []], id);
    const kinds = created.json.warnings.map(({ kind }: { kind: string }) => kind);
    const isInert = INERT_WARNING_KINDS.some((kind) => kinds.includes(kind));
    assert.ok(!kinds.includes('unknown_field') && !kinds.includes('no_such_role'), id);
    // The owner is alone here, and some templates require two people.
    const body = { version_id: version.version_id, reason: 'as it is', accept_warnings: isInert };
    const active = await send('POST', `/v1/policies/${created.json.id}/activate`, body);
    assert.equal(active.json.status, 'ACTIVE', `${id}: ${active.text.slice(0, 500)}`);
    // All of them together are more work than one decision may take.
    const suspended = await send('POST', `/v1/policies/${created.json.id}/suspend`, { reason: 'tried' });
    assert.equal(suspended.status, 200, suspended.text);
  }
});

test('every pointer that a template names as adjustable has a value', () => {
  for (const template of templates as readonly (Template & { parameters: { pointers: string[] }[] })[]) {
    for (const pointer of template.parameters.flatMap(({ pointers }) => pointers)) {
      let value: unknown = template;
      for (const step of pointer.slice(1).split('/')) value = (value as Record<string, unknown>)[step];
      assert.notEqual(value, undefined, `${template.id} ${pointer}`);
    }
  }
});

test('a name and a description can be set; the content of the template cannot', async () => {
  const named = await send('POST', '/v1/policies', { template: 'read-only-agent', name: 'Readers', description: 'Mine.' });
  assert.deepEqual([named.json.name, named.json.description], ['Readers', 'Mine.']);
  assert.equal((await send('POST', '/v1/policies', { template: 'read-only-agent', name: 'Readers' })).json.error.code, 'ALREADY_EXISTS');
  const readFault = async (body: object) => {
    const { code, details } = (await send('POST', '/v1/policies', body)).json.error;
    assert.equal(code, 'VALIDATION_FAILED');
    return details.faults[0].pointer;
  };
  assert.equal(await readFault({ template: 'read-only-agent', rules: [] }), '/rules');
  assert.equal(await readFault({ template: 'read-only-agent', tests: [] }), '/tests');
  assert.equal(await readFault({ template: '__proto__' }), '/template');
  assert.equal(await readFault({ name: 'x' }), '/rules');
  assert.equal(await readFault({ rules: templates[0]?.rules }), '/name');
});

test('values are written into rules, reasons and tests, in the currency of the policy, which is then activated', async () => {
  const values = { amount: 5_000, sum: 20_000, capability: 'shop.refund' };
  const created = await send('POST', '/v1/policies', { name: 'Yen', template: 'refunds-over-amount', values, currency: 'JPY' });
  assert.equal(created.status, 201, created.text.slice(0, 500));
  const [{ version_id, rules, tests }] = created.json.versions;
  assert.deepEqual(
    [rules[0].when.all[1].value, rules[0].reason, rules[1].limit.max_amount, rules[1].limit.max_calls, tests[1].given],
    [5_000, 'Refunds over 5,000 require approval.', 20_000, 100, { capability: 'shop.refund', amount: 5_001 }],
  );
  const body = { version_id, reason: 'Our own values', accept_warnings: true };
  assert.equal((await send('POST', `/v1/policies/${created.json.id}/activate`, body)).json.status, 'ACTIVE');
});

test('an invalid value is refused with its pointer, also an invalid combination, and nothing is stored', async () => {
  const before = (await send('GET', '/v1/policies')).json.length;
  const readFaults = async (body: object) => {
    const { code, details } = (await send('POST', '/v1/policies', { name: 'Not stored', ...body })).json.error;
    assert.equal(code, 'VALIDATION_FAILED');
    return details.faults.map(({ pointer }: { pointer: string }) => pointer);
  };
  const tiers = { template: 'spending-tiers' };
  assert.deepEqual(await readFaults({ ...tiers, values: { highest: '9', small_to: 0 } }), ['/values/highest', '/values/small_to']);
  assert.deepEqual(await readFaults({ ...tiers, values: { lowest: 1 } }), ['/values/lowest']);
  assert.deepEqual(await readFaults({ ...tiers, values: { small_to: 200_000 } }), ['/values']);
  assert.deepEqual(await readFaults({ template: 'change-freeze', values: { days: ['2027-02-30', '2027-02-31'] } }), ['/values']);
  assert.deepEqual(await readFaults({ template: 'office-network-only', values: { networks: ['1.2.3.4/99'] } }), ['/values']);
  assert.deepEqual(await readFaults({ rules: templates[0]?.rules, values: { amount: 1 } }), ['/values']);
  assert.equal((await send('GET', '/v1/policies')).json.length, before);
});
