import type { Egress } from '@svc/egress/create-egress.ts';
import type { EgressResult, OpenedSecret } from '@svc/egress/requests/egress-request.ts';
import type { CredentialSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import type { ExecutionCall } from '@svc/enforcement/ports/ports.ts';
import type { OpenCredential, Which } from './open-credential.ts';

const UNAUTHORIZED = 401;
/** With less than this left of its time a call is not made once more. */
const TIME_LEFT_MIN_MS = 100;

export type ProvedCall = ExecutionCall & { readonly credential: CredentialSnapshot };

/** Whether a call that the present secret was refused for may be made once more with the one before. */
const mayTryPrevious = ({ credential }: ProvedCall, result: EgressResult, now: number): boolean => {
  const isRefused = (result.kind === 'answered' || result.kind === 'answered_large') && result.status === UNAUTHORIZED;
  const endsAt = credential.previous_ends_at;
  return isRefused && endsAt !== null && Date.parse(endsAt) > now;
};

type Terms = { readonly egress: Egress; readonly openCredential: OpenCredential; readonly timeoutMs: number; readonly clock: () => Date };

/** Makes calls with the secret of their credential, within the time of one call whichever secret is taken in the end. */
export const newCallWithSecret = ({ egress, openCredential, timeoutMs, clock }: Terms): ((call: ProvedCall) => Promise<EgressResult>) => {
  /** Both secrets of a credential are hidden in either's answer: what was sent before may be told now. */
  const openOf =
    ({ tenant, credential }: ProvedCall, which: Which) =>
    (): OpenedSecret | undefined => {
      const secret = openCredential(tenant, credential, which);
      const other = openCredential(tenant, credential, which === 'present' ? 'previous' : 'present');
      return secret === undefined ? undefined : { secret, hidden: other === undefined ? [] : [other] };
    };
  const make = (asked: ProvedCall, which: Which, leftMs: number): Promise<EgressResult> => {
    const { credential, ...call } = asked;
    const { scheme, placement, destinations } = credential;
    return egress.call({ ...call, timeoutMs: leftMs, credential: { scheme, placement, destinations, open: openOf(asked, which) } });
  };
  return async (call) => {
    const startedAt = performance.now();
    const result = await make(call, 'present', timeoutMs);
    if (!mayTryPrevious(call, result, clock().getTime())) return result;
    const leftMs = timeoutMs - Math.ceil(performance.now() - startedAt);
    if (leftMs < TIME_LEFT_MIN_MS || !(await call.mayLeave())) return result;
    if (result.kind === 'answered_large') result.large?.release();
    return make(call, 'previous', leftMs);
  };
};
