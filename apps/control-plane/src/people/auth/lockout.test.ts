import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { getAddressGroup } from '@svc/domain/people/auth/address-group.ts';
import { longOnly } from '@svc/testing/length/test-length.ts';
import { call } from '@svc/testing/people/client.ts';
import { computeTotpCode, forgetSteps, getWrongCode, stepUpAndEnrol } from '@svc/testing/people/second-factors.ts';
import { newTenant, type SignedUp, signUp } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

const attemptsMax = 10;
/** Limits of unauthenticated clients, and of the sessions of the account. */
const [strangersMax, signedInMax] = [7, 3];
const lockoutSeconds = 600;

let planes: Planes;
let owner: pg.Client;
let person: SignedUp;
let addresses = 0;

before(async () => {
  const env = {
    MAX_LOGIN_ATTEMPTS: String(attemptsMax),
    LOGIN_LOCKOUT_SECONDS: String(lockoutSeconds),
    SVC_TRUST_PROXY: 'true',
    SMTP_URL: 'smtp://127.0.0.1:9',
  };
  planes = await startPlanes({ gateways: 0, env });
  owner = await planes.database.client();
});
beforeEach(async () => {
  await owner.query('delete from sign_in_failures');
  person = await signUp(planes.controlUrl);
});
after(async () => {
  await owner.end();
  await planes.stop();
});

/** Returns an address from which no call was made. */
const newAddress = (): string => `198.51.100.${++addresses}`;

const login = (email: string, password: string, from: string) =>
  call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email, password }, headers: { 'x-forwarded-for': from } });
const stepUp = (password: string, from: string) =>
  call(planes.controlUrl, 'POST', '/v1/auth/step-up', {
    token: person.token,
    body: { password },
    headers: { 'x-forwarded-for': from },
  });

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Sends wrong passwords for one account in sequence, up to the limit. */
const useUpAttempts = async (attempt: (index: number) => ReturnType<typeof call>, count = strangersMax): Promise<void> => {
  for (const index of times(count)) assert.equal((await attempt(index)).json.error.code, 'INVALID_CREDENTIALS', `attempt ${index + 1}`);
};

/** Wrong guesses from one address until its lockout, over all accounts. */
const addressMax = attemptsMax * 10;

/** Leaves an address as it is after so many wrong guesses at accounts that do not exist. The last ones are sent concurrently. */
const useUpAddress = async (address: string, count = addressMax): Promise<void> => {
  const last = 3;
  await login('first@example.com', 'wrong', address);
  await owner.query("update sign_in_failures set failures = $2 where key like 'address:' || $1", [getAddressGroup(address), count - last]);
  const answers = await Promise.all(times(last).map((n) => login(`nobody-${n}@example.com`, 'wrong', address)));
  for (const { json } of answers) assert.equal(json.error.code, 'INVALID_CREDENTIALS');
};

const bare = ({ status, text, json }: Awaited<ReturnType<typeof call>>) => [
  status,
  text.replace(json.error.request_id, '').replace(/"retry_after_seconds":\d+/, ''),
];

test('an account locks after its attempts from any address, also for the correct password', async () => {
  await useUpAttempts(() => login(person.email, 'wrong', newAddress()));
  const answer = await login(person.email, person.password, newAddress());
  assert.deepEqual([answer.status, answer.json.error.code], [429, 'RATE_LIMITED']);
  const { retry_after_seconds: seconds } = answer.json.error.details;
  assert.ok(seconds > lockoutSeconds - 30 && seconds <= lockoutSeconds, String(seconds));
  assert.equal(answer.headers.get('retry-after'), String(seconds));
});

test('an unknown account locks the same way, with the same responses', async () => {
  const nobody = 'nobody-here@example.com';
  await useUpAttempts(() => login(person.email, 'wrong', newAddress()));
  await useUpAttempts(() => login(nobody, 'wrong', newAddress()));
  const [known, right, unknown] = [
    await login(person.email, 'wrong', newAddress()),
    await login(person.email, person.password, newAddress()),
    await login(nobody, 'wrong', newAddress()),
  ];
  assert.deepEqual(bare(known), bare(unknown));
  assert.deepEqual(bare(right), bare(unknown));
});

