import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { type NameServer, startNameServer } from '@svc/testing/peers/name-server.ts';
import { getSamlForm, newSamlProvider, readSamlRequest, type SamlClaims, signElement } from '@svc/testing/peers/saml-provider.ts';
import { createSelfSigned } from '@svc/testing/peers/self-signed.ts';
import { type Browser, newBrowser } from '@svc/testing/people/browser.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';

const VIEWER = getBuiltInRole('viewer').id;
const DEVELOPER = getBuiltInRole('developer').id;
const DOMAIN = 'saml.example';

const provider = newSamlProvider('provider');
let planes: Planes;
let names: NameServer;
let owner: pg.Client;
let tenant: Tenant;
// biome-ignore lint/suspicious/noExplicitAny: body of a response
let connection: any;

const send = (method: string, path: string, body?: unknown, token = tenant.token) =>
  call(planes.controlUrl, method, path, { token, ...(body === undefined ? {} : { body }) });
const make = (method: string, path: string, body?: unknown, token = tenant.token) =>
  mustCall(planes.controlUrl, method, path, { token, ...(body === undefined ? {} : { body }) });

const samlBody = (more: object = {}) => ({
  ...{ kind: 'SAML', name: `SAML ${newUlid()}`, issuer: provider.entityId, sso_url: provider.ssoUrl },
  certificates: [provider.keys.certificate],
  ...more,
});

before(async () => {
  names = await startNameServer();
  planes = await startPlanes({ gateways: 0, env: { SVC_SAML: 'true', SVC_EGRESS_NAME_SERVERS: names.address } });
  owner = await planes.database.client();
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  connection = await make('POST', '/v1/sso/connections', samlBody({ domains: [DOMAIN], jit: true, default_role_id: VIEWER }));
  const { record } = connection.domains[0];
  names.publish(record.name, record.value);
  const tested = await make('POST', `/v1/sso/connections/${connection.id}/test`, {});
  assert.deepEqual([tested.ok, tested.fault, tested.redirect_uri], [true, null, connection.service_provider.acs_url]);
});
after(async () => {
  await owner.end();
  await Promise.all([planes.stop(), names.close()]);
});

const startSso = async (browser: Browser, query = `connection_id=${connection.id}`) => {
  const begun = await browser.ask(`${planes.controlUrl}/v1/auth/sso/start?${query}`);
  assert.equal(begun.status, 303, await begun.clone().text());
  const location = begun.headers.get('location') ?? '';
  return { location, request: readSamlRequest(location) };
};

const headers = { 'content-type': 'application/x-www-form-urlencoded' };
/** Posts like a form on another site: without cookies of this one. */
const receiveSamlResponse = (body: string, id = connection.id) =>
  fetch(`${planes.controlUrl}/v1/auth/sso/saml/${id}`, { method: 'POST', redirect: 'manual', headers, body });
const finishSamlSignIn = async (browser: Browser, answer: Response) => {
  const response = await browser.ask(answer.headers.get('location') ?? '');
  return { status: response.status, json: await response.json() };
};

const signIn = async (said: SamlClaims) => {
  const browser = newBrowser();
  const { request } = await startSso(browser);
  const answer = await receiveSamlResponse(getSamlForm(request, provider.signed(request, said)));
  return answer.status === 303 ? finishSamlSignIn(browser, answer) : { status: answer.status, json: await answer.json() };
};
const ada = (more: SamlClaims = {}): SamlClaims => ({
  nameId: 'ada-1',
  attributes: { email: [`ada@${DOMAIN}`], displayName: ['Ada'] },
  ...more,
});

