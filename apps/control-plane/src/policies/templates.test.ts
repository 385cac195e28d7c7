import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { INERT_WARNING_KINDS } from '@svc/contract/policy-warnings.ts';
import { type Answer, call } from '@svc/testing/client.ts';
import { type Planes, startPlanes } from '@svc/testing/start-planes.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/tenant.ts';

type Template = { readonly id: string; readonly name: string; readonly rules: unknown[]; readonly tests: unknown[] };

let planes: Planes;
let tenant: Tenant;
let templates: readonly Template[];
before(async () => {
  planes = await startPlanes({ gateways: 0 });
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  templates = (await send('GET', '/v1/policies/templates')).json;
});
after(() => planes.stop());

const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
  call(planes.controlUrl, method, path, { token: tenant.token, ...(body === undefined ? {} : { body }) });

test('every template that listPolicyTemplates serves becomes a policy by its id alone, whose tests pass and reach every rule, and comes into force', async () => {
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
    // Its owner is alone here, and some templates ask for two people.
    const body = { version_id: version.version_id, reason: 'as it is', accept_warnings: isInert };
    const active = await send('POST', `/v1/policies/${created.json.id}/activate`, body);
    assert.equal(active.json.status, 'ACTIVE', `${id}: ${active.text.slice(0, 500)}`);
  }
});

test('every place that a template names as one to set holds a value', () => {
  for (const template of templates as readonly (Template & { parameters: { pointers: string[] }[] })[]) {
    for (const pointer of template.parameters.flatMap(({ pointers }) => pointers)) {
      let value: unknown = template;
      for (const step of pointer.slice(1).split('/')) value = (value as Record<string, unknown>)[step];
      assert.notEqual(value, undefined, `${template.id} ${pointer}`);
    }
  }
});

test('a name and a description may be given; what the template brings may not', async () => {
  const named = await send('POST', '/v1/policies', { template: 'read-only-agent', name: 'Readers', description: 'Mine.' });
  assert.deepEqual([named.json.name, named.json.description], ['Readers', 'Mine.']);
  assert.equal((await send('POST', '/v1/policies', { template: 'read-only-agent', name: 'Readers' })).json.error.code, 'ALREADY_EXISTS');
  const faultOf = async (body: object) => {
    const { code, details } = (await send('POST', '/v1/policies', body)).json.error;
    assert.equal(code, 'VALIDATION_FAILED');
    return details.faults[0].pointer;
  };
  assert.equal(await faultOf({ template: 'read-only-agent', rules: [] }), '/rules');
  assert.equal(await faultOf({ template: 'read-only-agent', tests: [] }), '/tests');
  assert.equal(await faultOf({ template: '__proto__' }), '/template');
  assert.equal(await faultOf({ name: 'x' }), '/rules');
  assert.equal(await faultOf({ rules: templates[0]?.rules }), '/name');
});
