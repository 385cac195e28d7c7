import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { connect } from '@svc/postgres/connection/connect.ts';
import { inTenant } from '@svc/postgres/connection/in-tenant.ts';
import { beginTestCall } from '@svc/postgres/credentials/test-calls.ts';
import { CLIENT_SECRET, newOauthScene, OAUTH_ENV, type OauthScene } from '@svc/testing/agents/oauth-scene.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { listEncodings } from '@svc/testing/logs/find-canaries.ts';
import { type KeyedRequest, type KeyedService, startKeyedService } from '@svc/testing/peers/keyed-service.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { StartedPlanes } from '@svc/testing/planes/start-planes.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';
import { formatTestResult } from './test-calls/format-test.ts';

let planes: StartedPlanes;
let database: pg.Client;
let tenant: Tenant;
let service: KeyedService;
before(async () => {
  [planes, service] = await Promise.all([leasePlanes({ env: OAUTH_ENV }) as Promise<StartedPlanes>, startKeyedService()]);
  database = await planes.database.client();
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
});
after(async () => {
  await Promise.all([database.end(), service.close(), planes.stop()]);
});

const SECRET = 'sk&live="4eC39Hq/LyjWD+arj<tT1>zdp7dc';

const newOne = async (more: object = {}, { environment_id, token } = tenant): Promise<string> => {
  const body = {
    ...{ name: `Tried ${newUlid()}`, environment_id, scheme: 'BEARER', secret: SECRET },
    ...{ destinations: [service.host, '10.1.2.3', '1.1.1.1:80', '127.0.0.1:9'], tools: ['x'], ...more },
  };
  return (await mustCall(planes.controlUrl, 'POST', '/v1/credentials', { token, body })).id;
};
const testCredential = (id: string, body: object, token = tenant.token): Promise<TestResponse> =>
  call(planes.controlUrl, 'POST', `/v1/credentials/${id}/test`, { token, body });
const here = (path = '/account') => `http://${service.host}${path}`;
const getCode = ({ status, json }: TestResponse) => [status, json?.error?.code];

const SCHEMES: readonly (readonly [object, (taken: KeyedRequest) => unknown])[] = [
  [{ scheme: 'BEARER' }, ({ headers }) => headers.authorization?.slice('Bearer '.length)],
  [
    { scheme: 'HEADER', placement: { header: 'x-api-key', prefix: 'Key' } },
    ({ headers }) => String(headers['x-api-key']).slice('Key '.length),
  ],
  [
    { scheme: 'BASIC', placement: { username: 'me' } },
    ({ headers }) =>
      Buffer.from(headers.authorization?.slice('Basic '.length) ?? '', 'base64')
        .toString()
        .slice('me:'.length),
  ],
  [{ scheme: 'QUERY', placement: { parameter: 'key' } }, ({ url }) => url.searchParams.get('key')],
];