test('an address locks after its attempts on any accounts, and other addresses are unaffected', async () => {
  const address = newAddress();
  await useUpAddress(address);
  assert.equal((await login(person.email, person.password, address)).status, 429);
  assert.equal((await login(person.email, person.password, newAddress())).status, 200);
});

test('ten wrong passwords of one user lock no one else behind the same address', async () => {
  const office = newAddress();
  const colleague = await signUp(planes.controlUrl);
  await useUpAttempts(() => login(person.email, 'wrong', office));
  await useUpAttempts(() => login('typing-errors@example.com', 'wrong', office));
  for (const _ of times(3)) assert.equal((await login(person.email, 'wrong', office)).status, 429);
  assert.equal((await login(colleague.email, colleague.password, office)).status, 200);
});

test('responses to an address slow down with its wrong guesses, also for correct ones', async () => {
  const address = newAddress();
  const timed = async (password: string) => {
    const began = performance.now();
    const { status } = await login(person.email, password, address);
    return { status, ms: performance.now() - began };
  };
  await useUpAddress(address, 70);
  const [wrong, right] = [await timed('wrong'), await timed(person.password)];
  assert.deepEqual([wrong.status, right.status], [401, 200]);
  assert.ok(wrong.ms > 3_000 && right.ms > 3_000, `${wrong.ms} ${right.ms}`);
});

test('all addresses of one IPv6 network count as one', async () => {
  await useUpAddress('2001:db8:1:2::7');
  assert.equal((await login(person.email, person.password, '2001:db8:1:2:ffff::9')).status, 429);
  assert.equal((await login(person.email, person.password, '2001:db8:1:3::9')).status, 200);
});

test('a lockout expires, and then all attempts are available again', async () => {
  await useUpAttempts(() => login(person.email, 'wrong', newAddress()));
  await owner.query("update sign_in_failures set locked_until = now() - interval '1 second' where locked_until is not null");
  await useUpAttempts(() => login(person.email, 'wrong', newAddress()));
  assert.equal((await login(person.email, person.password, newAddress())).status, 429);
  await owner.query("update sign_in_failures set locked_until = now() - interval '1 second' where locked_until is not null");
  assert.equal((await login(person.email, person.password, newAddress())).status, 200);
});

test('old failures do not add up with new ones', async () => {
  for (const _ of times(strangersMax - 1)) await login(person.email, 'wrong', newAddress());
  await owner.query(`update sign_in_failures set first_failed_at = now() - interval '${lockoutSeconds + 1} seconds'`);
  await useUpAttempts(() => login(person.email, 'wrong', newAddress()));
});

test('the correct password restores all attempts, and clears typing errors of the address but not guesses at other accounts', async () => {
  const address = newAddress();
  for (const round of times(4)) {
    for (const _ of times(strangersMax - 1)) assert.equal((await login(person.email, 'wrong', address)).status, 401, `round ${round}`);
    assert.equal((await login(person.email, person.password, address)).status, 200, `round ${round}`);
  }
  await useUpAddress(address, addressMax - 1);
  assert.equal((await login(person.email, person.password, address)).status, 200);
  await login('nobody-at-last@example.com', 'wrong', address);
  assert.equal((await login(person.email, person.password, address)).status, 429);
});

test('wrong sign-ins of an unauthenticated client do not block a step-up, or an emergency stop, of a signed-in person', async () => {
  const address = newAddress();
  const { email, password, token, environment_id } = await newTenant(planes);
  await useUpAttempts(() => login(email, 'wrong', address));
  assert.equal((await login(email, password, newAddress())).status, 429);
  const post = (path: string, body: object) =>
    call(planes.controlUrl, 'POST', path, { token, body, headers: { 'x-forwarded-for': address } });
  assert.equal((await post('/v1/auth/step-up', { password })).status, 200);
  const paused = await post(`/v1/environments/${environment_id}/pause`, { reason: 'it has to stop' });
  assert.equal(paused.status, 200, paused.text);
});

