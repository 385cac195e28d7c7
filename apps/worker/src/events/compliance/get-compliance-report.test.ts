import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ComplianceReport } from '@svc/contract/events/compliance.ts';
import { MEASURE_NAMES, MEASURES, type MeasureName } from '@svc/contract/tables/compliance/measures.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { judgeMeasure } from '@svc/domain/events/compliance/judge-measure.ts';
import { measureOrganization } from '@svc/operations/events/compliance/measure-organization.ts';
import { connect, type Database } from '@svc/postgres/connection/connect.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { activateRules, type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { insertWebhook } from '@svc/testing/events/insert-webhook.ts';
import { call } from '@svc/testing/people/client.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertAction, insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { insertSso } from '@svc/testing/records/insert-sso.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';
import pino from 'pino';
import { judgeControls } from '../../jobs/judge-controls.ts';

const DAY_MS = 86_400_000;

let planes: Planes;
let owner: pg.Client;
let app: Database;
let identity: Database;
let g: Governed;
let org: string;
before(async () => {
  planes = await leasePlanes();
  owner = await planes.database.client();
  const as = (role: 'svc_app' | 'svc_identity') =>
    connect({ url: planes.database.url, role, ...testLogin(role), connectionsMax: 2, timeoutMs: 20_000 });
  [app, identity] = [as('svc_app'), as('svc_identity')];
  g = await newGoverned(planes);
  org = g.tenant.organization_id;
});
after(async () => {
  await Promise.all([owner.end(), app.destroy(), identity.destroy()]);
  await planes.stop();
});

/** Runs one statement about the organization, which is its first parameter. */
const sql = (text: string, ...values: readonly unknown[]) => owner.query(text, [org, ...values]);

const readState = async (name: MeasureName, organizationId = org): Promise<string> => {
  const now = new Date(Date.now() + 1_000);
  const asked = { organizationId, from: new Date(now.getTime() - 30 * DAY_MS), to: now, now };
  const read = <Result>(work: Parameters<typeof searchInTenant<Result>>[2]) =>
    searchInTenant(app, { organization_id: organizationId }, work);
  const counts = (await measureOrganization(read, [name], asked)).get(name);
  assert.ok(counts);
  return judgeMeasure(MEASURES[name], counts);
};

/** Inserts a past event as the owner of the database. */
const insertEvent = (agoMs: number, type: string, subject: string, data: object = {}) => {
  const at = Date.now() - agoMs;
  return sql(
    `insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data)
     values ($1, $2, $3, $4, 'USER', 'usr_1', 'organization', $5, 'info', 'req_1', 't', $6)`,
    `evt_${newUlid(at)}`,
    type,
    new Date(at),
    subject,
    JSON.stringify(data),
  );
};

const verified = (intact: boolean, from_sequence: number) =>
  insertEvent(0, 'audit.integrity_verified', org, { intact, from_sequence, to_sequence: 10, tree_size: 10 });
