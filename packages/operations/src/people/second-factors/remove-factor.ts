import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import { getVouchingOrganization } from '@svc/domain/people/second-factors/vouching-organization.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { isPasswordShort } from '@svc/postgres/people/passwords/passwords.ts';
import { deleteFactors, isLastRequiredFactor, lockFactors } from '@svc/postgres/people/second-factors/second-factors.ts';
import type { CallContext } from '../auth/acting.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { Posting } from '../mail/post-mail.ts';
import { postNotice } from '../mail/post-notice.ts';
import { OWN_PROOF } from './own-proof.ts';

type RemoveFactorRequest = CallContext & {
  readonly amr: readonly Proof[];
  readonly vouchedAmr: readonly Proof[];
  readonly factorId: string;
  readonly email: string | null;
  readonly sourceIp: string;
  readonly newId: Posting['newId'];
};

const LAST = 'One of your organizations requires a second factor, and this is your last one. Enroll another one first.';

const SHORT =
  'Your password is shorter than one has to be that is the only proof, and this is the last second factor: set a longer password first.';

/**
 * Removes a factor. A session from one organization's provider removes factors that count there only. A factor that waits for its first
 * code is removed too, without an event.
 */
export const removeFactor = async (
  { tx, emit }: Change<'user.mfa_factor_removed'>,
  request: RemoveFactorRequest,
  deps: { readonly mail: MailService; readonly identity: Database },
) => {
  const { actor, email } = request;
  const { organization_id: organizationId } = request.scope;
  const factors = await lockFactors(tx, actor.id);
  const only = getVouchingOrganization({ organizationId, amr: request.amr, vouchedAmr: request.vouchedAmr }, factors);
  const mine = factors.find(({ id }) => id === request.factorId);
  if (!mine || (only !== null && mine.vouchedBy !== null && mine.vouchedBy !== only)) return buildRefusal('NOT_FOUND');
  if (mine.isConfirmed && only !== null && mine.vouchedBy === null) return buildRefusal('PERMISSION_DENIED', OWN_PROOF);
  if (mine.isConfirmed && (await isLastRequiredFactor(deps.identity, actor.id, mine))) return buildRefusal('CONFLICT', LAST);
  const isLastOwn = mine.vouchedBy === null && !factors.some((each) => each.isConfirmed && each.vouchedBy === null && each.id !== mine.id);
  if (mine.isConfirmed && isLastOwn && (await isPasswordShort(tx, actor.id))) return buildRefusal('CONFLICT', SHORT);
  const gone = await deleteFactors(tx, actor.id, [mine.id]);
  for (const { id, kind, name } of gone)
    if (mine.isConfirmed) emit('user.mfa_factor_removed', { ...about.user(actor), data: { factor_id: id, kind, name } });
  if (mine.isConfirmed) await postNotice(deps, request, tx, { what: 'factor_removed', to: email ?? '', organizationId });
  return { removed: true };
};