test('wrong proofs at a step-up end their session, and leave signing in available, which restores the step-up', async () => {
  const other = (await login(person.email, person.password, newAddress())).json.token;
  const answers = [];
  for (const _ of times(signedInMax)) answers.push(await stepUp('wrong', newAddress()));
  assert.deepEqual(
    answers.map(({ json }) => json.error.code),
    times(signedInMax).map(() => 'INVALID_CREDENTIALS'),
  );
  assert.match(answers.at(-1)?.json.error.message, /session has ended/);
  assert.equal((await stepUp(person.password, newAddress())).status, 401);
  assert.equal((await call(planes.controlUrl, 'GET', '/v1/auth/session', { token: person.token })).status, 401);
  const again = () => call(planes.controlUrl, 'POST', '/v1/auth/step-up', { token: other, body: { password: person.password } });
  assert.equal((await again()).status, 429, 'the sessions of an account share its guesses');
  assert.equal((await login(person.email, person.password, newAddress())).status, 200);
  assert.equal((await again()).status, 200, 'whoever proved everything at a sign-in has them all again');
  const { rows } = await owner.query(
    "select data::jsonb - 'record_digests' as data from audit_events where type = 'user.logged_out' and organization_id = $1",
    [person.organization.id],
  );
  assert.deepEqual(
    rows.map(({ data }) => data.because),
    ['step_up_failed_too_often'],
  );
});

test('concurrent guesses at a step-up are limited to the attempts of the sessions, and a correct one restores them all', async () => {
  for (const _ of times(signedInMax - 1)) assert.equal((await stepUp('wrong', newAddress())).status, 401);
  assert.equal((await stepUp(person.password, newAddress())).status, 200);
  // Many concurrent guesses are partly refused before they are checked, and so are not counted.
  const told: number[] = [];
  for (let round = 0; round < 5 && told.length < signedInMax; round += 1) {
    const answers = await Promise.all(times(12).map(() => stepUp('wrong', newAddress())));
    told.push(...answers.filter(({ json }) => json?.error?.code === 'INVALID_CREDENTIALS').map(({ status }) => status));
  }
  assert.equal(told.length, signedInMax);
  const { rows } = await owner.query('select revoked_at is not null as ended from sessions where user_id = $1', [person.user.id]);
  assert.deepEqual(rows, [{ ended: true }]);
  assert.equal((await stepUp(person.password, newAddress())).status, 401);
});

test('a step-up does not wait while unauthenticated clients use all password checks of sign-ins', longOnly, async () => {
  let answered = 0;
  const flood = times(120).map((index) => login(`flood-${index}@example.com`, 'wrong', newAddress()).finally(() => (answered += 1)));
  // The first responses show that the others are queued; the step-up comes after all of them.
  await Promise.race(flood);
  const answer = await stepUp(person.password, newAddress());
  const before = answered;
  await Promise.all(flood);
  assert.equal(answer.status, 200, answer.text);
  assert.ok(before < flood.length / 2, `${before} of ${flood.length} were answered before it`);
});

test('concurrent guesses count like sequential ones, and concurrent correct passwords all succeed', async () => {
  const right = await Promise.all(times(12).map(() => login(person.email, person.password, newAddress())));
  assert.deepEqual(
    right.map(({ status }) => status),
    times(12).map(() => 200),
  );
  const answers = await Promise.all(times(40).map((index) => login(person.email, index === 39 ? person.password : 'wrong', newAddress())));
  const told = answers.filter(({ status }) => status === 401).length;
  assert.equal(told, strangersMax);
  assert.equal(answers[39]?.status, 429);
});

