import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { type GainedProofs, withProofs } from './sessions.ts';

type SessionKey = { readonly organization_id: string; readonly id: string };

/** Records that a session requests a step-up in a browser. Replaces an earlier request of the session; false if the session has ended. */
export const recordStepUpRequest = async (
  tx: TenantTransaction,
  key: SessionKey,
  request: { readonly value: string; readonly sourceIp: string; readonly now: Date },
): Promise<boolean> => {
  const result = await tx
    .updateTable('sessions')
    .set({ step_up_request: request.value, step_up_requested_from: request.sourceIp, step_up_requested_at: request.now })
    .where('organization_id', '=', key.organization_id)
    .where('id', '=', key.id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

export type StepUpRequestRow = {
  readonly user_agent: string | null;
  readonly value: string;
  readonly requested_from: string;
  readonly requested_at: string;
};

type Asked = SessionKey & { readonly userId: string; readonly since: Date };

/** The pending step-up request of a person's session in one organization. */
export const findStepUpRequest = async (
  tx: TenantTransaction,
  { organization_id, id, userId, since }: Asked,
): Promise<StepUpRequestRow | undefined> => {
  const { rows } = await sql<StepUpRequestRow>`
    select user_agent, step_up_request as value, step_up_requested_from as requested_from, step_up_requested_at as requested_at
      from sessions
     where organization_id = ${organization_id} and id = ${id} and user_id = ${userId} and revoked_at is null
       and step_up_requested_at > ${since}`.execute(tx);
  return rows[0];
};

type Grant = { readonly value: string; readonly until: Date; readonly proofs: GainedProofs };

/** Steps up the session of a request until a time, and uses up the request. False if it was used or replaced, or the session has ended. */
export const grantStepUpRequest = async (
  tx: TenantTransaction,
  { organization_id, id, userId, since }: Asked,
  { value, until, proofs }: Grant,
): Promise<boolean> => {
  const result = await tx
    .updateTable('sessions')
    .set({
      ...{ stepped_up_until: until, step_up_failures: 0, ...withProofs(proofs) },
      ...{ step_up_request: null, step_up_requested_from: null, step_up_requested_at: null },
    })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('step_up_request', '=', value)
    .where('step_up_requested_at', '>', since.toISOString())
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};
