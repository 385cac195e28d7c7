import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress } from '@svc/egress/create-egress.ts';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import type { GatewaySettings } from '../../settings.ts';
import { newCallWithSecret } from './call-with-secret.ts';
import { newOpenCredential } from './open-credential.ts';

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
    keptIdleMs: LIMITS.egress.callKeptIdleMs,
    nameServers: settings.nameServers,
    ...(settings.sandboxOrigin ? { sandboxOrigin: settings.sandboxOrigin } : {}),
  });
  const callWithSecret = newCallWithSecret(egress, newOpenCredential(deriveKey(settings.masterKey, 'data-key-wrapping')), clock);
  return {
    executor: {
      disabledFor: egress.disabledFor,
      execute: ({ credential, ...call }) =>
        credential === undefined ? egress.call({ ...call, keepFor: 'no credential' }) : callWithSecret(call, credential, egressTimeoutMs),
    },
    closeExecutor: egress.close,
  };
};
