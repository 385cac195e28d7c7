import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress, type Egress } from '@svc/egress/create-egress.ts';
import { maskExecution } from '@svc/enforcement/execution/mask-execution.ts';
import { readResult } from '@svc/enforcement/execution/read-result.ts';
import { addActionHeaders } from '@svc/enforcement/execution/with-action-headers.ts';
import type { CallRequest } from '@svc/enforcement/facts/call-request.ts';
import type { Executor, Executors } from '@svc/enforcement/ports/executors.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { openTokenEgress } from '@svc/operations/credentials/tokens/open-token-egress.ts';
import { newRememberedDataKeys } from '@svc/operations/service/keys/remembered-data-keys.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { parseBlocks } from '@svc/postgres/incidents/emergency/blocked-destinations.ts';
import type { GatewaySettings } from '../../settings.ts';
import { newA2aExecutor, type SendA2a } from './a2a/a2a-executor.ts';
import { newA2aRecords } from './a2a/a2a-records.ts';
import { newAccessTokens, type TellBreakage } from './access-tokens.ts';
import { toCallResult } from './call-result.ts';
import { newCallWithSecret } from './call-with-secret.ts';
import { newCallWithToken } from './call-with-token.ts';
import { type MakeTry, makeTries } from './make-tries.ts';
import { newMcpExecutor, type SendMcp } from './mcp/mcp-executor.ts';
import { newOpenCredential } from './open-credential.ts';

type Needs = { readonly database: Database; readonly clock: () => Date; readonly tell: TellBreakage; readonly origin: () => string };

/** Sends requests to MCP servers and remote agents, with the credential that their records name. */
const newSendToPeer =
  (egress: Egress, withToken: ReturnType<typeof newCallWithToken>, withSecret: ReturnType<typeof newCallWithSecret>): SendA2a & SendMcp =>
  ({ tenant, credential, mayLeave, blocks }, request, timeoutMs) => {
    const asked = { mayLeave, ...request, tenant, blocks };
    if (credential === undefined) return egress.call({ ...asked, timeoutMs, keepFor: 'no credential' });
    return credential.takes_tokens ? withToken(asked, credential, timeoutMs) : withSecret(asked, credential, timeoutMs);
  };

/** Opens the executor of each kind, all over one egress client. */
export const newExecutors = (
  settings: GatewaySettings,
  { database, clock, tell, origin }: Needs,
): { executors: Executors; closeExecutors: () => Promise<void> } => {
  const reached = {
    allowRealEgress: settings.realEgress,
    allowCidrs: settings.egressAllowedCidrs,
    showsCredentials: settings.credentialsOverHttp,
    nameServers: settings.nameServers,
  };
  const sandbox = settings.sandboxOrigin ? { sandboxOrigin: settings.sandboxOrigin } : {};
  const egress = createEgress({ ...reached, ...sandbox, timeoutMs: settings.egressTimeoutMs, keptIdleMs: LIMITS.egress.callKeptIdleMs });
  const dataKeyOf = newRememberedDataKeys(deriveKey(settings.masterKey, 'data-key-wrapping'));
  const tokenEgress = openTokenEgress({ ...reached, blocksOf: parseBlocks(database) });
  let closing = false;
  const tokens = newAccessTokens({ database, egress: tokenEgress, dataKeyOf, clock, isClosing: () => closing }, tell);
  const callWithToken = newCallWithToken(egress, tokens);
  const callWithSecret = newCallWithSecret(egress, newOpenCredential(dataKeyOf), clock);
  const makeTry: MakeTry = ({ credential, terms, ...call }, timeoutMs) => {
    const expects = terms?.expects ?? null;
    const bounded = expects === null || expects.bytes_max === null ? {} : { responseBytesMax: expects.bytes_max };
    const asked = { ...call, expects, ...bounded };
    if (credential === undefined) return egress.call({ ...asked, timeoutMs, keepFor: 'no credential' });
    return credential.takes_tokens ? callWithToken(asked, credential, timeoutMs) : callWithSecret(asked, credential, timeoutMs);
  };
  const closeExecutors = async (): Promise<void> => {
    closing = true;
    await Promise.all([egress.close(), mcpEgress.close()]);
    // Tokens in progress are stored first, since no other process has them.
    await tokens.settle();
    await tokenEgress.close();
  };
  const timeoutMs = ({ terms }: CallRequest<'http'>): number => terms?.timeout_ms ?? settings.egressTimeoutMs;
  const execute: Executor<'http'>['execute'] = async (call) => {
    let isUnsent = true;
    // For any attempt, including one with another secret or token.
    const onSend = (): void => {
      isUnsent = false;
    };
    const result = toCallResult(call, await makeTries({ ...addActionHeaders(call), onSend }, makeTry, timeoutMs(call)));
    return isUnsent ? { ...result, isUnsent } : result;
  };
  const http: Executor<'http'> = {
    disabledFor: egress.disabledFor,
    timeoutMs,
    execute,
    readResult: ({ terms }, result) => readResult(result, terms?.expects),
    mask: maskExecution,
  };
  // Responses of MCP servers are read as text: they are bounded, and each is one message.
  const mcpEgress = createEgress({ ...reached, ...sandbox, asText: true, readsAtOnce: true, keptIdleMs: LIMITS.egress.callKeptIdleMs });
  const sendToPeer = newSendToPeer(
    mcpEgress,
    newCallWithToken(mcpEgress, tokens),
    newCallWithSecret(mcpEgress, newOpenCredential(dataKeyOf), clock),
  );
  const mcp = newMcpExecutor(mcpEgress, sendToPeer);
  const a2a = newA2aExecutor(mcpEgress, sendToPeer, newA2aRecords(settings.masterKey, { database, clock, origin }));
  return { executors: { http, mcp, a2a }, closeExecutors };
};
