import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { haveAccessToken } from '@svc/operations/credentials/tokens/have-access-token.ts';
import type { TokenDesk } from '@svc/operations/credentials/tokens/token-desk.ts';
import { connect } from '@svc/postgres/connection/connect.ts';
import { findDueRefreshes } from '@svc/postgres/credentials/tokens/leases.ts';
import { CLIENT_SECRET, expireTokens, newOauthScene, OAUTH_ENV, type OauthScene } from '@svc/testing/agents/oauth-scene.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import type { TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import { startRestartableGateway } from '@svc/testing/planes/restartable-gateway.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

/** Number of rounds: `CREDENTIAL_ROUNDS=30` sets another; no test begins another round after `CREDENTIAL_SECONDS`. */
const ROUNDS = Number(process.env.CREDENTIAL_ROUNDS ?? countRepetitions({ short: 1, long: 100 }));
const SECONDS = Number(process.env.CREDENTIAL_SECONDS ?? countRepetitions({ short: Number.POSITIVE_INFINITY, long: 180 }));
/** Rounds with one person, agent and credential, whose sessions and tokens expire after some minutes. */
const ROUNDS_OF_ONE = 10;

let planes: Planes;
let owner: pg.Client;
const scenes: OauthScene[] = [];
before(async () => {
  planes = await leasePlanes({ env: OAUTH_ENV });
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await Promise.all([planes.stop(), ...scenes.map((each) => each.close())]);
});

const connectAs = (role: 'svc_gateway' | 'svc_identity') =>
  connect({ url: planes.database.url, role, ...testLogin(role), connectionsMax: 1, timeoutMs: 20_000 });

/** Adds so many credentials like that of a scene, which are never used. */
const addCredentials = async ({ credentialId }: OauthScene, count: number, tokens: string): Promise<void> => {
  const id = `'cred_' || lpad(n::text, 26, '0')`;
  await owner.query(
    `insert into credentials (organization_id, id, workspace_id, environment_id, name, description, scheme, placement, destinations, tools, sealed_secret, created_by)
     select organization_id, ${id}, workspace_id, environment_id, name || n, '', scheme, placement, destinations, tools, sealed_secret, created_by
       from credentials, generate_series(1, $2) n where id = $1`,
    [credentialId, count],
  );
  await owner.query(
    `insert into credential_tokens (organization_id, credential_id, workspace_id, environment_id, state, lease_id, leased_until, lease_began_at, failures, retry_at)
     select organization_id, ${id}, workspace_id, environment_id, ${tokens} from credential_tokens, generate_series(1, $2) n where credential_id = $1`,
    [credentialId, count],
  );
};

const newScene = async (...terms: [Parameters<typeof newOauthScene>[1]?]): Promise<OauthScene> => {
  const scene = await newOauthScene(planes, ...terms);
  scenes.push(scene);
  return scene;
};

/** Plays rounds, each with an expired credential of the previous one; returns their number. */
const playRounds = async (t: TestContext, lie: (scene: OauthScene) => void, play: (scene: OauthScene, round: number) => Promise<void>) => {
  const began = performance.now();
  let scene = await newScene();
  let [round, asked] = [0, 0];
  for (; round < ROUNDS && performance.now() - began < SECONDS * 1_000; round += 1) {
    if (round > 0 && round % ROUNDS_OF_ONE === 0) {
      asked += scene.server.requests.length;
      scene = await newScene();
    } else if (round > 0) await expire(scene);
    lie(scene);
    await play(scene, round);
  }
  asked += scene.server.requests.length;
  t.diagnostic(`${round} rounds, ${asked} requests of tokens, ${Math.round((performance.now() - began) / 1_000)} s`);
};

const isDone = ({ status, json, text }: TestResponse): void => assert.deepEqual([status, json.status], [200, 'COMPLETED'], text);

const expire = (scene: OauthScene): Promise<void> => expireTokens(scene, owner);
const passLease = (credentialId: string) =>
  owner.query(
    "update credential_tokens set leased_until = now() - interval '1 second', lease_began_at = null where credential_id = $1 and lease_id is not null",
    [credentialId],
  );
const passBackoff = (credentialId: string) =>
  owner.query(
    "update credential_tokens set retry_at = now() - interval '1 second', lease_began_at = null where credential_id = $1 and retry_at is not null",
    [credentialId],
  );

