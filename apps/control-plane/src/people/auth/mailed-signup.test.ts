import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getSpellingsKept } from '@svc/testing/logs/spellings-kept.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { getCodeTo, getMailsTo } from '@svc/testing/people/read-mails.ts';
import { getSetupToken } from '@svc/testing/people/setup-token.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

const password = 'correct horse battery staple';
const other = 'quite another horse battery';
const RUN = randomBytes(4).toString('hex');
let made = 0;
const newEmail = (): string => {
  made += 1;
  return `mailed-${RUN}-${made}@example.com`;
};
const wrongThan = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const told = ({ status, text, json }: TestResponse): unknown => [status, text.replace(json.error?.request_id, '')];

let planes: Planes;
let owner: pg.Client;
before(async () => {
  planes = await leasePlanes();
  owner = await planes.database.client();
});
beforeEach(async () => {
  await owner.query('delete from sign_in_failures');
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const startSignup = (email: string, more: object = {}, url = planes.controlUrl): Promise<TestResponse> =>
  call(url, 'POST', '/v1/auth/signup/start', { body: { email, password, name: 'Grace', ...more } });
const verifySignup = (email: string, code: string, more: object = {}, url = planes.controlUrl): Promise<TestResponse> =>
  call(url, 'POST', '/v1/auth/signup/verify', { body: { email, code, ...more } });
const started = async (email: string, more: object = {}): Promise<string> => {
  const answer = await startSignup(email, more);
  assert.equal(answer.status, 200, answer.text);
  return getCodeTo(owner, email);
};
const readUsers = async (email: string): Promise<number> =>
  (await owner.query('select from users where email = $1', [email.toLowerCase()])).rowCount ?? -1;

describe('a sign-up by mail', () => {
  test('creates nothing before its code is returned, and then the organization, its owner and their session', async () => {
    const email = newEmail();
    const organizations = async () => (await owner.query('select count(*) from organizations')).rows[0].count;
    const before = await organizations();
    const answer = await startSignup(email.toUpperCase(), { organizationName: 'Hopper Ltd' });
    assert.deepEqual([answer.status, Object.keys(answer.json)], [200, ['expires_at', 'mail_transport']]);
    assert.ok(Math.abs(Date.parse(answer.json.expires_at) - Date.now() - 600_000) < 30_000);
    assert.deepEqual([await organizations(), await readUsers(email)], [before, 0]);
    const code = await getCodeTo(owner, email);
    assert.match(code, /^[0-9]{6}$/);
    const { status, json } = await verifySignup(email, code);
    assert.equal(status, 201);
    assert.deepEqual([json.user.email, json.user.name, json.organization.name], [email, 'Grace', 'Hopper Ltd']);
    assert.deepEqual(Object.keys(json).sort(), ['expires_at', 'organization', 'permissions', 'scope', 'token', 'user']);
    assert.equal((await call(planes.controlUrl, 'GET', '/v1/organization', { token: json.token })).status, 200);
    assert.equal((await call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email, password } })).status, 200);
  });

  test('names the organization after the person by default', async () => {
    const email = newEmail();
    const { json } = await verifySignup(email, await started(email));
    assert.equal(json.organization.name, "Grace's organization");
    const [body] = [{ organizationName: 'A', organization_name: 'B' }];
    assert.equal((await startSignup(newEmail(), body)).json.error.details.faults[0].pointer, '/organization_name');
  });

  test('stores no readable code, name, address or password', async () => {
    const email = newEmail();
    const code = await started(email, { name: 'Rear Admiral' });
    for (const secret of [code, email, 'Rear Admiral', 'argon2id'])
      assert.deepEqual(await getSpellingsKept(owner, ['sign_ups'], secret), []);
    assert.doesNotMatch(planes.logs(), new RegExp(`${code}|${email}`));
  });

  test('responds and behaves alike for an address with an account, whose owner alone is informed', async () => {
    const { email } = await signUp(planes.controlUrl);
    const rows = async () => (await owner.query('select (select count(*) from sign_ups) s, (select count(*) from mails) m')).rows[0];
    const [unknown, known] = [newEmail(), email];
    const steps = [];
    const answers = [];
    for (const address of [unknown, known]) {
      const before = await rows();
      answers.push(await startSignup(address));
      const after = await rows();
      steps.push([after.s - before.s, after.m - before.m]);
    }
    assert.deepEqual(steps, [
      [1, 1],
      [1, 1],
    ]);
    const shapes = answers.map(({ status, json, headers }) => [status, Object.keys(json), [...headers.keys()].sort()]);
    assert.deepEqual(shapes[0], shapes[1]);
    const [mail, ...more] = await getMailsTo(owner, known);
    assert.deepEqual([mail?.template, Object.keys(mail?.values ?? {}), more], ['sign-up-known', ['service', 'source_ip'], []]);
    assert.equal((await getMailsTo(owner, unknown))[0]?.template, 'sign-up-code');
    // No code proves an address that has an account.
    const wrong = await Promise.all([verifySignup(known, '000000'), verifySignup(unknown, wrongThan(await getCodeTo(owner, unknown)))]);
    assert.deepEqual(told(wrong[0] as TestResponse), told(wrong[1] as TestResponse));
  });

  test('refuses a short or easily guessed password, and any other body, before anything is stored', async () => {
    const rows = async () => (await owner.query('select (select count(*) from sign_ups) s, (select count(*) from mails) m')).rows[0];
    const before = await rows();
    const email = newEmail();
    const bodies: [string, object][] = [
      ['/password', { password: 'short' }],
      ['/password', { password: 'passwordpassword' }],
      ['/email', { email: 'nobody' }],
      ['/email', { email: 'a@b.c\r\nBcc: d@e.f' }],
      ['/name', { name: ' ' }],
      ['/organizationName', { organizationName: '' }],
    ];
    for (const [pointer, more] of bodies) {
      const { status, json } = await startSignup(email, more);
      assert.deepEqual(
        [status, json.error.code, json.error.details.faults[0].pointer],
        [400, 'VALIDATION_FAILED', pointer],
        JSON.stringify(more),
      );
    }
    const spellings = [
      '',
      'a',
      '@b.c',
      'a@',
      'a@b',
      'a b@c.d',
      'a@b c.d',
      'a@@b.c',
      'a@b.c@d.e',
      'a\u0000@b.c',
      'a\n@b.c',
      'a@b.c\u2028',
      ' a@b.c',
      'a@b.c ',
    ];
    const unseen = [
      '\u200ba@b.c',
      'a@b\u202e.c',
      'a\u2060@b.c',
      'a\u00ad@b.c',
      '\ufeffa@b.c',
      '\ud800@b.c',
      `${'x'.repeat(251)}@b.c`,
      `a@${'b'.repeat(251)}.c`,
    ];
    for (const spelled of [...spellings, ...unseen, 5, null, [], { a: 1 }, true])
      for (const ask of [startSignup(spelled as string), verifySignup(spelled as string, '123456')]) {
        const { status, json } = await ask;
        assert.ok(status === 400 && ['INVALID_REQUEST', 'VALIDATION_FAILED'].includes(json.error.code), JSON.stringify(spelled));
      }
    assert.deepEqual(await rows(), before);
  });
});

