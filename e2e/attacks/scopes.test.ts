import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BUILT_IN_ROLES } from '@svc/contract/tables/built-in-roles.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, signUp, stepUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { readTables } from '@svc/testing/records/read-tables.ts';
import type pg from 'pg';
import { buildBody } from '../rows/bodies.ts';
import { buildPath, CONTROL_ROWS, type NamedRow, type RowTestSetting } from '../rows/setting.ts';
import { type AttackPlace, newPlace } from './place.ts';

let planes: Planes;
let db: pg.Client;
/** Scope of the callers, and the scope that they must not reach. */
let mine: AttackPlace;
let theirs: AttackPlace;
/**
 * An administrator's key limited to one workspace, the owner's session narrowed to it, an administrator and a key limited to two, and
 * another organization's owner.
 */
let callers: Readonly<Record<string, { readonly token: string; readonly headers?: Record<string, string> }>>;

before(async () => {
  planes = await leasePlanes();
  db = await planes.database.client();
  const tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  mine = await newPlace(planes, tenant);
  theirs = await newPlace(planes, tenant);
  const { token, workspace_id, environment_id } = mine.tenant;
  const body = { name: 'limited', role_id: BUILT_IN_ROLES[1].id, workspace_id };
  const key = await newControlClient(planes.controlUrl, token).createApiKey({ body });
  const workspaces = [workspace_id, (await newWorkspace(token)).id];
  const member = await insertPerson(db, tenant.organization_id, 'admin', { steppedUp: true, workspaces });
  const wide = await newControlClient(planes.controlUrl, token).createApiKey({ body: { name: 'several', role_id: body.role_id } });
  await db.query('update api_keys set workspace_ids = $2 where id = $1', [wide.api_key.id, workspaces]);
  const stranger = await signUp(planes.controlUrl);
  await stepUp(planes.controlUrl, stranger);
  callers = {
    'a key of another workspace': { token: key.token },
    'a key of another workspace that narrows itself': { token: key.token, headers: { 'x-svc-environment': environment_id } },
    'a session narrowed to another workspace': { token, headers: { 'x-svc-workspace': workspace_id } },
    'a session narrowed to another environment': { token, headers: { 'x-svc-environment': environment_id } },
    'a member of other workspaces': { token: member.token },
    'a key of several other workspaces': { token: wide.token },
    'another organization': { token: stranger.token },
  };
});
after(async () => {
  await db.end();
  await planes.stop();
});

const newWorkspace = (token: string) => newControlClient(planes.controlUrl, token).createWorkspace({ body: { name: 'One more' } });

const OUTSIDE = ['NOT_FOUND', 'PERMISSION_DENIED', 'TENANT_MISMATCH'];

const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? String(status);

/** Returns bodies that make a row act on another scope's resources, in addition to its path. */
const bodiesNaming = (name: string, { tenant, agent, resources }: AttackPlace): readonly object[] => {
  const plain = buildBody(name, { tenant, agent, resources } as unknown as RowTestSetting);
  const { workspace_id, environment_id } = tenant;
  if (name === 'createApiKey') return [{ ...plain, workspace_id }];
  if (name === 'activatePolicy') return [{ ...plain, version_id: resources.versionId }];
  if (name === 'createPolicy') {
    const targets = { WORKSPACE: workspace_id, ENVIRONMENT: environment_id, AGENT: agent.id, ORGANIZATION: tenant.organization_id };
    return Object.entries(targets).map(([scope, id]) => ({ ...plain, binding: { scope, id } }));
  }
  return [plain];
};

/** Rows whose body names a resource by id although their path does not. */
const NAMES_IN_BODY = [
  'createApiKey',
  'createEnvironment',
  'createAgent',
  'createTool',
  'createPolicy',
  'simulatePolicy',
  'evaluateAction',
];

/**
 * A terminal's request has no owner before a person approves it; onboarding steps and identities belong to each person; the catalogue and
 * the kinds of emergency controls are the same for all.
 */
const REACHES_OUT = (row: NamedRow): boolean =>
  (row[1].path.includes('{') && !/\{(requestId|step|identityId|application|control)\}/.test(row[1].path)) || NAMES_IN_BODY.includes(row[0]);

/** A saved search belongs to its owner in any scope; for others it does not exist. */
const isOwn = ([, row]: NamedRow, who: string): boolean => row.path.includes('{searchId}') && who.startsWith('a session narrowed');

const ask = (
  [name, row]: NamedRow,
  place: AttackPlace,
  caller: { token: string; headers?: Record<string, string> },
): Promise<TestResponse[]> =>
  Promise.all(
    (row.body ? bodiesNaming(name, place) : [undefined]).map((body) =>
      call(planes.controlUrl, row.method, buildPath(row, place.resources), { ...caller, body }),
    ),
  );

