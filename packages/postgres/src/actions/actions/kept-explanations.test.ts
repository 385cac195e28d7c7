import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Explanation } from '@svc/contract/actions/decisions.ts';
import { buildId } from '@svc/contract/tables/ids.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { insertAction } from '@svc/testing/records/insert-action.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';
import { connect, type Database } from '../../connection/connect.ts';
import { readInTenant, type TenantScope } from '../../connection/in-tenant.ts';
import { readReplayPage } from '../../policies/replay/replay-page.ts';
import { findAction } from './actions.ts';
import { unfoldKept } from './kept-explanations.ts';

const WHERE = { organization_id: 'org_a', workspace_id: 'wsp_1', environment_id: 'env_1' };
const ORG = { organization_id: 'org_a' };
const REASON = 'y'.repeat(500);

let fresh: FreshDatabase;
let owner: pg.Client;
let plain: Database;
/** Opens a database and counts queries for versions. */
let database: Database;
let asked = 0;
before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  const login = testLogin('svc_app');
  plain = connect({ url: fresh.url, role: 'svc_app', ...login, connectionsMax: 2, timeoutMs: 5_000 });
  database = plain.withPlugin({
    transformQuery: ({ node }) => {
      if (JSON.stringify(node).includes('policy_versions')) asked += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await owner.query("insert into organizations (id, name) values ('org_a', 'A'), ('org_b', 'B')");
  await owner.query("insert into policies (organization_id, id, name) values ('org_a', 'pol_1', 'P'), ('org_b', 'pol_1', 'P')");
});
after(async () => {
  await plain.destroy();
  await owner.end();
  await fresh.drop();
});
beforeEach(() => {
  asked = 0;
});

let made = 0;
/** Activates a version with so many rules. */
const newVersion = async (
  organization = 'org_a',
  rules = 1,
  reason = REASON,
  id: string = buildId('policy_version', newUlid()),
): Promise<string> => {
  made += 1;
  const when = { field: 'amount', op: 'gt', value: made };
  const all = Array.from({ length: rules }, (_, index) => ({ id: `r${index}`, effect: 'BLOCK', reason, when }));
  await owner.query(
    `insert into policy_versions (organization_id, id, policy_id, version_number, status, rules, tests, created_by)
     values ($1, $2, 'pol_1', $3, 'SUPERSEDED', $4, '[]', 'usr_1')`,
    [organization, id, made, JSON.stringify(all)],
  );
  return id;
};

const record = (...versions: string[]) => ({
  ...{
    folded: 2,
    matched_rule: versions.length === 0 ? null : 0,
    sources: versions.map((id) => ['pol_1', 'P', id, 1, { scope: 'ORGANIZATION', id: 'org_a' }]),
  },
  rules: versions.map((_, source) => ['r0', source, 'matched', false, [[1, 99]]]),
  ...{ stages: 0, decision: 'BLOCK', skipped_rules: 0, authority: {}, risk: { signals: [] } },
});
const told = (...records: object[]): Promise<Explanation[]> =>
  readInTenant(database, ORG, (tx) => unfoldKept(tx, ORG.organization_id, records));
const getReasons = ({ matched_rules }: Explanation) => matched_rules.map((rule) => [rule.version_id, rule.reason]);

describe('stored explanations', () => {
  test('are restored completely, with one query for the versions of all of them, and none for cached versions', async () => {
    const [one, two, three] = [await newVersion(), await newVersion(), await newVersion()];
    const answers = await told(record(one, two), record(two), record());
    assert.equal(asked, 1);
    assert.deepEqual(answers.map(getReasons), [
      [
        [one, REASON],
        [two, REASON],
      ],
      [[two, REASON]],
      [],
    ]);
    assert.deepEqual(answers[0]?.matched_rules[0]?.conditions, [
      { path: '', field: 'amount', op: 'gt', expected: made - 2, actual: 99, outcome: 'true', unknown_because: null },
    ]);
    await told(record(one), record(two, one));
    assert.equal(asked, 1);
    await told(record(three, one));
    assert.equal(asked, 2);
  });

  test('without a version need no query', async () => {
    await told(record(), { ...record(), folded: 1, matched_rule: null, stages: [] }, { decision: 'BLOCK' });
    assert.equal(asked, 0);
  });

  test('of a page of a replay need one query per page', async () => {
    const [one, two] = [await newVersion(), await newVersion()];
    for (const kept of [record(one), record(two, one), record(two)])
      await insertAction(owner, WHERE, { explanation: JSON.stringify(kept) });
    const target = { scope: 'ORGANIZATION', target_id: 'org_a' } as const;
    const page = await readInTenant(database, ORG, (tx) => readReplayPage(tx, 'org_a', [target], { since: 'act_', before: null }, 3));
    assert.deepEqual(
      page.actions.map(({ explanation }) => getReasons(explanation as Explanation).map(([id]) => id)),
      [[two], [two, one], [one]],
    );
    assert.equal(asked, 1);
  });

  test('are shown to a reader limited to a part of the organization without access to the policy', async () => {
    const id = await insertAction(owner, WHERE, { explanation: JSON.stringify(record(await newVersion())) });
    const { organization_id, environment_id } = WHERE;
    const limited: TenantScope = { organization_id, workspace_ids: ['wsp_1'], environment_id };
    const [action, policies] = await readInTenant(database, limited, async (tx) => [
      await findAction(tx, 'org_a', id),
      await tx.selectFrom('policies').select('id').execute(),
    ]);
    assert.deepEqual(policies, []);
    assert.equal(asked, 1);
    assert.deepEqual(action?.explanation.matched_rule?.reason, REASON);
    const beside = { ...limited, workspace_ids: ['wsp_2'] };
    assert.equal(await readInTenant(database, beside, (tx) => findAction(tx, 'org_a', id)), undefined);
  });

  test('are not restored partially if one of their versions is missing, even if the others are cached', async () => {
    const known = await newVersion();
    await told(record(known));
    for (const kept of [record('pvr_gone'), record(known, 'pvr_gone'), record('pvr_gone', known)]) {
      await assert.rejects(told(record(known), kept), /version pvr_gone .* is not there/);
    }
    assert.equal(asked, 4, 'what was not found is asked for again');
  });

  test('are never restored from a version of another organization with the same id, cached or not', async () => {
    const id = await newVersion('org_b', 1, 'secret of b');
    await assert.rejects(told(record(id)), /is not there/);
    const [reader, name] = [{ organization_id: 'org_b' }, 'org_b'];
    const [there] = await readInTenant(database, reader, (tx) => unfoldKept(tx, name, [record(id)]));
    assert.equal(there?.matched_rule?.reason, 'secret of b');
    await assert.rejects(told(record(id)), /is not there/);
    await newVersion('org_a', 1, 'of a', id);
    assert.equal((await told(record(id)))[0]?.matched_rule?.reason, 'of a');
  });

  test('keep a bounded number of versions, and evict the least recently used first', async () => {
    const [often, once] = [await newVersion(), await newVersion()];
    await told(record(often), record(once));
    for (let index = 0; index < 25; index += 1) {
      await told(record(await newVersion('org_a', 200)));
      await told(record(often));
    }
    assert.equal(asked, 26, 'what is used stays');
    await told(record(once));
    assert.equal(asked, 27, 'what is not used goes');
  });
});
