import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress } from '@svc/egress/create-egress.ts';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';
import type { ExecutionCall, ExecutionResult, Ports } from '@svc/enforcement/ports/ports.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import type { GatewaySettings } from '../../settings.ts';
import { type MakeTry, makeTries } from './make-tries.ts';
import { newOpenCredential, type Which } from './open-credential.ts';
import { toldResult } from './told-result.ts';

const UNAUTHORIZED = 401;

/** Whether a call that the present secret was refused for may be made once more with the one before. */
const mayTryPrevious = ({ credential }: ExecutionCall, result: EgressResult, now: number): boolean => {
  const endsAt = credential?.previous_ends_at ?? null;
  return result.kind === 'answered' && result.status === UNAUTHORIZED && endsAt !== null && Date.parse(endsAt) > now;
};

/** Executes what a tool declares through the one egress client. */
export const newExecutor = (
  settings: GatewaySettings,
  clock: () => Date,
): { executor: NonNullable<Ports['executor']>; closeExecutor: () => Promise<void> } => {
  const egress = createEgress({
    allowRealEgress: settings.realEgress,
    allowCidrs: settings.egressAllowedCidrs,
    showsCredentials: settings.credentialsOverHttp,
    timeoutMs: settings.egressTimeoutMs,
    keptIdleMs: LIMITS.egress.callKeptIdleMs,
    nameServers: settings.nameServers,
    ...(settings.sandboxOrigin ? { sandboxOrigin: settings.sandboxOrigin } : {}),
  });
  const openCredential = newOpenCredential(deriveKey(settings.masterKey, 'data-key-wrapping'));
  const make = ({ credential, terms, tenant, ...call }: ExecutionCall, which: Which, timeoutMs: number): Promise<EgressResult> => {
    const expects = terms?.expects ?? null;
    const bounded = expects === null || expects.bytes_max === null ? {} : { responseBytesMax: expects.bytes_max };
    const asked = { ...call, tenant, timeoutMs, expects, ...bounded };
    if (credential === undefined) return egress.call({ ...asked, keepFor: 'no credential' });
    const { scheme, placement, destinations, id, generation } = credential;
    return egress.call({
      ...asked,
      keepFor: `${id} ${generation} ${which}`,
      credential: { scheme, placement, destinations, open: () => openCredential(tenant, credential, which) },
    });
  };
  const makeTry: MakeTry = async (call, timeoutMs) => {
    const beganAt = performance.now();
    const result = await make(call, 'present', timeoutMs);
    const leftMs = Math.floor(timeoutMs - (performance.now() - beganAt));
    return leftMs > 0 && mayTryPrevious(call, result, clock().getTime()) ? make(call, 'previous', leftMs) : result;
  };
  const execute = async (call: ExecutionCall): Promise<ExecutionResult> =>
    toldResult(call, await makeTries(call, makeTry, settings.egressTimeoutMs));
  return { executor: { disabledFor: egress.disabledFor, execute }, closeExecutor: egress.close };
};