describe('an object outside the scope of the caller', () => {
  test('is not found on any row, by path or by body, and stays unchanged', async () => {
    const before = await readTables(db);
    for (const [who, caller] of Object.entries(callers)) {
      for (const row of CONTROL_ROWS.filter((each) => REACHES_OUT(each) && !isOwn(each, who))) {
        for (const answer of await ask(row, theirs, caller)) {
          // No key can re-authenticate, for any id.
          const isForPeople = who.includes('key') && getCode(answer) === 'STEP_UP_REQUIRED';
          const isOwnOrganization = isForPeople || (row[0] === 'createPolicy' && getCode(answer) === 'VALIDATION_FAILED');
          // Roles, single sign-on connections, break-glass grants, blocks and trust providers belong to the organization and may be read by
          // anyone with permission; none of them is changed, as the tables show.
          const isForAll =
            /\{(roleId|connectionId|breakGlassId|blockId|trustProviderId)\}/.test(row[1].path) && who !== 'another organization';
          assert.ok(
            isForAll || isOwnOrganization || OUTSIDE.includes(getCode(answer)),
            `${row[0]} by ${who}: ${answer.text.slice(0, 300)}`,
          );
        }
      }
    }
    assert.deepEqual(await readTables(db), before);
  });

  test('is not in any list, search or response about the inside', async () => {
    const { tenant, agent, resources } = theirs;
    // A value without a prefix is a word of the contract and names no row.
    const ids = Object.values(resources).filter((each) => each.includes('_'));
    const secrets = [tenant.workspace_id, tenant.environment_id, agent.id, agent.name, ...ids];
    for (const [who, caller] of Object.entries(callers)) {
      for (const [name, row] of CONTROL_ROWS.filter(([, r]) => r.method === 'GET')) {
        const path = buildPath(row, mine.resources);
        const all = row.path.includes('{') ? [path] : [path, `${path}?limit=200`];
        for (const url of all) {
          const { text } = await call(planes.controlUrl, 'GET', url, caller);
          // These belong to the organization, for anyone who may read it, or to the caller.
          const ofAll = [resources.rateId, resources.roleId, resources.connectionId, resources.identityId];
          ofAll.push(resources.blockId, resources.trustProviderId, resources.breakGlassId);
          const isForAll = (secret: string) =>
            (ofAll.includes(secret) && who !== 'another organization') ||
            (secret === resources.searchId && who.startsWith('a session narrowed'));
          for (const secret of secrets.filter((each) => !isForAll(each))) {
            assert.ok(!text.includes(secret), `${name} shows ${secret} to ${who}`);
          }
        }
      }
    }
  });

  test('cannot be reached by mixing ids of both sides', async () => {
    const before = await readTables(db);
    const caller = callers['a key of another workspace'] as { token: string };
    const { resources: r, tenant: t, agent } = mine;
    const post = (path: string, body: object) => call(planes.controlUrl, 'POST', path, { ...caller, body });
    const person = { token: t.token, headers: { 'x-svc-workspace': t.workspace_id } };
    const tries: readonly (readonly [string, Promise<TestResponse>])[] = [
      ['their agent on my tool', post(`/v1/tools/${r.toolId}/agents`, { agent_id: theirs.agent.id })],
      ['my agent on their tool', post(`/v1/tools/${theirs.resources.toolId}/agents`, { agent_id: agent.id })],
      [
        'my workspace, their environment',
        post('/v1/agents', { ...buildBody('createAgent', mine as never), environment_id: theirs.tenant.environment_id }),
      ],
      [
        'their workspace, my environment',
        post('/v1/agents', { ...buildBody('createAgent', mine as never), workspace_id: theirs.tenant.workspace_id }),
      ],
      ['their tool for my agent', post('/v1/actions/evaluate', { agent_id: agent.id, tool: theirs.resources.toolId, dry_run: true })],
      [
        'their version of my policy',
        call(planes.controlUrl, 'POST', `/v1/policies/${r.policyId}/activate`, {
          ...person,
          body: { version_id: theirs.resources.versionId, reason: 'x' },
        }),
      ],
      ['their version in a test run', post(`/v1/policies/${r.policyId}/tests/run`, { version_id: theirs.resources.versionId })],
      [
        'their version in a preview',
        post(`/v1/policies/${r.policyId}/tests/preview`, {
          ...buildBody('previewPolicyTests', mine as never),
          version_id: theirs.resources.versionId,
        }),
      ],
      ['a key without a limit', post('/v1/api-keys', { name: 'wide', role_id: BUILT_IN_ROLES[6].id })],
    ];
    for (const [what, answering] of tries) {
      const answer = await answering;
      const decided = answer.status === 200 ? answer.json.code : getCode(answer);
      assert.ok([...OUTSIDE, 'VALIDATION_FAILED'].includes(decided), `${what}: ${answer.text.slice(0, 300)}`);
    }
    assert.deepEqual(await readTables(db), before);
  });

  test('is not revealed by an approval, a filter or a cursor of the other side', async () => {
    const caller = callers['a key of another workspace'] as { token: string };
    const evaluate = (approval_id: string) =>
      call(planes.controlUrl, 'POST', '/v1/actions/evaluate', {
        ...caller,
        body: { agent_id: mine.agent.id, tool: 'x', approval_id, dry_run: true },
      });
    const foreign = await evaluate(theirs.resources.approvalId ?? '');
    const none = await evaluate('apr_7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
    assert.equal(foreign.json.code, 'APPROVAL_NOT_GRANTED');
    assert.equal(foreign.json.reason, none.json.reason);
    const wide = await mustCall(planes.controlUrl, 'GET', '/v1/audit-events?limit=1', { token: mine.tenant.token });
    const cursor = encodeURIComponent(wide.page.next_cursor);
    assert.equal(getCode(await call(planes.controlUrl, 'GET', `/v1/audit-events?limit=1&cursor=${cursor}`, caller)), 'VALIDATION_FAILED');
    for (const filter of [`actor_id=${theirs.agent.id}`, `subject_id=${theirs.agent.id}`, `q=${theirs.agent.id}`]) {
      assert.deepEqual((await mustCall(planes.controlUrl, 'GET', `/v1/audit-events?${filter}`, caller)).data, [], filter);
    }
    assert.deepEqual((await mustCall(planes.controlUrl, 'GET', `/v1/actions?agent_id=${theirs.agent.id}`, caller)).data, []);
  });
});

test('a call narrowed to an environment cannot change anything wider', async () => {
  const before = await readTables(db);
  const caller = callers['a session narrowed to another environment'] as { token: string; headers: Record<string, string> };
  for (const [method, path, body] of [
    ['PATCH', '/v1/organization', { name: 'Taken over' }],
    ['POST', '/v1/workspaces', { name: 'One more' }],
    ['POST', '/v1/api-keys', { name: 'wide', role_id: BUILT_IN_ROLES[1].id }],
    ['POST', '/v1/environments', buildBody('createEnvironment', mine as never)],
  ] as const) {
    const answer = await call(planes.controlUrl, method, path, { ...caller, body });
    assert.equal(getCode(answer), 'PERMISSION_DENIED', `${path}: ${answer.text.slice(0, 200)}`);
  }
  assert.deepEqual(await readTables(db), before);
});

describe('at the gateway', () => {
  test('an agent cannot reach anything of another agent, of its own organization or not', async () => {
    const before = await readTables(db);
    const get = (path: string) => call(planes.gatewayUrl, 'GET', path, { token: mine.agentToken });
    const post = (path: string, body: object) => call(planes.gatewayUrl, 'POST', path, { token: mine.agentToken, body });
    const { actionId, approvalId, toolId } = theirs.resources;
    for (const answer of [
      await get(`/gateway/v1/actions/${actionId}`),
      await get(`/gateway/v1/approvals/${approvalId}`),
      await post(`/gateway/v1/actions/${actionId}/outcome`, { status: 'COMPLETED' }),
    ]) {
      assert.equal(getCode(answer), 'NOT_FOUND', answer.text);
    }
    assert.deepEqual(await readTables(db), before);
    const foreignTool = await post('/gateway/v1/actions', { tool: toolId });
    const noTool = await post('/gateway/v1/actions', { tool: 'tool_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' });
    assert.equal(getCode(foreignTool), 'NOT_FOUND');
    assert.equal(foreignTool.json.error.message.replace(toolId, 'ID'), noTool.json.error.message.replace(/tool_7Z+/, 'ID'));
  });

  test('a scope header does not move an agent', async () => {
    const headers = { 'x-svc-environment': theirs.tenant.environment_id, 'x-svc-workspace': theirs.tenant.workspace_id };
    const answer = await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', {
      token: mine.agentToken,
      headers,
      body: { tool: theirs.resources.toolId },
    });
    assert.equal(getCode(answer), 'NOT_FOUND');
    assert.equal(answer.json.error.details.decision.mode, 'ENFORCE');
  });
});