describe('the code of a sign-up', () => {
  test('is six ASCII digits, in any form', async () => {
    const email = newEmail();
    const code = await started(email);
    const fullWidth = [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('');
    const spellings = [
      ` ${code}`,
      `${code} `,
      `${code}\n`,
      fullWidth,
      `+${code}`,
      `0${code}`,
      code.slice(1),
      `${code.slice(0, 3)} ${code.slice(3)}`,
      '',
      `${code}\u0000`,
      '١٢٣٤٥٦',
      '1e5000',
      '0x1234',
    ];
    for (const spelled of spellings) {
      const { status, json } = await verifySignup(email, spelled);
      assert.deepEqual([status, json.error.code], [400, 'VALIDATION_FAILED'], JSON.stringify(spelled));
    }
    assert.equal((await verifySignup(email.toUpperCase(), code)).status, 201);
  });

  test('is accepted at the fifth attempt, and not at the sixth', async () => {
    const wrongTries = async (email: string, code: string, count: number) => {
      for (let tried = 0; tried < count; tried += 1) assert.equal((await verifySignup(email, wrongThan(code))).status, 401);
      return verifySignup(email, code);
    };
    for (const [wrong, status] of [
      [4, 201],
      [5, 401],
    ] as const) {
      const email = newEmail();
      assert.equal((await wrongTries(email, await started(email), wrong)).status, status, `after ${wrong} wrong ones`);
      await owner.query('delete from sign_in_failures');
    }
  });

  test('is used up by five attempts, so that of a hundred concurrent guesses at most five are compared', async () => {
    const email = newEmail();
    const code = await started(email);
    const guesses = Array.from({ length: 100 }, (_, n) => String((Number(code) + 1 + n) % 1_000_000).padStart(6, '0'));
    const answers = await Promise.all(guesses.map((guess) => verifySignup(email, guess)));
    for (const { status, text } of answers) assert.ok(status === 401 || status === 429, text);
    const { rows } = await owner.query('select attempts from sign_ups order by created_at desc limit 1');
    assert.ok(rows[0].attempts > LIMITS.codes.attemptsMax);
    await owner.query('delete from sign_in_failures');
    assert.equal((await verifySignup(email, code)).status, 401, 'the right one comes too late');
    assert.equal(await readUsers(email), 0);
    // The owner can start again.
    assert.equal((await verifySignup(email, await started(email))).status, 201);
  });

  test('counts a wrong guess against the account and the address, like a password', async () => {
    const email = newEmail();
    const guess = async () => (await verifySignup(email, '000000')).status;
    const statuses = await Promise.all(Array.from({ length: 30 }, guess));
    assert.ok(statuses.filter((status) => status === 401).length <= LIMITS.sessions.loginAttemptsMax);
    assert.equal(await guess(), 429);
    assert.equal((await call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email, password } })).status, 429);
  });

  test('creates one organization, however many concurrent requests send it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const email = newEmail();
      const code = await started(email);
      const statuses = (await Promise.all(Array.from({ length: 32 }, () => verifySignup(email, code)))).map(({ status }) => status);
      assert.deepEqual(
        [statuses.filter((status) => status === 201).length, statuses.filter((status) => status === 401).length],
        [1, 31],
        String(statuses),
      );
      assert.equal(await readUsers(email), 1);
    }
  });

  test('expires after ten minutes', async () => {
    const email = newEmail();
    const code = await started(email);
    const { rows } = await owner.query(
      'select round(extract(epoch from expires_at - now()))::int as left from sign_ups order by id desc limit 1',
    );
    assert.ok(rows[0].left > 540 && rows[0].left <= 601, `${rows[0].left} seconds are left`);
    await owner.query("update sign_ups set created_at = now() - interval '10 minutes', expires_at = now() - interval '1 millisecond'");
    assert.equal((await verifySignup(email, code)).status, 401);
    assert.equal(await readUsers(email), 0);
  });

  test('differs for each start, and only the last one is valid', async () => {
    const email = newEmail();
    const first = await started(email);
    const second = await started(email);
    if (first !== second) assert.equal((await verifySignup(email, first)).status, 401);
    assert.equal((await verifySignup(email, second)).status, 201);
  });
});

