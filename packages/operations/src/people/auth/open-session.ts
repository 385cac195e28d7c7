import type { NewSession } from '@svc/contract/people/auth.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import type { Rights } from '@svc/domain/people/auth/effective-rights.ts';
import { toldWorkspaces } from '@svc/domain/people/auth/told-workspaces.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { insertSession } from '@svc/postgres/people/sessions/sessions.ts';

/** Who signed in, to which organization, and what they may do there. */
export type SignedIn = {
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  readonly organization: { readonly id: string; readonly name: string };
  readonly rights: Rights;
  /**
   * The sum of the epochs of the person and of the member as they were read with what proved the person: a session whose proof is older than
   * the end of all sessions is none from its first request on. Those of this moment where nothing older was proved.
   */
  readonly epoch?: number;
  /** Those of the proofs that count in this organization only, because its provider vouched for them; none if left out. */
  readonly vouchedAmr?: readonly Proof[];
};

export type Opening = {
  /** Of the session to be. */
  readonly id: string;
  readonly expiresAt: Date;
  /** The sign-in it goes on with, by its first session; null where it begins one. */
  readonly signInId: string | null;
  /** Of a terminal: the sign-in that approved it. */
  readonly approvedBySignInId: string | null;
  readonly now: Date;
  readonly sourceIp: string;
  readonly userAgent: string | null;
};

/**
 * Makes a session that rests on these proofs; the token is in the answer and nowhere else. Nothing is stepped up in it. Whoever has proved a
 * first factor goes through `finishSignIn` and not here.
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
    scope: { organization_id: organization.id, ...toldWorkspaces(rights.workspace_ids), environment_id: null },
    permissions: [...rights.permissions],
  };
};