const readFailures = async (credentialId: string) =>
  (
    await owner.query(
      "select data::jsonb - 'record_digests' as data from audit_events where type = 'credential.rotation_failed' and subject_id = $1 order by id",
      [credentialId],
    )
  ).rows;

const LIES: Readonly<Record<string, (scene: OauthScene) => void>> = {
  'rotates, and takes no refresh token twice': ({ server }) => {
    server.grace = false;
  },
  'is slow': ({ server }) => {
    server.lie = async (response, grant) => {
      await sleep(700);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(grant()));
    };
  },
  'answers twice': ({ server }) => {
    server.lie = (response, grant) => {
      const body = JSON.stringify(grant());
      const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
      response.socket?.end(answer + answer.replace('access-token-', 'another-token-'));
    };
  },
};

describe('of 32 concurrent requests over two gateways with an expired access token one refreshes, if the server', () => {
  for (const [how, lie] of Object.entries(LIES))
    test(how, (t) =>
      playRounds(t, lie, async (scene, round) => {
        const [before, sent] = [scene.server.requests.length, new Set(scene.service.tokens).size];
        const answers = await Promise.all(Array.from({ length: 32 }, (_, n) => scene.ship(n % 2)));
        answers.forEach(isDone);
        assert.equal(scene.server.requests.length, before + 1, `round ${round}`);
        assert.equal(new Set(scene.service.tokens).size, sent + 1);
        const [asked] = scene.server.requests;
        assert.equal(asked?.authorization, `Basic ${btoa(`the-service:${CLIENT_SECRET}`)}`);
        assert.deepEqual([asked?.form.get('grant_type'), asked?.form.get('scope')], ['refresh_token', 'orders']);
      }),
    );

  test('fails after a rotation: the same request is repeated once at once, and no credential is lost', (t) => {
    const fails = ({ server }: OauthScene): void => {
      server.lie = (response, grant) => {
        grant();
        server.lie = undefined;
        response.writeHead(500).end(`failed with ${CLIENT_SECRET}`);
      };
    };
    return playRounds(t, fails, async (scene, round) => {
      const before = scene.server.requests.length;
      const answers = await Promise.all(Array.from({ length: 32 }, (_, n) => scene.ship(n % 2)));
      answers.forEach(isDone);
      assert.equal(scene.server.requests.length, before + 2, `round ${round}`);
    });
  });
});

