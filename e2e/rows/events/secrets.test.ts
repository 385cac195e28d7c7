import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { NAME_PATTERN } from '@svc/contract/rows/schema.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { type NounScene, newScene } from '../../nouns/scene/scene.ts';
import { ROWS } from '../setting.ts';
import { EACH_RECIPE } from './recipes.ts';

const MARK = 'MARKOFASECRET';
const KINDS = Object.values(SECRET_PREFIXES).map((prefix) => `${prefix}${MARK}`);

/** Members with free text, in any row. */
const WRITTEN = ['name', 'organizationName', 'reason', 'description', 'comment', 'error'];
/** Members that a body gets although it had none. */
const ADDED = new Set(['reason', 'description', 'comment', 'error']);
/** Rows whose recipes omit their text, which does not change their events. */
const ADDED_TO = new Set([
  'updatePolicy name',
  'updateRole name',
  'startSignup organizationName',
  'updateSsoConnection name',
  'updateWebhook name',
  'updateNotificationChannel name',
  'updateAuditSearch name',
  'updateIntegration name',
  'updateRuntime name',
  'publishAgent name',
]);

type Schema = {
  readonly type?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly properties?: Record<string, Schema>;
};
type Body = Record<string, unknown>;

const FREE = ['\\S', NAME_PATTERN];
const isFree = ({ type, pattern = '\\S', maxLength = 0 }: Schema): boolean =>
  type === 'string' && FREE.includes(pattern) && maxLength >= 120;

/** Returns the members of a row's body that accept any text, and labels with values. Labels of data are words of a fixed form. */
const freeMembers = ({ body }: Endpoint): string[] => {
  const { properties = {} } = (body ?? {}) as Schema;
  return [
    ...WRITTEN.filter((name) => properties[name] && isFree(properties[name])),
    ...(properties.labels?.type === 'object' ? ['labels'] : []),
  ];
};

const getLengthMax = ({ body }: Endpoint, member: string): number => ((body ?? {}) as Schema).properties?.[member]?.maxLength ?? 0;

const tainted = new Set<string>();
/** Rotates the kinds, so that every kind is written somewhere. */
let turn = 0;
const written = new Set<string>();

const LABEL_CHARS_MAX = 200;

/** Appends as many kinds of secrets to a text as the member permits. */
const withSecrets = (text: string, lengthMax: number): string => {
  turn += 1;
  let longer = text;
  for (const kind of KINDS.map((_, index) => KINDS[(turn + index) % KINDS.length] ?? '')) {
    if (longer.length + kind.length >= lengthMax) break;
    longer += ` ${kind}`;
    written.add(kind);
  }
  return longer;
};

/** Adds a secret of each kind to every text of a body. */
const taint = (name: string, row: Endpoint, body: Body): Body => {
  const more: Body = {};
  for (const member of freeMembers(row)) {
    if (member === 'labels')
      more.labels = { plain: withSecrets('told', LABEL_CHARS_MAX), ...Object.fromEntries(KINDS.map((key) => [key.toLowerCase(), 'x'])) };
    else if (body[member] !== undefined || ADDED.has(member) || ADDED_TO.has(`${name} ${member}`))
      more[member] = withSecrets(String(body[member] ?? `told ${tainted.size}`), getLengthMax(row, member));
    else continue;
    tainted.add(`${name} ${member}`);
  }
  return { ...body, ...more };
};

const pathPattern = ({ path }: Endpoint): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
const findParameters = ({ path }: Endpoint): number => path.split('{').length;
/** A path without parameters is matched before one whose parameter it fits. */
const rows = ROWS.map(([name, row]) => ({ name, row, pattern: pathPattern(row) })).toSorted(
  (one, other) => findParameters(one.row) - findParameters(other.row),
);

/** Operations with such a member. */
const TAKING = rows.filter(({ name, row }) => freeMembers(row).length > 0 && EACH_RECIPE.some(([each]) => each === name));

