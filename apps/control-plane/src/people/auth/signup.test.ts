import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { getSetupToken } from '@svc/testing/people/setup-token.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

let made = 0;
const signUp = (planes: StartedPlanes, change: object = {}): Promise<TestResponse> => {
  made += 1;
  const person = {
    email: `p${made}@example.com`,
    password: 'correct horse battery staple',
    name: 'Grace',
    organizationName: `Org ${made}`,
  };
  return call(planes.controlUrl, 'POST', '/v1/auth/signup', { body: { ...person, ...change } });
};
const getCount = async (owner: pg.Client): Promise<number> => (await owner.query('select from organizations')).rowCount ?? -1;

for (const signup of ['closed', 'invited']) {
  describe(`where sign-up is ${signup}`, () => {
    let planes: StartedPlanes;
    let owner: pg.Client;
    before(async () => {
      planes = await startPlanes({ gateways: 0, env: { SVC_SIGNUP: signup } });
      owner = await planes.database.client();
    });
    after(async () => {
      await owner.end();
      await planes.stop();
    });

    const setup_token = () => getSetupToken(planes);
    const check = async (): Promise<number> =>
      (await call(planes.controlUrl, 'POST', '/v1/auth/signup/check', { body: { setup_token: setup_token() } })).status;
    const told = ({ status, text, json }: TestResponse) => [status, text.replace(json.error.request_id, '')];
    let toldToStrangers: unknown;

    test('an unauthenticated client cannot create any organization, not even the first, without the token of the set-up link, which stays valid', async () => {
      const wrong = ['', 'x', `svc_setup_${'0'.repeat(49)}`, setup_token()?.slice(0, -1), `${setup_token()}0`, 'x'.repeat(256)];
      const answers = [
        await signUp(planes),
        await signUp(planes, { email: 'd1@demo.example' }),
        ...(await Promise.all(wrong.map((token) => signUp(planes, { setup_token: token })))),
      ];
      for (const answer of answers)
        assert.deepEqual(
          [answer.status, answer.json.error.code, answer.json.error.details],
          [403, 'PERMISSION_DENIED', { signup }],
          answer.text,
        );
      toldToStrangers = told(answers[0] as TestResponse);
      assert.deepEqual(new Set(answers.map((answer) => JSON.stringify(told(answer)))).size, 1);
      assert.equal(await getCount(owner), 0);
      assert.equal(await check(), 200);
    });

    test('the demo address signs up once while there is no account, with the link, which stays valid', async () => {
      const asDemo = (n: number) => signUp(planes, { email: `d${n}@demo.example`, setup_token: setup_token() });
      assert.deepEqual([(await asDemo(1)).status, (await asDemo(2)).status, (await asDemo(3)).status], [201, 403, 403]);
      assert.equal(await check(), 200);
    });

    test('a refusal for another reason does not use up the link', async () => {
      const guessable = await signUp(planes, { setup_token: setup_token(), password: 'passwordpassword1' });
      assert.equal(guessable.status, 400);
      assert.equal(await check(), 200);
    });

    test('one of many holders of the set-up link creates an organization; later responses to unauthenticated clients stay the same', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => signUp(planes, { setup_token: setup_token() })));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 403, 403, 403, 403, 403, 403, 403]);
      for (const after of [await signUp(planes), await signUp(planes, { setup_token: setup_token() })])
        assert.deepEqual(told(after), toldToStrangers);
      // The demo's organization is the other one.
      assert.equal(await getCount(owner), 2);
      assert.equal((await owner.query('select from users')).rowCount, 2);
      assert.equal(await check(), 410);
    });

    test('signing up does not reveal whether an address has an account', async () => {
      const { rows } = await owner.query<{ email: string }>('select email from users');
      const [known, unknown] = [await signUp(planes, { email: rows[0]?.email }), await signUp(planes)];
      assert.deepEqual(told(known), told(unknown));
    });
  });
}

describe('with open sign-up', () => {
  let planes: StartedPlanes;
  let owner: pg.Client;
  before(async () => {
    planes = await startPlanes({ gateways: 0, env: { SVC_SIGNUP: 'open' } });
    owner = await planes.database.client();
  });
  after(async () => {
    await owner.end();
    await planes.stop();
  });

  test('anyone creates an organization, with any token', async () => {
    for (const setup_token of [undefined, 'svc_setup_none']) assert.equal((await signUp(planes, { setup_token })).status, 201);
  });

  test('a password that is common, or contains the name, the address or the organization, is refused with its pointer and creates nothing', async () => {
    const before = await getCount(owner);
    const passwords = ['passwordpassword1', 'P@ssw0rdP@ssw0rd', 'qwertyuiopasdfgh', '111111111111111', 'Welcome2026!!!!!', 'x'.repeat(256)];
    const own = [
      { password: 'grace.hopper.1906', email: 'grace.hopper@example.com' },
      { password: 'Grace Hopper 1906', name: 'Grace Hopper' },
      { password: 'Compilers United', organizationName: 'Compilers United' },
      { password: 'ＰＡＳＳＷＯＲＤ１２３４５６７８' },
    ];
    for (const change of [...passwords.map((password) => ({ password })), ...own]) {
      const { status, json, text } = await signUp(planes, change);
      assert.deepEqual([status, json.error.code], [400, 'VALIDATION_FAILED'], text);
      assert.equal(json.error.details.faults[0].pointer, '/password');
      assert.match(json.error.details.faults[0].message, /easily guessed/);
      assert.ok(!text.includes(change.password));
    }
    assert.equal(await getCount(owner), before);
  });

  test('a password that is the only proof has 15 characters, of any kind and form', async () => {
    for (const password of ['kX9!mQ2#vL7p$z', 'x y', '🔑🗝️🚪🏠🌙⭐']) {
      const { status, json, text } = await signUp(planes, { password });
      assert.deepEqual([status, json.error.details.faults[0].pointer], [400, '/password'], text);
      assert.match(json.error.details.faults[0].message, /^At least 15 characters if it is the only factor, 8 with a second factor/);
    }
    for (const password of [
      'eight otters row',
      'пароль из слов вразброс',
      '  kX9 mQ2 vL7p Zt4  ',
      'correct horse battery staple'.repeat(9),
    ])
      assert.equal((await signUp(planes, { password })).status, 201, password);
  });
});
