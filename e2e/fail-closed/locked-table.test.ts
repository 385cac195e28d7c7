import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import { buildId } from '@svc/contract/tables/ids.ts';
import { readAudience } from '@svc/testing/agents/agent.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { AMOUNT_RULES, HELD } from '@svc/testing/agents/governed-environment.ts';
import { sampleFew } from '@svc/testing/length/test-length.ts';
import { type Downstream, startDownstream } from '@svc/testing/peers/downstream.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import {
  actEverywhere,
  ask,
  assertRefused,
  assertServed,
  type DatabaseOwner,
  ENV,
  type FailClosedRequest,
  type ModeEnvironment,
  mint,
  newPlaces,
  type Timed,
} from './scene.ts';

/** Requests during a locked table, each with its expected code; omitted ones are served as usual. */
type Expected = {
  /** Actions at a gateway with current snapshots of the agent and the environment. */
  readonly known?: ErrorCode;
  /** Actions at a gateway without snapshots. */
  readonly unheard?: ErrorCode;
  /** Actions at a gateway with outdated snapshots. */
  readonly outdated?: ErrorCode;
  readonly token?: ErrorCode;
  /** A token from a gateway without snapshots, or with outdated ones. */
  readonly coldToken?: ErrorCode;
  readonly dryRun?: ErrorCode;
  /** A request that needs an approval, which opens one in ENFORCE. */
  readonly held?: ErrorCode;
  /** A request that uses an approval, in ENFORCE. */
  readonly approved?: ErrorCode;
  /** A request that names an unknown approval; the other modes permit it. */
  readonly named?: ErrorCode;
};

const AGENT: Expected = {
  unheard: 'IDENTITY_SERVICE_UNAVAILABLE',
  outdated: 'IDENTITY_SERVICE_UNAVAILABLE',
  coldToken: 'IDENTITY_SERVICE_UNAVAILABLE',
};
/** Tables that state who is behind an agent: an approval is opened only if it is known who may not vote. */
const BEHIND: Expected = { ...AGENT, held: 'APPROVAL_SERVICE_UNAVAILABLE' };
const ENVIRONMENT: Expected = {
  unheard: 'POLICY_SERVICE_UNAVAILABLE',
  outdated: 'POLICY_SERVICE_UNAVAILABLE',
  coldToken: 'IDENTITY_SERVICE_UNAVAILABLE',
};
const RECORD: Expected = {
  known: 'AUDIT_SERVICE_UNAVAILABLE',
  unheard: 'AUDIT_SERVICE_UNAVAILABLE',
  outdated: 'AUDIT_SERVICE_UNAVAILABLE',
  held: 'APPROVAL_SERVICE_UNAVAILABLE',
  approved: 'APPROVAL_SERVICE_UNAVAILABLE',
  named: 'AUDIT_SERVICE_UNAVAILABLE',
};
const FENCE: Expected = { ...RECORD, coldToken: 'IDENTITY_SERVICE_UNAVAILABLE', dryRun: 'POLICY_SERVICE_UNAVAILABLE' };

/** Every table that a stage reads or writes. */
const TABLES: Readonly<Record<string, Expected>> = {
  agents: AGENT,
  agent_keys: BEHIND,
  agent_capabilities: BEHIND,
  passports: AGENT,
  tool_agents: BEHIND,
  ended_agent_sessions: AGENT,
  agent_epochs: { ...FENCE, unheard: 'IDENTITY_SERVICE_UNAVAILABLE', token: 'IDENTITY_SERVICE_UNAVAILABLE' },
  environments: { ...ENVIRONMENT, held: 'APPROVAL_SERVICE_UNAVAILABLE' },
  organizations: ENVIRONMENT,
  tools: { ...ENVIRONMENT, held: 'APPROVAL_SERVICE_UNAVAILABLE' },
  policies: ENVIRONMENT,
  policy_versions: ENVIRONMENT,
  policy_bindings: ENVIRONMENT,
  environment_epochs: { ...FENCE, unheard: 'POLICY_SERVICE_UNAVAILABLE', token: 'IDENTITY_SERVICE_UNAVAILABLE' },
  approvals: {
    held: 'APPROVAL_SERVICE_UNAVAILABLE',
    approved: 'APPROVAL_SERVICE_UNAVAILABLE',
    named: 'APPROVAL_SERVICE_UNAVAILABLE',
  },
  // An approval is read together with the authority it was requested under, which the action states.
  actions: { ...RECORD, named: 'APPROVAL_SERVICE_UNAVAILABLE' },
  audit_events: RECORD,
  agent_sessions: { token: 'IDENTITY_SERVICE_UNAVAILABLE', coldToken: 'IDENTITY_SERVICE_UNAVAILABLE' },
};

let planes: Planes;
let downstream: Downstream;
let tenant: Tenant;
let owner: DatabaseOwner;
let audience: string;
let knowing: string;
let unknowing: string;
/** Known to both gateways, and changed before each table is locked. */
let others: readonly ModeEnvironment[];

before(async () => {
  [planes, downstream] = await Promise.all([startPlanes({ gateways: 2, env: ENV }), startDownstream()]);
  [knowing, unknowing] = planes.gatewayUrls as [string, string];
  owner = await planes.database.client();
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  await activateRules(tenant, 'amounts', AMOUNT_RULES);
  audience = await readAudience(knowing);
  others = await newPlaces(tenant, knowing, downstream.url('answers'));
});
after(async () => {
  await Promise.all([owner?.end(), downstream?.close()]);
  await planes?.stop();
});

