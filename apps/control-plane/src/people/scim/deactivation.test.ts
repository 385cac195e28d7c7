import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type NameServer, startNameServer } from '@svc/testing/peers/name-server.ts';
import { newDirectory } from '@svc/testing/people/directory.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

let planes: Planes;
let names: NameServer;
let owner: pg.Client;
let directory: Awaited<ReturnType<typeof newDirectory>>;
before(async () => {
  names = await startNameServer();
  planes = await startPlanes({ gateways: 0, env: { SVC_EGRESS_NAME_SERVERS: names.address } });
  owner = await planes.database.client();
  directory = await newDirectory(planes, names);
});
after(async () => {
  await owner.end();
  await Promise.all([planes.stop(), names.close()]);
});

let number = 0;
let id: string;
let userName: string;
beforeEach(async () => {
  number += 1;
  userName = `person-${number}@${directory.domain}`;
  const { json } = await directory.ask('POST', '/Users', { userName, displayName: 'Before', name: { givenName: 'G', familyName: 'F' } });
  assert.equal(json.active, true);
  id = json.id;
});

const patch = (...Operations: object[]) => directory.patch(`/Users/${id}`, ...Operations);
const put = (body: object) => directory.ask('PUT', `/Users/${id}`, body);
const isMember = async () =>
  (await owner.query('select from members where organization_id = $1 and id = $2', [directory.tenant.organization_id, id])).rowCount === 1;

/** Asserts that the user is no member and that nothing else of the request was applied. */
const assertOnlyDeactivated = async ({ status, json, text }: { status: number; json: { active: boolean }; text: string }) => {
  assert.deepEqual([status, json?.active], [200, false], text);
  assert.equal(await isMember(), false);
  const { json: after } = await directory.ask('GET', `/Users/${id}`);
  assert.deepEqual([after.active, after.displayName, after.userName, after.emails[0].value], [false, 'Before', userName, userName]);
};

describe('a PATCH that sets active to false deactivates the user', () => {
  const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });
  const CASES: Readonly<Record<string, readonly object[]>> = {
    'with a capital op and the text False (Entra ID)': [{ op: 'Replace', path: 'active', value: 'False' }],
    'with a capital path': [{ op: 'REPLACE', path: 'Active', value: 'FALSE' }],
    'with op add': [{ op: 'add', path: 'active', value: false }],
    'without a path (Okta)': [{ op: 'replace', value: { active: false } }],
    'without a path, with the text false': [{ op: 'Replace', value: { Active: 'false' } }],
    'by the URN of the attribute': [replace(`${USER}:active`, false)],
    'by the URN of the attribute as a member': [{ op: 'replace', value: { [`${USER}:active`]: false } }],
    'within the URN of the schema as a member': [{ op: 'replace', value: { [USER]: { active: false } } }],
    'by the URN of the schema as the path': [replace(USER, { active: false })],
    'as a list of one value': [replace('active', [{ $ref: null, value: 'False' }])],
    'with an enterprise extension': [{ op: 'replace', value: { active: false, [ENTERPRISE]: { department: 'X' } } }],
  };
  for (const [form, operations] of Object.entries(CASES)) test(form, async () => assertOnlyDeactivated(await patch(...operations)));

  const REFUSED: Readonly<Record<string, () => readonly object[]>> = {
    'another address of the same domain': () => [
      replace('displayName', 'Left'),
      replace('emails[type eq "work"].value', `left@${directory.domain}`),
      replace('active', false),
    ],
    'text that is no address': () => [
      replace('displayName', 'Left'),
      replace('userName', 'left.@@'),
      replace('emails[type eq "work"].value', 'left.@@'),
      replace('active', false),
    ],
    'a userName that another user has': () => [replace('userName', `person-1@${directory.domain}`), replace('active', 'False')],
    'a path of no attribute': () => [replace('nickname.x.y', 1), replace('displayName', 'Left'), replace('active', false)],
    'an unreadable path after it': () => [{ op: 'replace', value: { active: false, displayName: 'Left', 'emails[': 1 } }],
    'an op that does not exist': () => [{ op: 'boil', path: 'displayName' }, replace('active', false)],
    'an operation that is no object': () => [replace('active', false), 7 as unknown as object],
    'a name that every object inherits': () => [replace('constructor', 1), replace('active', false)],
    'more attributes than a patch may name': () => [
      { op: 'replace', value: { ...Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`a${index}`, 1])), active: false } },
    ],
    'a userName without an address': () => [replace('emails', []), replace('userName', 'left'), replace('active', false)],
  };
  for (const [refused, operations] of Object.entries(REFUSED))
    test(`with ${refused}, and applies nothing else`, async () => {
      if (refused.startsWith('a userName that')) await directory.ask('POST', '/Users', { userName: `person-1@${directory.domain}` });
      await assertOnlyDeactivated(await patch(...operations()));
    });

  test('with text that cannot be stored, which is repaired', async () => {
    const { status, json, text } = await patch(replace('displayName', 'Left \ud83d\0'), replace('active', false));
    assert.deepEqual([status, json.active, json.displayName, await isMember()], [200, false, 'Left \ufffd\ufffd', false], text);
  });

  test('also by the last of several operations, and not by an earlier one', async () => {
    const answer = await patch(replace('active', false), replace('nothing.here', 1), replace('active', true));
    assert.deepEqual([answer.status, answer.json.scimType, await isMember()], [400, 'invalidPath', true]);
  });
});