const obligations = (effect: 'LIMIT' | 'MASK', said: object) =>
  activateRules(
    g.tenant,
    `with ${effect}`,
    [
      { id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' },
      { id: 'obliged', effect, reason: 'Not without.', ...said },
    ],
    [{ name: 'obliged', given: {}, then: { effect } }],
  );

type Flip = { readonly without: () => Promise<unknown>; readonly state?: 'PARTIAL'; readonly fulfil: () => Promise<unknown> };
const none = () => Promise.resolve();

/** Facts for each measure that fail it (NOT_MET by default) and that satisfy it, in an order in which each finds what it needs. */
const FLIPS: Readonly<Record<MeasureName, Flip>> = {
  environments_enforcing: {
    without: () => sql("update environments set mode = 'OBSERVE' where organization_id = $1"),
    fulfil: () => sql("update environments set mode = 'ENFORCE' where organization_id = $1"),
  },
  agents_under_policy: {
    without: () => sql("update policy_bindings set target_id = 'org_other' where organization_id = $1"),
    fulfil: () => sql('update policy_bindings set target_id = $1 where organization_id = $1'),
  },
  policies_tested: {
    without: () => sql('delete from policy_bindings where organization_id = $1'),
    fulfil: () =>
      sql(
        "insert into policy_bindings (organization_id, id, policy_id, scope, target_id) select $1, 'bnd_' || id, id, 'ORGANIZATION', $1 from policies where organization_id = $1",
      ),
  },
  invariants_stated: {
    without: none,
    fulfil: () =>
      sql(
        "insert into policy_invariants (organization_id, id, name, at_least, currency, created_by) values ($1, $2, 'One', 'ALLOW', 'USD', 'usr_1')",
        `pin_${newUlid()}`,
      ),
  },
  limits_in_force: { without: none, fulfil: () => obligations('LIMIT', { limit: { max_calls: 1_000, window_seconds: 60 } }) },
  masks_in_force: { without: none, fulfil: () => obligations('MASK', { mask: { parameters: ['iban'] } }) },
  tools_with_schemas: {
    without: none,
    fulfil: () => sql(`update tools set parameters_schema = '{"additionalProperties":false}' where organization_id = $1`),
  },
  tools_with_narrow_destinations: {
    without: () =>
      sql(`update tools set kind = 'HTTP', destination_allowlist = '{a.example.com,*.example.com}' where organization_id = $1`),
    fulfil: () => sql(`update tools set destination_allowlist = '{a.example.com}' where organization_id = $1`),
  },
  inventory_described: {
    without: () => sql("update agents set description = ' ' where organization_id = $1"),
    fulfil: async () => {
      await sql("update agents set description = 'Refunds' where organization_id = $1");
      await sql("update tools set description = 'Pays' where organization_id = $1");
    },
  },
  agents_with_passports: {
    without: () => sql("update passports set expires_at = now() - interval '1 hour' where organization_id = $1"),
    fulfil: () => sql("update passports set expires_at = now() + interval '90 days' where organization_id = $1"),
  },
  agent_keys_rotated: {
    without: () => sql("update agent_keys set created_at = now() - interval '366 days' where organization_id = $1"),
    fulfil: () => sql("update agent_keys set created_at = now() - interval '364 days' where organization_id = $1"),
  },
  agents_in_use: {
    without: () => sql("update agents set created_at = now() - interval '91 days' where organization_id = $1"),
    fulfil: () => insertAction(owner, g.tenant, { agent_id: g.agent.id }),
  },
  delegations_end: {
    without: async () => {
      assert.equal((await g.owner('POST', '/v1/delegations', { delegate_agent_id: g.agent.id })).status, 201);
      await sql('update delegations set expires_at = null where organization_id = $1');
    },
    fulfil: () => sql("update delegations set expires_at = now() + interval '1 day' where organization_id = $1"),
  },
  members_with_factor: {
    without: () =>
      sql(
        "insert into second_factors (user_id, id, kind, name, enrolled_in, sealed_secret) select user_id, $2, 'TOTP', 'Phone', 'ses_1', '' from members where organization_id = $1",
        `fac_${newUlid()}`,
      ),
    fulfil: () =>
      sql('update second_factors set confirmed_at = now() where user_id in (select user_id from members where organization_id = $1)'),
  },
  factor_required: {
    without: none,
    fulfil: () => sql('update organizations set require_mfa = true where id = $1'),
  },
  sign_in_enforced: {
    without: async () => {
      await insertSso(planes.database, org, g.tenant.user.id);
    },
    fulfil: () => sql('update sso_connections set enforce = true where organization_id = $1'),
  },
  keys_in_use: {
    without: async () => {
      const body = { name: 'A key', role_id: 'rol_00000000000000000000000007' };
      await sql('update organizations set require_mfa = false where id = $1');
      await newControlClient(planes.controlUrl, g.tenant.token).createApiKey({ body });
      await sql("update api_keys set created_at = now() - interval '91 days' where organization_id = $1");
    },
    fulfil: () => sql('update api_keys set last_used_at = now() where organization_id = $1'),
  },
  networks_named: {
    without: () => sql("update organizations set allowed_networks = '{10.0.0.0/8,0.0.0.0/0}' where id = $1"),
    fulfil: () => sql("update organizations set allowed_networks = '{10.0.0.0/8,127.0.0.0/8,::1/128}' where id = $1"),
  },
  approvers: { without: none, state: 'PARTIAL', fulfil: () => insertPerson(owner, org, 'approver') },
  record_kept: { without: none, fulfil: () => insertEvent(184 * DAY_MS, 'organization.updated', 'org_1') },
  actions_recorded: {
    without: none,
    fulfil: async () => {
      const { rows } = await sql('select id from actions where organization_id = $1');
      for (const { id } of rows) await insertEvent(0, 'action.allowed', id);
    },
  },
  approvals_decided: {
    without: () => insertHeldAction(owner, g.tenant, { status: 'EXPIRED' }),
    fulfil: () => sql("update approvals set status = 'DENIED' where organization_id = $1"),
  },
  risky_actions_approved: {
    without: async () => {
      await sql("update tools set risk_rating = 'HIGH' where organization_id = $1");
      await insertAction(owner, g.tenant, { tool_id: g.tool.id, status: 'OBSERVED', mode: 'OBSERVE' });
      await insertHeldAction(owner, g.tenant, { status: 'CONSUMED' }, { tool_id: g.tool.id, status: 'COMPLETED' });
    },
    state: 'PARTIAL',
    fulfil: () => sql("update actions set status = 'BLOCKED' where organization_id = $1 and approval_id is null"),
  },
  outcomes_known: {
    without: () => sql("update actions set status = 'UNKNOWN' where organization_id = $1"),
    fulfil: () => sql("update actions set status = 'FAILED' where organization_id = $1"),
  },
  events_sealed: {
    without: () => insertEvent(DAY_MS, 'organization.updated', 'org_1'),
    fulfil: async () => {
      await sql(
        `insert into audit_leaves (organization_id, leaf_index, event_id, leaf_hash)
         select $1, row_number() over (order by id) - 1, id, '' from audit_events where organization_id = $1`,
      );
      await sql("insert into audit_trees (organization_id, size, root_hash, edge, checkpoint) values ($1, 1, '', '', '')");
    },
  },
  record_verified: { without: () => verified(true, 5), state: 'PARTIAL', fulfil: () => verified(true, 0) },
  receivers_reached: {
    without: async () => {
      await insertWebhook(owner, { organizationId: org, userId: g.tenant.user.id, url: 'https://hooks.example.com/' });
      await sql(
        `insert into webhook_deliveries (organization_id, id, subscription_id, event_id, event_type, subject_id, state, is_test)
         select $1, $2, id, 'evt_1', 'agent.created', 'agt_1', 'DELIVERED', true from webhook_subscriptions where organization_id = $1`,
        `dlv_${newUlid()}`,
      );
    },
    fulfil: () => sql('update webhook_deliveries set is_test = false where organization_id = $1'),
  },
  stops_exercised: {
    without: none,
    fulfil: async () => {
      for (const verb of ['pause', 'resume']) assert.equal((await g.owner('POST', `/v1/agents/${g.agent.id}/${verb}`, {})).status, 200);
    },
  },
};

const report = (query = '', token = g.tenant.token) => call(planes.controlUrl, 'GET', `/v1/compliance/report${query}`, { token });

test('getComplianceReport reports no control of a new organization as met, and states what each lacks', async () => {
  const { token } = await signUp(planes.controlUrl);
  const answer = await report('', token);
  assert.equal(answer.status, 200, answer.text);
  const { controls, counts } = answer.json as ComplianceReport;
  assert.equal(counts.MET, 0);
  for (const { name, state, lacking, recorded } of controls) {
    assert.notEqual(state, 'MET', name);
    assert.equal(lacking.length > 0, state !== 'NOT_APPLICABLE', name);
    assert.equal(recorded, null, name);
  }
});

for (const [name, { without, state = 'NOT_MET', fulfil }] of Object.entries(FLIPS) as [MeasureName, Flip][])
  test(`${name} is ${state} while the fact is not as required, and MET once it is`, async () => {
    await without();
    assert.equal(await readState(name), state);
    await fulfil();
    assert.equal(await readState(name), 'MET');
  });

test('a held log seals nothing, and a finding of one verification overrides clean ones', async () => {
  await sql('update audit_trees set held_since = now() where organization_id = $1');
  assert.equal(await readState('events_sealed'), 'NOT_MET');
  await sql('update audit_trees set held_since = null where organization_id = $1');
  assert.equal(await readState('events_sealed'), 'MET');
  await verified(false, 0);
  assert.equal(await readState('record_verified'), 'NOT_MET');
  await sql("delete from audit_events where organization_id = $1 and data->>'intact' = 'false'");
});

test('in an environment that only observes, an approval of another action approves none', async () => {
  const rules = [{ id: 'held', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.', approval: { approver_role: 'approver', quorum: 1 } }];
  const watched = await newGoverned(planes, { rules, tool: { risk_rating: 'HIGH' } });
  const { organization_id, environment_id } = watched.tenant;
  const approver = await insertPerson(owner, organization_id, 'approver');
  const { approval_id } = (await watched.act({})).json.error.details;
  await newControlClient(planes.controlUrl, approver.token).approveApproval({ params: { approvalId: approval_id }, body: {} });
  assert.equal((await watched.act({ approval_id })).status, 200);
  assert.equal(await readState('risky_actions_approved', organization_id), 'MET');
  await watched.owner('POST', `/v1/environments/${environment_id}/gateway-mode`, { mode: 'OBSERVE', reason: 'test' });
  const other = await watched.act({ approval_id, parameters: { order: 'another' } });
  assert.deepEqual([other.status, other.json.status, other.json.code], [200, 'OBSERVED', 'APPROVAL_NOT_GRANTED'], other.text);
  assert.equal(await readState('risky_actions_approved', organization_id), 'PARTIAL');
});

test('an enforced provider vouches for the people it signs in: those with an address of another domain need their own factor', async () => {
  const { organization, user, email } = await signUp(planes.controlUrl);
  const { connectionId } = await insertSso(planes.database, organization.id, user.id);
  await owner.query("update sso_connections set enforce = true, trusts_mfa = true, status = 'ACTIVE' where id = $1", [connectionId]);
  const domain = `${organization.id.toLowerCase().replace('_', '-')}.example`;
  await owner.query(
    'insert into sso_domains (organization_id, connection_id, domain, challenge, verified_at) values ($1, $2, $3, $3, now())',
    [organization.id, connectionId, domain],
  );
  assert.equal(await readState('members_with_factor', organization.id), 'NOT_MET');
  await owner.query('update users set email = $2 where id = $1', [user.id, email.replace('example.com', domain)]);
  assert.equal(await readState('members_with_factor', organization.id), 'MET');
});

test('with every fact as required the report meets what it can, and an auditor gets each request of its evidence', async () => {
  const { token } = await insertPerson(owner, org, 'auditor');
  await sql(
    "insert into second_factors (user_id, id, kind, name, enrolled_in, sealed_secret, confirmed_at) select user_id, 'fac_' || user_id, 'TOTP', 'Phone', 'ses_1', '', now() from members where organization_id = $1 on conflict do nothing",
  );
  await sql('update organizations set require_mfa = true where id = $1');
  await sql("update actions set status = 'BLOCKED' where organization_id = $1 and approval_id is null");
  await FLIPS.actions_recorded.fulfil();
  await sql("update sessions set amr = '{PASSWORD,TOTP}' where organization_id = $1");
  const answer = await report('', token);
  assert.equal(answer.status, 200, answer.text);
  const { controls, counts } = answer.json as ComplianceReport;
  const lacking = controls.flatMap(({ measures }) => measures.filter(({ state }) => state !== 'MET').map(({ name }) => name));
  assert.deepEqual([...new Set(lacking)].sort(), []);
  assert.deepEqual([counts.NOT_MET, counts.NOT_APPLICABLE], [0, 0]);
  const paths = new Set(controls.flatMap(({ measures }) => measures.flatMap(({ evidence }) => evidence.map(({ path }) => path))));
  for (const path of paths) assert.equal((await call(planes.controlUrl, 'GET', path, { token })).status, 200, path);
});

test('counts nothing of another organization, or outside the period', async () => {
  const stranger = await signUp(planes.controlUrl);
  for (const name of MEASURE_NAMES) assert.notEqual(await readState(name, stranger.organization.id), 'MET', name);
  const before = new Date(Date.now() - 40 * DAY_MS).toISOString();
  const { json } = await report(`?from=${before}&to=${new Date(Date.now() - 35 * DAY_MS).toISOString()}`);
  const measures = (json as ComplianceReport).controls.flatMap((control) => control.measures);
  for (const { name, state } of measures) if (MEASURES[name as MeasureName].of === 'PERIOD') assert.equal(state, 'NOT_MET', name);
});

test('a caller limited to part of the organization gets no report of it, and one without access to the audit log none at all', async () => {
  const limited = await insertPerson(owner, org, 'auditor', { workspaces: [g.tenant.workspace_id] });
  const viewer = await insertPerson(owner, org, 'viewer');
  await sql('update organizations set require_mfa = false where id = $1');
  for (const { token } of [limited, viewer]) {
    const { status, json } = await report('', token);
    assert.deepEqual([status, json.error.code], [403, 'PERMISSION_DENIED']);
  }
});

test('an empty, future, too long or malformed period is refused at its member', async () => {
  const at = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  for (const query of [
    '?from=yesterday',
    `?from=${at(1)}`,
    `?from=${at(-2)}&to=${at(-3)}`,
    `?from=${at(-LIMITS.compliance.periodDaysMax - 1)}`,
  ]) {
    const { status, json } = await report(query);
    assert.deepEqual([status, json.error.code, json.error.details.faults[0].pointer], [400, 'VALIDATION_FAILED', '/from'], query);
  }
  const ahead = (await report(`?to=${at(9)}`)).json as ComplianceReport;
  assert.ok(Date.parse(ahead.period.to) <= Date.now() + 60_000);
});

test('a change of a control is recorded once for any number of readers, and the first read changes nothing', async () => {
  const deps = { database: app, identity, log: pino({ level: 'silent' }), clock: () => new Date() };
  const judge = () => Promise.all([0, 1].map(() => judgeControls.run(deps, () => false)));
  const told = async () =>
    (
      await sql(
        "select data::jsonb - 'record_digests' as data from audit_events where organization_id = $1 and type = 'compliance.control_updated'",
      )
    ).rows.map(({ data }) => data);
  const later = () => sql("update compliance_judgements set judged_at = judged_at - interval '2 hours' where organization_id = $1");
  await judge();
  assert.equal((await sql('select 1 from compliance_judgements where organization_id = $1')).rowCount, 0, 'an hour has to pass first');
  await sql("update organizations set created_at = now() - interval '2 hours' where id = $1");
  await judge();
  assert.deepEqual(await told(), []);
  await sql("update environments set mode = 'OBSERVE' where organization_id = $1");
  await judge();
  assert.deepEqual(await told(), [], 'within the hour nobody looks again');
  await later();
  await judge();
  const changes = await told();
  assert.deepEqual(changes.map(({ control }) => control).sort(), ['decisions_bind', 'people_stop']);
  for (const { before, after, lacking } of changes) {
    assert.deepEqual([before, after], [{ state: 'MET' }, { state: 'PARTIAL' }]);
    assert.deepEqual(lacking, [MEASURES.environments_enforcing.lacking]);
  }
  const { controls } = (await report()).json as ComplianceReport;
  assert.equal(controls.find(({ name }) => name === 'people_stop')?.recorded?.state, 'PARTIAL');
});

test('the report of a past period does not change with the present state', async () => {
  const own = await newGoverned(planes);
  const { organization_id } = own.tenant;
  const report = async (query = ''): Promise<ComplianceReport> => (await own.owner('GET', `/v1/compliance/report${query}`)).json;
  const deps = { database: app, identity, log: pino({ level: 'silent' }), clock: () => new Date() };
  const judge = () => judgeControls.run(deps, () => false);
  await owner.query("update organizations set created_at = now() - interval '2 days' where id = $1", [organization_id]);
  await judge();
  const to = new Date().toISOString();
  const from = new Date(Date.now() - 30 * DAY_MS).toISOString();
  const past = await report(`?from=${from}&to=${to}`);
  const current = await report();
  assert.equal((await own.owner('POST', `/v1/agents/${own.agent.id}/suspend`, { reason: 'stopped' })).status, 200);
  const after = await report();
  assert.notDeepEqual(after.counts, current.counts, 'the present changes');
  await owner.query("update compliance_judgements set judged_at = now() - interval '1 day' where organization_id = $1", [organization_id]);
  await judge();
  const again = await report(`?from=${from}&to=${to}`);
  const listStates = ({ controls }: ComplianceReport) => controls.map(({ name, state, basis }) => [name, state, basis]);
  assert.deepEqual(listStates(again), listStates(past));
  assert.ok(
    past.controls.every(({ basis }) => basis === 'RECORDED'),
    JSON.stringify(listStates(past)),
  );
  assert.ok(past.controls.every(({ measures }) => measures.every(({ of }) => of === 'PERIOD')));
  const earlier = await report(`?from=2025-01-01T00:00:00.000Z&to=2025-02-01T00:00:00.000Z`);
  assert.ok(earlier.controls.every(({ state, basis }) => basis === 'EVENTS' && state !== 'MET'));
  const act = past.frameworks.find(({ name }) => name === 'EU_AI_ACT');
  assert.deepEqual(
    act?.applies.map(({ from: date }) => date),
    ['2026-08-02', '2027-12-02'],
  );
  for (const { part } of act?.applies ?? []) assert.doesNotMatch(part, /\d{4}\/\d+/, 'the number of an amending act is not stated');
});
