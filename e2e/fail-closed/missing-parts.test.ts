import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import { readAudience } from '@svc/testing/agents/agent.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { AMOUNT_RULES, SMALL } from '@svc/testing/agents/governed-environment.ts';
import { sampleFew } from '@svc/testing/length/test-length.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { ask, assertRefused, type DatabaseOwner, ENV, type ModeEnvironment, measure, mint, newPlaces, type Timed } from './scene.ts';

let planes: Planes;
let tenant: Tenant;
let owner: DatabaseOwner;
let place: ModeEnvironment;
let audience: string;

before(async () => {
  planes = await startPlanes({ env: ENV });
  owner = await planes.database.client();
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  await activateRules(tenant, 'amounts', AMOUNT_RULES);
  audience = await readAudience(planes.gatewayUrl);
  [place] = (await newPlaces(tenant, planes.gatewayUrl, 'http://127.0.0.1:9')) as [ModeEnvironment];
});
after(async () => {
  await owner?.end();
  await planes?.stop();
});

const asOwner = (method: string, path: string, body?: object): Promise<Timed> =>
  measure(() => call(planes.controlUrl, method, path, { token: tenant.token, ...(body ? { body } : {}) }));

const ASKS = {
  act: () => ask(planes.gatewayUrl, place, { tool: 'note' }),
  token: () => mint(planes.gatewayUrl, audience, place),
  evaluate: () => asOwner('POST', '/v1/actions/evaluate', { agent_id: place.agent.id, tool: 'note', amount: SMALL, parameters: {} }),
  agents: () => asOwner('GET', '/v1/agents'),
  authority: () => asOwner('GET', `/v1/agents/${place.agent.id}/authority`),
  tools: () => asOwner('GET', '/v1/tools'),
  actions: () => asOwner('GET', '/v1/actions'),
  makeWorkspace: () => asOwner('POST', '/v1/workspaces', { name: `Workspace ${performance.now()}` }),
} satisfies Record<string, () => Promise<Timed>>;

type Case = {
  /** Removes a part; returns how to restore it. */
  readonly take: () => Promise<readonly string[]>;
  readonly refused: { readonly [Ask in keyof typeof ASKS]?: ErrorCode };
};

const run = async (texts: readonly string[]): Promise<void> => {
  for (const text of texts) await owner.query(text);
};

const renamed = (what: string, from: string, to: string) => async () => {
  await owner.query(`alter ${what} rename ${from} to ${to}`);
  return [`alter ${what} rename ${to} to ${from}`];
};

const renamedTable = (table: string) => async () => {
  await owner.query(`alter table ${table} rename to gone`);
  return [`alter table gone rename to ${table}`];
};

/** Revokes a privilege from every role that the planes log in as. */
const revoked = (privilege: string, table: string) => async () => {
  const { rows } = await owner.query<{ grantee: string }>(
    'select distinct grantee from information_schema.role_column_grants where table_name = $1 and privilege_type = upper($2) and grantee <> current_user',
    [table, privilege],
  );
  const roles = rows.map(({ grantee }) => `"${grantee}"`).join(', ');
  await owner.query(`revoke ${privilege} on ${table} from ${roles}`);
  return [`grant ${privilege} on ${table} to ${roles}`];
};

const deleted = (table: string, where: () => string) => async () => {
  await owner.query(`create temporary table kept as select * from ${table} where ${where()}`);
  await owner.query(`delete from ${table} where ${where()}`);
  return [`insert into ${table} select * from kept`, 'drop table kept'];
};

/** Makes cached data outdated, so that it is read again. */
const outdate = () =>
  run(
    ['agent', 'environment'].map(
      (what) =>
        `update ${what}_epochs set epoch = epoch + 1 where ${what}_id = '${what === 'agent' ? place.agent.id : place.environment_id}'`,
    ),
  );

