import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';
import { type AttackPlace, newPlace } from '../attacks/place.ts';
import { buildBody } from '../rows/bodies.ts';
import type { RowTestSetting } from '../rows/setting.ts';
import { assertRefused, assertStoresNothing, normalizeResponse } from './refusals.ts';

let planes: Planes;
let owner: pg.Client;
let mine: AttackPlace;
let theirs: AttackPlace;
before(async () => {
  planes = await leasePlanes();
  owner = await planes.database.client();
  const places = [];
  for (let n = 0; n < 2; n += 1) {
    const tenant = await newTenant(planes);
    await stepUp(planes.controlUrl, tenant);
    places.push(await newPlace(planes, tenant));
  }
  [mine, theirs] = places as [AttackPlace, AttackPlace];
});
after(async () => {
  await owner.end();
  await planes.stop();
});

/** A body member that names a resource by id: how to send it, and which id of another tenant to use. */
type Naming = { readonly path: string; readonly body: (id: string) => object; readonly foreign: (place: AttackPlace) => string };

const right = (name: string): Record<string, unknown> => buildBody(name, { ...mine } as unknown as RowTestSetting);

const NAMINGS: Readonly<Record<string, () => Naming>> = {
  'workspace_id of an environment': () => ({
    path: '/v1/environments',
    body: (id) => ({ ...right('createEnvironment'), workspace_id: id }),
    foreign: ({ tenant }) => tenant.workspace_id,
  }),
  'environment_id of an agent': () => ({
    path: '/v1/agents',
    body: (id) => ({ ...right('createAgent'), environment_id: id }),
    foreign: ({ tenant }) => tenant.environment_id,
  }),
  'workspace_id of an API key': () => ({
    path: '/v1/api-keys',
    body: (id) => ({ ...right('createApiKey'), workspace_id: id }),
    foreign: ({ tenant }) => tenant.workspace_id,
  }),
  'role_id of an API key': () => ({
    path: '/v1/api-keys',
    body: (id) => ({ ...right('createApiKey'), role_id: id }),
    foreign: () => 'rol_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  }),
  'environment_id of a tool': () => ({
    path: '/v1/tools',
    body: (id) => ({ ...right('createTool'), environment_id: id }),
    foreign: ({ tenant }) => tenant.environment_id,
  }),
  'agent_id of a tool’s agent': () => ({
    path: `/v1/tools/${mine.resources.toolId}/agents`,
    body: (id) => ({ agent_id: id }),
    foreign: ({ agent }) => agent.id,
  }),
  'organization a policy is bound to': () => ({
    path: '/v1/policies',
    body: (id) => ({ ...right('createPolicy'), binding: { scope: 'ORGANIZATION', id } }),
    foreign: ({ tenant }) => tenant.organization_id,
  }),
  'workspace a policy is bound to': () => ({
    path: '/v1/policies',
    body: (id) => ({ ...right('createPolicy'), binding: { scope: 'WORKSPACE', id } }),
    foreign: ({ tenant }) => tenant.workspace_id,
  }),
  'environment a policy is bound to': () => ({
    path: '/v1/policies',
    body: (id) => ({ ...right('createPolicy'), binding: { scope: 'ENVIRONMENT', id } }),
    foreign: ({ tenant }) => tenant.environment_id,
  }),
  'agent a policy is bound to': () => ({
    path: '/v1/policies',
    body: (id) => ({ ...right('createPolicy'), binding: { scope: 'AGENT', id } }),
    foreign: ({ agent }) => agent.id,
  }),
  'version_id of an activation': () => ({
    path: `/v1/policies/${mine.resources.policyId}/activate`,
    body: (id) => ({ version_id: id, reason: 'because' }),
    foreign: ({ resources }) => resources.versionId,
  }),
  'version_id of a test run': () => ({
    path: `/v1/policies/${mine.resources.policyId}/tests/run`,
    body: (id) => ({ version_id: id }),
    foreign: ({ resources }) => resources.versionId,
  }),
  'version_id of a preview': () => ({
    path: `/v1/policies/${mine.resources.policyId}/tests/preview`,
    body: (id) => ({ ...right('previewPolicyTests'), version_id: id }),
    foreign: ({ resources }) => resources.versionId,
  }),
  'agent_id of a simulation': () => ({
    path: '/v1/policies/simulate',
    body: (id) => ({ agent_id: id }),
    foreign: ({ agent }) => agent.id,
  }),
  'agentId of a simulation': () => ({ path: '/v1/policies/simulate', body: (id) => ({ agentId: id }), foreign: ({ agent }) => agent.id }),
  'agent_id of an evaluation': () => ({
    path: '/v1/actions/evaluate',
    body: (id) => ({ agent_id: id, tool: 'x' }),
    foreign: ({ agent }) => agent.id,
  }),
};

const MALFORMED = ['nothing', ' ', '../../x', "' or 1=1 --", '%', '*', 'null', '0', 'agt_', `agt_${'Z'.repeat(26)}`, '💥', 'x'.repeat(64)];

const post = (path: string, body: object): Promise<TestResponse> =>
  call(planes.controlUrl, 'POST', path, { token: mine.tenant.token, body });

describe('an id in a body', () => {
  for (const [what, make] of Object.entries(NAMINGS)) {
    test(`${what}: that of another tenant is answered byte for byte like an unknown one and a malformed one`, () =>
      assertStoresNothing(owner, async () => {
        const { path, body, foreign } = make();
        const id = foreign(theirs);
        const unknown = `${id.split('_')[0]}_7ZZZZZZZZZZZZZZZZZZZZZZZZZ`;
        const expected = normalizeResponse(await post(path, body(unknown)));
        assertRefused(await post(path, body(unknown)), 'NOT_FOUND', 'never issued');
        for (const other of [id, ...MALFORMED, id.toLowerCase(), `${id} `])
          assert.equal(normalizeResponse(await post(path, body(other))), expected, other);
      }));
  }

  test('of another kind that exists here is unknown too', () =>
    assertStoresNothing(owner, async () => {
      for (const [what, make] of Object.entries(NAMINGS)) {
        const { path, body } = make();
        for (const id of [mine.tenant.user.id, mine.resources.actionId ?? '']) assertRefused(await post(path, body(id)), 'NOT_FOUND', what);
      }
    }));
});

describe('an id that an agent names', () => {
  const act = (body: object) => call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token: mine.agentToken, body });
  const told = ({ json }: TestResponse) => [json.error.code, json.error.message];

  test('of a tool, approval or delegation of another tenant is answered like an unknown one', async () => {
    const { toolId = '', approvalId = '' } = theirs.resources;
    const never = (id: string) => `${id.split('_')[0]}_7ZZZZZZZZZZZZZZZZZZZZZZZZZ`;
    for (const body of [(id: string) => ({ tool: id }), (id: string) => ({ tool: 'x', delegation_id: id })]) {
      const [code, message] = told(await act(body(toolId)));
      assert.deepEqual([code, message.replaceAll(toolId, never(toolId))], told(await act(body(never(toolId)))));
    }
    assert.deepEqual(
      told(await act({ tool: 'x', approval_id: approvalId })),
      told(await act({ tool: 'x', approval_id: never(approvalId) })),
    );
    for (const id of MALFORMED) assertRefused(await act({ tool: id }), 'NOT_FOUND', id);
  });
});