describe('a sign-in by SAML', () => {
  test('admits a new person with an address of a verified domain, and identifies them by their subject from then on', async () => {
    const first = await signIn(ada());
    assert.equal(first.status, 200, JSON.stringify(first.json));
    assert.deepEqual([first.json.user.email, first.json.user.name], [`ada@${DOMAIN}`, 'Ada']);
    const second = await signIn({ nameId: 'ada-1', attributes: { email: ['x@elsewhere.example'] } });
    assert.equal(second.json.user?.id, first.json.user.id, JSON.stringify(second.json));
    const [identity] = await make('GET', '/v1/auth/identities', undefined, second.json.token);
    assert.deepEqual([identity.issuer, identity.subject], [provider.entityId, 'ada-1']);
    for (const said of [{ nameId: 'eve', attributes: { email: ['eve@elsewhere.example'] } }, { nameId: 'eve' }])
      assert.equal((await signIn(said)).json.error?.code, 'PERMISSION_DENIED');
  });

  test('refuses a new person whose address the provider states is not verified, and accepts one without a statement or with a true one', async () => {
    const stating = (name: string, more: Record<string, string[]>) =>
      signIn({ nameId: name, attributes: { email: [`${name}@${DOMAIN}`], ...more } });
    for (const [name, values] of [
      ['email_verified', ['false']],
      ['email_verified', ['true', 'true']],
      ['emailVerified', ['False']],
      ['email_verified', ['no']],
    ] as const) {
      const { json } = await stating('stated', { [name]: [...values] });
      assert.deepEqual([json.error?.code, json.error?.details?.reason], ['PERMISSION_DENIED', 'EMAIL_VERIFIED_FALSE'], `${name} ${values}`);
    }
    assert.equal((await stating('stated-true', { email_verified: ['true'] })).status, 200);
    assert.equal(connection.email_trust, 'VERIFIED_DOMAINS');
    await make('PATCH', `/v1/sso/connections/${connection.id}`, { email_trust: 'CLAIM' });
    assert.equal((await stating('stated-nothing', {})).json.error?.details?.reason, 'EMAIL_VERIFIED_MISSING');
    assert.equal((await stating('stated-again', { email_verified: ['true'] })).status, 200);
    await make('PATCH', `/v1/sso/connections/${connection.id}`, { email_trust: 'VERIFIED_DOMAINS' });
  });

  test('accepts a response that is signed as a whole too, and one by the second certificate during a key change', async () => {
    const browser = newBrowser();
    const { request } = await startSso(browser);
    const whole = signElement(provider.signed(request, ada()), 'Response', provider.keys);
    const answer = await receiveSamlResponse(getSamlForm(request, whole));
    assert.equal((await finishSamlSignIn(browser, answer)).status, 200);
    const next = createSelfSigned({ name: 'next' });
    const certificates = [provider.keys.certificate, next.certificate];
    const changed = await make('PATCH', `/v1/sso/connections/${connection.id}`, { certificates });
    assert.equal(changed.certificates.length, 2);
    const later = await startSso(browser);
    const signed = signElement(provider.unsigned(later.request, ada()), 'Assertion', next);
    assert.equal((await finishSamlSignIn(browser, await receiveSamlResponse(getSamlForm(later.request, signed)))).status, 200);
    await make('PATCH', `/v1/sso/connections/${connection.id}`, { certificates: [next.certificate] });
    assert.equal((await signIn(ada())).json.error.code, 'INVALID_CREDENTIALS', 'a certificate that was taken away');
    await make('PATCH', `/v1/sso/connections/${connection.id}`, { certificates: [provider.keys.certificate] });
  });

  test('finds a person created by the directory by their address, and none who became an owner since', async () => {
    for (const [role, status] of [
      ['developer', 200],
      ['owner', 403],
    ] as const) {
      const email = `made-${role}@${DOMAIN}`;
      const { id } = await insertPerson(owner, tenant.organization_id, role);
      await owner.query('update users set email = $2, password_hash = null where id = $1', [id, email]);
      await owner.query("update members set provisioned_by = 'SCIM' where user_id = $1", [id]);
      const answer = await signIn({ nameId: `made-${role}`, attributes: { email: [email] } });
      assert.deepEqual([answer.status, answer.json.user?.id], [status, status === 200 ? id : undefined], JSON.stringify(answer.json));
    }
  });

  test('assigns the role that an attribute maps to', async () => {
    const role_mapping = [{ value: 'builders', role_id: DEVELOPER }];
    await make('PATCH', `/v1/sso/connections/${connection.id}`, { role_claim: 'urn:groups', role_mapping, default_role_id: null });
    const groups = (...values: string[]) => ada({ attributes: { ...ada().attributes, 'urn:groups': values } });
    const { json } = await signIn(groups('others', 'builders'));
    const { rows } = await owner.query('select role_id from members where organization_id = $1 and user_id = $2', [
      ...[tenant.organization_id, json.user.id],
    ]);
    assert.deepEqual(rows, [{ role_id: DEVELOPER }]);
    assert.equal((await signIn(groups('others'))).json.error.code, 'PERMISSION_DENIED');
    await make('PATCH', `/v1/sso/connections/${connection.id}`, { role_claim: null, role_mapping: [], default_role_id: VIEWER });
  });

  test('ends in the browser that started it, once, and in no other', async () => {
    const [browser, other] = [newBrowser({ accept: 'text/html' }), newBrowser()];
    const { request } = await startSso(browser, `connection_id=${connection.id}&return_to=%2Fagents`);
    await startSso(other);
    const form = getSamlForm(request, provider.signed(request, ada()));
    const answers = await Promise.all(Array.from({ length: 6 }, () => receiveSamlResponse(form)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 410, 410, 410, 410, 410], 'of many at once one is looked at');
    const there = answers.find(({ status }) => status === 303);
    assert.ok(there);
    assert.deepEqual(there.headers.getSetCookie(), [], 'nobody is signed in by a form of another site');
    const link = there.headers.get('location') ?? '';
    for (const stranger of [newBrowser(), other]) assert.equal((await stranger.ask(link)).status, 410);
    const ended = await browser.ask(link);
    assert.deepEqual([ended.status, ended.headers.get('location')], [303, '/agents']);
    assert.match(ended.headers.getSetCookie().join(), /svc-session=svc_ses_/);
    assert.equal((await browser.ask(link)).status, 410);
    assert.equal((await receiveSamlResponse(form)).status, 410, 'and not again');
  });

  test('starts with a request without personal data, and is described in metadata', async () => {
    const { location, request } = await startSso(newBrowser());
    assert.ok(location.startsWith(`${provider.ssoUrl}&SAMLRequest=`));
    assert.deepEqual([request.acsUrl, request.spEntityId], [connection.service_provider.acs_url, connection.service_provider.entity_id]);
    const getSamlMetadata = () => fetch(connection.service_provider.entity_id);
    const answer = await getSamlMetadata();
    const metadata = await answer.text();
    assert.match(answer.headers.get('content-type') ?? '', /^application\/samlmetadata\+xml/);
    for (const said of [`entityID="${request.spEntityId}"`, `Location="${request.acsUrl}"`, 'WantAssertionsSigned="true"'])
      assert.ok(metadata.includes(said), metadata);
    assert.equal((await call(planes.controlUrl, 'GET', '/v1/auth/sso/saml/sso_7ZZZZZZZZZZZZZZZZZZZZZZZZZ/metadata')).status, 404);
  });

  test('is refused if the provider was not requested', async () => {
    const { request } = await startSso(newBrowser());
    const xml = provider.signed(request, ada());
    for (const relayState of ['', 'x', 'a'.repeat(64)])
      assert.equal((await receiveSamlResponse(getSamlForm({ ...request, relayState }, xml))).status, 410);
  });
});

