import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { computePkceChallenge } from '@svc/keyring/codes/pkce.ts';
import { getSpellingsKept } from '@svc/testing/logs/spellings-kept.ts';
import { sendCallFromAddress } from '@svc/testing/people/call-from.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { sendAskAsStranger } from '@svc/testing/people/stranger.ts';
import { type SignedUp, signUp } from '@svc/testing/people/tenant.ts';
import { approve, newPkce, redeem, startTerminal, type Terminal } from '@svc/testing/people/terminal.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertMember, insertPerson } from '@svc/testing/records/insert-person.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

const PORT = 8_085;

let planes: Planes;
let owner: pg.Client;
let person: SignedUp;
before(async () => {
  planes = await leasePlanes();
  owner = await planes.database.client();
  person = await signUp(planes.controlUrl);
});
after(async () => {
  await owner.end();
  await planes.stop();
});

/** Deletes pending requests, so that they do not affect the next test. */
const forget = async (): Promise<void> => {
  await owner.query('delete from cli_requests');
  await owner.query('delete from sign_in_failures');
};
const post = (path: string, body: unknown, token?: string) => call(planes.controlUrl, 'POST', path, { body, token });
const get = (path: string, token?: string) => call(planes.controlUrl, 'GET', path, { token });
const begin = (port?: number, client?: object): Promise<Terminal> => startTerminal(planes.controlUrl, port, client);
const take = (terminal: Terminal, code?: string) => redeem(planes.controlUrl, terminal, code);
const agree = (terminal: Terminal, token = person.token) => approve(planes.controlUrl, token, terminal);
const getCode = (answer: TestResponse): string => new URL(answer.json.redirect_uri).searchParams.get('code') ?? '';
const outcome = ({ status, json }: TestResponse): [number, string | undefined] => [status, json?.error?.code];
const isSignedIn = async (token: string): Promise<boolean> => (await get('/v1/auth/session', token)).status === 200;
/** Signs in the same person again, so that what ends one session does not end the other. */
const signIn = async ({ email, password }: SignedUp = person): Promise<string> =>
  (await mustCall(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email, password } })).token;
/** Authorizes a terminal; returns its session. */
const letIn = async (token: string): Promise<string> => {
  const terminal = await begin();
  await agree(terminal, token);
  return (await take(terminal)).json.token;
};