describe('two people who sign up with one address', () => {
  test('are distinguished by their passwords, so that the owner of the mailbox opens no account of another person', async () => {
    for (const [mine, theirs] of [
      [1, 0],
      [0, 1],
    ] as const) {
      const email = newEmail();
      const passwords = [password, other] as const;
      const codes = [await started(email, { password: passwords[0] }), await started(email, { password: passwords[1] })];
      const alone = await verifySignup(email, codes[theirs] ?? '');
      assert.deepEqual([alone.status, alone.json.error.details.faults[0].pointer], [400, '/password']);
      assert.equal((await verifySignup(email, codes[theirs] ?? '', { password: passwords[mine] })).status, 401);
      assert.equal((await verifySignup(email, codes[mine] ?? '', { password: passwords[mine] })).status, 201);
      const login = (as: string) => call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email, password: as } });
      assert.deepEqual([(await login(passwords[theirs])).status, (await login(passwords[mine])).status], [401, 200]);
    }
  });

  test('are distinguished also if they start concurrently, or if one outlasts the other', async () => {
    const email = newEmail();
    await Promise.all([startSignup(email), startSignup(email, { password: other })]);
    const { rows } = await owner.query('select is_contested from sign_ups order by created_at desc limit 2');
    assert.deepEqual(rows, [{ is_contested: true }, { is_contested: true }]);
    await owner.query(
      "update sign_ups set expires_at = now() - interval '1 second' where id = (select id from sign_ups order by created_at desc, id desc offset 1 limit 1)",
    );
    const code = await getCodeTo(owner, email);
    assert.equal((await verifySignup(email, code)).status, 400);
  });
});