describe('a test call', () => {
  test('sends the secret as the credential states, and returns the response with every encoding of it masked', async () => {
    for (const [scheme, shown] of SCHEMES) {
      service.answer((_taken, response) => {
        const headers = {
          'www-authenticate': `Bearer error="${encodeURIComponent(SECRET)}"`,
          'set-cookie': 'session=1',
          'x-other': 'other',
        };
        response.writeHead(403, headers).end(`refused: ${listEncodings(SECRET).join('\n')}`);
      });
      const answer = await testCredential(await newOne(scheme), { url: here() });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(service.taken.map(shown), [SECRET]);
      const { status, method, destination, generation, headers, body, failure } = answer.json;
      assert.deepEqual([status, method, destination, generation, failure], [403, 'GET', service.host, 1, null]);
      assert.ok(body.startsWith('refused: [credential]'));
      assert.deepEqual(
        [headers['set-cookie'], headers['x-other'], headers['www-authenticate'].includes('[credential]')],
        [undefined, undefined, true],
      );
      for (const written of listEncodings(SECRET)) assert.ok(!JSON.stringify(answer.json).includes(written), written);
    }
  });

  test('sends only the current secret, and also hides the previous one during an overlap', async () => {
    const id = await newOne();
    const next = newUlid();
    const body = { secret: next, overlap_seconds: 600 };
    await newControlClient(planes.controlUrl, tenant.token).rotateCredential({ params: { credentialId: id }, body });
    service.answer((_taken, response) => response.end(`${SECRET} was before ${next}`));
    const { json } = await testCredential(id, { url: here() });
    assert.deepEqual([json.generation, json.body], [2, '[credential] was before [credential]']);
    assert.deepEqual(
      service.taken.map(({ headers }) => headers.authorization),
      [`Bearer ${next}`],
    );
  });

  test('hides the secret also where a service escapes a part of it', async () => {
    const id = await newOne();
    const written = JSON.stringify({ told: `it was ${SECRET}` }).replace(
      /[+<>&=]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
    );
    for (const [type, told] of [
      ['application/json', '{"told":"it was [credential]"}'],
      ['text/plain', '{"told":"it was [credential]"}'],
    ] as const) {
      service.answer((_taken, response) => response.writeHead(400, { 'content-type': type }).end(written));
      assert.equal((await testCredential(id, { url: here() })).json.body, told);
    }
  });

  test('follows no redirect, returns no body for HEAD, and returns the beginning of a long one', async () => {
    const id = await newOne();
    service.answer((_taken, response) => response.writeHead(302, { location: here('/next') }).end());
    const away = await testCredential(id, { url: here() });
    assert.deepEqual([away.json.status, away.json.headers.location, service.taken.length], [302, here('/next'), 1]);
    service.answer((_taken, response) => response.end('a'.repeat(10_000)));
    const head = await testCredential(id, { url: here(), method: 'HEAD' });
    assert.deepEqual([head.json.status, head.json.body, service.taken[0]?.method], [200, null, 'HEAD']);
    const long = await testCredential(id, { url: here() });
    assert.deepEqual([long.json.body.length, long.json.body_bytes], [LIMITS.credentials.testExcerptCharsMax, 10_000]);
  });

  test('is recorded before it is sent: who tested which credential at which host, and nothing else of the address', async () => {
    const id = await newOne();
    const readEvents = async () =>
      (
        await database.query(
          "select type, actor_id, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 order by id",
          [id],
        )
      ).rows.slice(1);
    let found: Awaited<ReturnType<typeof readEvents>> = [];
    service.answer(async (_taken, response) => {
      found = await readEvents();
      response.end('fine');
    });
    assert.equal((await testCredential(id, { url: here('/secret-path?of=them') })).json.status, 200);
    assert.deepEqual([found.length, found[0]?.type, found[0]?.actor_id], [1, 'credential.issued', tenant.user.id]);
    const { lease_id, ...told } = found[0]?.data ?? {};
    assert.match(lease_id, /^lea_/);
    assert.deepEqual(told, { purpose: 'TEST', credential_id: id, generation: 1, destination: service.host, method: 'GET' });
  });

  test('is refused for a host that the credential does not name, and for one that is revoked, in a body or of another organization', async () => {
    service.answer((_taken, response) => response.end());
    const id = await newOne({ destinations: ['api.payments.example'] });
    for (const url of [
      here(),
      'https://api.payments.example:8443/',
      'https://payments.example/',
      'https://api.payments.example@evil.example/',
    ]) {
      const refused = await testCredential(id, { url });
      assert.deepEqual([...getCode(refused), refused.json.error.details.faults[0].pointer], [400, 'VALIDATION_FAILED', '/url'], url);
    }
    const inBody = await newOne({ scheme: 'BODY_FIELD', placement: { field: 'key' } });
    assert.deepEqual(getCode(await testCredential(inBody, { url: here() })), [422, 'UNPROCESSABLE']);
    const other = await newTenant(planes);
    assert.deepEqual(getCode(await testCredential(await newOne(), { url: here() }, other.token)), [404, 'NOT_FOUND']);
    const gone = await newOne();
    await newControlClient(planes.controlUrl, tenant.token).revokeCredential({ params: { credentialId: gone }, body: { reason: 'Over.' } });
    assert.deepEqual(getCode(await testCredential(gone, { url: here() })), [400, 'INVALID_STATE_TRANSITION']);
    assert.equal(service.taken.length, 0);
  });

  test('sends nothing from an archived environment, until it is restored', async () => {
    service.answer((_taken, response) => response.end());
    const other = await newTenant(planes);
    await stepUp(planes.controlUrl, other);
    const { token } = other;
    const id = await newOne({}, other);
    const place = `/v1/environments/${other.environment_id}`;
    await mustCall(planes.controlUrl, 'POST', `${place}/archive`, { token, body: { reason: 'Over.' } });
    assert.deepEqual(getCode(await testCredential(id, { url: here() }, token)), [400, 'INVALID_STATE_TRANSITION']);
    assert.equal(service.taken.length, 0);
    await mustCall(planes.controlUrl, 'PATCH', place, { token, body: { archived: false, reason: 'Again.' } });
    assert.equal((await testCredential(id, { url: here() }, token)).json.status, 200);
  });

  test('states why there is no response', async () => {
    const id = await newOne();
    const readReason = async (url: string) => {
      const { json, text } = await testCredential(id, { url });
      assert.ok(json.failure?.message.length > 10, text);
      return json.failure.reason;
    };
    assert.equal(await readReason('https://10.1.2.3/'), 'ADDRESS_REFUSED');
    assert.equal(await readReason('http://1.1.1.1/'), 'NOT_SENDABLE');
    assert.equal(await readReason('http://127.0.0.1:9/'), 'UNREACHABLE');
    assert.equal(await readReason(here().replace('http:', 'https:')), 'TLS_FAILED');
    service.answer((_taken, response) => response.socket?.resetAndDestroy());
    assert.equal(await readReason(here()), 'BROKEN_OFF');
    service.answer((_taken, response) => response.end('a'.repeat(LIMITS.credentials.testAnswerBytesMax + 1)));
    assert.equal(await readReason(here()), 'TOO_LARGE');
    assert.equal(formatTestResult({ kind: 'timeout', duration_ms: 1 }, 'GET').failure?.reason, 'TIMEOUT');
    assert.equal(formatTestResult({ kind: 'disabled', reason: 'It is off.' }, 'GET').failure?.reason, 'EGRESS_OFF');
  });
});