describe('an id in a path', () => {
  const PATHS = [
    '/v1/agents/{}',
    '/v1/tools/{}',
    '/v1/policies/{}',
    '/v1/actions/{}',
    '/v1/approvals/{}',
    '/v1/audit-events/{}',
    '/v1/agents/{}/health',
  ];
  const get = (path: string) => call(planes.controlUrl, 'GET', path, { token: mine.tenant.token });

  test('that is malformed is not found, in any form', async () => {
    const written = [
      ...MALFORMED.filter((id) => !id.includes('/')),
      '%2e%2e',
      '%2e%2e%2f%2e%2e',
      '..%2f..',
      'a%2fb',
      '%00',
      '%0d%0aset-cookie:x',
      '%ed%a0%80',
      '\u202e',
      'a'.repeat(199),
    ];
    for (const path of PATHS) {
      for (const id of written) {
        const answer = await get(path.replace('{}', id.includes('%') && id.length > 1 ? id : encodeURIComponent(id)));
        assertRefused(answer, ['NOT_FOUND', 'INVALID_REQUEST'], `${path} ${id}`);
      }
      assertRefused(await get(path.replace('{}', 'a'.repeat(10_000))), ['NOT_FOUND', 'INVALID_REQUEST'], 'very long');
      assertRefused(await get(path.replace('{}', '%zz')), 'INVALID_REQUEST', 'no encoding');
    }
  });
});
