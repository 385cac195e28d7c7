import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BUILT_IN_ROLES } from '@svc/contract/tables/built-in-roles.ts';
import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { AMOUNT_RULES, HELD, SMALL } from '@svc/testing/agents/governed-environment.ts';
import { sampleFew } from '@svc/testing/length/test-length.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { ask, assertRefused, type DatabaseOwner, ENV, type ModeEnvironment, measure, newPlaces } from './scene.ts';

let planes: Planes;
let tenant: Tenant;
let owner: DatabaseOwner;
let place: ModeEnvironment;
let apiKey: string;
let approvalId: string;

before(async () => {
  planes = await startPlanes({ env: ENV });
  owner = await planes.database.client();
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  await activateRules(tenant, 'amounts', AMOUNT_RULES);
  const [enforcing] = await newPlaces(tenant, planes.gatewayUrl, 'http://127.0.0.1:9');
  place = enforcing as ModeEnvironment;
  const role = BUILT_IN_ROLES.find(({ name }) => name === 'viewer');
  const body = { name: 'reader', role_id: role?.id };
  apiKey = (await mustCall(planes.controlUrl, 'POST', '/v1/api-keys', { token: tenant.token, body })).token;
  approvalId = (await ask(planes.gatewayUrl, place, { tool: 'note', amount: HELD })).answer.json.error.details.approval_id;
});
after(async () => {
  await owner?.end();
  await planes?.stop();
});

type Ask = (n: number) => Promise<TestResponse>;
const asOwner =
  (method: string, path: () => string, body?: (n: number) => object, headers?: (n: number) => Record<string, string>): Ask =>
  (n) =>
    call(planes.controlUrl, method, path(), {
      token: tenant.token,
      ...(body ? { body: body(n) } : {}),
      ...(headers ? { headers: headers(n) } : {}),
    });

const NOBODY = { password: 'correct horse battery staple', name: 'Nobody', organizationName: 'None' };

/** Requests of a person, a key or a program to the control plane. */
const ASKS = {
  login: () => call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email: tenant.email, password: tenant.password } }),
  wrongLogin: () => call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email: tenant.email, password: 'not this one' } }),
  signUp: (n) => call(planes.controlUrl, 'POST', '/v1/auth/signup', { body: { ...NOBODY, email: `nobody-${n}@example.com` } }),
  stepUp: asOwner(
    'POST',
    () => '/v1/auth/step-up',
    () => ({ password: tenant.password }),
  ),
  session: asOwner('GET', () => '/v1/auth/session'),
  byKey: () => call(planes.controlUrl, 'GET', '/v1/agents', { token: apiKey }),
  scoped: () =>
    call(planes.controlUrl, 'GET', '/v1/agents', { token: tenant.token, headers: { 'x-svc-environment': place.environment_id } }),
  agents: asOwner('GET', () => '/v1/agents'),
  actions: asOwner('GET', () => '/v1/actions'),
  events: asOwner('GET', () => '/v1/audit-events'),
  policies: asOwner('GET', () => '/v1/policies'),
  tools: asOwner('GET', () => '/v1/tools'),
  makeWorkspace: asOwner(
    'POST',
    () => '/v1/workspaces',
    (n) => ({ name: `Workspace ${n}` }),
  ),
  makeWorkspaceOnce: asOwner(
    'POST',
    () => '/v1/workspaces',
    (n) => ({ name: `Keyed ${n}` }),
    (n) => ({ 'idempotency-key': `key-${n}` }),
  ),
  pauseEnvironment: asOwner(
    'POST',
    () => `/v1/environments/${place.environment_id}/pause`,
    () => ({ reason: 'test' }),
  ),
  pauseAgent: asOwner(
    'POST',
    () => `/v1/agents/${place.agent.id}/pause`,
    () => ({}),
  ),
  approve: asOwner(
    'POST',
    () => `/v1/approvals/${approvalId}/approve`,
    () => ({}),
  ),
  evaluate: asOwner(
    'POST',
    () => '/v1/actions/evaluate',
    () => ({ agent_id: place.agent.id, tool: 'note', amount: SMALL, parameters: {} }),
  ),
} satisfies Record<string, Ask>;