describe('a test call of a credential of OAuth', () => {
  const tried = async ({ owner, credentialId, service: { url } }: OauthScene) =>
    (await owner('POST', `/v1/credentials/${credentialId}/test`, { url })).json;

  test('gets an access token like a tool call: one refresh for both, and another if it is refused', async () => {
    const scene = await newOauthScene(planes);
    try {
      const [told, shipped] = await Promise.all([tried(scene), scene.ship()]);
      assert.deepEqual([told.status, told.failure, shipped.json.status], [200, null, 'COMPLETED']);
      assert.match(told.body, /"echo":"Bearer \[credential\]"/);
      assert.equal(scene.server.requests.length, 1);
      // Long ago enough that a refusal is not one of a new token.
      await database.query("update credential_tokens set lease_began_at = now() - interval '1 hour' where credential_id = $1", [
        scene.credentialId,
      ]);
      const [first] = scene.service.tokens;
      scene.service.takes = (token) => token !== first;
      const refreshTokens = () => scene.server.requests.map(({ form }) => form.get('refresh_token'));
      // Echoes the secret it got first, and others that it may know.
      scene.service.tells = () => [first?.slice('Bearer '.length), CLIENT_SECRET, 'refresh-token-3-of-this-server'];
      const again = await tried(scene);
      assert.deepEqual([again.status, scene.server.requests.length], [200, 2]);
      assert.deepEqual(JSON.parse(again.body).tells, Array(3).fill('[credential]'), JSON.stringify(refreshTokens()));
    } finally {
      await scene.close();
    }
  });

  test('sends nothing if the credential was rotated while it waited for a token', async () => {
    const scene = await newOauthScene(planes);
    const { server, service: called, credentialId } = scene;
    const rotating: typeof server.lie = async (response, grant) => {
      await scene.owner('POST', `/v1/credentials/${credentialId}/rotate`, { client_secret: CLIENT_SECRET });
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(grant()));
    };
    try {
      server.lie = rotating;
      const told = await tried(scene);
      assert.deepEqual([told.status, told.failure?.reason, called.tokens.length], [null, 'CHANGED', 0], JSON.stringify(told));
      assert.deepEqual([server.requests.length, (await scene.credential()).json.generation], [1, 2]);
      called.takes = () => false;
      await database.query("update credential_tokens set lease_began_at = now() - interval '1 hour' where credential_id = $1", [
        credentialId,
      ]);
      assert.equal((await tried(scene)).status, 401);
      assert.deepEqual([server.requests.length, called.tokens.length], [2, 1]);
      assert.equal((await scene.credential()).json.generation, 3);
    } finally {
      await scene.close();
    }
  });

  test('states why there is no token, without any text of the server', async () => {
    const scene = await newOauthScene(planes);
    try {
      scene.server.lie = (response) =>
        void response.writeHead(401).end(JSON.stringify({ error: 'invalid_client', error_description: CLIENT_SECRET }));
      const told = await tried(scene);
      assert.deepEqual([told.status, told.failure.reason], [null, 'NO_TOKEN']);
      assert.match(told.failure.message, /did not accept the client/);
      assert.ok(!JSON.stringify(told).includes(CLIENT_SECRET));
      assert.equal(scene.service.tokens.length, 0);
    } finally {
      await scene.close();
    }
  });
});

