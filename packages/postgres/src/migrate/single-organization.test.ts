import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testRole } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';
import { DATABASE_ROLES, type DatabaseRole } from '../connection/connect.ts';

type Exceptions = { readonly reason: string; readonly list: string };

/** Commands by which a role reaches rows of several organizations in one statement, with the reason. All others name one organization. */
const ACROSS: Partial<Record<DatabaseRole, readonly Exceptions[]>> = {
  svc_app: [
    { reason: 'built-in roles belong to no organization', list: 'roles:select' },
    { reason: 'a sign-in that ended is ended in each organization that it reached', list: 'ended_sign_ins:insert ended_sign_ins:select' },
  ],
  svc_identity: [
    {
      reason: 'finds whom a credential belongs to, before the organization is known',
      list: `a2a_push_configs:select agents:select api_keys:select api_keys:update cli_decisions:select device_approvals:select ended_agent_sessions:select ended_sign_ins:delete
        ended_sign_ins:select invitations:delete invitations:select member_workspaces:select members:select mfa_challenges:delete mfa_challenges:select
        roles:select scim_settings:select sessions:delete sessions:select sessions:update sso_assertions:all sso_attempts:all sso_connections:select
        sso_domains:select sso_identities:select sso_sessions:delete sso_sessions:select break_glass_grants:select`,
    },
    {
      reason: 'jobs find the organizations that have work, and do it in one of them at a time',
      list: `actions:select agent_contexts:select agent_sessions:select approvals:select audit_anchorings:select audit_rejections:select
        audit_retention:select audit_trees:select compliance_judgements:select counter_uses:select credential_attempts:all credential_tokens:select
        credentials:select delegations:select deletion_certificates:select environments:select exchange_rate_refreshes:select idempotency_keys:select
        incident_matches:select mcp_servers:select notices:select notifications:select passports:select risk_events:select risk_notices:select
        runtimes:select trust_evidence:select trust_providers:select unreported_marks:select usage_days:select verification_runs:select
        webhook_subscriptions:select workspaces:select`,
    },
    { reason: 'mails wait in one queue', list: 'mails:delete mails:select mails:update' },
  ],
  svc_reader: [
    {
      reason: 'consumers of the feed read events of all organizations of the database in one order, and write by organization',
      list: `agent_conduct:all agent_contexts:all audit_events:select channel_messages:select delegations:select incident_entries:all incident_matches:all
        incident_rule_windows:all incident_rules:select incident_subjects:select incidents:select notices:insert notices:select
        notification_channels:select notification_channels:update risk_notices:all webhook_deliveries:all webhook_stretches:all
        webhook_subscriptions:select webhook_subscriptions:update`,
    },
    {
      reason: 'each organization has a log of its own; one step seals several',
      list: `audit_anchored:all audit_anchorings:all audit_checkpoints:all audit_leaves:all audit_rejected_events:all audit_rejections:all
        audit_search_marks:all audit_search_segments:all audit_tiles:all audit_trees:all`,
    },
  ],
  svc_recorder: [
    {
      reason: 'decisions of several organizations are recorded in one commit; each row is written and compared by its organization',
      list: `actions:insert actions:select actions:update agent_epochs:select approvals:select audit_events:insert counter_uses:all counters:all
        environment_epochs:select`,
    },
    {
      reason: 'an agent is known by its id before its organization is',
      list: 'a2a_connections:select agent_sessions:insert agent_sessions:select agents:select',
    },
  ],
};

/** Unique indexes of tenant tables without the organization, with the reason. A database that distributes tables by organization cannot have them. */
const GLOBAL_KEYS: readonly Exceptions[] = [
  {
    reason: 'a credential is looked up before the organization is known',
    list: `api_keys_previous_token_hash_is_unique api_keys_token_hash_is_unique invitations_code_hash_is_unique
      mfa_challenges_token_hash_is_unique scim_settings_token_hash_is_unique sessions_token_hash_is_unique sso_attempts_pkey cli_decisions_are_once`,
  },
  {
    reason: 'an id of the address is looked up before the organization is known',
    list: 'agents_id_is_unique delegations_id_is_unique sso_connections_id_is_unique',
  },
  { reason: 'a domain belongs to one organization of the installation', list: 'sso_domains_are_verified_once' },
  { reason: 'built-in roles have the same id in every organization', list: 'roles_pkey' },
  {
    reason: 'rows of queues are named by their id alone',
    list: 'audit_searches_pkey channel_messages_pkey mails_pkey notification_channels_pkey notifications_pkey webhook_deliveries_pkey webhook_subscriptions_pkey',
  },
];

