import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';

let planes: Planes;
let owner: pg.Client;
let governed: Governed;
let ids: Record<string, string>;

before(async () => {
  planes = await startPlanes();
  owner = await planes.database.client();
  governed = await newGoverned(planes, { rules: [ASKS], tests: [{ name: 'asks', given: {}, ...expecting('REQUIRE_APPROVAL') }] });
  const { tenant, agent, tool, policyId } = governed;
  ids = { org: tenant.organization_id, env: tenant.environment_id, agent: agent.id, tool: tool.id, policy: policyId };
  const { rows } = await owner.query(
    "select conrelid::regclass as name, conname from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace",
  );
  // Rows that violate constraints could come from a dump, a repair or an older version.
  for (const { name, conname } of rows) await owner.query(`alter table ${name} drop constraint ${conname}`);
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const expecting = (effect: string) => ({ then: { effect } });
const ASKS = { id: 'asks', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' };

/** Repairs rows like no one should: with the owner's permissions and without triggers; then notifies the gateways of a change. */
const repair = async (statements: readonly string[]): Promise<void> => {
  await owner.query('begin');
  await owner.query("set local session_replication_role = 'replica'");
  for (const statement of statements) {
    const { rowCount } = await owner.query(statement.replace(/\$(\w+)/g, (_, name: string) => `'${ids[name]}'`));
    assert.ok((rowCount ?? 0) > 0, statement);
  }
  await owner.query('update environment_epochs set epoch = epoch + 1 where environment_id = $1', [ids.env]);
  await owner.query('update agent_epochs set epoch = epoch + 1 where agent_id = $1', [ids.agent]);
  await owner.query('commit');
};

const ask = async (body: object = {}): Promise<string> => {
  const { status, json } = await governed.act({ parameters: {}, ...body });
  return `${status} ${json.error?.code ?? json.status}`;
};

type Wrong = readonly [what: string, wrong: string, right: string];

const refuses = (expected: string, rows: readonly Wrong[]): void => {
  for (const [what, wrong, right] of rows) {
    test(what, async () => {
      assert.equal(await ask(), '403 APPROVAL_REQUIRED');
      await repair([wrong]);
      assert.equal(await ask(), expected);
      await repair([right]);
      assert.equal(await ask(), '403 APPROVAL_REQUIRED');
    });
  }
};

const inForce = 'where policy_id = $policy';
const rules = (text: string): string => `update policy_versions set rules = '${text}' ${inForce}`;
const RULES = JSON.stringify([ASKS]);
const environment = (set: string): string => `update environments set ${set} where id = $env`;
const organization = (set: string): string => `update organizations set ${set} where id = $org`;
const tool = (set: string): string => `update tools set ${set} where id = $tool`;
const agent = (set: string): string => `update agents set ${set} where id = $agent`;

describe('no action is decided with malformed policies of an environment, such as', () => {
  refuses('503 POLICY_SERVICE_UNAVAILABLE', [
    ['an unknown effect', rules(RULES.replace('REQUIRE_APPROVAL', 'REQUIRE_APPROVALS')), rules(RULES)],
    [
      'a value of another type',
      rules('[{"id":"a","effect":"BLOCK","reason":"x","when":{"field":"amount","op":"gt","value":"5"}}]'),
      rules(RULES),
    ],
    ['an unknown field', rules('[{"id":"a","effect":"BLOCK","reason":"x","when":{"field":"amuont","op":"gt","value":5}}]'), rules(RULES)],
    ['a rule without its demand', rules('[{"id":"a","effect":"LIMIT","reason":"x"}]'), rules(RULES)],
    ['no list of rules', rules('{}'), rules(RULES)],
    ['an empty list of rules', rules('[]'), rules(RULES)],
    [
      'an unknown status',
      `update policy_versions set status = 'ACTIV' ${inForce}`,
      `update policy_versions set status = 'ACTIVE' ${inForce}`,
    ],
    [
      'a currency that is none',
      `update policy_versions set currency = 'eur' ${inForce}`,
      `update policy_versions set currency = 'USD' ${inForce}`,
    ],
    [
      'an unknown kind of binding',
      `update policy_bindings set scope = 'ORGANISATION' ${inForce}`,
      `update policy_bindings set scope = 'ORGANIZATION' ${inForce}`,
    ],
    [
      'a policy that was deleted in force',
      'update policies set deleted_at = now() where id = $policy',
      'update policies set deleted_at = null where id = $policy',
    ],
  ]);
});

describe('no action is decided in a malformed environment, such as', () => {
  refuses('503 POLICY_SERVICE_UNAVAILABLE', [
    ['one paused for no reason', environment('paused_at = now()'), environment('paused_at = null')],
    ['one with a reason and no pause', environment("paused_reason = 'x'"), environment('paused_reason = null')],
    ['one of another type', environment("type = 'PROD'"), environment("type = 'DEVELOPMENT'")],
    ['one in another mode', environment("mode = 'ENFORCED'"), environment("mode = 'ENFORCE'")],
    ['one of an organization without a time zone', organization("time_zone = 'Mars/Base'"), organization("time_zone = 'UTC'")],
    ['one of an organization without a currency', organization("base_currency = 'usd'"), organization("base_currency = 'USD'")],
  ]);
});

describe('no action is decided on a malformed tool, such as', () => {
  refuses('503 POLICY_SERVICE_UNAVAILABLE', [
    ['one of another status', tool("status = 'DISABLD'"), tool("status = 'ACTIVE'")],
    ['one in use that has a reason not to be', tool("disabled_reason = 'broken'"), tool('disabled_reason = null')],
    ['one of another kind', tool("kind = 'SKD'"), tool("kind = 'SDK'")],
    ['one of another risk', tool("risk_rating = 'HIHG'"), tool("risk_rating = 'LOW'")],
    ['one whose amount is nowhere', tool("amount_from = 'amount'"), tool('amount_from = null')],
    ['one whose schema is none', tool(`parameters_schema = 'true'`), tool(`parameters_schema = '{"type":"object"}'`)],
    ['one whose schema says nothing', tool(`parameters_schema = '{"tpye":"object"}'`), tool(`parameters_schema = '{"type":"object"}'`)],
    ['one that may go to what is no host', tool("destination_allowlist = '{https://a.example/}'"), tool("destination_allowlist = '{}'")],
    [
      'one with a call that its kind does not make',
      tool(`execution = '{"method":"POST","url":"https://a.example"}'`),
      tool('execution = null'),
    ],
  ]);
});

describe('no action is decided for a malformed agent, such as', () => {
  const passport = (at: string): string => `update passports set expires_at = ${at} where agent_id = $agent`;
  const delegation = (set: string): string => `update delegations set ${set} where delegate_agent_id = $agent`;
  refuses('503 IDENTITY_SERVICE_UNAVAILABLE', [
    ['one of another status', agent("status = 'ACTIVATED'"), agent("status = 'ACTIVE'")],
    ['one whose passport ended before time began', passport("'-infinity'"), passport("now() + interval '1 day'")],
    ['one whose passport never ends', passport("'infinity'"), passport("now() + interval '1 day'")],
    ['one whose labels are no labels', agent(`labels = '["a"]'`), agent(`labels = '{}'`)],
    ['one that was made at no moment', agent("created_at = '-infinity'"), agent('created_at = now()')],
  ]);
  test('one with a malformed delegation', async () => {
    const { tenant } = governed;
    const made = await governed.owner('POST', '/v1/delegations', { delegate_agent_id: ids.agent });
    assert.equal(made.status, 201, made.text);
    ids.giver = made.json.delegator.id;
    assert.equal(await ask(), '403 APPROVAL_REQUIRED', tenant.organization_id);
    const isEnded = async (wrong: string): Promise<boolean> =>
      wrong.startsWith('expires_at') &&
      (await owner.query("select from delegations where delegate_agent_id = $1 and status = 'EXPIRED'", [ids.agent])).rowCount === 1;
    for (const [wrong, right] of [
      ["expires_at = '-infinity'", "expires_at = null, status = 'ACTIVE', ended_at = null"],
      ["status = 'ACTIV'", "status = 'ACTIVE'"],
      ["status = 'REVOKD', ended_at = now() - interval '90 days'", "status = 'ACTIVE', ended_at = null"],
      ['ended_at = now()', 'ended_at = null'],
      ["status = 'REVOKED'", "status = 'ACTIVE'"],
      ["capabilities = '{NULL}'", 'capabilities = null'],
      ["destinations = '{https://a.example/}'", 'destinations = null'],
      ['max_amount = -1', 'max_amount = null'],
      ['max_amount = 5', 'max_amount = null'],
      ['window_seconds = 0', 'window_seconds = null'],
      ['delegator_user_id = null', 'delegator_user_id = $giver'],
      ["delegator_user_id = ''", 'delegator_user_id = $giver'],
      ['delegator_agent_id = $agent', 'delegator_agent_id = null'],
      ["parent_id = 'del_none'", 'parent_id = null'],
      ["path = ''", 'path = id'],
      ["path = 'del_none'", 'path = id'],
      ["id = 'del_none'", 'id = path'],
    ] as const) {
      await repair([delegation(wrong)]);
      let answer = await ask();
      // The job that ends delegations may have run: then the row is valid again, and wrong in another way.
      while (await isEnded(wrong)) {
        await repair([delegation("status = 'ACTIVE', ended_at = null"), delegation(wrong)]);
        answer = await ask();
      }
      assert.equal(answer, '503 IDENTITY_SERVICE_UNAVAILABLE', wrong);
      await repair([delegation(right)]);
      assert.equal(await ask(), '403 APPROVAL_REQUIRED', right);
    }
  });
});

test('no action is decided on a malformed approval', async () => {
  const held = await governed.act({ parameters: { n: 1 } });
  const approval_id = held.json.error.details.approval_id;
  ids.approval = approval_id;
  const approval = (set: string): string => `update approvals set ${set} where id = $approval`;
  for (const wrong of [
    "status = 'APPROVD'",
    "status = 'APPROVED', expires_at = 'infinity'",
    "status = 'APPROVED', quorum = 0",
    "status = 'APPROVED', role_quorums = '{1,1,1}'",
  ]) {
    await owner.query('begin');
    await owner.query(approval(wrong).replace('$approval', `'${approval_id}'`));
    await owner.query('commit');
    assert.equal(await ask({ parameters: { n: 1 }, approval_id }), '503 APPROVAL_SERVICE_UNAVAILABLE', wrong);
    await repair([approval("status = 'PENDING', expires_at = now() + interval '1 hour', quorum = 1, role_quorums = '{1}'")]);
  }
});

test('a malformed count or use refuses everything', async () => {
  const once = [
    { id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' },
    { id: 'once', effect: 'LIMIT', reason: 'Once a day.', limit: { max_calls: 1, window_seconds: 86_400 } },
  ];
  const { tenant, act } = await newGoverned(planes, { rules: once, tests: [{ name: 'once', given: {}, ...expecting('LIMIT') }] });
  assert.equal((await act({})).status, 200);
  const before: Record<string, Record<string, unknown>> = {};
  for (const table of ['counters', 'counter_uses'])
    before[table] = (await owner.query(`select * from ${table} where organization_id = $1`, [tenant.organization_id])).rows[0];
  for (const [table, column, wrong] of [
    ['counter_uses', 'used_at', '-infinity'],
    ['counter_uses', 'used_at', 'infinity'],
    ['counter_uses', 'amount', '0'],
    ['counter_uses', 'amount', '-1'],
    ['counter_uses', 'amount', 'NaN'],
    ['counter_uses', 'total', 'NaN'],
    ['counters', 'total', '-1'],
    ['counters', 'total', 'NaN'],
    ['counters', 'last_used_at', '-infinity'],
    ['counters', 'last_used_at', 'infinity'],
  ] as const) {
    const set = (value: unknown) =>
      owner.query(`update ${table} set ${column} = $1 where organization_id = $2`, [value, tenant.organization_id]);
    await set(wrong);
    const { json, text } = await act({});
    assert.equal(json.error?.code, 'VELOCITY_LIMIT_EXCEEDED', `${table}.${column} = ${wrong}: ${text}`);
    await set(before[table]?.[column]);
  }
});

test('no action is decided on a malformed exchange rate', async () => {
  ids.rate = `fxr_${newUlid()}`;
  const columns = 'organization_id, id, base_currency, quote_currency, rate, source, effective_at, created_at, created_by';
  for (const [rate, source, at] of [
    ['-1', 'MANUAL', 'now()'],
    ['1', 'MANUALLY', 'now()'],
    ['1', 'MANUAL', "'infinity'"],
  ] as const) {
    await repair([`insert into exchange_rates (${columns}) values ($org, $rate, 'EUR', 'USD', '${rate}', '${source}', ${at}, now(), 'x')`]);
    assert.equal(await ask(), '503 POLICY_SERVICE_UNAVAILABLE', `${rate} ${source} ${at}`);
    await repair(['delete from exchange_rates where id = $rate']);
    assert.equal(await ask(), '403 APPROVAL_REQUIRED');
  }
});

test('a malformed row is not read again for each request, and its repair applies to the next one', async () => {
  const began = performance.now();
  await repair([rules('[]')]);
  for (let n = 0; n < 3; n += 1) assert.equal(await ask(), '503 POLICY_SERVICE_UNAVAILABLE');
  // The same repair twice: first without a notification, so that only a reader that loads the rules again would know.
  await owner.query("set session_replication_role = 'replica'");
  await owner.query(rules(RULES).replace('$policy', '$1'), [ids.policy]);
  await owner.query("set session_replication_role = 'origin'");
  const untold = await ask();
  if (performance.now() - began < 4_000) assert.equal(untold, '503 POLICY_SERVICE_UNAVAILABLE');
  await repair([rules(RULES)]);
  assert.equal(await ask(), '403 APPROVAL_REQUIRED');
});