describe('test calls are bounded', () => {
  const { testsPerMinuteMax, testsPerOrganizationPerMinuteMax } = LIMITS.credentials;

  test('per minute for each credential, including concurrent ones', async () => {
    service.answer((_taken, response) => response.end());
    const id = await newOne();
    await database.query(
      "insert into credential_tests (organization_id, lease_id, credential_id, began_at) select $1, 'lea_' || $2 || n, $2, now() from generate_series(2, $3) n",
      [tenant.organization_id, id, testsPerMinuteMax],
    );
    assert.equal((await testCredential(id, { url: here() })).status, 200);
    const limited = await testCredential(id, { url: here() });
    assert.deepEqual([...getCode(limited), service.taken.length], [429, 'RATE_LIMITED', 1]);
    assert.ok(Number(limited.headers.get('retry-after')) > 0);
    await database.query("update credential_tests set began_at = now() - interval '61 seconds' where credential_id = $1", [id]);
    assert.equal((await testCredential(id, { url: here() })).status, 200);
    const { rows } = await database.query('select from credential_tests where credential_id = $1', [id]);
    assert.equal(rows.length, 1, 'what is over is dropped');
  });

  test('per minute for an organization, across its credentials', async () => {
    service.answer((_taken, response) => response.end());
    const other = await newTenant(planes);
    await stepUp(planes.controlUrl, other);
    const [tried, id] = [await newOne({}, other), await newOne({}, other)];
    await database.query(
      "insert into credential_tests (organization_id, lease_id, credential_id, began_at) select $1, 'lea_' || $2 || n, $2, now() from generate_series(2, $3) n",
      [other.organization_id, tried, testsPerOrganizationPerMinuteMax],
    );
    assert.equal((await testCredential(id, { url: here() }, other.token)).status, 200);
    const limited = await testCredential(id, { url: here() }, other.token);
    assert.deepEqual([...getCode(limited), service.taken.length], [429, 'RATE_LIMITED', 1]);
    assert.equal((await testCredential(await newOne(), { url: here() })).status, 200, 'another organization has its own');
  });

  test('across all instances: as many of concurrent calls run as the limit permits', async () => {
    const credential_id = await newOne();
    const { organization_id } = tenant;
    const connected = connect({
      ...{ url: planes.database.url, role: 'svc_app', ...testLogin('svc_app'), connectionsMax: 6, timeoutMs: 20_000 },
    });
    try {
      const beginMany = async (now: Date): Promise<number> => {
        const begin = () =>
          inTenant(connected, { organization_id }, (tx) =>
            beginTestCall(tx, { organization_id, credential_id, lease_id: `lea_${newUlid()}`, now }),
          );
        const began = await Promise.all(Array.from({ length: 2 * testsPerMinuteMax }, begin));
        return began.filter((each) => each).length;
      };
      // Calls started under a clock that ran ahead do not count once the clock is right again.
      assert.equal(await beginMany(new Date(Date.now() + 86_400_000)), testsPerMinuteMax);
      assert.equal(await beginMany(new Date()), testsPerMinuteMax);
    } finally {
      await connected.destroy();
    }
  });
});
