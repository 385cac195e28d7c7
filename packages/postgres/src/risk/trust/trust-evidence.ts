import type { EvidenceKind, EvidenceStatus } from '@svc/contract/risk/trust/vocabulary.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type ExpressionWrapper, type Insertable, type Selectable, type SqlBool, sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../../lists/listed.ts';
import { bindingCondition } from './evidence-facts.ts';

type Stored = Selectable<Tables['trust_evidence']>;
/** A piece without its document. `is_revoked` is true as well if its provider is disabled. */
export type TrustEvidenceRow = Omit<Stored, 'document'> & { readonly is_bound: boolean; readonly is_revoked: boolean };

const COLUMNS = [
  ...(['organization_id', 'id', 'workspace_id', 'environment_id', 'agent_id', 'provider_id', 'kind', 'format', 'result', 'level'] as const),
  ...(['is_lowering', 'bound_by', 'bound_to', 'document_hash', 'proof', 'note', 'issued_at', 'expires_at', 'added_by_type'] as const),
  ...(['added_by_id', 'created_at', 'revoked_at', 'revoked_by', 'revoked_reason', 'notice_due_at'] as const),
] as const;

const IS_BOUND = sql<boolean>`(select ${bindingCondition(sql`trust_evidence`, sql`ba`)} from agents ba
  where ba.organization_id = trust_evidence.organization_id and ba.id = trust_evidence.agent_id)`;
const IS_REVOKED = sql<boolean>`(trust_evidence.revoked_at is not null or exists (select from trust_providers rp
  where rp.organization_id = trust_evidence.organization_id and rp.id = trust_evidence.provider_id and rp.disabled_at is not null))`;

const select = (tx: TenantTransaction, organizationId: string) =>
  tx
    .selectFrom('trust_evidence')
    .select(COLUMNS)
    .select([IS_BOUND.as('is_bound'), IS_REVOKED.as('is_revoked')])
    .where('trust_evidence.organization_id', '=', organizationId);

export type EvidenceFilter = {
  readonly agent_id?: string | undefined;
  readonly provider_id?: string | undefined;
  readonly kind?: EvidenceKind | undefined;
  readonly status?: EvidenceStatus | undefined;
};

const EXPIRING_DAYS = LIMITS.trust.firstNoticeDays;

/** The statuses in SQL, in the order in which `evidenceStatus` decides. */
const hasStatus = (status: EvidenceStatus, now: Date) => {
  const isOver = sql<boolean>`trust_evidence.expires_at <= ${now}`;
  const isSoon = sql<boolean>`trust_evidence.expires_at <= ${now}::timestamptz + make_interval(days => ${EXPIRING_DAYS})`;
  const statuses = {
    REVOKED: IS_REVOKED,
    EXPIRED: sql<SqlBool>`not ${IS_REVOKED} and ${isOver}`,
    UNBOUND: sql<SqlBool>`not ${IS_REVOKED} and not ${isOver} and not ${IS_BOUND}`,
    EXPIRING: sql<SqlBool>`not ${IS_REVOKED} and not ${isOver} and ${IS_BOUND} and ${isSoon}`,
    VALID: sql<SqlBool>`not ${IS_REVOKED} and ${IS_BOUND} and not ${isSoon}`,
  };
  return statuses[status];
};

/** Newest first. */
export const listTrustEvidence = (
  tx: TenantTransaction,
  organizationId: string,
  { agent_id, provider_id, kind, status }: EvidenceFilter,
  now: Date,
  part: ListedPart,
): Promise<Listed<TrustEvidenceRow>> => {
  let some = select(tx, organizationId);
  if (agent_id !== undefined) some = some.where('agent_id', '=', agent_id);
  if (provider_id !== undefined) some = some.where('provider_id', '=', provider_id);
  if (kind !== undefined) some = some.where('kind', '=', kind);
  if (status !== undefined) some = some.where(hasStatus(status, now) as unknown as ExpressionWrapper<never, never, SqlBool>);
  return listed(
    part,
    ({ limit, offset }) => some.orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    (max) => countUpTo(tx, some, max),
  );
};