const whileLocked = async <Result>(table: string, work: () => Promise<Result>): Promise<Result> => {
  await owner.query(`begin; lock table ${table} in access exclusive mode`);
  return await work().finally(() => owner.query('rollback'));
};

/** Makes snapshots outdated without the gateway's knowledge, like a change of something that it holds. */
const outdate = async (places: readonly ModeEnvironment[]): Promise<void> => {
  await owner.query('update agent_epochs set epoch = epoch + 1 where agent_id = any($1)', [places.map(({ agent }) => agent.id)]);
  const environments = places.map(({ environment_id }) => environment_id);
  await owner.query('update environment_epochs set epoch = epoch + 1 where environment_id = any($1)', [environments]);
};

const mintEverywhere = (gatewayUrl: string, places: readonly ModeEnvironment[]): Promise<Timed[]> =>
  Promise.all(places.map((place) => mint(gatewayUrl, audience, place)));

/** Creates an approval that the owner has granted for shipping the order. */
const approvalFor = async (place: ModeEnvironment, order: string): Promise<string> => {
  const { answer } = await ask(knowing, place, { tool: 'ship', amount: HELD }, order);
  const { approval_id } = answer.json.error.details;
  await newControlClient(planes.controlUrl, tenant.token).approveApproval({ params: { approvalId: approval_id }, body: {} });
  return approval_id;
};

/** Asserts that all responses are refused with the code, or none with any 503. */
const assertAll = (answers: readonly Timed[], code: ErrorCode | undefined, what: string): void => {
  assert.ok(answers.length > 0, what);
  for (const one of answers) {
    if (code) assertRefused(one, code, what);
    else assert.ok(one.answer.status < 500, `${what}: ${one.answer.text}`);
  }
};

const assertActions = (asked: readonly FailClosedRequest[], code: ErrorCode | undefined, what: string): void => {
  if (code) assertAll(asked, code, what);
  else for (const one of asked) assertServed(one, `${what}, ${one.place.mode}, ${one.tool}`);
};

const recorded = async (orders: readonly string[]): Promise<string[]> => {
  const text = `select parameters ->> 'order' as order from actions where parameters ->> 'order' = any($1)`;
  return (await owner.query<{ order: string }>(text, [orders])).rows.map((row) => row.order);
};

describe('a table is locked during a stage: the code of its dependency, in every mode, and nothing is executed', () => {
  for (const [table, expected] of sampleFew(Object.entries(TABLES), 3, 'locked in a stage')) {
    test(table, async () => {
      const places = await newPlaces(tenant, knowing, downstream.url('answers'));
      const [enforcing, ...relaxed] = places as [ModeEnvironment, ...ModeEnvironment[]];
      const approval = { tool: 'ship', amount: HELD, approval_id: await approvalFor(enforcing, table) };
      const useApproval = () => ask(knowing, enforcing, approval, table);
      const nameOne = (place: ModeEnvironment) => ask(knowing, place, { tool: 'ship', approval_id: buildId('approval', newUlid()) });
      await Promise.all([actEverywhere(knowing, places), actEverywhere(knowing, others)]);
      await outdate(others);

      const [known, unheard, outdated, tokens, coldTokens, dryRuns, held, approved, named] = await whileLocked(table, () =>
        Promise.all([
          actEverywhere(knowing, places),
          actEverywhere(unknowing, places),
          actEverywhere(knowing, others),
          mintEverywhere(knowing, places),
          mintEverywhere(unknowing, others),
          Promise.all(places.map((place) => ask(knowing, place, { tool: 'ship', dry_run: true }))),
          ask(knowing, enforcing, { tool: 'ship', amount: HELD }),
          useApproval(),
          Promise.all(relaxed.map(nameOne)),
        ]),
      );
      assertActions(known, expected.known, 'known');
      assertActions(unheard, expected.unheard, 'unheard');
      assertActions(outdated, expected.outdated, 'outdated');
      assertAll(tokens, expected.token, 'token');
      assertAll(coldTokens, expected.coldToken, 'cold token');
      assertAll(dryRuns, expected.dryRun, 'dry run');
      assertAll([held], expected.held, 'held');
      assertAll([approved], expected.approved, 'approved');
      assertAll(named, expected.named, 'named');

      const refused = [...known, ...unheard, ...outdated, ...named, held].filter(({ answer }) => answer.status === 503);
      const orders = refused.map(({ order }) => order);
      assert.deepEqual(await recorded(orders), [], 'on record');
      assert.deepEqual(
        orders.filter((order) => downstream.received.has(order)),
        [],
        'executed',
      );
      if (expected.approved) assertServed(await useApproval(), 'an approval that was not used up');
      assert.equal(downstream.received.get(table), 1, 'the approved order');
      assertActions(await actEverywhere(knowing, others), undefined, 'afterwards');
      assertActions(await actEverywhere(unknowing, places), undefined, 'afterwards, elsewhere');
      assertAll(await mintEverywhere(unknowing, others), undefined, 'a token afterwards');
    });
  }
});