describe('a terminal signs in (startCliSignIn, findCliRequest, approveCliRequest, redeemCliSignIn)', () => {
  before(forget);

  test('by DEVICE: it shows a code, a person types it, and the requesting terminal gets the session', async () => {
    const terminal = await begin();
    assert.match(terminal.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    assert.equal(terminal.verification_uri, `${planes.controlUrl}/cli`, 'no link brings the code, or the request, to somebody else');
    assert.ok(Math.abs(Date.parse(terminal.expires_at) - Date.now() - 600_000) < 30_000);
    assert.deepEqual(outcome(await take(terminal)), [403, 'APPROVAL_REQUIRED']);
    const waits = await take(terminal);
    assert.deepEqual(outcome(waits), [429, 'RATE_LIMITED'], 'the second poll comes too soon');
    const typed = terminal.user_code.toLowerCase().replace('-', '');
    const found = await get(`/v1/auth/cli/requests?user_code=${typed}`, person.token);
    assert.deepEqual(found.json.client, { hostname: 'ada-laptop', platform: 'linux x64', version: '1.4.0' });
    const { request_id, user_code, source_ip, same_address, flow } = found.json;
    assert.deepEqual([request_id, user_code, flow], [terminal.request_id, terminal.user_code, 'DEVICE']);
    assert.deepEqual([source_ip, same_address], ['127.0.0.1', true]);
    assert.deepEqual((await agree(terminal)).json, { request_id, redirect_uri: null });
    const session = await take(terminal);
    assert.equal(session.status, 200, session.text);
    assert.deepEqual([session.json.user.id, session.json.organization.id], [person.user.id, person.organization.id]);
    assert.match(session.json.token, /^svc_ses_/);
    assert.ok(await isSignedIn(session.json.token));
  });

  test('by LOOPBACK: the browser is redirected to its machine, with a code and the request as state', async () => {
    const terminal = await begin(PORT);
    assert.equal(terminal.verification_uri, `${planes.controlUrl}/cli?request_id=${terminal.request_id}`);
    const shown = await get(`/v1/auth/cli/requests/${terminal.request_id}`, person.token);
    assert.deepEqual([shown.json.flow, shown.json.user_code], ['LOOPBACK', terminal.user_code], 'both sides show one code');
    const to = new URL((await agree(terminal)).json.redirect_uri);
    assert.deepEqual([to.origin, to.pathname], [`http://127.0.0.1:${PORT}`, '/']);
    assert.equal(to.searchParams.get('state'), terminal.request_id);
    const code = to.searchParams.get('code') ?? '';
    for (const wrong of [undefined, `${code}x`, terminal.request_id]) assert.notEqual((await take(terminal, wrong)).status, 200, wrong);
    assert.equal((await take(terminal, code)).status, 200);
    assert.deepEqual(outcome(await take(terminal, code)), [410, 'GONE']);
  });

  test('only with the verifier, without which the request is unknown', async () => {
    const terminal = await begin();
    await agree(terminal);
    const never = { ...terminal, request_id: 'cli_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' };
    const wrong = { ...terminal, code_verifier: newPkce().code_verifier };
    // The challenge given at the start is no proof of the verifier: the method `plain` is not supported.
    const plain = { ...terminal, code_verifier: computePkceChallenge(terminal.code_verifier) };
    const answers = [await take(never), await take(wrong), await take(plain)];
    for (const answer of answers) assert.deepEqual(outcome(answer), [401, 'INVALID_CREDENTIALS']);
    const anonymised = answers.map(({ text, json }) => text.replaceAll(json.error.request_id, ''));
    assert.equal(anonymised[0], anonymised[1]);
    assert.equal((await take(terminal)).status, 200);
  });

  test('once: of 32 concurrent requests of terminals one gets a session, and of 32 approvals one counts', async () => {
    for (let round = 0; round < 3; round += 1) {
      const terminal = await begin(PORT);
      const approvals = await Promise.all(Array.from({ length: 32 }, () => agree(terminal)));
      const [first, ...others] = approvals.filter(({ status }) => status === 200);
      assert.ok(first !== undefined && others.length === 0, `${others.length + 1} approved`);
      for (const answer of approvals) if (answer !== first) assert.deepEqual(outcome(answer), [410, 'GONE']);
      const code = getCode(first);
      const sessions = await Promise.all(Array.from({ length: 32 }, () => take(terminal, code)));
      assert.equal(sessions.filter(({ status }) => status === 200).length, 1);
      for (const answer of sessions) if (answer.status !== 200) assert.deepEqual(outcome(answer), [410, 'GONE']);
      await forget();
    }
  });

  test('and loses the session if its code is used again', async () => {
    const terminal = await begin(PORT);
    const code = getCode(await agree(terminal));
    const { json } = await take(terminal, code);
    for (const wrong of [undefined, `${code}x`]) assert.deepEqual(outcome(await take(terminal, wrong)), [410, 'GONE'], wrong);
    assert.ok(await isSignedIn(json.token), 'by whoever has not its code it is not ended');
    assert.deepEqual(outcome(await take(terminal, code)), [410, 'GONE']);
    assert.ok(!(await isSignedIn(json.token)));
    assert.deepEqual(outcome(await take(terminal, code)), [410, 'GONE'], 'told once');
    const { rows } = await owner.query(
      "select actor_type, subject_type from audit_events where type = 'session.revoked' and data->>'request_id' = $1",
      [terminal.request_id],
    );
    assert.deepEqual(rows, [{ actor_type: 'SYSTEM', subject_type: 'session' }]);
    const device = await begin();
    await agree(device);
    const session = await take(device);
    await take(device);
    assert.ok(!(await isSignedIn(session.json.token)), 'of DEVICE too, which has no code');
  });

  test('and loses the session also if its code is used twice concurrently', async () => {
    const terminal = await begin(PORT);
    const code = getCode(await agree(terminal));
    const gate = await planes.database.client();
    await gate.query('begin');
    await gate.query('select from cli_decisions where request_id = $1 for update', [terminal.request_id]);
    const both = Promise.all([take(terminal, code), take(terminal, code)]);
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%cli_decisions%'`;
    await waitUntil('both of them are about to take it', async () => (await owner.query(waiting)).rowCount === 2);
    await gate.query('commit');
    await gate.end();
    const answers = await both;
    const got = answers.find(({ status }) => status === 200);
    assert.deepEqual(answers.map(outcome).toSorted(), [
      [200, undefined],
      [410, 'GONE'],
    ]);
    assert.ok(!(await isSignedIn(got?.json.token)));
  });

  test('with codes and a verifier that are not stored in readable form', async () => {
    const terminal = await begin(PORT);
    const { user_code, code_verifier } = terminal;
    const secrets = [getCode(await agree(terminal)), user_code, user_code.replace('-', ''), code_verifier];
    assert.ok(secrets.every((each) => each.length >= 8));
    for (const secret of secrets) assert.deepEqual(await getSpellingsKept(owner, ['cli_requests', 'cli_decisions'], secret), []);
  });

  test('with its events in the approving organization, and no secret in them', async () => {
    const somebody = await signUp(planes.controlUrl);
    const terminal = await begin(PORT);
    const approved = await agree(terminal, somebody.token);
    const { json } = await take(terminal, getCode(approved));
    const denied = await begin();
    await post(`/v1/auth/cli/requests/${denied.request_id}/deny`, {}, somebody.token);
    const { rows } = await owner.query<{ type: string; data: Record<string, unknown> }>(
      "select type, data::jsonb - 'record_digests' as data from audit_events where organization_id = $1 and type like 'cli.%' order by id",
      [somebody.organization.id],
    );
    assert.deepEqual(
      rows.map(({ type }) => type),
      ['cli.authorization_approved', 'cli.session_issued', 'cli.authorization_denied'],
    );
    const text = JSON.stringify(rows);
    assert.ok(text.includes('ada-laptop') && text.includes(terminal.request_id));
    for (const secret of [json.token, getCode(approved), terminal.user_code, terminal.code_verifier]) assert.ok(!text.includes(secret));
  });
});

describe('a request of a terminal (getCliRequest, denyCliRequest)', () => {
  before(forget);

  test('waits: APPROVAL_REQUIRED at its interval, RATE_LIMITED with a longer wait each time it polls too soon', async () => {
    const terminal = await begin();
    const waited = () =>
      owner.query("update cli_requests set poll_after = now() - interval '1 second' where id = $1", [terminal.request_id]);
    const pending = await take(terminal);
    assert.deepEqual(outcome(pending), [403, 'APPROVAL_REQUIRED']);
    const { details } = pending.json.error;
    assert.deepEqual([details.request_id, details.poll_after_seconds], [terminal.request_id, terminal.poll_after_seconds]);
    for (const seconds of ['10', '15']) {
      const tooSoon = await take(terminal);
      assert.deepEqual([outcome(tooSoon), tooSoon.headers.get('retry-after')], [[429, 'RATE_LIMITED'], seconds]);
    }
    await waited();
    assert.equal((await take(terminal)).json.error.details.poll_after_seconds, 15);
  });

  test('is refused once denied, and is denied or approved once', async () => {
    const terminal = await begin();
    const deny = () => post(`/v1/auth/cli/requests/${terminal.request_id}/deny`, {}, person.token);
    assert.equal((await deny()).status, 200);
    assert.deepEqual(outcome(await deny()), [410, 'GONE']);
    assert.deepEqual(outcome(await agree(terminal)), [410, 'GONE']);
    assert.deepEqual(outcome(await take(terminal)), [403, 'APPROVAL_NOT_GRANTED']);
  });

  test('expires after ten minutes without a decision, approved ones included', async () => {
    const [late, approved] = [await begin(), await begin()];
    await agree(approved);
    await owner.query("update cli_requests set expires_at = now() - interval '1 second'");
    assert.deepEqual(outcome(await get(`/v1/auth/cli/requests/${late.request_id}`, person.token)), [410, 'GONE']);
    for (const terminal of [late, approved]) {
      assert.deepEqual(outcome(await agree(terminal)), [410, 'GONE']);
      assert.deepEqual(outcome(await take(terminal)), [410, 'GONE']);
    }
    const found = await get(`/v1/auth/cli/requests?user_code=${late.user_code}`, person.token);
    assert.deepEqual(outcome(found), [404, 'NOT_FOUND']);
  });

  test('is approved with its own code alone, and for DEVICE reveals the code only to a person who typed it', async () => {
    const [one, other] = [await begin(), await begin()];
    const shown = await get(`/v1/auth/cli/requests/${one.request_id}`, person.token);
    assert.equal(shown.json.user_code, null);
    const wrong = await agree({ ...one, user_code: other.user_code });
    assert.deepEqual([outcome(wrong), wrong.json.error.details.faults[0].pointer], [[400, 'VALIDATION_FAILED'], '/user_code']);
    const looksAlike = await agree({ ...one, user_code: 'ВСDF-GHJK' });
    assert.deepEqual(outcome(looksAlike), [400, 'VALIDATION_FAILED'], 'Cyrillic letters are no code');
    assert.equal((await agree(one)).status, 200);
  });

  test('is not found once a person of another organization decided', async () => {
    const terminal = await begin();
    await agree(terminal);
    const stranger = await signUp(planes.controlUrl);
    const path = `/v1/auth/cli/requests/${terminal.request_id}`;
    const deny = await post(`${path}/deny`, {}, stranger.token);
    for (const answer of [await get(path, stranger.token), await agree(terminal, stranger.token), deny])
      assert.deepEqual(outcome(answer), [404, 'NOT_FOUND']);
  });

  test('contains only valid values: PKCE by S256, a port where one is used, texts without deceptive characters', async () => {
    const { code_challenge } = newPkce();
    const device = { flow: 'DEVICE', code_challenge, client: {} };
    const wrong: readonly (readonly [object, string])[] = [
      [{ ...device, code_challenge: code_challenge.slice(1) }, '/code_challenge'],
      [{ ...device, code_challenge: `${code_challenge.slice(1)}=` }, '/code_challenge'],
      [{ ...device, code_challenge_method: 'plain' }, '/code_challenge_method'],
      [{ ...device, redirect_port: PORT }, '/redirect_port'],
      [{ ...device, flow: 'LOOPBACK' }, '/redirect_port'],
      [{ ...device, flow: 'LOOPBACK', redirect_port: 65_536 }, '/redirect_port'],
      ...['a\nb', 'a\u202eb', 'a\u200bb', 'a\u0000b', 'a\u2028b', '\ud800', '', 'x'.repeat(254)].map(
        (hostname) => [{ ...device, client: { hostname } }, '/client/hostname'] as const,
      ),
    ];
    for (const [body, pointer] of wrong) {
      const answer = await post('/v1/auth/cli/start', body);
      assert.deepEqual([outcome(answer), answer.json.error.details.faults[0].pointer], [[400, 'VALIDATION_FAILED'], pointer]);
    }
    const terminal = await begin(undefined, { hostname: '<b>Ädas Mac</b>' });
    assert.equal((await get(`/v1/auth/cli/requests/${terminal.request_id}`, person.token)).json.client.hostname, '<b>Ädas Mac</b>');
  });
});

describe('what unauthenticated clients may request', () => {
  before(forget);

  test('is limited to ten pending requests per address, also concurrently; others are unaffected', async () => {
    const body = JSON.stringify({ flow: 'DEVICE', code_challenge: newPkce().code_challenge, client: {} });
    const url = `${planes.controlUrl}/v1/auth/cli/start`;
    const statuses = await Promise.all(Array.from({ length: 30 }, () => sendAskAsStranger(url, 'POST', body)));
    assert.equal(statuses.filter((status) => status === 201).length, 10);
    assert.equal(statuses.filter((status) => status === 429).length, 20);
    assert.ok(await begin());
  });

  test('never displaces others: if all slots are used, the address with most gives up its oldest', async () => {
    await forget();
    const first = await begin();
    const { pendingMax, pendingPerAddressMax } = LIMITS.cliRequests;
    await owner.query(
      `insert into cli_requests select (r).* from (
         select json_populate_record(c, json_build_object('id', left(c.id, 20) || lpad(n::text, 10, '0'), 'address_group', 'g' || n / $2::int,
           'user_code_hash', '\\x' || md5(n::text))) as r from cli_requests c, generate_series(1, $1::int - 1) n) made`,
      [pendingMax, pendingPerAddressMax],
    );
    const second = await begin();
    for (const terminal of [first, second]) assert.equal((await agree(terminal)).status, 200);
    const { rows } = await owner.query('select count(*)::int as there from cli_requests');
    assert.equal(rows[0].there, pendingMax, 'and there are no more than before');
    await forget();
  });

  test('waits at its lock with one connection, so that many concurrent requests delay no one else', async () => {
    await owner.query('begin');
    await owner.query("select pg_advisory_xact_lock(hashtextextended('svc cli requests', 0))");
    let answered = 0;
    const body = { flow: 'DEVICE', code_challenge: newPkce().code_challenge, client: {} };
    const started = Array.from({ length: 60 }, async (_, n) => {
      await sendCallFromAddress(`127.0.7.${n + 1}`, planes.controlUrl, 'POST', '/v1/auth/cli/start', { body });
      answered += 1;
    });
    try {
      await waitUntil('one waits at the lock', async () => {
        const { rows } = await owner.query("select from pg_locks where locktype = 'advisory' and not granted");
        return rows.length > 0;
      });
      for (let n = 0; n < 5; n += 1) assert.ok(await isSignedIn(person.token));
      assert.equal(answered, 0, 'whoever is signed in is answered while all of them wait');
    } finally {
      await owner.query('commit');
      await Promise.all(started);
    }
  });
});

describe('guessed codes', () => {
  before(forget);

  test('count like wrong passwords of the account: of a hundred concurrent ones seven are looked up, and the password is locked with them', async () => {
    const guesser = await signUp(planes.controlUrl);
    const guess = () => get('/v1/auth/cli/requests?user_code=BBBB-BBBB', guesser.token);
    const answers = await Promise.all(Array.from({ length: 100 }, guess));
    assert.equal(answers.filter(({ status }) => status === 404).length, 7);
    assert.equal(answers.filter(({ status }) => status === 429).length, 93);
    const terminal = await begin();
    assert.equal((await agree(terminal, guesser.token)).status, 429, 'a right one is not told from a wrong one any more');
    const { email, password } = guesser;
    assert.equal((await post('/v1/auth/login', { email, password })).status, 429);
    assert.equal((await agree(terminal)).status, 200, 'nobody else is held up');
    await forget();
  });
});

describe('the session of a terminal', () => {
  before(forget);

  test('ends no later than the session that approved it', async () => {
    const browser = await signIn();
    await owner.query("update sessions set expires_at = now() + interval '1 hour' where user_id = $1", [person.user.id]);
    const { json } = await get('/v1/auth/session', browser);
    const terminal = await begin();
    await agree(terminal, browser);
    assert.equal((await take(terminal)).json.expires_at, json.expires_at);
  });

  test('outlasts the sign-out of the browser, unless that ends its terminals too, also of other organizations', async () => {
    const [browser, other] = [await signIn(), await signIn()];
    const [kept, ended, ofOther] = [await letIn(browser), await letIn(browser), await letIn(other)];
    const approvedByTerminal = await letIn(ended);
    const elsewhere = await signUp(planes.controlUrl);
    const { organization } = elsewhere;
    const roleId = 'rol_00000000000000000000000007';
    await insertMember(owner, { organizationId: organization.id, userId: person.user.id, roleId });
    const switched = await newControlClient(planes.controlUrl, ended).switchOrganization({ body: { organization_id: organization.id } });
    assert.equal((await post('/v1/auth/logout', {}, kept)).status, 200);
    assert.ok(await isSignedIn(browser), 'a terminal that signs out ends itself alone');
    assert.equal((await post('/v1/auth/logout', { terminals: true }, browser)).status, 200);
    for (const token of [ended, approvedByTerminal, switched.token]) assert.equal(await isSignedIn(token), false);
    for (const token of [other, ofOther, person.token]) assert.ok(await isSignedIn(token), 'what another sign-in approved goes on');
    const plain = await letIn(other);
    assert.equal((await post('/v1/auth/logout', {}, other)).status, 200);
    assert.ok((await isSignedIn(plain)) && (await isSignedIn(ofOther)));
  });

  test('is not issued after the approving session has ended', async () => {
    const browser = await signIn();
    const terminal = await begin();
    await agree(terminal, browser);
    await post('/v1/auth/logout', {}, browser);
    assert.deepEqual(outcome(await take(terminal)), [403, 'APPROVAL_NOT_GRANTED']);
  });

  test('has the current permissions of its person, and none after the membership ends', async () => {
    const { token, id } = await insertPerson(owner, person.organization.id, 'admin');
    const session = await letIn(token);
    assert.ok((await get('/v1/auth/session', session)).json.permissions.includes('agent:create'));
    await owner.query("update members set role_id = 'rol_00000000000000000000000007' where user_id = $1", [id]);
    assert.ok(!(await get('/v1/auth/session', session)).json.permissions.includes('agent:create'));
    const waiting = await begin();
    await agree(waiting, token);
    await owner.query('delete from members where user_id = $1', [id]);
    assert.equal(await isSignedIn(session), false);
    assert.deepEqual(outcome(await take(waiting)), [403, 'APPROVAL_NOT_GRANTED']);
  });
});