test('of a hundred concurrent guesses at all endpoints ten are answered, and a signed-in person can still stop agents', async () => {
  const { email, password, token, user, environment_id } = await newTenant(planes);
  const post = (path: string, body: object, more: { token?: string; from?: string } = {}) =>
    call(planes.controlUrl, 'POST', path, { token: more.token, body, headers: { 'x-forwarded-for': more.from ?? newAddress() } });
  const { secret, recoveryCodes } = await stepUpAndEnrol(planes.controlUrl, { token, password });
  await forgetSteps(owner, user.id);
  const home = newAddress();
  const begun = async () => (await post('/v1/auth/login', { email, password }, { from: home })).json.mfa_challenge;
  const mine = (await post('/v1/auth/mfa/verify', { mfa_challenge: await begun(), code: computeTotpCode(secret) }, { from: home })).json
    .token;
  await post('/v1/auth/password/reset/start', { email });
  const [challenge, code] = [await begun(), getWrongCode(secret)];
  const doors = [
    () => login(email, 'wrong', newAddress()),
    () => post('/v1/auth/mfa/verify', { mfa_challenge: challenge, code }, { from: home }),
    () => post('/v1/auth/step-up', { code }, { token }),
    () => post('/v1/auth/password/reset', { email, code: '000000', new_password: 'eleven quiet otters in a row' }),
    () =>
      call(planes.controlUrl, 'GET', '/v1/auth/cli/requests?user_code=BBBB-BBBB', { token, headers: { 'x-forwarded-for': newAddress() } }),
  ];
  const answers = await Promise.all(times(100).map((n) => doors[n % doors.length]?.()));
  const codes = answers.map((answer) => answer?.json.error.code);
  const told = codes.filter((each) => ['INVALID_CREDENTIALS', 'NOT_FOUND'].includes(each));
  assert.equal(told.length, attemptsMax, codes.join());
  // Two responses to a session that has ended by then disclose nothing either.
  assert.deepEqual(
    codes.filter((each) => !['INVALID_CREDENTIALS', 'NOT_FOUND', 'RATE_LIMITED', 'UNAUTHENTICATED'].includes(each)),
    [],
  );
  assert.equal((await login(email, password, newAddress())).status, 429);
  assert.equal((await post('/v1/auth/step-up', { code: computeTotpCode(secret) }, { token: mine })).status, 429);
  assert.equal((await post('/v1/auth/step-up', { recovery_code: recoveryCodes[0] }, { token: mine })).status, 200);
  assert.equal((await post(`/v1/environments/${environment_id}/pause`, { reason: 'it has to stop' }, { token: mine })).status, 200);
});

test('counters contain no names: a typed address, or a password in its place, is stored as a digest', async () => {
  await login('hunter2@my.password', 'wrong', newAddress());
  const { rows } = await owner.query<{ key: string }>('select key from sign_in_failures');
  assert.equal(rows.length, 3);
  assert.ok(!JSON.stringify(rows).includes('hunter2'));
});

test('expired counters are deleted automatically', async () => {
  await owner.query(`insert into sign_in_failures (key, failures, first_failed_at)
    select 'account:' || n, 1, now() - interval '${2 * lockoutSeconds + 60} seconds' from generate_series(1, 30) n`);
  await login(person.email, 'wrong', newAddress());
  const left = (await owner.query("select from sign_in_failures where key ~ '^account:[0-9]+$'")).rowCount ?? 30;
  // The cleanup job may have run too.
  assert.ok(left <= 10, `${left}`);
});

type Visit = { readonly from?: string; readonly device?: string };

/** Sends a request as a page of the plane, in a browser that keeps its cookies. */
const inBrowser = async (path: string, body: object, { from = newAddress(), device }: Visit = {}, token?: string) => {
  const page = { origin: planes.controlUrl, 'x-svc-page': '1', 'x-forwarded-for': from };
  const headers = device === undefined ? page : { ...page, cookie: `svc-device=${device}` };
  const answer = await call(planes.controlUrl, 'POST', path, { token, body, headers });
  const line = answer.headers.getSetCookie().find((each) => each.startsWith('svc-device='));
  return { ...answer, line, device: line?.slice('svc-device='.length, line.indexOf(';')) };
};
const enter = (email: string, password: string, visit?: Visit) => inBrowser('/v1/auth/login', { email, password }, visit);
const knownBrowser = async ({ email, password }: Pick<SignedUp, 'email' | 'password'>): Promise<string> => {
  const { device, text } = await enter(email, password);
  assert.ok(device, text);
  return device;
};
/**
 * Sends rounds of concurrent guesses until a whole round gets no answer about its guess; returns the refusals that stated a wrong guess.
 */
