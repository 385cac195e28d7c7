import type { Egress } from '@svc/egress/create-egress.ts';
import type { EgressRequest, EgressResult, OpenedSecret } from '@svc/egress/requests/egress-request.ts';
import type { CredentialSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import type { ExecutionCall } from '@svc/enforcement/ports/executors.ts';
import type { OpenCredential, Which } from './open-credential.ts';

const UNAUTHORIZED = 401;
/** With less time left than this a call is not repeated. */
const LEAST_MS = 100;

type Asked = Omit<EgressRequest, 'credential'> & Pick<ExecutionCall, 'mayLeave'>;

/** Makes a call with its authentication, within a timeout. */
export type ProvedCall = (call: Asked, credential: CredentialSnapshot, timeoutMs: number) => Promise<EgressResult>;

/** True if the secret before the last rotation is still valid. */
const hasPrevious = ({ previous_ends_at }: CredentialSnapshot, now: number): boolean =>
  previous_ends_at !== null && Date.parse(previous_ends_at) > now;

/** True if a call that was refused with the current secret may be repeated with the previous one. */
const mayTryPrevious = (credential: CredentialSnapshot, result: EgressResult, now: number): boolean => {
  const isRefused = (result.kind === 'answered' || result.kind === 'answered_large') && result.status === UNAUTHORIZED;
  return isRefused && hasPrevious(credential, now);
};

type Opening = { readonly openCredential: OpenCredential; readonly clock: () => Date };

/** While both secrets of a credential are valid, both are hidden in any response: it may echo what was sent earlier. */
const openBoth =
  ({ openCredential, clock }: Opening, tenant: string, credential: CredentialSnapshot, which: Which) =>
  (): OpenedSecret | undefined => {
    const opened = openCredential(tenant, credential, which);
    const opensOther = which === 'previous' || hasPrevious(credential, clock().getTime());
    const other = opensOther ? openCredential(tenant, credential, which === 'present' ? 'previous' : 'present') : undefined;
    return opened && { ...opened, hidden: other === undefined ? [] : [other.secret, ...other.extras] };
  };

/**
 * Makes a call with the secret of its credential, and repeats it with the previous one if a rotation keeps both valid and the service
 * refuses the new one: within the timeout of one call, and after checking again that the call may be sent.
 */
export const newCallWithSecret = (egress: Egress, openCredential: OpenCredential, clock: () => Date): ProvedCall => {
  const send = (call: Asked, credential: CredentialSnapshot, which: Which, timeoutMs: number): Promise<EgressResult> => {
    const { id, generation, scheme, placement, extras, destinations } = credential;
    return egress.call({
      ...call,
      timeoutMs,
      keepFor: `${id} ${generation} ${which}`,
      credential: { scheme, placement, extras, destinations, open: openBoth({ openCredential, clock }, call.tenant, credential, which) },
    });
  };
  return async (call, credential, timeoutMs) => {
    const startedAt = performance.now();
    const result = await send(call, credential, 'present', timeoutMs);
    if (!mayTryPrevious(credential, result, clock().getTime())) return result;
    const leftMs = timeoutMs - Math.ceil(performance.now() - startedAt);
    if (leftMs < LEAST_MS || !(await call.mayLeave())) return result;
    if (result.kind === 'answered_large') result.large?.release();
    return send(call, credential, 'previous', leftMs);
  };
};
