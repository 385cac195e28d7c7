import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { A2A_CODES, type A2aMessage, a2aError, isA2aFault, readA2aMessage } from '@svc/peers/a2a/front/read-request.ts';
import type { GatewayDeps } from '../../../deps.ts';
import { checkBrowserOrigin } from '../../mcp/answering/browser-refusal.ts';
import type { A2aCall } from './decide-message.ts';

export const isErrorMessage = (read: A2aMessage | { readonly message: JsonObject }): read is { readonly message: JsonObject } =>
  !('method' in read);

/** Reads the request of a call, or returns the JSON-RPC error that answers it. */
export const readMessage = (call: A2aCall, deps: GatewayDeps): A2aMessage | { readonly message: JsonObject } => {
  const foreign = checkBrowserOrigin(call.header('host'), call.header('origin'), deps.tokenScope.audience);
  const { id } = call.body;
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  if (foreign !== undefined) return { message: a2aError(known, { code: A2A_CODES.refused, message: foreign }) };
  const message = readA2aMessage(call.body, call.header('a2a-version'));
  return isA2aFault(message) ? { message: a2aError(known, message) } : message;
};
