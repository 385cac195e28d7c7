import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newOauthScene, OAUTH_ENV } from '@svc/testing/agents/oauth-scene.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';

let planes: StartedPlanes;
before(async () => {
  planes = await startPlanes({ env: { ...OAUTH_ENV, GATEWAY_ALLOW_REAL_EGRESS: 'false' } });
});
after(() => planes.stop());

/** Longer than the interval of background refreshes. */
const ROUND_MS = 6_000;

test('no token endpoint is requested while egress is off: not by a test call, a connection, a tool or a prefetch', async () => {
  const grants = ['REFRESH_TOKEN', 'CLIENT_CREDENTIALS'];
  const getOauth = (grant: string) => ({ grant, ...(grant === grants[0] ? { authorization_url: 'https://login.example/authorize' } : {}) });
  const scenes = await Promise.all(grants.map((grant) => newOauthScene(planes, { oauth: getOauth(grant) })));
  const database = await planes.database.client();
  try {
    for (const { owner, credentialId, service, ship } of scenes) {
      const tried = (await owner('POST', `/v1/credentials/${credentialId}/test`, { url: service.url })).json;
      assert.deepEqual([tried.status, tried.failure?.reason], [null, 'EGRESS_OFF'], JSON.stringify(tried));
      await ship();
    }
    const [first] = scenes;
    const connecting = await first?.owner('POST', `/v1/credentials/${first.credentialId}/connect`);
    assert.equal(connecting?.status, 409);
    assert.match(connecting?.text ?? '', /GATEWAY_ALLOW_REAL_EGRESS/);
    // Like those of a process that ended, which are taken up first.
    await database.query("update credential_tokens set lease_id = 'req_gone', leased_until = now() - interval '1 second'");
    await sleep(ROUND_MS);
    for (const { server, service } of scenes) assert.deepEqual([server.requests.length, service.tokens.length], [0, 0]);
    const { rows } = await database.query('select failures, failure from credential_tokens');
    assert.deepEqual(rows, Array(2).fill({ failures: 0, failure: null }), 'and nobody is told of a failure');
  } finally {
    await Promise.all([database.end(), ...scenes.map((scene) => scene.close())]);
  }
});
