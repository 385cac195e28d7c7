import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { newOauthScene, OAUTH_ENV, type OauthScene } from '@svc/testing/agents/oauth-scene.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
const scenes: OauthScene[] = [];
before(async () => {
  planes = await leasePlanes({ env: OAUTH_ENV });
});
after(async () => {
  await Promise.all([planes.stop(), ...scenes.map((each) => each.close())]);
});

const newScene = async (): Promise<OauthScene> => {
  const scene = await newOauthScene(planes);
  scenes.push(scene);
  return scene;
};

const readToolId = async ({ owner, toolName }: OauthScene): Promise<string> =>
  (await owner('GET', `/v1/tools?q=${toolName}`)).json.items[0].id;

/** Stops, and the refusal of a later request. */
const STOPS: Readonly<Record<string, { readonly stop: (scene: OauthScene) => Promise<unknown>; readonly code: string }>> = {
  'its tool was disabled': {
    stop: async (scene) => scene.owner('POST', `/v1/tools/${await readToolId(scene)}/disable`, { reason: 'Stopped.' }),
    code: 'TOOL_DISABLED',
  },
  'no agent may use its tool any more': {
    stop: async (scene) => scene.owner('POST', `/v1/tools/${await readToolId(scene)}/restrict`, { agent_ids: [], reason: 'Stopped.' }),
    code: 'TOOL_NOT_AUTHORIZED',
  },
  'its credential was revoked': {
    stop: ({ owner, credentialId }) => owner('POST', `/v1/credentials/${credentialId}/revoke`, { reason: 'Stopped.' }),
    code: 'INVALID_CREDENTIAL_REFERENCE',
  },
};

const mustStop = async (scene: OauthScene, stop: (scene: OauthScene) => Promise<unknown>): Promise<void> => {
  const { status, text } = (await stop(scene)) as { readonly status: number; readonly text: string };
  assert.equal(status, 200, text);
};

describe('nothing is sent for an action that waited for an access token while', () => {
  for (const [what, { stop }] of Object.entries(STOPS))
    test(what, async () => {
      const scene = await newScene();
      scene.server.lie = async (response, grant) => {
        await mustStop(scene, stop);
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(grant()));
      };
      const { json, text } = await scene.ship();
      assert.match(json.error?.code ?? '', /^(?:EXECUTION_FAILED|CREDENTIAL_SERVICE_UNAVAILABLE)$/, text);
      assert.deepEqual([scene.server.requests.length, scene.service.tokens.length], [1, 0]);
    });
});

describe('nothing is sent for an action that waited for an approval while', () => {
  for (const [what, { stop, code }] of Object.entries(STOPS))
    test(`${what}, also if a person approves it afterwards`, async () => {
      const scene = await newScene();
      await activateRules(scene.tenant, 'looked at', [{ id: 'person', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }]);
      const held = (await scene.ship()).json.error;
      assert.equal(held.code, 'APPROVAL_REQUIRED', JSON.stringify(held));
      const { approval_id } = held.details;
      await mustStop(scene, stop);
      assert.equal((await scene.owner('GET', `/v1/approvals/${approval_id}`)).json.status, 'PENDING');
      assert.equal((await scene.owner('POST', `/v1/approvals/${approval_id}/approve`, {})).status, 200);
      const { json, text } = await scene.act({ tool: scene.toolName, approval_id });
      assert.equal(json.error?.code, code, text);
      assert.deepEqual([scene.server.requests.length, scene.service.tokens.length], [0, 0]);
    });
});
