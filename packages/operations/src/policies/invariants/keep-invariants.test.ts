import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { isId } from '@svc/contract/tables/ids.ts';
import { about, EVERYWHERE } from '@svc/postgres/audit/about.ts';
import { type Change, change } from '@svc/postgres/change/change.ts';
import { connect, type Database } from '@svc/postgres/connection/connect.ts';
import { insertPolicyInvariant } from '@svc/postgres/policies/invariants.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';
import { type Guard, keepInvariants, type Prove } from './keep-invariants.ts';

const organizationId = 'org_1';
const scope = { organization_id: organizationId };
let fresh: FreshDatabase;
let owner: pg.Client;
let database: Database;
before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  await owner.query("insert into organizations (id, name) values ('org_1', 'One')");
  database = connect({ url: fresh.url, role: 'svc_app', ...testLogin('svc_app'), connectionsMax: 2, timeoutMs: 20_000 });
});
beforeEach(() => owner.query('truncate policy_invariants, audit_events'));
after(async () => {
  await database.destroy();
  await owner.end();
  await fresh.drop();
});

const context = () => ({
  scope,
  actor: { type: 'USER', id: 'usr_1', name: null } as const,
  requestId: newId('request'),
  traceId: '1'.repeat(32),
  now: new Date(),
  newEventId: () => newId('audit_event'),
});

/** Returns what other requests see, and which locks are held on it. */
const seen = async () => {
  const { rows } = await owner.query<{ invariants: number; events: number; held: number }>(`
    select (select count(*)::int from policy_invariants) as invariants, (select count(*)::int from audit_events) as events,
           (select count(*)::int from pg_stat_activity where datname = current_database() and state = 'idle in transaction') as held`);
  return rows[0];
};

const state = async ({ tx, emit }: Change<'compliance.control_updated'>) => {
  const id = newId('policy_invariant');
  const stated = {
    id,
    name: id,
    description: '',
    when: null,
    if_missing: null,
    at_least: 'BLOCK',
    at_most: null,
    currency: 'USD',
  } as const;
  await insertPolicyInvariant(tx, organizationId, { ...stated, ...EVERYWHERE, created_by: 'usr_1', now: new Date() });
  emit('compliance.control_updated', about.policy_invariant({ id }, EVERYWHERE));
  return id;
};

const attempt = (guard: Guard) => change(database, context(), guard(state));

const proved: Awaited<ReturnType<Prove>> = { verdict: 'PROVED', places: 1, counter_example: null, undecided: null };

test('while a change is proved nothing of it is visible or locked, and then it is made and recorded once', async () => {
  const during: unknown[] = [];
  const prove: Prove = async () => {
    during.push(await seen());
    return proved;
  };
  const made = await keepInvariants({ scope, prove }, attempt);
  assert.ok(typeof made === 'string' && isId('policy_invariant', made));
  assert.deepEqual(during, [{ invariants: 0, events: 0, held: 0 }]);
  assert.deepEqual(await seen(), { invariants: 1, events: 1, held: 0 });
});

test('a change that is not proved returns its counterexample, and nothing of it is stored', async () => {
  for (const prove of [
    async () => ({ ...proved, verdict: 'UNDECIDED', undecided: { place: 'here', rules: [], because: 'b', remedy: 'r' } }) as const,
    async () => buildRefusal('RATE_LIMITED', 'Too much is being proved.'),
  ] satisfies Prove[]) {
    const made = await keepInvariants({ scope, prove }, attempt);
    assert.equal(typeof made === 'object' && made.refused, 'UNPROCESSABLE');
    assert.deepEqual(await seen(), { invariants: 0, events: 0, held: 0 });
  }
});

test('an error in an attempt is rethrown, and nothing to prove', async () => {
  const prove: Prove = () => assert.fail('nothing to prove');
  await assert.rejects(
    keepInvariants({ scope, prove }, async (guard) =>
      change(
        database,
        context(),
        guard(async () => {
          throw new Error('broke');
        }),
      ),
    ),
    /broke/,
  );
});
