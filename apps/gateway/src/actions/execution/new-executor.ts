import { createEgress } from '@svc/egress/create-egress.ts';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';
import type { ExecutionCall, Ports } from '@svc/enforcement/ports/ports.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { newRememberedDataKeys } from '@svc/operations/credentials/remembered-data-keys.ts';
import { openTokenEgress } from '@svc/operations/credentials/tokens/open-token-egress.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { GatewaySettings } from '../../settings.ts';
import { newAccessTokens, type TellBreakage } from './access-tokens.ts';
import { newCallWithSecret } from './call-with-secret.ts';
import { newCallWithToken } from './call-with-token.ts';
import { newOpenCredential } from './open-credential.ts';

type Needs = { readonly database: Database; readonly clock: () => Date; readonly tell: TellBreakage };

/** Executes what a tool declares through the one egress client. */
export const newExecutor = (
  settings: GatewaySettings,
  { database, clock, tell }: Needs,
): { executor: NonNullable<Ports['executor']>; closeExecutor: () => Promise<void> } => {
  const timeoutMs = settings.egressTimeoutMs;
  const reached = {
    allowRealEgress: settings.realEgress,
    allowCidrs: settings.egressAllowedCidrs,
    showsCredentials: settings.credentialsOverHttp,
    nameServers: settings.nameServers,
  };
  const egress = createEgress({ ...reached, timeoutMs, ...(settings.sandboxOrigin ? { sandboxOrigin: settings.sandboxOrigin } : {}) });
  const dataKeyOf = newRememberedDataKeys(deriveKey(settings.masterKey, 'data-key-wrapping'));
  const tokenEgress = openTokenEgress(reached);
  let closing = false;
  const tokens = newAccessTokens({ database, egress: tokenEgress, dataKeyOf, clock, isClosing: () => closing }, tell);
  const callWithToken = newCallWithToken(egress, tokens, timeoutMs);
  const callWithSecret = newCallWithSecret({ egress, openCredential: newOpenCredential(dataKeyOf), timeoutMs, clock });
  const execute = (call: ExecutionCall): Promise<EgressResult> => {
    const { credential, ...plain } = call;
    if (credential === undefined) return egress.call(plain);
    return credential.takes_tokens ? callWithToken({ ...plain, credential }) : callWithSecret({ ...plain, credential });
  };
  const closeExecutor = async (): Promise<void> => {
    closing = true;
    await egress.close();
    // What token endpoints are asked for is stored first, since nobody else may have it.
    await tokens.settle();
    await tokenEgress.close();
  };
  return { executor: { disabledFor: egress.disabledFor, execute }, closeExecutor };
};
