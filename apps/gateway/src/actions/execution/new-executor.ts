import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress } from '@svc/egress/create-egress.ts';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import type { GatewaySettings } from '../../settings.ts';
import { newCallWithSecret } from './call-with-secret.ts';
import { type MakeTry, makeTries } from './make-tries.ts';
import { newOpenCredential } from './open-credential.ts';
import { toldResult } from './told-result.ts';

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
  const callWithSecret = newCallWithSecret(egress, newOpenCredential(deriveKey(settings.masterKey, 'data-key-wrapping')), clock);
  const makeTry: MakeTry = ({ credential, terms, ...call }, timeoutMs) => {
    const expects = terms?.expects ?? null;
    const bounded = expects === null || expects.bytes_max === null ? {} : { responseBytesMax: expects.bytes_max };
    const asked = { ...call, expects, ...bounded };
    return credential === undefined
      ? egress.call({ ...asked, timeoutMs, keepFor: 'no credential' })
      : callWithSecret(asked, credential, timeoutMs);
  };
  return {
    executor: {
      disabledFor: egress.disabledFor,
      execute: async (call) => toldResult(call, await makeTries(call, makeTry, settings.egressTimeoutMs)),
    },
    closeExecutor: egress.close,
  };
};