describe('a SAML connection', () => {
  const readFault = async (more: object) => {
    const { status, json } = await send('POST', '/v1/sso/connections', samlBody(more));
    return status === 400 ? json.error.details.faults[0].pointer : status;
  };

  test('has certificates with long enough keys, an https address, and no OIDC members', async () => {
    const { certificate } = provider.keys;
    const short = createSelfSigned({ bits: 1_024, name: 'short' }).certificate;
    assert.equal(await readFault({ certificates: [short] }), '/certificates/0');
    assert.equal(await readFault({ certificates: [certificate, 'x'.repeat(200)] }), '/certificates/1');
    assert.equal(await readFault({ certificates: [certificate, certificate] }), '/certificates/1');
    assert.equal(await readFault({ certificates: [certificate, certificate, certificate] }), '/certificates');
    assert.equal(await readFault({ certificates: undefined }), '/certificates');
    for (const sso_url of ['http://provider.example/', 'javascript:alert(1)', 'https://a:b@provider.example/'])
      assert.equal(await readFault({ sso_url }), '/sso_url', sso_url);
    assert.equal(await readFault({ issuer: 'not a uri' }), '/issuer');
    assert.equal(await readFault({ client_id: 'x' }), '/client_id');
    const oidc = { kind: 'OIDC', issuer: 'https://login.example.com', client_id: 'x', sso_url: undefined, certificates: undefined };
    assert.equal(await readFault({ ...oidc, certificates: [certificate] }), '/certificates');
    assert.equal(await readFault({ ...oidc, client_id: undefined }), '/client_id');
    const changed = await send('PATCH', `/v1/sso/connections/${connection.id}`, { client_secret: 'x' });
    assert.equal(changed.json.error.details.faults[0].pointer, '/client_secret');
  });

  test('requires all permissions of its users to pin its certificates', async () => {
    const own = createSelfSigned({ name: 'own' });
    const { id } = await make('POST', '/v1/sso/connections', samlBody());
    const pin = (token: string, ...certificates: string[]) => send('PATCH', `/v1/sso/connections/${id}`, { certificates }, token);
    const admin = await insertPerson(owner, tenant.organization_id, 'admin', { steppedUp: true });
    assert.equal((await pin(admin.token, provider.keys.certificate, own.certificate)).status, 200, 'while nobody signs in by it');
    assert.equal((await pin(tenant.token, provider.keys.certificate)).status, 200);
    await owner.query(`insert into sso_identities (organization_id, connection_id, subject, id, user_id) values ($1, $2, 'boss', $3, $4)`, [
      tenant.organization_id,
      id,
      `idn_${newUlid()}`,
      tenant.user.id,
    ]);
    for (const certificates of [[own.certificate], [provider.keys.certificate, own.certificate]]) {
      const refused = await pin(admin.token, ...certificates);
      assert.equal(refused.json.error?.code, 'PERMISSION_DENIED', refused.text);
    }
    assert.equal((await pin(admin.token, provider.keys.certificate)).status, 200, 'the same again');
    assert.equal((await pin(tenant.token, own.certificate)).status, 200, 'by an owner');
  });

  test('refuses expired certificates', async () => {
    const ended = createSelfSigned({ days: -1, name: 'ended' });
    const { id } = await make('POST', '/v1/sso/connections', samlBody({ certificates: [ended.certificate] }));
    assert.match((await make('POST', `/v1/sso/connections/${id}/test`, {})).fault, /in force/);
    const { request } = await startSso(newBrowser(), `connection_id=${id}`);
    const answer = await receiveSamlResponse(getSamlForm(request, signElement(provider.unsigned(request, ada()), 'Assertion', ended)), id);
    assert.equal(answer.status, 401);
  });
});