test('a refresh whose gateway is killed is taken over by others, and no credential is lost', async (t) => {
  const gateway = await startRestartableGateway(planes.database, { ...OAUTH_ENV, SVC_GATEWAY_URL: planes.gatewayUrl });
  const nothing = (): void => undefined;
  try {
    await playRounds(t, nothing, async (scene, round) => {
      const { server, credentialId } = scene;
      if (round > 0) await gateway.start();
      let killed: Promise<void> | undefined;
      // Before the server has rotated, after it and before its response, and when the response is in transit.
      server.lie = async (response, grant) => {
        server.lie = undefined;
        const rotated = round % 3 === 0 ? undefined : grant();
        if (round % 3 === 2) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rotated));
        killed = gateway.kill();
        await killed;
        response.destroy();
      };
      await fetch(`${gateway.url}/gateway/v1/actions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${scene.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tool: scene.toolName }),
      }).catch(() => undefined);
      await waitUntil('the gateway is killed', () => killed !== undefined);
      await killed;
      await passLease(credentialId);
      isDone(await scene.ship(round % 2));
      const { json } = await scene.credential();
      assert.deepEqual([json.oauth.connection.state, json.oauth.connection.failure], ['CONNECTED', null]);
    });
  } finally {
    await gateway.stop();
  }
});

test('a server that issues no other refresh token is requested with the same one again', async () => {
  const scene = await newScene();
  const { server } = scene;
  const first = server.requests.length;
  server.lie = (response, grant) => {
    const { refresh_token: _kept, ...given } = grant() as { readonly refresh_token?: string };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(given));
  };
  isDone(await scene.ship());
  await expire(scene);
  server.lie = undefined;
  isDone(await scene.ship(1));
  const sent = server.requests.slice(first).map(({ form }) => form.get('refresh_token'));
  assert.deepEqual([sent.length, new Set(sent).size], [2, 1]);
});

test('the control plane takes over an abandoned refresh after its lease', async () => {
  const scene = await newScene();
  isDone(await scene.ship());
  const before = scene.server.requests.length;
  await owner.query(
    "update credential_tokens set lease_id = 'req_gone', leased_until = now() - interval '1 second', lease_began_at = null where credential_id = $1",
    [scene.credentialId],
  );
  await waitUntil('it is refreshed', () => scene.server.requests.length > before);
  await waitUntil(
    'it is stored',
    async () =>
      (await owner.query('select 1 from credential_tokens where credential_id = $1 and lease_id is null', [scene.credentialId])).rows
        .length === 1,
  );
  isDone(await scene.ship());
});

test('a refused refresh token is an error with the remedy, reported once, until another one is stored', async () => {
  const scene = await newScene();
  scene.server.forget();
  const refused = await scene.ship();
  assert.deepEqual([refused.status, refused.json.error.code], [503, 'CREDENTIAL_SERVICE_UNAVAILABLE'], refused.text);
  assert.equal(scene.service.tokens.length, 0);
  for (const gateway of [0, 1]) assert.equal((await scene.ship(gateway)).status, 503);
  assert.equal(scene.server.requests.length, 1);
  const { connection } = (await scene.credential()).json.oauth;
  assert.equal(connection.state, 'ERROR');
  assert.match(connection.failure, /Reconnect the credential/);
  const told = await readFailures(scene.credentialId);
  assert.deepEqual(
    told.map(({ data }) => [data.failure, data.state]),
    [['invalid_grant', 'ERROR']],
  );
  const rotated = await scene.owner('POST', `/v1/credentials/${scene.credentialId}/rotate`, { refresh_token: scene.server.firstToken() });
  assert.equal(rotated.status, 200, rotated.text);
  assert.equal(rotated.json.oauth.connection.state, 'CONNECTED');
  isDone(await scene.ship(1));
});

test('any other response of a server is retried with backoff, reported at the third time, and never shown', async () => {
  const scene = await newScene();
  const { server, credentialId } = scene;
  const secret = () => server.requests.at(-1)?.form.get('refresh_token') ?? '';
  const ANSWERS: readonly (readonly [string, NonNullable<typeof server.lie>])[] = [
    [
      'other',
      (to) => void to.writeHead(400).end(JSON.stringify({ error: `no ${secret()}`, error_description: `${CLIENT_SECRET} ${secret()}` })),
    ],
    ['broken_off', (to) => void to.writeHead(200, { 'content-type': 'application/json' }).end(`{"access_token":"${'x'.repeat(200_000)}"}`)],
    ['unusable', (to) => void to.writeHead(200).end(`garbage ${secret()}`)],
    ['unusable', (to) => void to.writeHead(200).end(JSON.stringify({ access_token: 'a\r\nx-injected: 1', token_type: 'bearer' }))],
    ['redirect', (to) => void to.writeHead(307, { location: server.url }).end()],
    ['invalid_client', (to) => void to.writeHead(401).end('{"error":"invalid_client"}')],
  ];
  for (const [at, [failure, lie]] of ANSWERS.entries()) {
    server.lie = lie;
    assert.equal((await scene.ship()).json.error.code, 'CREDENTIAL_SERVICE_UNAVAILABLE', failure);
    const { rows } = await owner.query('select failure, failures, retry_at from credential_tokens where credential_id = $1', [
      credentialId,
    ]);
    assert.deepEqual([rows[0].failure, rows[0].failures], [failure, at + 1]);
    assert.ok(Date.parse(rows[0].retry_at) > Date.now() + 2_000);
    const asked = server.requests.length;
    assert.equal((await scene.ship(1)).status, 503);
    assert.equal(server.requests.length, asked, 'it is not asked before its time');
    await passBackoff(credentialId);
  }
  assert.equal((await readFailures(credentialId)).length, 1);
  server.lie = (to, grant) => {
    const given = grant();
    const longest = 'refresh-token-'.padEnd(LIMITS.oauth.tokenCharsMax, 'r');
    to.writeHead(200).end(JSON.stringify({ ...given, refresh_token: longest, scope: `"orders" "${CLIENT_SECRET}"` }));
  };
  isDone(await scene.ship());
  const shown = JSON.stringify([(await scene.credential()).json, await readFailures(credentialId), planes.logs()]);
  const kept = await owner.query('select granted_scope from credential_tokens where credential_id = $1', [credentialId]);
  assert.equal(kept.rows[0].granted_scope, null);
  for (const hidden of [CLIENT_SECRET, ...server.requests.map(({ form }) => form.get('refresh_token') ?? ''), 'access-token-'])
    assert.ok(!shown.includes(hidden), hidden);
});

test('an access token that the service refuses is replaced once and the call repeated; a fresh one that it refuses is not', async () => {
  const scene = await newScene();
  isDone(await scene.ship());
  const [first] = scene.service.tokens;
  scene.service.takes = (token) => token !== first && scene.server.isAccessToken(token);
  await owner.query('update credential_tokens set lease_began_at = null where credential_id = $1', [scene.credentialId]);
  isDone(await scene.ship());
  scene.service.takes = () => false;
  const asked = scene.server.requests.length;
  const refused = await scene.ship();
  assert.equal(refused.json.error.code, 'EXECUTION_FAILED', refused.text);
  assert.equal(scene.server.requests.length, asked);
  assert.ok(!JSON.stringify(refused.json).includes('access-token-'), 'what the service echoes is hidden');
});

test('an action that waited for an access token is not sent if its tool was disabled meanwhile', async () => {
  const scene = await newScene();
  const { rows } = await owner.query('select id from tools where name = $1', [scene.toolName]);
  scene.server.lie = async (response, grant) => {
    await scene.owner('POST', `/v1/tools/${rows[0].id}/disable`, { reason: 'Stopped.' });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(grant()));
  };
  const answer = await scene.ship();
  assert.equal(answer.json.error?.code, 'EXECUTION_FAILED', answer.text);
  assert.deepEqual([scene.server.requests.length, scene.service.tokens.length], [1, 0]);
});

test('a revoked or unconnected credential sends nothing, and its tokens are erased', async () => {
  const unconnected = await newScene({
    oauth: { authorization_url: 'http://127.0.0.1:9/authorize' },
    more: { refresh_token: undefined },
  });
  assert.equal((await unconnected.ship()).json.error.code, 'CREDENTIAL_SERVICE_UNAVAILABLE');
  const scene = await newScene();
  isDone(await scene.ship());
  assert.equal((await scene.owner('POST', `/v1/credentials/${scene.credentialId}/revoke`, { reason: 'over' })).status, 200);
  assert.equal((await scene.ship()).json.error.code, 'INVALID_CREDENTIAL_REFERENCE');
  assert.equal(scene.service.tokens.length, 1);
  const { rows } = await owner.query('select sealed_refresh_token, sealed_access_token from credential_tokens where credential_id = $1', [
    scene.credentialId,
  ]);
  assert.deepEqual(rows, [{ sealed_refresh_token: null, sealed_access_token: null }]);
});

test('limits the refreshes of an organization per minute, and later credentials wait', async () => {
  const scene = await newScene();
  const { organization_id } = scene.tenant;
  await addCredentials(scene, LIMITS.oauth.perMinuteMax, "'UNCONNECTED', null, null, now(), 0, null");
  const waiting = scene.ship();
  const neighbour = await newScene();
  isDone(await neighbour.ship());
  assert.equal(scene.server.requests.length, 0);
  const database = connectAs('svc_gateway');
  let looks = 0;
  const clock = (): Date => {
    looks += 1;
    return new Date();
  };
  const closesAt = performance.now() + 2_500;
  const desk = { database, clock, isClosing: () => performance.now() > closesAt } as unknown as TokenDesk;
  assert.equal(await haveAccessToken(desk, { organization_id, credential_id: scene.credentialId }), undefined);
  await database.destroy();
  assert.ok(looks <= 6, `it looked ${looks} times`);
  await owner.query(
    "update credential_tokens set lease_began_at = now() - interval '2 minutes' where organization_id = $1 and lease_began_at is not null",
    [organization_id],
  );
  await waiting;
  isDone(await scene.ship());
});

test('invalid_client is retried like invalid_grant, and at once with another client authentication', async () => {
  const scene = await newScene({ oauth: { grant: 'CLIENT_CREDENTIALS' } });
  scene.server.lie = (to) => void to.writeHead(400).end('{"error":"invalid_grant"}');
  assert.equal((await scene.ship()).status, 503);
  const { connection } = (await scene.credential()).json.oauth;
  assert.equal(connection.state, 'CONNECTED');
  assert.match(connection.failure, /rotate the credential with what the application proves itself by now/);
  scene.server.lie = undefined;
  await passBackoff(scene.credentialId);
  isDone(await scene.ship());
  await expire(scene);
  await owner.query("update credential_tokens set state = 'ERROR' where credential_id = $1", [scene.credentialId]);
  assert.equal((await scene.ship(1)).status, 503);
  const rotated = await scene.owner('POST', `/v1/credentials/${scene.credentialId}/rotate`, { client_secret: CLIENT_SECRET });
  assert.equal(rotated.json.oauth.connection.state, 'CONNECTED');
  isDone(await scene.ship(1));
});

test('a failed refresh with the client secret from before a rotation does not affect the new one, and is awaited', async () => {
  const scene = await newScene();
  const { server, credentialId } = scene;
  const under = { way: 0, atOnce: 0 };
  server.lie = async (to, grant, { authorization }) => {
    under.way += 1;
    under.atOnce = Math.max(under.atOnce, under.way);
    const isOld = authorization === `Basic ${btoa(`the-service:${CLIENT_SECRET}`)}`;
    if (isOld) {
      await scene.owner('POST', `/v1/credentials/${credentialId}/rotate`, { client_secret: 'the-next-secret-of-the-client' });
      void scene.ship(1);
      await sleep(500);
    }
    under.way -= 1;
    to.writeHead(isOld ? 400 : 200, { 'content-type': 'application/json' }).end(
      JSON.stringify(isOld ? { error: 'invalid_grant' } : grant()),
    );
  };
  await scene.ship();
  const { connection } = (await scene.credential()).json.oauth;
  assert.deepEqual([connection.state, connection.failure, connection.failures], ['CONNECTED', null, 0]);
  assert.deepEqual(await readFailures(credentialId), []);
  isDone(await scene.ship());
  assert.deepEqual([server.requests.length, under.atOnce], [2, 1]);
});

test('limits due refreshes of one organization per round, abandoned ones first', async () => {
  const scene = await newScene();
  const { organization_id } = scene.tenant;
  // Due at a time that only the query below reads.
  await addCredentials(scene, 6, "'CONNECTED', null, null, null, 1, timestamptz '2100-01-01 00:00Z' + n * interval '1 second'");
  await owner.query(
    `update credential_tokens set lease_id = 'req_gone', leased_until = '2100-02-01', failures = 0, retry_at = null
      where organization_id = $1 and credential_id like 'cred_0000000000%5'`,
    [organization_id],
  );
  const identity = connectAs('svc_identity');
  const due = await findDueRefreshes(identity, new Date('2101-01-01'), { countMax: 10_000, ofOneMax: 2 });
  await identity.destroy();
  const own = due.filter((each) => each.organization_id === organization_id).map(({ credential_id }) => credential_id.slice(-1));
  assert.deepEqual(own, ['5', '1']);
});

test('state written by a clock that was ahead causes no delay once the clock is correct', async () => {
  const scene = await newScene();
  const { organization_id } = scene.tenant;
  const ahead = "now() + interval '1 day'";
  await addCredentials(scene, LIMITS.oauth.perMinuteMax, `'CONNECTED', null, null, ${ahead}, 0, null`);
  for (const written of [`lease_id = 'req_gone', leased_until = ${ahead}`, `failures = 3, retry_at = ${ahead}`]) {
    await expire(scene);
    await owner.query(`update credential_tokens set lease_began_at = ${ahead}, ${written} where credential_id = $1`, [scene.credentialId]);
    isDone(await scene.ship());
  }
  await owner.query(`update credential_tokens set lease_id = 'req_gone', leased_until = ${ahead} where credential_id = $1`, [
    scene.credentialId,
  ]);
  const identity = connectAs('svc_identity');
  const due = await findDueRefreshes(identity, new Date(), { countMax: 10_000, ofOneMax: 500 });
  await identity.destroy();
  assert.ok(due.some((each) => each.organization_id === organization_id && each.credential_id === scene.credentialId));
});