type What = keyof typeof ASKS;

/** Operations that cannot be served while a table is locked. `evaluate` is the pipeline and names its dependency like the gateway. */
const TABLES: Readonly<Record<string, { readonly refused: readonly What[]; readonly evaluate?: ErrorCode }>> = {
  sessions: { refused: ['login', 'signUp', 'stepUp', 'session', 'agents', 'makeWorkspace'] },
  users: { refused: ['login', 'wrongLogin', 'signUp', 'session'] },
  members: { refused: ['login', 'signUp', 'session'] },
  sign_in_failures: { refused: ['login', 'wrongLogin'] },
  api_keys: { refused: ['byKey'] },
  organizations: { refused: ['session', 'byKey', 'signUp'] },
  workspaces: { refused: ['makeWorkspace', 'makeWorkspaceOnce'] },
  idempotency_keys: { refused: ['makeWorkspaceOnce'] },
  environments: { refused: ['pauseEnvironment', 'scoped'] },
  environment_epochs: { refused: ['pauseEnvironment'], evaluate: 'AUDIT_SERVICE_UNAVAILABLE' },
  agents: { refused: ['agents', 'pauseAgent'] },
  agent_epochs: { refused: ['pauseAgent'], evaluate: 'AUDIT_SERVICE_UNAVAILABLE' },
  tools: { refused: ['tools'] },
  policies: { refused: ['policies'] },
  approvals: { refused: ['approve'] },
  approval_votes: { refused: ['approve'] },
  actions: { refused: ['actions', 'approve'], evaluate: 'AUDIT_SERVICE_UNAVAILABLE' },
  audit_events: {
    refused: ['login', 'wrongLogin', 'signUp', 'stepUp', 'events', 'makeWorkspace', 'pauseEnvironment', 'pauseAgent', 'approve'],
    evaluate: 'AUDIT_SERVICE_UNAVAILABLE',
  },
};

/** Reads everything that the refused changes would have modified. */
const readState = async (): Promise<unknown> => {
  const { rows } = await owner.query(`select
    (select count(*)::int from organizations) as organizations, (select count(*)::int from users) as users,
    (select count(*)::int from workspaces) as workspaces, (select count(*)::int from sessions) as sessions,
    (select array_agg(status order by id) from agents) as agents, (select array_agg(paused_at::text order by id) from environments) as paused,
    (select array_agg(status order by id) from approvals) as approvals, (select count(*)::int from approval_votes) as votes,
    (select count(*)::int from actions) as actions, (select count(*)::int from audit_events) as events,
    (select count(*)::int from idempotency_keys) as keys, (select stepped_up_until::text from sessions order by created_at limit 1) as step_up`);
  return rows[0];
};

describe('the control plane, while a table is locked, refuses what needs it with 503 and changes nothing', () => {
  let n = 0;
  for (const [table, { refused, evaluate }] of sampleFew(Object.entries(TABLES), 3, 'locked under the control plane')) {
    test(`${table}: ${[...refused, ...(evaluate ? ['evaluate'] : [])].join(', ')}`, async () => {
      n += 1;
      const asked = [...refused, ...(evaluate ? (['evaluate'] as const) : [])];
      if (evaluate) assert.equal((await ASKS.evaluate(n)).status, 200);
      const stateBefore = await readState();
      await owner.query(`begin; lock table ${table} in access exclusive mode`);
      const answers = await Promise.all(asked.map(async (what) => ({ what, ...(await measure(() => ASKS[what](n))) })));
      await owner.query('rollback');
      for (const one of answers) {
        const code = one.what === 'evaluate' ? evaluate : 'DEPENDENCY_UNAVAILABLE';
        assertRefused(one, code ?? 'INTERNAL_ERROR', one.what);
      }
      assert.deepEqual(await readState(), stateBefore);
    });
  }

  test('and serves all of it afterwards', async () => {
    for (const [what, work] of Object.entries(ASKS)) {
      const { status, text } = await work(0);
      assert.ok(what === 'wrongLogin' ? status === 401 : status < 300, `${what}: ${text}`);
    }
  });
});
