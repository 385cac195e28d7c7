import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getSecurityMembers } from '@svc/contract/automation.ts';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { BUILT_IN_ROLES, getBuiltInRole, KEY_ROLES } from '@svc/contract/tables/built-in-roles.ts';
import { buildId } from '@svc/contract/tables/ids.ts';
import { PERMISSION_NAMES, type Permission } from '@svc/contract/tables/permissions.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { sampleFew } from '@svc/testing/length/test-length.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { stepUp } from '@svc/testing/people/tenant.ts';
import { type InsertedKey, insertApiKey } from '@svc/testing/records/insert-api-key.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';
import type { Resources } from '../nouns/noun-tests.ts';
import { buildBody } from '../rows/bodies.ts';
import { buildPath, CONTROL_ROWS, type NamedRow, newSetting, type RowTestSetting } from '../rows/setting.ts';
import { listWidenedAccess, readHumanAccess } from './human-access.ts';

let setting: RowTestSetting;
let db: pg.Client;

before(async () => {
  setting = await newSetting();
  db = await setting.planes.database.client();
});
after(async () => {
  await db.end();
  await setting.planes.stop();
});

const owner = (method: string, path: string, body: object) =>
  mustCall(setting.planes.controlUrl, method, path, { token: setting.owner, body });

/** Custom roles of keys: all permissions; and only those about people, roles, keys, emergencies and settings. */
const CUSTOM: Readonly<Record<string, readonly Permission[]>> = {
  'every permission': PERMISSION_NAMES,
  'people, roles and keys': PERMISSION_NAMES.filter((name) => /^(member|role|apikey|sso):/.test(name)),
  'agents and emergencies': PERMISSION_NAMES.filter((name) => /^(agent|emergency|environment|tool|approval):/.test(name)),
  'the organization': PERMISSION_NAMES.filter((name) => /^(organization|workspace|policy|delegation|credential):/.test(name)),
};

const insertRole = async (permissions: readonly string[]): Promise<string> => {
  const id = buildId('role', newUlid());
  await db.query('insert into roles (id, organization_id, name, permissions) values ($1, $2, $1, $3)', [
    id,
    setting.tenant.organization_id,
    permissions,
  ]);
  return id;
};

const insertKey = (roleId: string, maker: string): Promise<InsertedKey> =>
  insertApiKey(db, { organizationId: setting.tenant.organization_id, roleId, maker });

const readMember = async (userId: string): Promise<string> =>
  (await db.query('select id from members where user_id = $1 and organization_id = $2', [userId, setting.tenant.organization_id])).rows[0]
    .id;

/** Targets of one key's sweep: members of several roles, agents in several states, keys, tools, and a role that people hold. */
type Targets = {
  readonly resources: readonly Resources[];
  readonly held: string;
  /** A key of the same role for requests about itself, which end it or replace its secret. */
  readonly itself: InsertedKey;
};

const newTargets = async (roleId: string, key: InsertedKey): Promise<Targets> => {
  const { tenant, resources } = setting;
  const held = await insertRole(['agent:read', 'audit:read']);
  const person = async (role: Parameters<typeof insertPerson>[2]) => readMember((await insertPerson(db, tenant.organization_id, role)).id);
  const members = [await person({ id: held }), await person('viewer'), await person('approver'), await readMember(tenant.user.id)];
  // The re-authentication expires during one sweep.
  await stepUp(setting.planes.controlUrl, { token: setting.owner, password: tenant.password });
  const isolated = await newAgent(tenant);
  await owner('POST', `/v1/agents/${isolated.id}/isolate`, { reason: 'sweep' });
  const declared = { environment_id: tenant.environment_id, required_capability: 'x', kind: 'SDK' };
  const high = { risk_rating: 'HIGH', destination_allowlist: ['*.example.com'] };
  const tool = await owner('POST', '/v1/tools', { ...declared, ...high, name: `high.${newUlid().toLowerCase()}` });
  const critical = await owner('POST', '/v1/tools', { ...declared, risk_rating: 'CRITICAL', name: `critical.${newUlid().toLowerCase()}` });
  // Stopped by a person, so no key may lift it.
  const paused = await newAgent(tenant);
  await owner('POST', `/v1/agents/${paused.id}/pause`, { reason: 'sweep' });
  const disabled = await owner('POST', '/v1/tools', { ...declared, name: `disabled.${newUlid().toLowerCase()}` });
  await owner('POST', `/v1/tools/${disabled.id}/disable`, { reason: 'sweep' });
  const [child, itself] = [await insertKey(roleId, key.id), await insertKey(roleId, tenant.user.id)];
  const another = await insertKey(roleId, tenant.user.id);
  const places: Partial<Resources>[] = [
    { memberId: members[0] as string, roleId: held, apiKeyId: child.id, agentId: isolated.id, toolId: tool.id },
    { memberId: members[1] as string, roleId, toolId: critical.id, apiKeyId: another.id },
    { memberId: members[2] as string, agentId: paused.id, toolId: disabled.id },
    { memberId: members[3] as string, apiKeyId: itself.id },
  ];
  return { resources: places.map((each) => ({ ...resources, ...each })), held, itself };
};

