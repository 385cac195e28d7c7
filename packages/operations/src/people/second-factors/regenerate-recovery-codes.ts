import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import { getVouchingOrganization } from '@svc/domain/people/second-factors/vouching-organization.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { replaceRecoveryCodes } from '@svc/postgres/people/second-factors/recovery-codes.ts';
import { lockFactors } from '@svc/postgres/people/second-factors/second-factors.ts';
import type { CallContext } from '../auth/acting.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { Posting } from '../mail/post-mail.ts';
import { postNotice } from '../mail/post-notice.ts';

type RegenerateRecoveryCodesRequest = CallContext & {
  readonly amr: readonly Proof[];
  readonly vouchedAmr: readonly Proof[];
  readonly email: string | null;
  readonly sourceIp: string;
  readonly newId: Posting['newId'];
};

/**
 * Replaces the recovery codes of a user. In a session of an organization's identity provider, the codes are valid in that organization only
 * and replace only its codes.
 */
export const regenerateRecoveryCodes = async (
  { tx, emit }: Change<'user.mfa_recovery_codes_regenerated'>,
  request: RegenerateRecoveryCodesRequest,
  hashes: readonly Buffer[],
  codes: string[],
  deps: { readonly mail: MailService },
) => {
  const { actor } = request;
  const { organization_id: organizationId } = request.scope;
  const enrolled = await lockFactors(tx, actor.id);
  const vouchedBy = getVouchingOrganization({ organizationId, amr: request.amr, vouchedAmr: request.vouchedAmr }, enrolled);
  if (!enrolled.some((each) => each.isConfirmed && (each.vouchedBy === null || each.vouchedBy === vouchedBy)))
    return buildRefusal('CONFLICT', 'Recovery codes replace a second factor. Enroll a second factor first.');
  await replaceRecoveryCodes(tx, { userId: actor.id, hashes, vouchedBy, now: request.now });
  emit('user.mfa_recovery_codes_regenerated', { ...about.user(actor), data: { count: codes.length } });
  const { email } = request;
  await postNotice(deps, request, tx, { what: 'recovery_codes', to: email ?? '', organizationId });
  return { recovery_codes: codes };
};