/** All pieces about an agent that are not revoked, the latest expiry first, as decisions read them; then what was revoked. */
export const listEvidenceOfAgent = (tx: TenantTransaction, organizationId: string, agentId: string): Promise<TrustEvidenceRow[]> =>
  select(tx, organizationId)
    .where('agent_id', '=', agentId)
    .orderBy(IS_REVOKED)
    .orderBy('expires_at', 'desc')
    .orderBy('id')
    .limit(LIMITS.trust.evidenceReadMax)
    .execute();

export const findTrustEvidence = (tx: TenantTransaction, organizationId: string, id: string): Promise<TrustEvidenceRow | undefined> =>
  select(tx, organizationId).where('id', '=', id).executeTakeFirst();

export const findEvidenceDocument = async (tx: TenantTransaction, organizationId: string, id: string): Promise<string | null> => {
  const row = await tx
    .selectFrom('trust_evidence')
    .select('document')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.document ?? null;
};

/** Locks a piece until the transaction ends. */
export const lockTrustEvidence = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
): Promise<TrustEvidenceRow | undefined> => {
  const locked = await tx
    .selectFrom('trust_evidence')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return locked && findTrustEvidence(tx, organizationId, id);
};

/** Pieces about an agent that are in force, or would be if the agent had what they are about. */
export const countEvidenceInForce = async (tx: TenantTransaction, organizationId: string, agentId: string, now: Date): Promise<number> => {
  const { count } = await tx
    .selectFrom('trust_evidence')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirstOrThrow();
  return count;
};

export const insertTrustEvidence = async (tx: TenantTransaction, row: Insertable<Tables['trust_evidence']>): Promise<void> => {
  await tx.insertInto('trust_evidence').values(row).execute();
};

export type EvidenceRevocation = { readonly now: Date; readonly by: string; readonly reason: string };

export const revokeEvidenceRows = async (
  tx: TenantTransaction,
  organizationId: string,
  ids: readonly string[],
  { now, by, reason }: EvidenceRevocation,
): Promise<void> => {
  await tx
    .updateTable('trust_evidence')
    // An expiry that has passed is still announced.
    .set({
      revoked_at: now,
      revoked_by: by,
      revoked_reason: reason,
      notice_due_at: sql`case when expires_at <= ${now} then notice_due_at end`,
    })
    .where('organization_id', '=', organizationId)
    .where('id', 'in', sql<string>`(select unnest(${[...ids]}::text[]))`)
    .execute();
};

/** Pieces of a provider that are in force, in an order that every process locks them in. */
export const takeEvidenceOfProvider = (
  tx: TenantTransaction,
  organizationId: string,
  providerId: string,
  now: Date,
  max: number,
): Promise<TrustEvidenceRow[]> =>
  select(tx, organizationId)
    .where('provider_id', '=', providerId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .orderBy('agent_id')
    .orderBy('id')
    .limit(max)
    .execute();

/** True if a piece of the provider that counts lowers the level of its agent. */
export const hasLoweringEvidence = async (
  tx: TenantTransaction,
  organizationId: string,
  providerId: string,
  now: Date,
): Promise<boolean> => {
  const row = await select(tx, organizationId)
    .where('provider_id', '=', providerId)
    .where('is_lowering', '=', true)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

/** Pieces whose next notice is due, the earliest first. */
export const takeDueEvidence = (tx: TenantTransaction, organizationId: string, now: Date, max: number): Promise<TrustEvidenceRow[]> =>
  select(tx, organizationId).where('notice_due_at', '<=', now.toISOString()).orderBy('notice_due_at').orderBy('id').limit(max).execute();

export const setNoticeDue = async (tx: TenantTransaction, organizationId: string, id: string, due: Date | null): Promise<void> => {
  await tx
    .updateTable('trust_evidence')
    .set({ notice_due_at: due })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
};

/** Organizations with notices that are due, or with evidence of a disabled provider. */
export const findOrganizationsWithDueEvidence = async (identity: Database, now: Date): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select organization_id from trust_evidence where notice_due_at <= ${now}
     union select organization_id from trust_providers where is_revoking order by 1`.execute(identity);
  return rows.map(({ organization_id }) => organization_id);
};
