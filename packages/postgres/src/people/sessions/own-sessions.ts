import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { SESSION_ENDED_AT } from '../auth/session-end.ts';

/** A session that is accepted at this moment, as its person sees it. */
export type LiveSession = {
  readonly id: string;
  readonly organization_id: string;
  readonly organization_name: string;
  readonly user_agent: string | null;
  readonly source_ip: string | null;
  readonly last_used_from: string | null;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
  readonly amr: readonly Proof[];
  readonly sign_in_id: string;
};

type Asked = {
  readonly userId: string;
  readonly now: Date;
  readonly idleSince: Date;
  readonly id?: string;
  /** Left out for every one of the person's. */
  readonly organizationId?: string | undefined;
};

/** Lists accepted sessions of a person, in every organization they belong to, the latest used first; `id` selects one of them. */
export const listLiveSessions = async (
  identity: Database,
  { userId, now, idleSince, id, organizationId }: Asked,
): Promise<LiveSession[]> => {
  const { rows } = await sql<LiveSession>`
    select s.id, s.organization_id, o.name as organization_name, s.user_agent, s.source_ip, s.last_used_from, s.created_at, s.last_used_at,
           s.expires_at, s.amr, coalesce(s.sign_in_id, s.id) as sign_in_id
      from sessions s
      join users u on u.id = s.user_id
      join members m on m.organization_id = s.organization_id and m.user_id = s.user_id
       and s.epoch = u.session_epoch + m.session_epoch and s.created_at >= m.created_at
      join organizations o on o.id = s.organization_id
     where s.user_id = ${userId} and s.revoked_at is null and (${id ?? null}::text is null or s.id = ${id ?? null}) and ${SESSION_ENDED_AT} is null
       and (${organizationId ?? null}::text is null or s.organization_id = ${organizationId ?? null})
       and s.expires_at > ${now} and s.last_used_at >= ${idleSince}
     order by s.last_used_at desc, s.id desc limit ${LIMITS.ownSessions.shownMax}`.execute(identity);
  return rows;
};

type Kept = { readonly organizationId: string; readonly userId: string; readonly sessionId: string };

/** Ends every session of a person, in all organizations: those of another epoch are invalid. */
export const endPersonSessions = async (tx: TenantTransaction, userId: string): Promise<void> => {
  await sql`update users set session_epoch = session_epoch + 1 where id = ${userId}`.execute(tx);
};

/** The same in one organization alone. */
export const endOrganizationSessions = async (tx: TenantTransaction, organizationId: string, userId: string): Promise<void> => {
  await sql`update members set session_epoch = session_epoch + 1 where organization_id = ${organizationId} and user_id = ${userId}`.execute(
    tx,
  );
};

/** Keeps one session after all sessions of a person were ended, in the same transaction. Returns false if it had ended by then. */
export const keepSession = async (tx: TenantTransaction, { organizationId, userId, sessionId }: Kept): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update sessions s set epoch = u.session_epoch + m.session_epoch
      from users u, members m
     where s.organization_id = ${organizationId} and s.id = ${sessionId} and s.user_id = ${userId} and ${SESSION_ENDED_AT} is null
       and u.id = ${userId} and m.organization_id = ${organizationId} and m.user_id = ${userId}
       and s.epoch = u.session_epoch - 1 + m.session_epoch`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
};

/** Lists the source addresses of the latest sessions of a person in the organization, active or not. */
export const listSourceAddresses = async (
  tx: TenantTransaction,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
): Promise<string[]> => {
  const { rows } = await sql<{ address: string }>`
    select distinct address from (
      select source_ip, last_used_from from sessions where organization_id = ${organizationId} and user_id = ${userId}
       order by created_at desc limit ${LIMITS.ownSessions.shownMax}) s, unnest(array[s.source_ip, s.last_used_from]) as address
     where address is not null`.execute(tx);
  return rows.map(({ address }) => address);
};
