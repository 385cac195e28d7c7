import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CLIENT_SECRET, newOauthScene, OAUTH_ENV, type OauthScene } from '@svc/testing/agents/oauth-scene.ts';
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

const newScene = async (): Promise<OauthScene> => {
  const scene = await newOauthScene(planes);
  scenes.push(scene);
  return scene;
};

/** Moves the last refresh into the past, so that a refused token is replaced. */
const passSpacing = ({ credentialId }: OauthScene) =>
  owner.query('update credential_tokens set lease_began_at = null where credential_id = $1', [credentialId]);

const getToken = (authorization: string | undefined): string => authorization?.slice('Bearer '.length) ?? assert.fail();

/** Returns a service's echo in a response as the agent receives it. */
const toldBack = async (scene: OauthScene, texts: readonly string[], gateway = 0): Promise<unknown> => {
  scene.service.tells = () => texts;
  const { json, text } = await scene.ship(gateway);
  assert.equal(json.status, 'COMPLETED', text);
  return json.execution.result.tells;
};

const HIDDEN = '[credential]';

test('a refused token is hidden in the next response, and so are the credentials that obtain tokens', async () => {
  const scene = await newScene();
  const { server, service } = scene;
  await toldBack(scene, []);
  const first = getToken(service.tokens[0]);
  service.takes = (token) => token !== `Bearer ${first}` && server.isAccessToken(token);
  await passSpacing(scene);
  const refreshToken = 'refresh-token-3-of-this-server';
  assert.deepEqual(await toldBack(scene, [first, CLIENT_SECRET, refreshToken]), [HIDDEN, HIDDEN, HIDDEN]);
  assert.equal(new Set(service.tokens).size, 2);
  await passSpacing(scene);
  service.takes = (token) => token === undefined;
  await scene.ship();
  assert.equal(server.requests.at(-1)?.form.get('refresh_token'), refreshToken);
});

test('the previous token is hidden while it is valid, also by a gateway that never sent it, after any replacement', async () => {
  const scene = await newScene();
  const { server, service } = scene;
  await toldBack(scene, []);
  const first = getToken(service.tokens[0]);
  service.takes = (token) => token !== `Bearer ${first}` && server.isAccessToken(token);
  await passSpacing(scene);
  await toldBack(scene, []);
  assert.deepEqual(await toldBack(scene, [first], 1), [HIDDEN]);
  const second = getToken(service.tokens.at(-1));
  assert.notEqual(second, first);
  const rotated = await scene.owner('POST', `/v1/credentials/${scene.credentialId}/rotate`, { refresh_token: server.firstToken() });
  assert.equal(rotated.status, 200, rotated.text);
  assert.deepEqual(await toldBack(scene, [second], 1), [HIDDEN]);
  const third = getToken(service.tokens.at(-1));
  assert.notEqual(third, second);
});