/** Tables of no organization: of the installation, or of people, who may belong to several organizations. */
const WITHOUT_ORGANIZATION: readonly Exceptions[] = [
  {
    reason: 'people, and what they prove before they choose an organization',
    list: 'cli_requests notification_preferences password_resets recovery_codes second_factors sign_in_failures sign_ups used_passkey_challenges users',
  },
  { reason: 'the organizations', list: 'organizations' },
  {
    reason: 'the installation',
    list: 'audit_partition_checks conduct_progress feed_positions installation installation_keys platform_keys schema_migrations setup_links',
  },
];

/** Functions that run with the rights of the owner, which no policy limits to one organization. */
const BY_THE_OWNER: readonly Exceptions[] = [
  { reason: 'the organization is an argument', list: 'svc_erase_organization svc_remove_audit_events' },
  { reason: 'partitions by month hold events of all organizations', list: 'svc_drop_audit_partition svc_make_audit_partitions' },
  { reason: 'the feed has one order for all organizations', list: 'svc_lowest_unsealed' },
  {
    reason: 'the function itself limits rows to the organization of the transaction',
    list: 'svc_approval_links svc_could_approve',
  },
];

const words = (exceptions: readonly Exceptions[]): string[] => exceptions.flatMap(({ list }) => list.split(/\s+/)).sort();

const OF_ONE = '(organization_id = svc_organization())';

let database: FreshDatabase;
let owner: pg.Client;
before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
});
after(async () => {
  await owner.end();
  await database.drop();
});

const listNames = async (query: string, values: readonly unknown[] = []): Promise<string[]> =>
  (await owner.query<{ name: string }>(query, [...values])).rows.map(({ name }) => name).sort();

const TENANT_TABLE = `exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id')`;

/** Commands by which a role reaches rows of tenant tables that no policy limits to one organization, as `table:command`. */
const listAcross = (role: DatabaseRole): Promise<string[]> =>
  listNames(
    `select distinct p.tablename || ':' || lower(p.cmd) as name from pg_policies p
       join pg_class c on c.relname = p.tablename and c.relnamespace = 'public'::regnamespace
      where p.schemaname = 'public' and p.permissive = 'PERMISSIVE' and $1 = any (p.roles) and ${TENANT_TABLE}
        and (coalesce(p.qual, $2) <> $2 or coalesce(p.with_check, $2) <> $2)`,
    [testRole(role), OF_ONE],
  );

describe('a statement concerns one organization', () => {
  for (const role of DATABASE_ROLES)
    test(`as ${role}, but for those that are listed`, async () => assert.deepEqual(await listAcross(role), words(ACROSS[role] ?? [])));

  test('as the owner, in no function but those that are listed, and in no view', async () => {
    const functions = await listNames(
      `select distinct p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef`,
    );
    assert.deepEqual(functions, words(BY_THE_OWNER));
    assert.deepEqual(
      await listNames(`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')`),
      [],
    );
  });

  test('and a later one that sees every organization is found', async () => {
    await owner.query('begin');
    await owner.query(
      `create table later (organization_id text, id text); alter table later enable row level security;
       create policy later_seen on later for select to ${testRole('svc_gateway')} using (true)`,
    );
    const found = await listAcross('svc_gateway');
    await owner.query('rollback');
    assert.deepEqual(found, ['later:select']);
  });
});

describe('tables of tenants', () => {
  test('have the organization in every key, but for those that are listed', async () => {
    const found = await listNames(
      `select i.relname as name from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
        where c.relnamespace = 'public'::regnamespace and x.indisunique and not c.relispartition and ${TENANT_TABLE}
          and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and a.attnum = any (x.indkey))`,
    );
    assert.deepEqual(found, words(GLOBAL_KEYS));
  });

  test('refer to rows of the same organization, or to tables of no organization', async () => {
    const found = await listNames(
      `select k.conname as name from pg_constraint k join pg_class c on c.oid = k.confrelid
        where k.contype = 'f' and k.connamespace = 'public'::regnamespace and ${TENANT_TABLE}
          and not exists (select from pg_attribute a where a.attrelid = k.conrelid and a.attname = 'organization_id' and a.attnum = any (k.conkey))`,
    );
    assert.deepEqual(found, ['channel_messages_channel_id_fkey']);
  });

  test('are all tables but those that are listed', async () => {
    const found = await listNames(
      `select c.relname as name from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and not ${TENANT_TABLE}`,
    );
    assert.deepEqual(found, words(WITHOUT_ORGANIZATION));
  });
});
