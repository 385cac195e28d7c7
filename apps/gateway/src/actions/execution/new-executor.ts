import { createEgress } from '@svc/egress/create-egress.ts';
import type { EgressResult, OpenedSecret } from '@svc/egress/requests/egress-request.ts';
import type { ExecutionCall, Ports } from '@svc/enforcement/ports/ports.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import type { GatewaySettings } from '../../settings.ts';
import { newOpenCredential, type Which } from './open-credential.ts';

const UNAUTHORIZED = 401;
/** With less than this left of its time a call is not made once more. */
const TIME_LEFT_MIN_MS = 100;

/** Whether a call that the present secret was refused for may be made once more with the one before. */
const mayTryPrevious = ({ credential }: ExecutionCall, result: EgressResult, now: number): boolean => {
  const isRefused = (result.kind === 'answered' || result.kind === 'answered_large') && result.status === UNAUTHORIZED;
  const endsAt = credential?.previous_ends_at ?? null;
  return isRefused && endsAt !== null && Date.parse(endsAt) > now;
};

/** Executes what a tool declares through the one egress client. */
export const newExecutor = (
  settings: GatewaySettings,
  clock: () => Date,
): { executor: NonNullable<Ports['executor']>; closeExecutor: () => Promise<void> } => {
  const { egressTimeoutMs } = settings;
  const egress = createEgress({
    allowRealEgress: settings.realEgress,
    allowCidrs: settings.egressAllowedCidrs,
    showsCredentials: settings.credentialsOverHttp,
    timeoutMs: egressTimeoutMs,
    nameServers: settings.nameServers,
    ...(settings.sandboxOrigin ? { sandboxOrigin: settings.sandboxOrigin } : {}),
  });
  const openCredential = newOpenCredential(deriveKey(settings.masterKey, 'data-key-wrapping'));
  /** Both secrets of a credential are hidden in either's answer: what was sent before may be told now. */
  const openOf =
    ({ tenant, credential }: ExecutionCall, which: Which) =>
    (): OpenedSecret | undefined => {
      if (credential === undefined) return undefined;
      const secret = openCredential(tenant, credential, which);
      const other = openCredential(tenant, credential, which === 'present' ? 'previous' : 'present');
      return secret === undefined ? undefined : { secret, hidden: other === undefined ? [] : [other] };
    };
  const make = (asked: ExecutionCall, which: Which, timeoutMs: number): Promise<EgressResult> => {
    const { credential, ...call } = asked;
    if (credential === undefined) return egress.call(call);
    const { scheme, placement, destinations } = credential;
    return egress.call({ ...call, timeoutMs, credential: { scheme, placement, destinations, open: openOf(asked, which) } });
  };
  const execute = async (call: ExecutionCall): Promise<EgressResult> => {
    const startedAt = performance.now();
    const result = await make(call, 'present', egressTimeoutMs);
    if (!mayTryPrevious(call, result, clock().getTime())) return result;
    const leftMs = egressTimeoutMs - Math.ceil(performance.now() - startedAt);
    if (leftMs < TIME_LEFT_MIN_MS || !(await call.mayLeave())) return result;
    if (result.kind === 'answered_large') result.large?.release();
    return make(call, 'previous', leftMs);
  };
  return { executor: { disabledFor: egress.disabledFor, execute }, closeExecutor: egress.close };
};
