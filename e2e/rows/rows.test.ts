import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Endpoint, listPermissions } from '@svc/contract/rows/endpoint.ts';
import { BUILT_IN_ROLES, KEY_ROLES } from '@svc/contract/tables/built-in-roles.ts';
import { ERRORS } from '@svc/contract/tables/errors.ts';
import { isPathParameter, listParameterNames, PATH_PARAMETERS } from '@svc/contract/tables/path-parameters.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import { sample } from '@svc/testing/length/test-length.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import type { Resources } from '../nouns/noun-tests.ts';
import { buildBody } from './bodies.ts';
import {
  buildPath,
  CONTROL_ROWS,
  createUnknownIds,
  getAgentTokenOpening,
  type KeyRoleName,
  newSetting,
  ROWS,
  type RowTestSetting,
} from './setting.ts';

let setting: RowTestSetting;
before(async () => {
  setting = await newSetting();
});
after(() => setting.planes.stop());

const getBase = (row: Endpoint): string => (row.plane === 'control' ? setting.planes.controlUrl : setting.planes.gatewayUrl);

type Ask = {
  readonly token?: string | undefined;
  readonly resources?: Resources;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
};
const isForm = ({ wire }: Endpoint): boolean => wire === 'posted-page' || wire === 'form';

/** Encodes a body for the wire of its row. */
const sentAs = (row: Endpoint, body: object): { readonly body: object } | { readonly raw: string } =>
  isForm(row) ? { raw: new URLSearchParams(body as Record<string, string>).toString() } : { body };

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Extracts the contract's error from the data of a JSON-RPC error, or from the description of an OAuth error. */
const unwrapped = (answer: TestResponse): TestResponse => {
  const { data, message } = answer.json?.error ?? {};
  if (typeof answer.json?.error === 'string') {
    const [, code, text] = /^([A-Z_]+): (.*)$/.exec(answer.json.error_description) ?? [];
    const { request_id, details } = answer.json;
    return { ...answer, json: { ...answer.json, error: { code, message: text, request_id, details } } };
  }
  return data === undefined ? answer : { ...answer, json: { ...answer.json, error: { ...data, message } } };
};

const ask = async (name: string, row: Endpoint, { token, resources = setting.resources, body, headers }: Ask): Promise<TestResponse> =>
  unwrapped(
    await call(getBase(row), row.method, buildPath(row, resources), {
      token,
      ...(row.body ? sentAs(row, body ?? buildBody(name, setting)) : {}),
      headers: { ...(isForm(row) ? FORM : {}), ...headers },
    }),
  );

