import { createEgress } from '@svc/egress/create-egress.ts';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';
import type { ExecutionCall, Ports } from '@svc/enforcement/ports/ports.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { newRememberedDataKeys } from '@svc/operations/credentials/remembered-data-keys.ts';
import { openTokenEgress } from '@svc/operations/credentials/tokens/open-token-egress.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { Logger } from 'pino';
import type { GatewaySettings } from '../../settings.ts';
import { newAccessTokens } from './access-tokens.ts';
import { newCallWithToken } from './call-with-token.ts';
import { newOpenCredential, type Which } from './open-credential.ts';

const UNAUTHORIZED = 401;

/** Whether a call that the present secret was refused for may be made once more with the one before. */
const mayTryPrevious = ({ credential }: ExecutionCall, result: EgressResult, now: number): boolean => {
  const endsAt = credential?.previous_ends_at ?? null;
  return result.kind === 'answered' && result.status === UNAUTHORIZED && endsAt !== null && Date.parse(endsAt) > now;
};

type Needs = { readonly database: Database; readonly clock: () => Date; readonly log: Logger };

/** Executes what a tool declares through the one egress client. */
export const newExecutor = (
  settings: GatewaySettings,
  { database, clock, log }: Needs,
): { executor: NonNullable<Ports['executor']>; closeExecutor: () => Promise<void> } => {
  const reached = {
    allowRealEgress: settings.realEgress,
    allowCidrs: settings.egressAllowedCidrs,
    showsCredentials: settings.credentialsOverHttp,
    nameServers: settings.nameServers,
  };
  const egress = createEgress({
    ...reached,
    timeoutMs: settings.egressTimeoutMs,
    ...(settings.sandboxOrigin ? { sandboxOrigin: settings.sandboxOrigin } : {}),
  });
  const dataKeyOf = newRememberedDataKeys(deriveKey(settings.masterKey, 'data-key-wrapping'));
  const openCredential = newOpenCredential(dataKeyOf);
  const tokenEgress = openTokenEgress(reached);
  let closing = false;
  const tokens = newAccessTokens({ database, egress: tokenEgress, dataKeyOf, clock, isClosing: () => closing }, log);
  const callWithToken = newCallWithToken(egress, tokens, settings.egressTimeoutMs);
  const make = ({ credential, ...call }: ExecutionCall, which: Which): Promise<EgressResult> => {
    if (credential === undefined) return egress.call(call);
    const { scheme, placement, destinations } = credential;
    return egress.call({
      ...call,
      credential: { scheme, placement, destinations, open: () => openCredential(call.tenant, credential, which) },
    });
  };
  const execute = async (call: ExecutionCall): Promise<EgressResult> => {
    const { credential } = call;
    if (credential?.takes_tokens) return callWithToken({ ...call, credential });
    const result = await make(call, 'present');
    return mayTryPrevious(call, result, clock().getTime()) ? make(call, 'previous') : result;
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
