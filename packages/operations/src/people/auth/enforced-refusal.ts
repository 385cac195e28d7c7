import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { PROOFS, type Proof } from '@svc/contract/tables/proofs.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findEnforced } from '@svc/postgres/people/sso/enforced.ts';

type SigningIn = { readonly user: { readonly id: string }; readonly organization: { readonly id: string } };

const SENTENCE = 'Your organization requires single sign-on. Sign in at sso_url.';

/**
 * Returns why a person may not sign in this way: the organization enforces single sign-on for their domain. Returned only after their
 * proof.
 */
export const findEnforcedRefusal = async (
  tx: TenantTransaction,
  { user, organization }: SigningIn,
  proofs: readonly Proof[],
): Promise<Refusal<'PERMISSION_DENIED'> | undefined> => {
  if (proofs.some((proof) => 'ofOneOrganization' in PROOFS[proof])) return undefined;
  const connection = await findEnforced(tx, organization.id, user.id);
  if (connection === undefined) return undefined;
  return buildRefusal('PERMISSION_DENIED', SENTENCE, { sso_url: `/v1/auth/sso/start?connection_id=${connection}` });
};
