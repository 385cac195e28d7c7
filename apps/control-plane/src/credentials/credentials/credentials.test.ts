import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newCredential } from '@svc/testing/agents/new-credential.ts';
import { mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ steppedUp: true });
const { send } = s;

// It does not look like a secret that the record masks by pattern, so only the masking under test protects it.
const SECRET = 'correct horse, battery: staple 4eC39Hq';
const EXTRA = { in: 'HEADER', name: 'x-app', secret: 'staple battery, horse correct Hq93Ce4' };
const bodyFor = (more: object = {}) => ({
  ...{ name: `Payments ${newUlid()}`, environment_id: s.tenant.environment_id, scheme: 'BEARER', secret: SECRET },
  ...{ destinations: ['api.payments.example', '*.payments.example:8443'], tools: ['refund.create'], ...more },
});
const createCredential = (more: object = {}, token?: string, headers?: Record<string, string>) =>
  send('POST', '/v1/credentials', bodyFor(more), token, headers);
const getCredential = (id: string, token?: string) => send('GET', `/v1/credentials/${id}`, undefined, token);
const listCredentials = (token?: string) => send('GET', '/v1/credentials', undefined, token);
const rotateCredential = (id: string, body: object, token?: string, headers?: Record<string, string>) =>
  send('POST', `/v1/credentials/${id}/rotate`, body, token, headers);
const revokeCredential = (id: string, body: object = { reason: 'It leaked.' }, token?: string) =>
  send('POST', `/v1/credentials/${id}/revoke`, body, token);
const getCode = ({ status, json }: TestResponse) => [status, json?.error?.code];
const listPointers = ({ json }: TestResponse) => json.error.details.faults.map(({ pointer }: { pointer: string }) => pointer);

