import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newOauthScene, OAUTH_ENV, type OauthScene } from '@svc/testing/agents/oauth-scene.ts';
import { startTokenServer } from '@svc/testing/peers/token-server.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

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

const newScene = async (...terms: [Parameters<typeof newOauthScene>[1]?]): Promise<OauthScene> => {
  const scene = await newOauthScene(planes, ...terms);
  scenes.push(scene);
  return scene;
};

const UNAVAILABLE = [503, 'CREDENTIAL_SERVICE_UNAVAILABLE'];

test('an access token is not sent if its credential was changed by hand, even if a gateway has it already', async () => {
  const scene = await newScene();
  assert.equal((await scene.ship()).json.status, 'COMPLETED');
  await owner.query("update credentials set destinations = array_append(destinations, '*.elsewhere.example') where id = $1", [
    scene.credentialId,
  ]);
  const { status, json, text } = await scene.ship();
  assert.deepEqual([status, json.error?.code], UNAVAILABLE, text);
  assert.equal(scene.service.tokens.length, 1);
});

test('refresh tokens and client secrets are not sent to a token endpoint that was written by hand', async () => {
  const [scene, another] = [await newScene(), await startTokenServer()];
  try {
    await owner.query("update credentials set oauth = jsonb_set(oauth, '{token_url}', to_jsonb($2::text)) where id = $1", [
      scene.credentialId,
      another.url,
    ]);
    const { status, json, text } = await scene.ship();
    assert.deepEqual([status, json.error?.code], UNAVAILABLE, text);
    assert.deepEqual([scene.server.requests.length, another.requests.length, scene.service.tokens.length], [0, 0, 0]);
  } finally {
    await another.close();
  }
});

test('a value written by hand is not sealed again by a rotation or shown during a connection', async () => {
  const scene = await newScene({ oauth: { authorization_url: 'http://127.0.0.1:9/authorize' } });
  const path = `/v1/credentials/${scene.credentialId}`;
  assert.equal((await scene.owner('POST', `${path}/connect`, {})).status, 200);
  const write = "update credentials set oauth = jsonb_set(oauth, '{authorization_url}', '\"http://127.0.0.1:8/elsewhere\"') where id = $1";
  await owner.query(write, [scene.credentialId]);
  const asked = [
    ['connect', {}],
    ['rotate', { client_secret: 'another-secret-of-the-client' }],
    ['rotate', { refresh_token: 'another-refresh-token' }],
    ['test', { url: scene.service.url }],
  ] as const;
  for (const [what, body] of asked) {
    const { status, json, text } = await scene.owner('POST', `${path}/${what}`, body);
    assert.deepEqual([status, json.error?.code], UNAVAILABLE, `${what}: ${text}`);
  }
  assert.equal((await scene.owner('POST', `${path}/revoke`, { reason: 'changed by hand' })).status, 200);
});