const assertRefused = (answer: TestResponse, code: keyof typeof ERRORS, what: string): void => {
  assert.equal(answer.json?.error?.code, code, `${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
  assert.equal(answer.status, ERRORS[code].status, what);
  assert.equal(answer.json.error.request_id, answer.headers.get('x-request-id'), what);
  assert.match(answer.headers.get('x-trace-id') ?? '', /^[0-9a-f]{32}$/, what);
  assert.ok(answer.json.error.message.length > 0, what);
};

const holdsAll = (held: readonly Permission[], row: Endpoint): boolean => listPermissions(row).every((each) => held.includes(each));

/** Returns a role that lacks a permission of the row; undefined if every role has it, or none is required. */
const roleWithout = (row: Endpoint): KeyRoleName | undefined =>
  KEY_ROLES.find((role) => !holdsAll(role.permissions, row))?.name as KeyRoleName | undefined;

describe('without the right credential', () => {
  test('a 401 comes before anything about the body or the path', async () => {
    for (const [name, row] of ROWS.filter(([, r]) => r.credential !== 'none' && r.body)) {
      assertRefused(await ask(name, row, { body: { bogus: 1 }, resources: createUnknownIds(setting.resources) }), 'UNAUTHENTICATED', name);
    }
  });
});

describe('without the permission', () => {
  test('the permissions of a role are the same for a person and for an API key, and match the table of roles, on every row without an id', async () => {
    const unknown = createUnknownIds(setting.resources);
    const isRefused = async (name: string, row: Endpoint, token: string): Promise<boolean> =>
      listPermissions(row).includes(
        (await ask(name, row, { token, resources: unknown, body: { bogus: 1 } })).json?.error?.details?.permission,
      );
    for (const role of BUILT_IN_ROLES) {
      const held: readonly Permission[] = role.permissions;
      const rows = CONTROL_ROWS.filter(([, r]) => listPermissions(r).length > 0 && r.credential === 'caller' && !r.path.includes('{'));
      const found = await Promise.all(
        rows.map(async ([name, row]) => [
          name,
          // A role that no key may have is held by people only.
          await isRefused(name, row, setting.keys[role.name as KeyRoleName] ?? setting.people[role.name]),
          await isRefused(name, row, setting.people[role.name]),
        ]),
      );
      const told = rows.map(([name, row]) => {
        const refused = !holdsAll(held, row);
        return [name, refused, refused];
      });
      assert.deepEqual(found, told, role.name);
    }
  });

  test('only plain reading is permitted to every role', () => {
    const open = CONTROL_ROWS.flatMap(([, row]) => (roleWithout(row) ? [] : listPermissions(row)));
    assert.ok(
      open.every((permission) => permission.endsWith(':read')),
      open.join(),
    );
  });
});

/** True if a path names a row by its id, and not only a position in something. */
const namesResource = ({ path }: Endpoint): boolean =>
  listParameterNames(path).some((name) => isPathParameter(name) && PATH_PARAMETERS[name].id !== null);

describe('another tenant', () => {
  test('an API key without the permission learns nothing about a foreign id either', async () => {
    for (const [name, row] of CONTROL_ROWS.filter(([, r]) => namesResource(r) && roleWithout(r))) {
      const role = roleWithout(row) as KeyRoleName;
      assertRefused(await ask(name, row, { token: setting.keys[role], resources: createUnknownIds(setting.resources) }), 'NOT_FOUND', name);
    }
  });

  test('a scope header that names something foreign or unknown is refused on every row', async () => {
    const foreign = { 'x-svc-environment': setting.tenant.environment_id };
    const unknown = { 'x-svc-workspace': 'wsp_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' };
    for (const [name, row] of CONTROL_ROWS) {
      for (const headers of [foreign, unknown]) {
        assertRefused(await ask(name, row, { token: setting.stranger, headers }), 'TENANT_MISMATCH', name);
      }
    }
  });
});

describe('bad input', () => {
  test('AuthZEN ignores an unknown member, as its specification requires', async () => {
    for (const [name, row] of ROWS.filter(([, r]) => r.wire === 'authzen')) {
      const answer = await ask(name, row, { token: setting.owner, body: { ...bodyOrEmpty(name), 'no/such~member': 1 } });
      assert.equal(answer.status, 200, `${name}: ${answer.text}`);
    }
  });

  test('a token endpoint ignores a parameter that it does not know, as RFC 6749 requires', async () => {
    for (const [name, row] of ROWS.filter(([, r]) => r.wire === 'form' && r.body && r.credential === 'none')) {
      const answer = await ask(name, row, { body: { ...bodyOrEmpty(name), 'no/such~member': '1' } });
      assert.equal(answer.json.error.code, 'AGENT_AUTHENTICATION_FAILED', answer.text);
    }
  });

  for (const [name, row] of ROWS.filter(([, r]) => r.body)) {
    const token = () =>
      row.credential === 'agent' ? getAgentTokenOpening(row, setting) : row.credential === 'none' ? undefined : setting.owner;

    // Messages of MCP clients and of remote agents may have members of a later protocol version.
    // The body of a request at a proxy is anything that its tool takes.
    if (row.wire === 'ext-authz') continue;
    if (row.wire !== 'authzen' && row.wire !== 'mcp' && row.wire !== 'a2a' && row.wire !== 'a2a-push' && row.wire !== 'form')
      test(`${name} refuses an unknown member with a pointer to it`, async () => {
        const answer = await ask(name, row, { token: token(), body: { ...bodyOrEmpty(name), 'no/such~member': 1 } });
        assertRefused(answer, 'VALIDATION_FAILED', name);
        assert.ok(
          answer.json.error.details.faults.some((fault: { pointer: string }) => fault.pointer === '/no~1such~0member'),
          answer.text,
        );
      });

    test(`${name} refuses what is not a JSON object, and a body that is too large, as a fault of the request`, async () => {
      const url = buildPath(row, setting.resources);
      const raws = [
        '{"a":',
        '[]',
        '"text"',
        'null',
        '1',
        `{"x":"${'y'.repeat(300_000)}"}`,
        `${'['.repeat(50_000)}`,
        '{"__proto__":{"a":1}}',
      ];
      for (const raw of sample(raws, 3, name)) {
        const answer = unwrapped(await call(getBase(row), row.method, url, { token: token(), raw }));
        assert.equal(answer.status, 400, `${raw.slice(0, 20)}: ${answer.text.slice(0, 200)}`);
        assert.ok(['INVALID_REQUEST', 'VALIDATION_FAILED'].includes(answer.json.error.code));
      }
    });
  }

  test('every row without a query refuses one, and the others refuse unknown names', async () => {
    for (const [name, row] of CONTROL_ROWS.filter(([, r]) => r.method === 'GET')) {
      const answer = await call(getBase(row), 'GET', `${buildPath(row, setting.resources)}?bogus=1`, { token: setting.owner });
      assertRefused(answer, 'VALIDATION_FAILED', name);
    }
  });
});

const bodyOrEmpty = (name: string): Record<string, unknown> => {
  if (name === 'signup' || name === 'login') {
    return {
      email: 'nobody@example.com',
      password: 'long enough password',
      ...(name === 'signup' ? { name: 'N', organizationName: 'O' } : {}),
    };
  }
  return buildBody(name, setting);
};

describe('an Idempotency-Key', () => {
  for (const [name, row] of CONTROL_ROWS.filter(([, r]) => r.idempotent)) {
    test(`${name}: the same key and body, 8 concurrent and one more, is one operation with one response`, async () => {
      const headers = { 'idempotency-key': `key-${name}` };
      const body = buildBody(name, setting);
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask(name, row, { token: setting.owner, body, headers })));
      answers.push(await ask(name, row, { token: setting.owner, body, headers }));
      for (const answer of answers) assert.ok(answer.status < 300, answer.text);
      const withoutSecret = answers.map(({ text }) => text.replace(/"(private_key|secret)":"[^"]*"/, '"$1":null'));
      assert.equal(new Set(withoutSecret.map((text) => JSON.stringify(sorted(JSON.parse(text))))).size, 1);
    });

    test(`${name}: the same key with another body is refused, another key is another operation`, async () => {
      const headers = { 'idempotency-key': `other-${name}` };
      const first = await ask(name, row, { token: setting.owner, headers });
      assert.ok(first.status < 300, first.text);
      const changed = name === 'evaluateAction' ? { ...buildBody(name, setting), amount: 5 } : buildBody(name, setting);
      assertRefused(await ask(name, row, { token: setting.owner, headers, body: changed }), 'IDEMPOTENCY_KEY_REUSED', name);
    });
  }
});

/** Headers that differ between responses. */
const OWN_HEADERS = ['date', 'connection', 'keep-alive', 'x-request-id', 'x-trace-id', 'ratelimit-remaining', 'ratelimit-reset'];

const listHeaders = ({ headers }: TestResponse): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !OWN_HEADERS.includes(name)));

const makeCredential = (row: Endpoint): string | undefined =>
  row.credential === 'agent' ? getAgentTokenOpening(row, setting) : row.credential === 'none' ? undefined : setting.owner;

describe('a method', () => {
  test('HEAD works wherever GET does, for the same callers, with the same status and headers and no body', async () => {
    for (const [name, row] of ROWS.filter(([, r]) => r.method === 'GET')) {
      const [base, path] = [getBase(row), buildPath(row, setting.resources)];
      for (const token of [makeCredential(row), 'nonsense']) {
        const [got, head] = await Promise.all(['GET', 'HEAD'].map((method) => call(base, method, path, { token })));
        assert.ok(got && head);
        const changing = row.path.startsWith('/v1/audit-events') || row.path.endsWith('/health') || row.path === '/v1/agents';
        const isStream = row.wire === 'stream';
        // The length of a streamed response is unknown.
        const lengths = { ...(changing ? { 'content-length': '' } : {}), ...(isStream ? { 'transfer-encoding': '' } : {}) };
        const without = (answer: TestResponse) => ({ ...listHeaders(answer), ...lengths });
        assert.deepEqual([head.status, without(head), head.text], [got.status, without(got), ''], name);
        if (!isStream || head.status >= 400) assert.ok(Number(head.headers.get('content-length')) > 0, name);
      }
    }
  });

  test('that a path does not accept is 405 in the standard form with Allow, for any caller; OPTIONS returns Allow alone, and nothing to other origins', async () => {
    const paths = Map.groupBy(ROWS, ([, row]) => `${getBase(row)}${buildPath(row, setting.resources)}`);
    let refused = 0;
    for (const [url, rows] of paths) {
      const taken = new Set(rows.map(([, { method }]) => method as string));
      if (taken.has('GET')) taken.add('HEAD');
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].filter((each) => !taken.has(each))) {
        const answer = await call(url, method, '');
        // A literal segment where another row of that method has a parameter is a resource to that row, which requires a credential.
        if (answer.status === 401) continue;
        refused += 1;
        assert.deepEqual([answer.status, answer.json?.error?.code], [405, 'INVALID_REQUEST'], `${method} ${url}: ${answer.text}`);
        assert.equal(answer.json.error.request_id, answer.headers.get('x-request-id'));
        for (const each of taken) assert.ok(answer.headers.get('allow')?.split(', ').includes(each), `${method} ${url}`);
      }
      const options = await call(url, 'OPTIONS', '', {
        headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
      });
      assert.deepEqual([options.status, options.text], [204, ''], url);
      for (const each of [...taken, 'OPTIONS']) assert.ok(options.headers.get('allow')?.split(', ').includes(each), url);
      assert.deepEqual(
        [...options.headers.keys()].filter((name) => name.startsWith('access-control-')),
        [],
      );
    }
    assert.ok(refused > 3 * paths.size, `${refused} of ${paths.size} paths`);
  });

  test('that is wrong is answered before the body is read, and leaves the connection usable', async () => {
    const answer = await call(setting.planes.controlUrl, 'PUT', '/v1/agents', {
      raw: '{"a":',
      headers: { 'content-type': 'application/xml' },
    });
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD, OPTIONS, POST']);
    const nowhere = await call(setting.planes.controlUrl, 'OPTIONS', '/v1/no-such-thing');
    assert.deepEqual([nowhere.status, nowhere.headers.get('allow')], [404, null]);
  });
});

/** Sorts members and removes what differs between a first response and a replay. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
};
