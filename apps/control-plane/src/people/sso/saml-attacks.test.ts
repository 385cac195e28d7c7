import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { SAML_ATTACKS } from '@svc/testing/peers/saml-attacks.ts';
import { getSamlForm, newSamlProvider, readSamlRequest, type SamlClaims } from '@svc/testing/peers/saml-provider.ts';
import { type Browser, newBrowser } from '@svc/testing/people/browser.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { createScene } from '@svc/testing/scene/scene.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

const provider = newSamlProvider('provider');
const VICTIM: SamlClaims = { nameId: 'victim' };
const EVE: SamlClaims = { nameId: 'eve' };

const s = createScene({
  start: {
    gateways: 0,
    env: { SVC_SAML: 'true', LOG_LEVEL: 'info', SVC_RATE_LOGIN_PER_MINUTE: '10000', SVC_RATE_ADDRESS_PER_MINUTE: '10000' },
  },
  steppedUp: true,
});
let connectionId: string;

s.before(async () => {
  const body = {
    kind: 'SAML',
    name: 'SAML',
    issuer: provider.entityId,
    sso_url: provider.ssoUrl,
    default_role_id: getBuiltInRole('viewer').id,
  };
  const certificates = [provider.keys.certificate];
  ({ id: connectionId } = await mustCall(s.planes.controlUrl, 'POST', '/v1/sso/connections', {
    ...{ token: s.tenant.token, body: { ...body, certificates } },
  }));
  // Both are known, so a trusted one would be signed in.
  for (const [subject, id] of [
    ['victim', 'idn_00000000000000000000000001'],
    ['eve', 'idn_00000000000000000000000002'],
  ])
    await s.owner.query('insert into sso_identities (organization_id, id, connection_id, subject, user_id) values ($1, $2, $3, $4, $5)', [
      ...[s.tenant.organization_id, id, connectionId, subject, s.tenant.user.id],
    ]);
});

const begin = async (browser: Browser) => {
  const begun = await browser.ask(`${s.planes.controlUrl}/v1/auth/sso/start?connection_id=${connectionId}`);
  return readSamlRequest(begun.headers.get('location') ?? '');
};
const headers = { 'content-type': 'application/x-www-form-urlencoded' };
const post = async (body: string) => {
  const answer = await fetch(`${s.planes.controlUrl}/v1/auth/sso/saml/${connectionId}`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body,
  });
  const text = await answer.text();
  const id = answer.headers.get('x-request-id') ?? '';
  return { status: answer.status, text: text.replaceAll(id, 'req'), id, location: answer.headers.get('location') ?? '' };
};

/** Returns the recorded reason why a sign-in failed. */
const readRecorded = async (requestId: string): Promise<string | undefined> => {
  const { rows } = await s.owner.query(
    "select data->>'sso' as why from audit_events where type = 'user.login_failed' and request_id = $1",
    [requestId],
  );
  return rows[0]?.why;
};

const signedIn = async (browser: Browser, location: string): Promise<number> => (await browser.ask(location)).status;

test('a valid signed response is accepted', async () => {
  for (const said of [VICTIM, EVE]) {
    const browser = newBrowser();
    const request = await begin(browser);
    const { status, location, text } = await post(getSamlForm(request, provider.signed(request, said)));
    assert.equal(status, 303, text);
    assert.equal(await signedIn(browser, location), 200);
  }
});

test('the reason of a refused sign-in is in the log, and not in the response', async () => {
  const request = await begin(newBrowser());
  const { text } = await post(getSamlForm(request, provider.unsigned(request, VICTIM)));
  assert.ok(!text.includes('saml'), text);
  await waitUntil('the reason in the log', () => s.planes.logs().includes('saml: the assertion is not signed'));
});

describe('a sign-in is refused for', () => {
  const answers = new Set<string>();
  for (const [what, attack] of Object.entries(SAML_ATTACKS))
    test(what, async () => {
      const browser = newBrowser();
      const request = await begin(browser);
      const { status, text, id } = await post(getSamlForm(request, attack(request, provider, EVE, VICTIM)));
      assert.equal(status, 401, text);
      answers.add(text);
      const why = await readRecorded(id);
      assert.match(why ?? '', /^saml: /);
      assert.equal(await signedIn(browser, `${request.acsUrl}?state=${request.relayState}`), 410, 'nothing of it is left to go on with');
    });

  test('all of them with the same response', () => assert.equal(answers.size, 1, [...answers].join('\n')));
});

test('an assertion is accepted once, for any request', async () => {
  const said = { ...VICTIM, assertionId: '_used-once' };
  const statuses: number[] = [];
  for (let n = 0; n < 2; n += 1) {
    const request = await begin(newBrowser());
    const { status, id } = await post(getSamlForm(request, provider.signed(request, said)));
    statuses.push(status);
    if (status === 401) assert.match((await readRecorded(id)) ?? '', /used before/);
  }
  assert.deepEqual(statuses, [303, 401]);
});

test('a response to the request of one browser is refused in another', async () => {
  const [eve, victim] = [newBrowser(), newBrowser()];
  const [hers, theirs] = [await begin(eve), await begin(victim)];
  const swapped = await post(getSamlForm({ ...theirs, relayState: theirs.relayState }, provider.signed(hers, EVE)));
  assert.equal(swapped.status, 401);
  assert.match((await readRecorded(swapped.id)) ?? '', /another request/);
  const own = await post(getSamlForm(hers, provider.signed(hers, EVE)));
  assert.equal(own.status, 303);
  assert.equal(await signedIn(victim, own.location), 410, 'the victim is not signed in as eve');
  assert.equal(await signedIn(eve, own.location), 200);
});

test('a response waits for its browser at most a minute, sealed', async () => {
  const browser = newBrowser();
  const request = await begin(browser);
  const { location } = await post(
    getSamlForm(request, provider.signed(request, { ...VICTIM, attributes: { email: ['secret@saml.example'] } })),
  );
  const { rows } = await s.owner.query(
    "select sealed_answer, expires_at < now() + interval '61 seconds' as is_soon, a::text as row from sso_attempts a where sealed_answer is not null and connection_id = $1",
    [connectionId],
  );
  assert.ok(rows.length > 0 && rows.every((row) => row.is_soon && !row.row.includes('secret') && !row.sealed_answer.includes('secret')));
  await s.owner.query("update sso_attempts set expires_at = now() - interval '1 second'");
  assert.equal(await signedIn(browser, location), 410);
});

test('a refusal of the provider is reported as such, and leaves nothing', async () => {
  const request = await begin(newBrowser());
  const refused = provider
    .unsigned(request)
    .replace(/<saml:Assertion[\s\S]*<\/saml:Assertion>/, '')
    .replace('status:Success', 'status:Responder');
  assert.equal((await post(getSamlForm(request, refused))).status, 403);
});

test('a body that is not a form of a browser is refused unread', async () => {
  const request = await begin(newBrowser());
  const form = getSamlForm(request, provider.signed(request, VICTIM));
  for (const body of [`${form}&RelayState=x`, `${form}&more=1`, `SAMLResponse=${'A'.repeat(140_000)}`])
    assert.equal((await post(body)).status, 400);
  const notUtf8 = new URLSearchParams({ SAMLResponse: Buffer.from([0xff, 0xfe, 0x3c]).toString('base64'), RelayState: request.relayState });
  assert.equal((await post(notUtf8.toString())).status, 401);
});