describe('a PATCH that does not set active to false keeps the user', () => {
  const CASES: Readonly<Record<string, object>> = {
    'a misspelt attribute': { op: 'replace', path: 'acitve', value: false },
    'the text no': { op: 'replace', path: 'active', value: 'no' },
    'a number': { op: 'replace', path: 'active', value: 0 },
    'two values': { op: 'replace', path: 'active', value: [false, false] },
    'a filter on active': { op: 'replace', path: 'active[value eq true]', value: false },
    'an attribute of another schema': { op: 'replace', path: 'urn:example:active', value: false },
  };
  for (const [form, operation] of Object.entries(CASES))
    test(form, async () => {
      const { status, text } = await patch(operation);
      assert.equal(status, form.startsWith('an attribute') ? 200 : 400, text);
      assert.equal(await isMember(), true);
    });
});

describe('a PUT that sets active to false deactivates the user', () => {
  const CASES: Readonly<Record<string, () => object>> = {
    'with another address': () => ({ userName, active: false, emails: [{ value: `left@${directory.domain}` }] }),
    'with another userName without an address': () => ({ userName: 'left', active: false }),
    'with an empty userName': () => ({ userName: '', active: false }),
    'with a userName that is too long': () => ({ userName: 'x'.repeat(300), active: 'False' }),
    'without a userName': () => ({ active: 'false' }),
    'with emails that are no objects': () => ({ userName, active: false, emails: [null] }),
    'with an attribute that is named twice': () => ({ userName, active: false, displayName: 'a', DisplayName: 'b' }),
    'with the schema of something else': () => ({ schemas: ['urn:example:user'], userName, active: false }),
    'by the URN of the attribute': () => ({ userName: 'left', [`${USER}:active`]: false }),
    'with a name that every object inherits': () => ({ userName, active: false, constructor: 1 }),
  };
  for (const [form, body] of Object.entries(CASES)) test(form, async () => assertOnlyDeactivated(await put(body())));

  test('and applies the rest if all of it is valid', async () => {
    const { status, json } = await put({ userName, displayName: 'After', active: false });
    assert.deepEqual([status, json.active, json.displayName, await isMember()], [200, false, 'After', false]);
  });

  test('with text that cannot be stored, which is repaired', async () => {
    const { status, json, text } = await put({ userName, displayName: 'After \ud83d\0', active: false });
    assert.deepEqual([status, json.active, json.displayName, await isMember()], [200, false, 'After \ufffd\ufffd', false], text);
  });
});

describe('a PUT keeps the user', () => {
  test('if it names active twice with two values, or changes the address only', async () => {
    for (const body of [
      { userName, active: false, Active: true },
      { userName, emails: [{ value: `left@${directory.domain}` }] },
      { userName, active: 'no' },
    ]) {
      assert.equal((await put(body)).status, 400, JSON.stringify(body));
      assert.equal(await isMember(), true);
    }
  });
});

test('a request that deactivates an owner with a refused change answers that owners are not deactivated', async () => {
  const email = `boss@${directory.domain}`;
  await owner.query('update users set email = $2 where id = $1', [directory.tenant.user.id, email]);
  const { json } = await directory.ask('GET', `/Users?filter=${encodeURIComponent(`userName eq "${email}"`)}`);
  id = json.Resources[0].id;
  const answer = await patch({ op: 'replace', value: { active: false, 'emails[': 1 } });
  assert.deepEqual([answer.status, await isMember()], [403, true], answer.text);
});

test('a user that the directory never named before is deactivated next to a refused change and stays known', async () => {
  const email = `unspoken-${number}@${directory.domain}`;
  const { rows } = await owner.query('select user_id from members where id = $1', [id]);
  await owner.query('delete from scim_users where id = $1', [id]);
  await owner.query('update users set email = $2 where id = $1', [rows[0].user_id, email]);
  const answer = await put({ userName: 'left', active: false });
  assert.deepEqual([answer.status, answer.json.active, await isMember()], [200, false, false], answer.text);
  assert.equal((await directory.ask('GET', `/Users/${id}`)).json.userName, email);
});
