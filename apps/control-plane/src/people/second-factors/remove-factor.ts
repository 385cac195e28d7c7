import type { Endpoints } from '@svc/contract/endpoints.ts';
import { vouchingOrganization } from '@svc/domain/people/second-factors/vouching-organization.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { postNotice } from '@svc/operations/people/mail/post-notice.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { isPasswordShort } from '@svc/postgres/people/passwords/passwords.ts';
import { deleteFactors, isLastRequiredFactor, lockFactors } from '@svc/postgres/people/second-factors/second-factors.ts';
import type { ControlDeps } from '../../deps.ts';
import { OWN_PROOF } from './enrolment/own-proof.ts';

const LAST = 'One of your organizations requires a second factor, and this is your last one. Enroll another one first.';

const SHORT =
  'Your password is shorter than one has to be that is the only proof, and this is the last second factor: set a longer password first.';

/**
 * A session that rests on one organization's provider removes factors that count there alone. A factor that waits for its first code is removed
 * alike, and not recorded.
 */
export const removeFactor: Handler<Endpoints['removeFactor'], ControlDeps> = async (call, deps) => {
  const { actor, email, organizationId } = call.caller;
  return call.change(async ({ tx, emit }) => {
    const factors = await lockFactors(tx, actor.id);
    const only = vouchingOrganization(call.caller, factors);
    const mine = factors.find(({ id }) => id === call.params.factorId);
    if (!mine || (only !== null && mine.vouchedBy !== null && mine.vouchedBy !== only)) return call.refuse('NOT_FOUND');
    if (mine.isConfirmed && only !== null && mine.vouchedBy === null) return call.refuse('PERMISSION_DENIED', OWN_PROOF);
    if (mine.isConfirmed && (await isLastRequiredFactor(deps.identity, actor.id, mine))) return call.refuse('CONFLICT', LAST);
    const isLastOwn =
      mine.vouchedBy === null && !factors.some((each) => each.isConfirmed && each.vouchedBy === null && each.id !== mine.id);
    if (mine.isConfirmed && isLastOwn && (await isPasswordShort(tx, actor.id))) return call.refuse('CONFLICT', SHORT);
    const gone = await deleteFactors(tx, actor.id, [mine.id]);
    for (const { id, kind, name } of gone)
      if (mine.isConfirmed) emit('user.mfa_factor_removed', { ...about.user(actor), data: { factor_id: id, kind, name } });
    if (mine.isConfirmed) await postNotice(deps, call, tx, { what: 'factor_removed', to: email ?? '', organizationId });
    return { removed: true };
  });
};
