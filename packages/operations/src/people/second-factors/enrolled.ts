import type { Factor } from '@svc/contract/people/second-factors.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import type { HeldFactor } from '@svc/domain/people/second-factors/vouching-organization.ts';
import { newRecoveryCodes } from '@svc/keyring/factors/recovery-codes.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { replaceRecoveryCodes } from '@svc/postgres/people/second-factors/recovery-codes.ts';
import type { FactorRow } from '@svc/postgres/people/second-factors/second-factors.ts';
import { addProofs } from '@svc/postgres/people/sessions/sessions.ts';
import type { CallContext } from '../auth/acting.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { Posting } from '../mail/post-mail.ts';
import { postNotice } from '../mail/post-notice.ts';
import type { FactorChecks } from './check-factor.ts';
import { formatFactor } from './format-factor.ts';

/** The user who enrols a second factor, in the session of this credential. */
export type EnrolRequest = Posting & CallContext & { readonly credentialId: string; readonly email: string | null };
type Enrolling = Change<'user.mfa_enrolled' | 'user.mfa_factor_added'>;

type New = {
  readonly factor: FactorRow;
  /** Factors that existed before. */
  readonly factors: readonly HeldFactor[];
  /** The proof that was just shown with the factor; omitted if none was. */
  readonly proof?: Proof;
  readonly now: Date;
};

/**
 * Records a factor that counts from now on. The session gets its proof if it was just shown. The first one that counts in an organization
 * comes with recovery codes, which count where it does.
 */
export const recordEnrolledFactor = async (
  { tx, emit }: Enrolling,
  { factor, factors, proof, now }: New,
  request: EnrolRequest,
  deps: { readonly mail: MailService; readonly factors: Pick<FactorChecks, 'keys'> },
): Promise<{ factor: Factor; recovery_codes?: string[] }> => {
  const { actor } = request;
  const { organization_id: organizationId } = request.scope;
  const { id, kind, name, vouched_by: vouchedBy } = factor;
  const isFirst = !factors.some((each) => each.isConfirmed && (each.vouchedBy === null || each.vouchedBy === vouchedBy));
  const gained = proof === undefined ? [] : [proof];
  const session = { organization_id: organizationId, id: request.credentialId };
  await addProofs(tx, session, vouchedBy === null ? { own: gained, vouched: [] } : { own: [], vouched: gained });
  const data = { factor_id: id, kind, name, ...(vouchedBy === null ? {} : { counts_in: vouchedBy }) };
  emit(isFirst ? 'user.mfa_enrolled' : 'user.mfa_factor_added', { ...about.user(actor), data });
  await postNotice(deps, request, tx, { what: 'factor_added', to: request.email ?? '', organizationId });
  if (!isFirst) return { factor: formatFactor(factor) };
  const { codes, hashes } = newRecoveryCodes(deps.factors.keys.recoveryCodes, actor.id);
  await replaceRecoveryCodes(tx, { userId: actor.id, hashes, vouchedBy, now });
  return { factor: formatFactor(factor), recovery_codes: codes };
};
