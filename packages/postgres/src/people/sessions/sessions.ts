import type { Proof } from '@svc/contract/tables/proofs.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { presentEpoch } from '../auth/present-epoch.ts';
import { asMember } from '../members/as-member.ts';

export type NewSessionRow = {
  readonly organization_id: string;
  readonly id: string;
  readonly user_id: string;
  readonly token_hash: Buffer;
  readonly expires_at: Date;
  readonly sign_in_id: string | null;
  /** The sum of the epochs at the person's proof; the current ones by default. */
  readonly epoch?: number | undefined;
  readonly approved_by_sign_in_id: string | null;
  readonly source_ip: string;
  readonly user_agent: string | null;
  readonly amr: readonly Proof[];
  /** Those of them that count in this organization only. */
  readonly vouched_amr: readonly Proof[];
  readonly now: Date;
};

export const insertSession = async (tx: TenantTransaction, { now, epoch, amr, vouched_amr, ...row }: NewSessionRow): Promise<void> => {
  await tx
    .insertInto('sessions')
    .values({
      ...row,
      amr: [...amr],
      vouched_amr: [...vouched_amr],
      epoch: epoch ?? presentEpoch(row),
      created_at: asMember(row, now),
      last_used_at: now,
      last_used_from: row.source_ip,
    })
    .execute();
};

type SessionKey = { readonly organization_id: string; readonly id: string };

/** A sign-in by its first session, and whether what it approved in terminals ends with it. */
export type EndedSignIn = { readonly id: string; readonly withTerminals: boolean };

/** Ends the sign-in of a session: none of its sessions is accepted any more, in any organization. */
export const endSignIn = async (
  tx: TenantTransaction,
  { organization_id, id }: SessionKey,
  signIn: EndedSignIn,
  now: Date,
): Promise<void> => {
  await tx
    .insertInto('ended_sign_ins')
    .values({ organization_id, session_id: id, sign_in_id: signIn.id, with_terminals: signIn.withTerminals, ended_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Returns true if this call ended the session. */
export const revokeSession = async (tx: TenantTransaction, key: SessionKey, now: Date): Promise<boolean> => {
  const result = await tx
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('organization_id', '=', key.organization_id)
    .where('id', '=', key.id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

/** Revokes the sessions of a sign-in in one organization; those in other organizations go on. */
export const revokeSignInHere = async (
  tx: TenantTransaction,
  { organizationId, signInId }: { readonly organizationId: string; readonly signInId: string },
  now: Date,
): Promise<void> => {
  await sql`
    update sessions set revoked_at = ${now}
     where organization_id = ${organizationId} and (id = ${signInId} or sign_in_id = ${signInId}) and revoked_at is null`.execute(tx);
};

/** Proofs that a session gains: the person's own, and those that count in its organization only. */
export type GainedProofs = { readonly own: readonly Proof[]; readonly vouched: readonly Proof[] };

/** Adds proofs. A person's own proof stays so, and a vouched one becomes so once it is proved as such. */
const withProofs = ({ own, vouched }: GainedProofs) => ({
  amr: sql<Proof[]>`array(select distinct unnest(amr || ${own}::text[] || ${vouched}::text[]))`,
  vouched_amr: sql<Proof[]>`array(select distinct v from unnest(vouched_amr || array(
    select n from unnest(${vouched}::text[]) n where n <> all (amr))) v where v <> all (${own}::text[]))`,
});

/** Adds these proofs to the session. */
export const addProofs = async (tx: TenantTransaction, key: SessionKey, proofs: GainedProofs): Promise<void> => {
  await tx
    .updateTable('sessions')
    .set(withProofs(proofs))
    .where('organization_id', '=', key.organization_id)
    .where('id', '=', key.id)
    .where('revoked_at', 'is', null)
    .execute();
};

/** Returns false if the session ended meanwhile: a late proof never restores it. */
export const markSteppedUp = async (tx: TenantTransaction, key: SessionKey, until: Date, proofs: GainedProofs): Promise<boolean> => {
  const result = await tx
    .updateTable('sessions')
    .set({ stepped_up_until: until, step_up_failures: 0, ...withProofs(proofs) })
    .where('organization_id', '=', key.organization_id)
    .where('id', '=', key.id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

/** Counts a wrong proof; the one that reaches `attemptsMax` ends the session. Returns true if it was this one. */
export const countStepUpFailure = async (tx: TenantTransaction, key: SessionKey, now: Date, attemptsMax: number): Promise<boolean> => {
  const counted = await tx
    .updateTable('sessions')
    .set((eb) => ({
      step_up_failures: eb('step_up_failures', '+', 1),
      revoked_at: sql<string | null>`case when step_up_failures + 1 >= ${attemptsMax} then ${now}::timestamptz end`,
    }))
    .where('organization_id', '=', key.organization_id)
    .where('id', '=', key.id)
    .where('revoked_at', 'is', null)
    .returning('revoked_at')
    .executeTakeFirst();
  return counted !== undefined && counted.revoked_at !== null;
};
