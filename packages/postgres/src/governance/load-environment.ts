import { newRateTable } from '@svc/domain/money/fx-rates/rate-table.ts';
import type { EnvironmentSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { compileSet, compileSetInSteps } from '@svc/policy/judge/compile-set.ts';
import { type CompiledVersion, compileVersion, type PolicySource } from '@svc/policy/judge/compile-version.ts';
import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import { inTenant, readInTenant, type TenantTransaction } from '../connection/in-tenant.ts';
import { readBlocks } from '../incidents/emergency/blocked-destinations.ts';
import { readRates } from '../money/fx-rates/fx-rates.ts';
import { disabledProviders } from '../risk/trust/evidence-facts.ts';
import { type EnvironmentRow, fitEnvironment, fitRates } from './fit-environment.ts';
import { type BoundRow, mustFitBound } from './fit-version.ts';
import { heldByTools, prepareTools, type ReadTools, readTools } from './load-tools.ts';
import { newTurns, runInTimeSlices } from './take-turns.ts';
import { estimateRulesBytes, prepareRules, type Rules, readRules, type VersionHead } from './version-rules.ts';

type Head = Omit<EnvironmentSnapshot, 'tools' | 'policies' | 'rates' | 'blocked'>;
type BoundVersion = BoundRow & VersionHead;
type FoundVersion = { readonly head: BoundVersion; readonly rules: Rules };

/** Why all requests of agents are refused, the widest scope first; null if they are not. */
const STOPPED = sql.raw(`case when o.deletes_at is not null then 'the organization waits for its deletion'
  when w.archived_at is not null then 'its workspace is archived' when e.archived_at is not null then 'it is archived' end`);

/** An existing environment without an epoch is unfit for decisions, and differs from a missing one. */
const readHead = async (tx: TenantTransaction, organizationId: string, environmentId: string): Promise<Head | undefined> => {
  const { rows } = await sql<EnvironmentRow>`
    select e.organization_id, e.workspace_id, e.id as environment_id, e.type, e.mode, coalesce(${STOPPED}, e.paused_reason) as paused_reason,
           e.paused_at is not null or ${STOPPED} is not null as is_paused, ${STOPPED} is not null as is_archived, e.requires_delegation, e.separation,
           e.requires_trust, ${disabledProviders(organizationId)} as disabled_provider_ids,
           o.base_currency, o.time_zone, p.epoch, r.settings as risk_settings
      from environments e
      left join organizations o on o.id = e.organization_id
      left join workspaces w on w.organization_id = e.organization_id and w.id = e.workspace_id
      left join risk_settings r on r.organization_id = e.organization_id and r.environment_id = e.id
      left join environment_epochs p on p.organization_id = e.organization_id and p.environment_id = e.id
     where e.organization_id = ${organizationId} and e.id = ${environmentId}`.execute(tx);
  return rows[0] && fitEnvironment(rows[0]);
};

const readVersions = async (tx: TenantTransaction, head: Head): Promise<readonly FoundVersion[]> => {
  const { rows } = await sql<BoundVersion>`
    select p.id as policy_id, p.name as policy_name, v.id as version_id, v.version_number, b.scope, b.target_id, v.currency,
           v.status, p.deleted_at is not null as is_deleted, octet_length(v.rules::text) as rule_bytes,
           hashtextextended(v.rules::text, 0)::text as rules_hash
      from policy_bindings b
      join policies p on p.organization_id = b.organization_id and p.id = b.policy_id
      join policy_versions v on v.organization_id = b.organization_id and v.policy_id = b.policy_id and v.status not in ('DRAFT', 'SUPERSEDED')
     where b.organization_id = ${head.organization_id}
       and case b.scope
             when 'ORGANIZATION' then true
             when 'WORKSPACE' then b.target_id = ${head.workspace_id}
             when 'ENVIRONMENT' then b.target_id = ${head.environment_id}
             when 'AGENT' then b.target_id in (select agent_id from agent_epochs where organization_id = ${head.organization_id}
                                            and environment_id = ${head.environment_id})
             else true
           end
     order by p.created_at, p.id`.execute(tx);
  for (const row of rows) mustFitBound(row);
  const rules = await readRules(tx, head.organization_id, rows);
  return rows.map((row) => {
    const own = rules.get(row.version_id);
    if (own === undefined) throw new Error('a version in force was not found');
    return { head: row, rules: own };
  });
};

/** Compiles in time slices; rules compiled before, for this environment or another, are cached. */
const compileFound = async (found: readonly FoundVersion[], turn: ReturnType<typeof newTurns>): Promise<readonly CompiledVersion[]> => {
  const compiled: CompiledVersion[] = [];
  for (const { head, rules } of found) {
    const { policy_id, policy_name, version_id, version_number, currency, target_id } = head;
    const binding = { scope: head.scope as PolicySource['binding']['scope'], id: target_id };
    await prepareRules(rules, turn);
    compiled.push(compileVersion({ policy_id, policy_name, version_id, version_number, currency, binding, body: { rules, tests: [] } }));
    await turn();
  }
  return compiled;
};

type Read = Omit<EnvironmentSnapshot, 'policies' | 'tools'> & { readonly read: ReadTools };

const readWithoutPolicies = async (tx: TenantTransaction, organizationId: string, environmentId: string): Promise<Read | undefined> => {
  const head = await readHead(tx, organizationId, environmentId);
  if (!head) return undefined;
  const read = await readTools(tx, head);
  const rates = newRateTable(head.base_currency, fitRates(await readRates(tx, organizationId)));
  return { ...head, read, rates, blocked: await readBlocks(tx, organizationId) };
};

/** A snapshot with about the bytes that it holds; what it shares with others counts for each. */
export type LoadedEnvironment = EnvironmentSnapshot & { readonly held_bytes: number };

const BYTES_PER_SNAPSHOT = 8_192;
/** Each environment of an organization holds all of its rates and blocks. */
const BYTES_PER_RATE = 1_024;

const heldBytes = ({ read, rates, blocked }: Read, found: readonly FoundVersion[]): number => {
  const rateCount = [...rates.pairs.values()].reduce((sum, { length }) => sum + length, 0);
  return found.reduce(
    (sum, { head }) => sum + estimateRulesBytes(head),
    BYTES_PER_SNAPSHOT + heldByTools(read) + (rateCount + blocked.length) * BYTES_PER_RATE,
  );
};

/**
 * Everything a decision reads about an environment. The epoch is read first: when a change commits meanwhile, the values may be newer
 * than the epoch, and recording a decision then finds that it moved.
 */
export const loadEnvironment = async (
  database: Database,
  organizationId: string,
  environmentId: string,
): Promise<LoadedEnvironment | undefined> => {
  const read = await inTenant(database, { organization_id: organizationId }, async (tx) => {
    const known = await readWithoutPolicies(tx, organizationId, environmentId);
    return known && { known, found: await readVersions(tx, known) };
  });
  if (!read) return undefined;
  const { known, found } = read;
  const { read: held, ...plain } = known;
  const turn = newTurns();
  const tools = await prepareTools(held, turn);
  const policies = await runInTimeSlices(compileSetInSteps(await compileFound(found, turn)), turn);
  return { ...plain, tools, policies, held_bytes: heldBytes(known, found) };
};

/** Blocks every request. */
const NO_POLICIES = compileSet([]);

/** The same without its policies, for requests about tools only: it needs little memory, however many policies there are. */
export const loadEnvironmentTools = async (
  database: Database,
  organizationId: string,
  environmentId: string,
): Promise<EnvironmentSnapshot | undefined> => {
  const known = await readInTenant(database, { organization_id: organizationId }, (tx) =>
    readWithoutPolicies(tx, organizationId, environmentId),
  );
  if (!known) return undefined;
  const { read, ...plain } = known;
  return { ...plain, tools: await prepareTools(read, newTurns()), policies: NO_POLICIES };
};