let addresses = 0;
const newAddress = (): string => {
  addresses += 1;
  return `swept-${addresses}-${newUlid().toLowerCase()}@example.com`;
};

const SECURITY: Readonly<Record<string, unknown>> = {
  enforce: true,
  trusts_mfa: true,
  domains: ['example.org'],
  client_id: 'another',
  client_secret: 'another',
  break_glass_user_id: null,
  status: 'DISABLED',
};

/** Bodies that would widen something, in addition to a row's ordinary one; typed by hand from the promises of the service. */
const wideningBodies = (operation: string, { held, resources }: Targets): readonly object[] => {
  const roles = [...BUILT_IN_ROLES.map(({ id }) => id), held];
  const bodies: Readonly<Record<string, readonly object[]>> = {
    updateOrganization: [
      ...[{ require_mfa: true }, { require_mfa: false }, { allowed_networks: ['203.0.113.0/24'] }, { allowed_networks: [] }],
      ...[{ allowed_networks: ['127.0.0.0/8'], confirm_lockout: true }, { base_currency: 'GBP' }, { time_zone: 'Asia/Tokyo' }],
    ],
    inviteMember: roles.map((role_id) => ({ email: newAddress(), role_id })),
    updateMember: [...roles.map((role_id) => ({ role_id })), { workspace_ids: null }],
    createRole: [{ name: newUlid(), permissions: PERMISSION_NAMES }],
    updateRole: [{ permissions: PERMISSION_NAMES }],
    createApiKey: roles.flatMap((role_id) => [
      { name: 'longer', role_id, expires_in_days: 730 },
      { name: 'default', role_id },
    ]),
    rotateApiKey: [{ expires_in_days: 730, overlap_seconds: 604_800 }],
    updateSsoConnection: getSecurityMembers(ENDPOINTS.updateSsoConnection).flatMap((member) =>
      member in SECURITY ? [{ [member]: SECURITY[member] }] : [],
    ),
    updateScimConfiguration: roles.map((role_id) => ({ default_role_id: role_id, group_roles: [{ group: 'everyone', role_id }] })),
    setGatewayMode: ['OBSERVE', 'SIMULATE'].map((mode) => ({ mode, reason: 'sweep' })),
    updateEnvironment: [{ requires_delegation: false, reason: 'sweep' }],
    resumeAgent: [{ reason: 'sweep' }],
    enableTool: [{ reason: 'sweep' }],
    suspendAgent: [{ reason: 'sweep' }],
    isolateAgent: [{ reason: 'sweep' }],
    bulkChangeAgents: ['resume', 'suspend'].map((operation_) => ({
      agent_ids: [resources[0]?.agentId],
      operation: operation_,
      reason: 'sweep',
    })),
    updateTool: [
      ...[{ risk_rating: 'LOW' }, { dangerous: false }, { destination_allowlist: [] }],
      { destination_allowlist: ['*.example.com', '*.example.org'] },
    ].flatMap((each) => [each, { ...each, accept_warnings: true }]),
    authorizeAgentForTool: [{ agent_id: setting.agent.id }],
    createExchangeRate: [{ base_currency: 'GBP', quote_currency: 'USD', rate: '0.0001' }],
  };
  return bodies[operation] ?? [];
};