const CASES: Readonly<Record<string, Case>> = {
  'the grant to add audit events': {
    take: revoked('insert', 'audit_events'),
    refused: { act: 'AUDIT_SERVICE_UNAVAILABLE', evaluate: 'AUDIT_SERVICE_UNAVAILABLE', makeWorkspace: 'DEPENDENCY_UNAVAILABLE' },
  },
  'the grant to read agents': {
    take: revoked('select', 'agents'),
    refused: {
      act: 'IDENTITY_SERVICE_UNAVAILABLE',
      token: 'IDENTITY_SERVICE_UNAVAILABLE',
      evaluate: 'IDENTITY_SERVICE_UNAVAILABLE',
      agents: 'DEPENDENCY_UNAVAILABLE',
    },
  },
  'the table of actions': {
    take: renamedTable('actions'),
    refused: { act: 'AUDIT_SERVICE_UNAVAILABLE', evaluate: 'AUDIT_SERVICE_UNAVAILABLE', actions: 'DEPENDENCY_UNAVAILABLE' },
  },
  'the table of sessions of agents': { take: renamedTable('agent_sessions'), refused: { token: 'IDENTITY_SERVICE_UNAVAILABLE' } },
  'a column of tools': {
    take: renamed('table tools', 'description', 'gone'),
    refused: { act: 'POLICY_SERVICE_UNAVAILABLE', evaluate: 'POLICY_SERVICE_UNAVAILABLE', tools: 'DEPENDENCY_UNAVAILABLE' },
  },
  'the schema': {
    take: async () => {
      await owner.query('alter schema public rename to gone');
      return ['alter schema gone rename to public'];
    },
    refused: { agents: 'DEPENDENCY_UNAVAILABLE', makeWorkspace: 'DEPENDENCY_UNAVAILABLE' },
  },
  'the epoch of the environment': {
    take: deleted('environment_epochs', () => `environment_id = '${place.environment_id}'`),
    refused: {
      act: 'POLICY_SERVICE_UNAVAILABLE',
      token: 'IDENTITY_SERVICE_UNAVAILABLE',
      evaluate: 'POLICY_SERVICE_UNAVAILABLE',
      authority: 'DEPENDENCY_UNAVAILABLE',
    },
  },
  'the epoch of the agent': {
    take: deleted('agent_epochs', () => `agent_id = '${place.agent.id}'`),
    refused: {
      act: 'IDENTITY_SERVICE_UNAVAILABLE',
      token: 'IDENTITY_SERVICE_UNAVAILABLE',
      evaluate: 'IDENTITY_SERVICE_UNAVAILABLE',
      authority: 'DEPENDENCY_UNAVAILABLE',
    },
  },
};

/** Returns the first log line with the request id; lines are written a moment after the response. */
const readLine = async (requestId: string): Promise<Record<string, unknown>> => {
  for (let look = 0; look < 6_000; look += 1) {
    const found = planes.logs().split('\n').slice(0, -1);
    const line = found.find((each) => each.startsWith('{') && each.includes(requestId));
    if (line) return JSON.parse(line);
    await sleep(10);
  }
  return {};
};

describe('a missing database object is the 503 of its part, in the log with the ids of the request, and is found once it is restored:', () => {
  for (const [what, { take, refused }] of sampleFew(Object.entries(CASES), 3, 'missing parts')) {
    test(what, async () => {
      const asks = Object.entries(refused) as [keyof typeof ASKS, ErrorCode][];
      for (const [name] of asks) assert.ok((await ASKS[name]()).answer.status < 300, `${name} before`);
      await outdate();
      const mend = await take();
      const answers = [];
      for (const [name, code] of asks) for (let again = 0; again < 2; again += 1) answers.push({ name, code, ...(await ASKS[name]()) });
      await run(mend);
      for (const one of answers) assertRefused(one, one.code, one.name);
      for (const { name, code, answer } of answers) {
        const line = await readLine(answer.json.error.request_id);
        assert.deepEqual([line.code, line.part, line.trace_id], [code, 'database', answer.headers.get('x-trace-id')], name);
      }
      for (const [name] of asks) {
        const { answer } = await ASKS[name]();
        assert.ok(answer.status < 300, `${name} afterwards: ${answer.text}`);
      }
    });
  }
});