const plainFetch = globalThis.fetch;
/** Replaces `fetch` between the recipes and the planes. */
const taintingFetch: typeof fetch = (input, init) => {
  const { pathname } = new URL(String(input));
  const asked = rows.find(({ row, pattern }) => row.method === init?.method && pattern.test(pathname));
  if (!asked?.row.body || freeMembers(asked.row).length === 0) return plainFetch(input, init);
  const body = taint(asked.name, asked.row, JSON.parse(String(init?.body ?? '{}')));
  return plainFetch(input, { ...init, headers: { ...init?.headers, 'content-type': 'application/json' }, body: JSON.stringify(body) });
};

let scene: NounScene;
before(async () => {
  globalThis.fetch = taintingFetch;
  scene = await newScene();
});
after(async () => {
  globalThis.fetch = plainFetch;
  // Undefined if it could not be created.
  await (scene as NounScene | undefined)?.stop();
});

const assertNoSecret = async (): Promise<void> => {
  const { rows: told } = await scene.database.query<{ text: string }>(
    'select e::text as text from audit_events e where e::text ilike $1 limit 3',
    [`%${MARK}%`],
  );
  assert.deepEqual(told, []);
};

test('no secret of any kind in the input of an operation reaches the audit log', async () => {
  for (const [name, recipe] of EACH_RECIPE.filter(([each]) => TAKING.some((row) => row.name === each)))
    for (const { answer, events } of await recipe(scene)) {
      const { rows: told } = await scene.database.query<{ type: string }>(
        'select type from audit_events where request_id = $1 order by id',
        [answer.headers.get('x-request-id')],
      );
      assert.deepEqual(
        told.map(({ type }) => type),
        events.map(([type]) => type),
        `${name} answered ${answer.status} ${answer.text.slice(0, 300)}`,
      );
    }
  await assertNoSecret();
  const { rows: names } = await scene.database.query("select from audit_events where actor_name like '%[masked]%' limit 1");
  assert.equal(names.length, 1);
});

test('every member that accepts any text was tested', () => {
  const takes = TAKING.flatMap(({ name, row }) => freeMembers(row).map((member) => `${name} ${member}`));
  assert.deepEqual(
    takes.filter((each) => !tainted.has(each)),
    [],
  );
  assert.deepEqual([...written].toSorted(), KINDS.toSorted());
});

test('names of tools and capabilities, and destinations, are recorded without a secret too', async () => {
  const { send, ask, make, places, tenant } = scene;
  const { environment_id, agent, token } = places.ENFORCE;
  for (const kind of KINDS) {
    const dotted = kind.toLowerCase();
    const tool = await make('POST', '/v1/tools', { name: dotted, environment_id, required_capability: dotted, kind: 'SDK' });
    await make('POST', `/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
    await make('POST', `/v1/agents/${agent.id}/capabilities`, { capability: dotted });
    for (const name of [dotted, `no-${dotted}`]) {
      const { json } = await ask(token, 'POST', '/gateway/v1/actions', {
        tool: name,
        destination: 'evil.example.com',
      });
      assert.ok(json.error.details.decision.action_id, JSON.stringify(json));
    }
    await send('POST', '/v1/actions/evaluate', { agent_id: agent.id, tool: dotted });
    await send('POST', '/v1/delegations', { delegate_agent_id: agent.id, scope: { capabilities: [dotted], tools: [dotted] } });
    await make('POST', '/v1/workspaces', { name: kind });
    const when = { all: [{ field: `parameters.${dotted}`, op: 'eq', value: kind }] };
    await send('POST', '/v1/policies/invariants', { name: `${kind} ${tenant.user.id}`, when, if_missing: 'match', at_least: 'BLOCK' });
  }
  await assertNoSecret();
  const { rows: told } = await scene.database.query(
    "select from audit_events where type like 'action.%' and data->>'tool' like '%[masked]%'",
  );
  assert.ok(told.length >= 3 * KINDS.length);
});