describe('with closed sign-up', () => {
  let closed: Awaited<ReturnType<typeof startPlanes>>;
  before(async () => {
    closed = await startPlanes({ gateways: 0, env: { SVC_SIGNUP: 'closed' } });
  });
  after(() => closed.stop());

  test('the set-up link creates one organization by mail too, and nothing else creates any', async () => {
    const setup_token = getSetupToken(closed);
    const client = await closed.database.client();
    const at = closed.controlUrl;
    try {
      const refused = await startSignup('a@example.com', {}, at);
      assert.deepEqual([refused.status, refused.json.error.details], [403, { signup: 'closed' }]);
      for (const email of ['a@example.com', 'b@example.com']) assert.equal((await startSignup(email, { setup_token }, at)).status, 200);
      const codes = [await getCodeTo(client, 'a@example.com'), await getCodeTo(client, 'b@example.com')] as const;
      const answers = await Promise.all([verifySignup('a@example.com', codes[0], {}, at), verifySignup('b@example.com', codes[1], {}, at)]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 403]);
      assert.equal((await startSignup('c@example.com', { setup_token }, at)).status, 403);
    } finally {
      await client.end();
    }
  });
});

test('without mail, a sign-up by mail is refused with the remedy, and one without mail works', async () => {
  const mute = await startPlanes({ gateways: 0, env: { SVC_MAIL: 'none' } });
  try {
    const { status, json } = await startSignup('a@example.com', {}, mute.controlUrl);
    assert.deepEqual([status, json.error.code], [422, 'UNPROCESSABLE']);
    assert.match(json.error.message, /SVC_MAIL=none.*SMTP_URL/);
    await signUp(mute.controlUrl);
  } finally {
    await mute.stop();
  }
});

test('one address requests ten code mails per minute, for sign-ups and resets together; other addresses are unaffected', async () => {
  const env = { SVC_TRUST_PROXY: 'true', SVC_RATE_LOGIN_PER_MINUTE: '60', SMTP_URL: 'smtp://127.0.0.1:9' };
  const own = await startPlanes({ gateways: 0, env });
  try {
    const post = (path: string, body: object, from = '198.51.100.7') =>
      call(own.controlUrl, 'POST', path, { body, headers: { 'x-forwarded-for': from } });
    const begin = (n: number, from?: string) =>
      post('/v1/auth/signup/start', { email: `flood-${n}@example.com`, password, name: 'Grace' }, from);
    const answers = [];
    for (let n = 0; n < 25; n += 1)
      answers.push(await (n % 5 === 4 ? post('/v1/auth/password/reset/start', { email: `flood-${n}@example.com` }) : begin(n)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 10);
    assert.ok(answers.slice(10).every(({ json }) => json.error.code === 'RATE_LIMITED'));
    const db = await own.database.client();
    const { rows } = await db.query('select count(*)::int as mails from mails');
    await db.end();
    assert.equal(rows[0].mails, 10);
    assert.equal((await begin(99, '198.51.100.8')).status, 200);
    assert.equal((await post('/v1/auth/login', { email: 'a@example.com', password: 'wrong' })).json.error.code, 'INVALID_CREDENTIALS');
  } finally {
    await own.stop();
  }
});