describe('a credential', () => {
  test('is stored, listed and read without its secret, which no row, event or repeated response contains', async () => {
    const headers = { 'idempotency-key': newUlid() };
    const body = bodyFor({ scheme: 'HEADER', placement: { header: 'x-api-key', prefix: 'Key' } });
    const made = await send('POST', '/v1/credentials', body, s.tenant.token, headers);
    assert.equal(made.status, 201, made.text);
    const { id } = made.json;
    assert.deepEqual([made.json.status, made.json.generation, made.json.placement.header], ['ACTIVE', 1, 'x-api-key']);
    assert.deepEqual((await getCredential(id)).json, made.json);
    assert.ok((await listCredentials()).json.some((each: { id: string }) => each.id === id));
    const again = await send('POST', '/v1/credentials', body, s.tenant.token, headers);
    assert.deepEqual(again.json, made.json);
    const { rows } = await s.owner.query(
      `select c::text as row from credentials c where organization_id = $1 union all select e::text from audit_events e where organization_id = $1
        union all select i::text from idempotency_keys i where organization_id = $1`,
      [s.tenant.organization_id],
    );
    const kept = JSON.stringify([rows, made.text, again.text]);
    for (const text of [SECRET, Buffer.from(SECRET).toString('hex'), Buffer.from(SECRET).toString('base64')])
      assert.ok(!kept.includes(text));
  });

  test('is refused with a pointer to the fault, and nothing is stored', async () => {
    const wrong: readonly (readonly [object, string])[] = [
      [{ secret: 'short' }, '/secret'],
      [{ secret: 'with\nanother-line' }, '/secret'],
      [{ scheme: 'BEARER', placement: {}, secret: 'bearer a-key-of-the-service' }, '/secret'],
      [{ scheme: 'HEADER', placement: { header: 'x-key', prefix: 'Token' }, secret: 'Token a-key-of-the-service' }, '/secret'],
      [{ scheme: 'HEADER' }, '/placement/header'],
      [{ scheme: 'HEADER', placement: { header: 'Content-Length' } }, '/placement/header'],
      [{ scheme: 'HEADER', placement: { header: 'x y' } }, '/placement/header'],
      [{ scheme: 'BODY_FIELD', placement: { header: 'x-key', field: 'key' } }, '/placement/header'],
      [{ scheme: 'QUERY' }, '/placement/parameter'],
      [{ scheme: 'BASIC', placement: { secret_is: 'USERNAME', username: 'me' } }, '/placement/username'],
      [{ scheme: 'BASIC', placement: { username: 'a:b' } }, '/placement/username'],
      [{ placement: { template: 'key={secret}' } }, '/placement/template'],
      [{ scheme: 'HEADER', placement: { header: 'x-key', template: 'no hole' } }, '/placement/template'],
      [{ scheme: 'HEADER', placement: { header: 'x-key', template: 'a={secret} b={secret}' } }, '/placement/template'],
      [{ scheme: 'HEADER', placement: { header: 'x-key', template: 'a={secret}\r\nx-other: b' } }, '/placement/template'],
      [{ scheme: 'HEADER', placement: { header: 'x-key', template: 'key={secret}', prefix: 'Key' } }, '/placement/prefix'],
      [{ scheme: 'HEADER', placement: { header: 'x-key', template: 'key={secret}' }, secret: 'KEY=a-key-of-the-service' }, '/secret'],
      [{ extras: [{ ...EXTRA, in: 'COOKIE' }] }, '/extras/0/in'],
      [{ extras: [{ ...EXTRA, name: 'x y' }] }, '/extras/0/name'],
      [{ extras: [{ ...EXTRA, name: 'Transfer-Encoding' }] }, '/extras/0/name'],
      [{ extras: [{ ...EXTRA, name: 'Content-Type' }] }, '/extras/0/name'],
      [{ extras: [{ ...EXTRA, name: 'Authorization' }] }, '/extras/0/name'],
      [{ extras: [EXTRA, { ...EXTRA, name: 'X-APP' }] }, '/extras/1/name'],
      [{ extras: [{ ...EXTRA, secret: 'short' }] }, '/extras/0/secret'],
      [{ extras: [{ ...EXTRA, secret: 'with-a\r\nline: end' }] }, '/extras/0/secret'],
      [{ extras: [{ ...EXTRA, secret: 'x'.repeat(5_000) }] }, '/extras/0/secret'],
      [{ extras: [{ in: 'HEADER', name: 'x-app' }] }, '/extras/0/secret'],
      [{ extras: [{ ...EXTRA, prefix: 'Key' }] }, '/extras/0/prefix'],
      [{ extras: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...EXTRA, name })) }, '/extras'],
      [{ destinations: ['*'] }, '/destinations/0'],
      [{ destinations: ['a.example', '*.com'] }, '/destinations/1'],
      [{ destinations: ['https://a.example/path'] }, '/destinations/0'],
      [{ destinations: [] }, '/destinations'],
      [{ tools: [] }, '/tools'],
    ];
    const count = async () => (await listCredentials()).json.length;
    const before = await count();
    for (const [more, pointer] of wrong) {
      const answer = await createCredential(more);
      assert.deepEqual([...getCode(answer), listPointers(answer)], [400, 'VALIDATION_FAILED', [pointer]], answer.text);
      assert.ok(!answer.text.includes(SECRET));
    }
    assert.equal(await count(), before);
  });

  test('is listed by status, kind, tool and environment, in the requested order, with its last use according to the record', async () => {
    const tool = `listed.${newUlid().toLowerCase()}`;
    const made = async (more: object): Promise<string> => (await createCredential({ tools: [tool], ...more })).json.id;
    const oauth = { grant: 'CLIENT_CREDENTIALS', token_url: 'https://login.example/token', client_id: 'acme' };
    const [b, a] = [await made({ name: `B ${tool}` }), await made({ name: `a ${tool}` })];
    const app = await made({ name: `C ${tool}`, oauth, secret: undefined, client_secret: SECRET });
    await revokeCredential(b);
    const listed = async (query: string): Promise<string[]> =>
      (await send('GET', `/v1/credentials?tool=${tool}&${query}`)).json.map(({ id }: { id: string }) => id);
    assert.deepEqual(await listed(''), [a, app, b]);
    assert.deepEqual(await listed('order=newest'), [app, a, b]);
    assert.deepEqual(await listed('order=name&status=ACTIVE'), [a, app]);
    assert.deepEqual(await listed('status=REVOKED'), [b]);
    assert.deepEqual(await listed('kind=CLIENT_CREDENTIALS'), [app]);
    assert.deepEqual(await listed('kind=FIXED&status=ACTIVE'), [a]);
    assert.deepEqual(await listed(`environment_id=${s.tenant.environment_id}`), [a, app, b]);
    assert.deepEqual(await listed('environment_id=env_00000000000000000000000000'), []);
    assert.deepEqual((await getCredential(a)).json.last_used_at, null);
    const used = async (id: string, at: string): Promise<void> => {
      await s.owner.query(
        `insert into audit_events (organization_id, workspace_id, environment_id, id, type, occurred_at, actor_type, actor_id, subject_type,
           subject_id, severity, request_id, trace_id, data)
         values ($1, $2, $3, $4, 'credential.issued', $5, 'AGENT', 'agt_1', 'action', 'act_1', 'info', 'req_1', '0', $6)`,
        [s.tenant.organization_id, s.tenant.workspace_id, s.tenant.environment_id, `evt_${newUlid()}`, at, { credential_id: id }],
      );
    };
    const [before, last] = [new Date(Date.now() - 60_000).toISOString(), new Date().toISOString()];
    for (const at of [before, last]) await used(a, at);
    assert.equal((await getCredential(a)).json.last_used_at, last);
    assert.deepEqual(await listed('order=longest_unused'), [app, a, b]);
  });

  test('has a unique name in its environment, revoked ones included', async () => {
    const { json } = await createCredential({ name: 'Twice' });
    assert.deepEqual(getCode(await createCredential({ name: 'Twice' })), [409, 'ALREADY_EXISTS']);
    await revokeCredential(json.id);
    assert.deepEqual(getCode(await createCredential({ name: 'Twice' })), [409, 'ALREADY_EXISTS']);
  });

  test('is rotated with an overlap, returned without either secret, and its sealed secrets open only in their row and generation', async () => {
    const { json } = await createCredential();
    const readSealed = async () => (await s.owner.query('select * from credentials where id = $1', [json.id])).rows[0];
    const before = await readSealed();
    assert.deepEqual(listPointers(await rotateCredential(json.id, { secret: `Bearer ${SECRET}` })), ['/secret']);
    const rotated = await rotateCredential(json.id, { secret: `${SECRET}-2`, overlap_seconds: 60 });
    assert.deepEqual([rotated.status, rotated.json.generation], [200, 2], rotated.text);
    assert.ok(Date.parse(rotated.json.previous_ends_at) > Date.now() + 30_000);
    const after = await readSealed();
    assert.deepEqual(after.sealed_previous_secret, before.sealed_secret);
    assert.notDeepEqual(after.sealed_secret, before.sealed_secret);
    // A retry after a lost response does not replace the previous secret.
    assert.deepEqual(listPointers(await rotateCredential(json.id, { secret: `${SECRET}-2`, overlap_seconds: 60 })), ['/secret']);
    assert.deepEqual(await readSealed(), after);
    const at_once = await rotateCredential(json.id, { secret: `${SECRET}-3` });
    assert.deepEqual([at_once.json.generation, at_once.json.previous_ends_at], [3, null]);
    assert.equal((await readSealed()).sealed_previous_secret, null);
  });

  test('is rotated once per idempotency key, so that the previous secret stays the same', async () => {
    const { json } = await createCredential();
    const readSealed = async () => (await s.owner.query('select * from credentials where id = $1', [json.id])).rows[0];
    const [before, headers, body] = [
      await readSealed(),
      { 'idempotency-key': newUlid() },
      { secret: `${SECRET}-2`, overlap_seconds: 3_600 },
    ];
    const rotated = await rotateCredential(json.id, body, undefined, headers);
    const again = await rotateCredential(json.id, body, undefined, headers);
    assert.deepEqual([again.status, again.json.generation, again.json], [200, 2, rotated.json]);
    const after = await readSealed();
    assert.deepEqual([after.generation, after.sealed_previous_secret], [2, before.sealed_secret]);
    const other = await rotateCredential(json.id, { ...body, secret: `${SECRET}-3` }, undefined, headers);
    assert.deepEqual(getCode(other), [409, 'IDEMPOTENCY_KEY_REUSED']);
    const beside = (await createCredential()).json;
    assert.deepEqual(getCode(await rotateCredential(beside.id, body, undefined, headers)), [409, 'IDEMPOTENCY_KEY_REUSED']);
    assert.equal((await rotateCredential(beside.id, body)).json.generation, 2);
  });

  test('is stored with extra items whose positions are returned and whose secrets are in no row, event or repeated response', async () => {
    const extras = [EXTRA, { in: 'QUERY', name: 'statuses[]', secret: `${SECRET} again` }];
    const headers = { 'idempotency-key': newUlid() };
    const body = bodyFor({ scheme: 'HEADER', placement: { header: 'authorization', template: 'Token token={secret}' }, extras });
    const made = await send('POST', '/v1/credentials', body, s.tenant.token, headers);
    assert.equal(made.status, 201, made.text);
    const positions = [
      { in: 'HEADER', name: 'x-app' },
      { in: 'QUERY', name: 'statuses[]' },
    ];
    assert.deepEqual([made.json.extras, made.json.placement.template], [positions, 'Token token={secret}']);
    assert.deepEqual((await getCredential(made.json.id)).json, made.json);
    const again = await send('POST', '/v1/credentials', body, s.tenant.token, headers);
    assert.deepEqual(again.json, made.json);
    const { rows } = await s.owner.query(
      `select c::text as row from credentials c where organization_id = $1 union all select e::text from audit_events e where organization_id = $1
        union all select i::text from idempotency_keys i where organization_id = $1`,
      [s.tenant.organization_id],
    );
    const kept = JSON.stringify([rows, made.text, again.text]);
    for (const { secret } of extras)
      for (const encoding of ['utf8', 'hex', 'base64'] as const) assert.ok(!kept.includes(Buffer.from(secret).toString(encoding)));
  });

  test('rotates its extra items alone, all secrets at once, and never one that it does not have', async () => {
    const { json } = await createCredential({ extras: [EXTRA] });
    const wrong: readonly (readonly [object, string])[] = [
      [{ extras: [{ ...EXTRA, name: 'x-other', secret: `${SECRET}-2` }] }, '/extras/0/name'],
      [{ extras: [{ ...EXTRA, in: 'QUERY', secret: `${SECRET}-2` }] }, '/extras/0/name'],
      [{ extras: [EXTRA, { ...EXTRA, name: 'X-App' }] }, '/extras/1/name'],
      [{ extras: [EXTRA] }, '/extras/0/secret'],
      [{ secret: SECRET, extras: [EXTRA] }, '/secret'],
      [{ extras: [] }, '/secret'],
      [{}, '/secret'],
    ];
    for (const [body, pointer] of wrong) {
      const answer = await rotateCredential(json.id, body);
      assert.deepEqual([...getCode(answer), listPointers(answer)], [400, 'VALIDATION_FAILED', [pointer]], answer.text);
      assert.ok(!answer.text.includes(EXTRA.secret));
    }
    const extras = [{ ...EXTRA, name: 'X-App', secret: `${EXTRA.secret}-2` }];
    const rotated = await rotateCredential(json.id, { extras, overlap_seconds: 60 });
    assert.deepEqual([rotated.status, rotated.json.generation], [200, 2], rotated.text);
    assert.deepEqual(rotated.json.extras, json.extras);
    assert.equal((await rotateCredential(json.id, { secret: `${SECRET}-2`, extras: [EXTRA] })).json.generation, 3);
  });

  test('is revoked once with a reason; its secrets are erased, and it cannot be restored', async () => {
    const { json } = await createCredential();
    await rotateCredential(json.id, { secret: `${SECRET}-2`, overlap_seconds: 60 });
    assert.deepEqual(getCode(await revokeCredential(json.id, {})), [400, 'VALIDATION_FAILED']);
    const revoked = await revokeCredential(json.id);
    assert.deepEqual([revoked.json.status, revoked.json.revoked_reason], ['REVOKED', 'It leaked.'], revoked.text);
    const { rows } = await s.owner.query('select sealed_secret, sealed_previous_secret from credentials where id = $1', [json.id]);
    assert.deepEqual(rows, [{ sealed_secret: null, sealed_previous_secret: null }]);
    assert.deepEqual(getCode(await revokeCredential(json.id)), [400, 'INVALID_STATE_TRANSITION']);
    assert.deepEqual(getCode(await rotateCredential(json.id, { secret: SECRET })), [400, 'INVALID_STATE_TRANSITION']);
  });

  test('of another workspace is unknown to a caller limited to theirs', async () => {
    const { id: workspace_id } = (await send('POST', '/v1/workspaces', { name: `Other ${newUlid()}` })).json;
    const { json } = await createCredential();
    const person = await insertPerson(s.owner, s.tenant.organization_id, 'admin', { workspaces: [workspace_id], steppedUp: true });
    assert.deepEqual(getCode(await getCredential(json.id, person.token)), [404, 'NOT_FOUND']);
    assert.deepEqual(getCode(await rotateCredential(json.id, { secret: SECRET }, person.token)), [404, 'NOT_FOUND']);
    assert.deepEqual(getCode(await revokeCredential(json.id, undefined, person.token)), [404, 'NOT_FOUND']);
    assert.deepEqual(getCode(await createCredential({}, person.token)), [404, 'NOT_FOUND']);
    assert.deepEqual((await listCredentials(person.token)).json, []);
  });

  test('is refused with messages that name their subject, each with its pointer', async () => {
    const answer = await createCredential({ destinations: ['api.payments.example/pay'] });
    const [fault] = answer.json.error.details.faults;
    assert.deepEqual(fault, { pointer: '/destinations/0', message: 'destinations/0 must be a host without scheme or path.' });
    const { json } = await createCredential();
    const same = await rotateCredential(json.id, { secret: SECRET });
    assert.match(same.json.error.message, /^secret is the one that stands already: /);
    assert.equal(same.json.error.details.faults[0].message, same.json.error.message);
  });
});

