import type { NewSession } from '@svc/contract/people/auth.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import type { Rights } from '@svc/domain/people/auth/effective-rights.ts';
import { toWorkspacesView } from '@svc/domain/people/auth/workspaces-view.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { insertSession } from '@svc/postgres/people/sessions/sessions.ts';

/** The user, the organization signed in to, and their permissions. */
export type SignedIn = {
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  readonly organization: { readonly id: string; readonly name: string };
  readonly rights: Rights;
  /**
   * Sum of the epochs of the person and the member, read with the proof: a session whose proof is older than the end of all sessions is
   * invalid from its first request. Omitted for proofs of this moment.
   */
  readonly epoch?: number;
  /** Proofs that count in this organization only, because its provider vouched for them; none if omitted. */
  readonly vouchedAmr?: readonly Proof[];
};

export type Opening = {
  /** Id of the new session. */
  readonly id: string;
  readonly expiresAt: Date;
  /** First session of the sign-in that it continues; null if it begins one. */
  readonly signInId: string | null;
  /** For a terminal: the sign-in that approved it. */
  readonly approvedBySignInId: string | null;
  readonly now: Date;
  readonly sourceIp: string;
  readonly userAgent: string | null;
};

/**
 * Creates a session with these proofs; the token is only in the result. No step-up is active in it. After a first factor, call
 * `finishSignIn` instead.
 */
export const openSession = async (
  tx: TenantTransaction,
  { id, expiresAt, signInId, approvedBySignInId, now, sourceIp, userAgent }: Opening,
  { user, organization, rights, epoch, vouchedAmr = [] }: SignedIn,
  amr: readonly Proof[],
): Promise<NewSession> => {
  const token = newSecretToken(SECRET_PREFIXES.session);
  await insertSession(tx, {
    organization_id: organization.id,
    id,
    user_id: user.id,
    token_hash: hashSecret(token),
    expires_at: expiresAt,
    sign_in_id: signInId,
    epoch,
    approved_by_sign_in_id: approvedBySignInId,
    source_ip: sourceIp,
    user_agent: userAgent,
    amr,
    vouched_amr: vouchedAmr,
    now,
  });
  return {
    token,
    expires_at: expiresAt.toISOString(),
    user,
    organization,
    scope: { organization_id: organization.id, ...toWorkspacesView(rights.workspace_ids), environment_id: null },
    permissions: [...rights.permissions],
  };
};