const untilSilent = async (guess: (n: number) => Promise<Awaited<ReturnType<typeof call>> | undefined>): Promise<string[]> => {
  const told: string[] = [];
  for (let isSilent = false; !isSilent; ) {
    const codes = (await Promise.all(times(100).map(guess))).map((answer) => answer?.json.error.code);
    const wrong = codes.filter((each) => ['INVALID_CREDENTIALS', 'NOT_FOUND'].includes(each));
    told.push(...wrong);
    isSilent = wrong.length === 0;
  }
  return told;
};
const lockForStrangers = async ({ email, password }: Pick<SignedUp, 'email' | 'password'>): Promise<void> => {
  await useUpAttempts(() => login(email, 'wrong', newAddress()));
  assert.equal((await login(email, password, newAddress())).status, 429);
};

test('other clients that lock an account do not lock a known browser, and that browser restores no guesses to them', async () => {
  const device = await knownBrowser(person);
  const theirs = newAddress();
  await lockForStrangers(person);
  await useUpAddress(theirs);
  assert.equal((await enter(person.email, person.password)).status, 429, 'a browser that nobody knows');
  const again = await enter(person.email, person.password, { device, from: theirs });
  assert.deepEqual([again.status, again.json.token], [200, undefined], again.text);
  assert.match(again.line ?? '', /^svc-device=[0-9a-f.]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/);
  assert.notEqual(again.device, device);
  assert.equal((await login(person.email, person.password, newAddress())).status, 429, 'the strangers have no more guesses for it');
});

test('a known browser has two guesses, then shares those of unauthenticated clients, and is then refused like them', async () => {
  const [device, other] = [await knownBrowser(person), await knownBrowser(person)];
  await useUpAttempts(() => enter(person.email, 'wrong', { device }), 1);
  assert.equal((await enter(person.email, person.password, { device })).status, 200, 'which gives both back');
  await useUpAttempts(() => enter(person.email, 'wrong', { device }), 2);
  await useUpAttempts(() => login(person.email, 'wrong', newAddress()), strangersMax - 1);
  await useUpAttempts(() => enter(person.email, 'wrong', { device }), 1);
  const locked = await enter(person.email, person.password, { device });
  assert.deepEqual(bare(locked), bare(await login(person.email, person.password, newAddress())));
  assert.equal((await enter(person.email, person.password, { device: other })).status, 200, 'another browser of the person goes on');
});

test(
  'concurrent guesses in a known browser are limited to its two and those of unauthenticated clients, and sessions keep one of theirs',
  longOnly,
  async () => {
    const device = await knownBrowser(person);
    const codes = await untilSilent(() => enter(person.email, 'wrong', { device }));
    assert.equal(codes.length, 2 + strangersMax);
    assert.equal((await stepUp('wrong', newAddress())).status, 401, 'a guess that is told');
    assert.equal((await call(planes.controlUrl, 'GET', '/v1/auth/session', { token: person.token })).status, 401, 'the last one');
  },
);

