import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { postNotice } from '@svc/operations/people/mail/post-notice.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { isPasswordShort } from '@svc/postgres/people/passwords/passwords.ts';
import { deleteFactors, isFactorRequired, lockFactors } from '@svc/postgres/people/second-factors/second-factors.ts';
import type { ControlDeps } from '../../deps.ts';

const LAST = 'An organization of yours requires a second factor, and this is the last: enrol another first.';

const SHORT =
  'Your password is shorter than one has to be that is the only proof, and this is the last second factor: set a longer password first.';

/** One that waits for its first code goes alike, and is nothing to record. */
export const removeFactor: Handler<Endpoints['removeFactor'], ControlDeps> = async (call, deps) => {
  const { actor, email, organizationId } = call.caller;
  const isRequired = await isFactorRequired(deps.identity, actor.id);
  return call.change(async ({ tx, emit }) => {
    const factors = await lockFactors(tx, actor.id);
    const mine = factors.find(({ id }) => id === call.params.factorId);
    if (!mine) return call.refuse('NOT_FOUND');
    const others = factors.filter(({ id, isConfirmed }) => isConfirmed && id !== mine.id);
    if (mine.isConfirmed && others.length === 0 && isRequired) return call.refuse('CONFLICT', LAST);
    if (mine.isConfirmed && others.length === 0 && (await isPasswordShort(tx, actor.id))) return call.refuse('CONFLICT', SHORT);
    const gone = await deleteFactors(tx, actor.id, [mine.id]);
    for (const { id, kind, name } of gone)
      if (mine.isConfirmed) emit('user.mfa_factor_removed', { ...about.user(actor), data: { factor_id: id, kind, name } });
    if (mine.isConfirmed) await postNotice(deps, call, tx, { what: 'factor_removed', to: email ?? '', organizationId });
    return { removed: true };
  });
};
