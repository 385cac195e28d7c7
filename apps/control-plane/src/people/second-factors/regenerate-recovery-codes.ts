import type { Endpoints } from '@svc/contract/endpoints.ts';
import { vouchingOrganization } from '@svc/domain/people/second-factors/vouching-organization.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { newRecoveryCodes } from '@svc/keyring/factors/recovery-codes.ts';
import { postNotice } from '@svc/operations/people/mail/post-notice.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { replaceRecoveryCodes } from '@svc/postgres/people/second-factors/recovery-codes.ts';
import { lockFactors } from '@svc/postgres/people/second-factors/second-factors.ts';
import type { ControlDeps } from '../../deps.ts';

/** In a session that rests on one organization's provider, the codes count there alone and replace no others. */
export const regenerateRecoveryCodes: Handler<Endpoints['regenerateRecoveryCodes'], ControlDeps> = (call, deps) => {
  const { actor } = call.caller;
  const { codes, hashes } = newRecoveryCodes(deps.factors.keys.recoveryCodes, actor.id);
  return call.change(async ({ tx, emit }) => {
    const enrolled = await lockFactors(tx, actor.id);
    const vouchedBy = vouchingOrganization(call.caller, enrolled);
    if (!enrolled.some((each) => each.isConfirmed && (each.vouchedBy === null || each.vouchedBy === vouchedBy)))
      return call.refuse('CONFLICT', 'Recovery codes stand in for a second factor: enrol one first.');
    await replaceRecoveryCodes(tx, { userId: actor.id, hashes, vouchedBy, now: call.now });
    emit('user.mfa_recovery_codes_regenerated', { ...about.user(actor), data: { count: codes.length } });
    const { email, organizationId } = call.caller;
    await postNotice(deps, call, tx, { what: 'recovery_codes', to: email ?? '', organizationId });
    return { recovery_codes: codes };
  });
};