test('of a hundred concurrent guesses at all endpoints, in known browsers, others and a session, ten are answered', async () => {
  const { email, password, token, user } = await newTenant(planes);
  const { secret } = await stepUpAndEnrol(planes.controlUrl, { token, password });
  const home = newAddress();
  const signIn = async () => {
    await forgetSteps(owner, user.id);
    const first = await enter(email, password, { from: home });
    const body = { mfa_challenge: first.json.mfa_challenge, code: computeTotpCode(secret) };
    return (await inBrowser('/v1/auth/mfa/verify', body, { from: home })).device;
  };
  const devices = [await signIn(), await signIn(), undefined];
  await inBrowser('/v1/auth/password/reset/start', { email });
  const { mfa_challenge } = (await enter(email, password, { from: home })).json;
  const code = getWrongCode(secret);
  const asked = (device: string | undefined): Visit => ({ from: newAddress(), ...(device === undefined ? {} : { device }) });
  const find = (device: string | undefined) => {
    const headers = { 'x-forwarded-for': newAddress(), ...(device === undefined ? {} : { cookie: `svc-device=${device}` }) };
    return call(planes.controlUrl, 'GET', '/v1/auth/cli/requests?user_code=BBBB-BBBB', { token, headers });
  };
  const doors = devices.flatMap((device) => [
    () => enter(email, 'wrong', asked(device)),
    () => inBrowser('/v1/auth/mfa/verify', { mfa_challenge, code }, { ...asked(device), from: home }),
    () => inBrowser('/v1/auth/password/reset', { email, code: '000000', new_password: 'eleven quiet otters in a row' }, asked(device)),
    () => find(device),
    () => inBrowser('/v1/auth/step-up', { code }, asked(device), token),
  ]);
  let next = 0;
  const told = await untilSilent(() => doors[next++ % doors.length]?.() ?? Promise.resolve(undefined));
  assert.ok(devices[0] && devices[1]);
  assert.equal(told.length, attemptsMax, told.join());
});

test('a browser is known for one account and one password: a forged, foreign or outdated proof counts for nothing', async () => {
  const somebody = await signUp(planes.controlUrl);
  const [mine, theirs] = [await knownBrowser(person), await knownBrowser(somebody)];
  const [id, expires, mac] = mine.split('.') as [string, string, string];
  const forged = [
    `${id}.${Number(expires) + 1}.${mac}`,
    `${'0'.repeat(32)}.${expires}.${mac}`,
    `${id}.${expires}.${'0'.repeat(64)}`,
    `${mine}.`,
    `~~~~${mine}`,
    '',
  ];
  await lockForStrangers(person);
  for (const device of [...forged, theirs])
    assert.equal((await enter(person.email, person.password, { device })).status, 429, device.slice(0, 40));
  assert.equal((await enter(person.email, person.password, { device: `${theirs}~${mine}` })).status, 200, 'one browser of two people');
  const next = { email: person.email, password: 'nine slow herons by a weir' };
  const token = (await enter(person.email, person.password, { device: mine })).headers.getSetCookie()[0];
  assert.match(token ?? '', /^svc-session=/, 'the cookie of the session comes first');
  const changed = await inBrowser(
    '/v1/auth/password',
    { current_password: person.password, new_password: next.password },
    { device: mine },
    person.token,
  );
  assert.equal((await enter(next.email, next.password, { device: mine })).status, 429, 'of the password before');
  assert.equal((await enter(next.email, next.password, { device: changed.device ?? '' })).status, 200, 'where it was changed');
});

test('a browser is known after the second factor was proved too, and unauthenticated clients can then block no step of a sign-in', async () => {
  const { email, password, token, user } = await newTenant(planes);
  const { secret } = await stepUpAndEnrol(planes.controlUrl, { token, password });
  const prove = async (visit: Visit) => {
    await forgetSteps(owner, user.id);
    const first = await enter(email, password, visit);
    assert.deepEqual([first.status, first.device], [200, undefined], first.text);
    const body = { mfa_challenge: first.json.mfa_challenge, code: computeTotpCode(secret) };
    return inBrowser('/v1/auth/mfa/verify', body, visit);
  };
  const { device } = await prove({ from: newAddress() });
  assert.ok(device);
  await lockForStrangers({ email, password });
  assert.equal((await prove({ from: newAddress(), device })).status, 200);
});

test('a program gets no such cookie, and the stored record of a browser does not name the browser or the person', async () => {
  assert.deepEqual((await login(person.email, person.password, newAddress())).headers.getSetCookie(), []);
  const device = await knownBrowser(person);
  await enter(person.email, 'wrong', { device });
  const { rows } = await owner.query<{ key: string }>("select key from sign_in_failures where key like 'device:%'");
  assert.equal(rows.length, 1);
  assert.ok(!rows[0]?.key.includes(device.split('.')[0] ?? ''));
});
