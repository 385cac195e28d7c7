import type { Factor } from '@svc/contract/people/second-factors.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import type { KnownCaller } from '@svc/http/calls/call.ts';
import { newRecoveryCodes } from '@svc/keyring/factors/recovery-codes.ts';
import type { Posting } from '@svc/operations/people/mail/post-mail.ts';
import { postNotice } from '@svc/operations/people/mail/post-notice.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { replaceRecoveryCodes } from '@svc/postgres/people/second-factors/recovery-codes.ts';
import { addProofs } from '@svc/postgres/people/sessions/sessions.ts';
import type { ControlDeps } from '../../../deps.ts';

type EnrolCall = Posting & { readonly caller: KnownCaller };
type Enrolling = Change<'user.mfa_enrolled' | 'user.mfa_factor_added'>;

/** What follows on a new factor: the session rests on it, since it was shown just now, and with the first one come the recovery codes. */
export const newlyEnrolled = async (
  { tx, emit }: Enrolling,
  { factor, isFirst, proof, now }: { readonly factor: Factor; readonly isFirst: boolean; readonly proof: Proof; readonly now: Date },
  call: EnrolCall,
  deps: ControlDeps,
): Promise<{ factor: Factor; recovery_codes?: string[] }> => {
  const { caller } = call;
  const { id, kind, name } = factor;
  await addProofs(tx, { organization_id: caller.organizationId, id: caller.credentialId }, [proof]);
  emit(isFirst ? 'user.mfa_enrolled' : 'user.mfa_factor_added', { ...about.user(caller.actor), data: { factor_id: id, kind, name } });
  await postNotice(deps, call, tx, { what: 'factor_added', to: caller.email ?? '', organizationId: caller.organizationId });
  if (!isFirst) return { factor };
  const { codes, hashes } = newRecoveryCodes(deps.factors.keys.recoveryCodes, caller.actor.id);
  await replaceRecoveryCodes(tx, caller.actor.id, hashes, now);
  return { factor, recovery_codes: codes };
};