describe('a tool that names a credential', () => {
  const HOST = 'api.payments.example';
  const declare = (credential_id: string, more: object = {}, token?: string) =>
    send(
      'POST',
      '/v1/tools',
      {
        ...{ name: 'refund.create', environment_id: s.tenant.environment_id, required_capability: 'pay', kind: 'HTTP' },
        ...{ destination_allowlist: [HOST], execution: { method: 'POST', url: `https://${HOST}/refunds`, credential_id }, ...more },
      },
      token,
    );
  const assertNotUsable = (answer: TestResponse, message: RegExp) => {
    assert.deepEqual(getCode(answer), [400, 'INVALID_CREDENTIAL_REFERENCE'], answer.text);
    assert.deepEqual(listPointers(answer), ['/execution/credential_id']);
    assert.match(answer.json.error.details.faults[0].message, message);
  };

  test('is refused for a credential that is unknown, revoked, or of another environment, tool or host', async () => {
    const { token, controlUrl, workspace_id } = s.tenant;
    const environment = { workspace_id, name: `Beside ${newUlid()}`, type: 'STAGING' };
    const beside = (await mustCall(controlUrl, 'POST', '/v1/environments', { token, body: environment })).id;
    const elsewhere = await newTenant(s.planes);
    const foreign = await newCredential(elsewhere, { tools: ['refund.create'], destinations: [HOST] });
    const over = (await createCredential()).json.id;
    await revokeCredential(over);
    const wrong: readonly (readonly [string, RegExp])[] = [
      ['cred_00000000000000000000000000', /no such credential/],
      [(await createCredential({ environment_id: beside })).json.id, /no such credential/],
      [foreign.credentialId, /no such credential/],
      [over, /revoked/],
      [(await createCredential({ tools: ['refund.read'] })).json.id, /does not name the tool/],
      [(await createCredential({ destinations: ['other.example'] })).json.id, /does not name the host/],
      [(await createCredential({ destinations: [`${HOST}:8443`] })).json.id, /does not name the host/],
    ];
    for (const [id, message] of wrong) assertNotUsable(await declare(id), message);
  });

  test('requires credential:create for what is sent in its name, and not for other changes', async () => {
    const { id } = (await createCredential()).json;
    const role = await send('POST', '/v1/roles', {
      name: `Tools ${newUlid()}`,
      description: '',
      permissions: ['policy:read', 'tool:read', 'tool:create', 'tool:update', 'organization:read', 'workspace:read', 'environment:read'],
    });
    const person = await insertPerson(s.owner, s.tenant.organization_id, { id: role.json.id });
    const refused = await declare(id, {}, person.token);
    assert.deepEqual([...getCode(refused), refused.json.error.details.permissions], [403, 'PERMISSION_DENIED', ['credential:create']]);
    const tool = await declare(id);
    assert.equal(tool.status, 201, tool.text);
    const path = `/v1/tools/${tool.json.id}`;
    const execution = { method: 'POST', url: `https://${HOST}/other`, credential_id: id };
    assert.deepEqual(getCode(await send('PATCH', path, { execution }, person.token)), [403, 'PERMISSION_DENIED']);
    const preview = await send('POST', `${path}/preview`, { execution }, person.token);
    assert.deepEqual(preview.json.needs?.permissions, ['credential:create'], preview.text);
    const widened = { destination_allowlist: [...tool.json.destination_allowlist, 'elsewhere.example'] };
    const { parameters_schema } = tool.json;
    const otherwise = { parameters_schema: { ...parameters_schema, title: 'Another.' } };
    for (const change of [widened, otherwise]) {
      const answer = await send('PATCH', path, change, person.token);
      assert.deepEqual([...getCode(answer), answer.json.error.details.permissions], [403, 'PERMISSION_DENIED', ['credential:create']]);
      const needs = (await send('POST', `${path}/preview`, change, person.token)).json.needs;
      assert.deepEqual(needs?.permissions, ['credential:create']);
    }
    assert.equal((await send('PATCH', path, widened)).status, 200);
    const narrowed = { destination_allowlist: tool.json.destination_allowlist };
    assert.deepEqual((await send('POST', `${path}/preview`, narrowed, person.token)).json.needs?.permissions, []);
    assert.equal((await send('PATCH', path, narrowed, person.token)).status, 200);
    assert.equal((await send('PATCH', path, { description: 'Refunds.' }, person.token)).status, 200);
    await revokeCredential(id);
    assertNotUsable(await send('PATCH', path, { execution }), /revoked/);
    assertNotUsable(await send('POST', `${path}/preview`, { execution }), /revoked/);
    assert.equal((await send('PATCH', path, { execution: { method: 'POST', url: `https://${HOST}/other` } }, person.token)).status, 200);
  });
});