/** Sends one request to a row for each body and each target, and calls `onStatus` after each. */
const sweepRow = async (
  [name, row]: NamedRow,
  token: string,
  targets: Targets,
  onStatus: (status: number) => Promise<void>,
): Promise<void> => {
  const named = targets.resources.map((resources) => buildPath(row, resources));
  for (const path of new Set(named)) {
    const bodies: readonly (object | undefined)[] = row.body ? [...wideningBodies(name, targets), buildBody(name, setting)] : [undefined];
    for (const body of bodies) {
      const sent = row.wire === 'posted-page' || body === undefined ? {} : { body };
      const asked = path.includes(targets.itself.id) ? targets.itself.token : token;
      const { status } = await call(setting.planes.controlUrl, row.method, path, { token: asked, ...sent });
      await onStatus(status);
    }
  }
};

const read = () => readHumanAccess(db, setting.tenant.organization_id, people);
let people: readonly string[] = [];

type Swept = { readonly found: string[]; readonly statuses: readonly number[] };

/** Calls every operation of the control plane with one credential; returns what it widened of human access, by operation. */
const sweep = async (token: string, targets: Targets, rows: readonly NamedRow[] = CONTROL_ROWS): Promise<Swept> => {
  people = (await db.query('select user_id from members where organization_id = $1', [setting.tenant.organization_id])).rows.map(
    ({ user_id }) => user_id,
  );
  const [found, statuses]: [string[], number[]] = [[], []];
  let last = await read();
  for (const row of rows)
    await sweepRow(row, token, targets, async (status) => {
      statuses.push(status);
      if (row[1].method === 'GET' || status >= 300) return;
      const now = await read();
      found.push(...listWidenedAccess(last, now).map((each) => `${row[0]}: ${each}`));
      last = now;
    });
  found.push(...listWidenedAccess(last, await read()).map((each) => `a refused request: ${each}`));
  return { found, statuses };
};

/** Returns the roles that keys may have: the built-in ones, and custom ones. */
const rolesOfKeys = async (): Promise<readonly (readonly [string, string])[]> => {
  const roles: [string, string][] = KEY_ROLES.map(({ name, id }) => [name, id]);
  for (const [name, permissions] of Object.entries(CUSTOM)) roles.push([name, await insertRole(permissions)]);
  return roles;
};

test('no API key, with any role, widens human access by any operation', async (context) => {
  const wrong: string[] = [];
  let passed = 0;
  const roles = await rolesOfKeys();
  // A full run takes the strongest two, and some of the others.
  const strongest = ['admin', 'every permission'];
  const others = roles.filter(([name]) => !strongest.includes(name));
  for (const [name, roleId] of [...roles.filter(([each]) => strongest.includes(each)), ...sampleFew(others, 2, 'roles of keys')]) {
    const key = await insertKey(roleId, setting.tenant.user.id);
    const { found, statuses } = await sweep(key.token, await newTargets(roleId, key));
    wrong.push(...found.map((each) => `a key of ${name}: ${each}`));
    const untried = statuses.filter((status) => status === 401 || status >= 500);
    // One of these was refused because the key had just revoked itself.
    assert.ok(untried.length <= 2, `a key of ${name} was answered ${untried}`);
    assert.ok(statuses.filter((status) => status === 429).length < statuses.length / 20, `a key of ${name} was held back by a budget`);
    passed += statuses.filter((status) => status < 300).length;
    context.diagnostic(`a key of ${name}: ${statuses.length} requests, ${statuses.filter((status) => status < 300).length} of them done`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(passed > 300, `${passed} requests were done`);
});

test('the sweep finds what an owner after a step-up widens by the same requests', async () => {
  const roleId = getBuiltInRole('admin').id;
  const { resources, ...rest } = await newTargets(roleId, await insertKey(roleId, setting.tenant.user.id));
  // The last member is the owner who sends the requests.
  const targets = { ...rest, resources: resources.slice(0, -1) };
  const names = ['updateMember', 'inviteMember', 'rotateApiKey', 'updateSsoConnection', 'updateScimConfiguration', 'updateRole'];
  const more = [
    'resumeAgent',
    'enableTool',
    'isolateAgent',
    // Before the tool is made less dangerous by the next operation.
    'authorizeAgentForTool',
    'updateTool',
    'createExchangeRate',
    'setGatewayMode',
    'updateOrganization',
  ];
  const rows = [...names, ...more].map((name) => CONTROL_ROWS.find(([each]) => each === name) as NamedRow);
  const { found } = await sweep(setting.owner, targets, rows);
  for (const name of [...names, ...more])
    assert.ok(
      found.some((each) => each.startsWith(`${name}:`)),
      `${name} widened nothing: ${found.join('; ')}`,
    );
});
