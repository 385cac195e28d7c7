import { type ClientOptions, type Input, newCaller, type Operation } from './caller.ts';
import type { Client, ControlClient, GatewayClient, OperationName } from './client-types.ts';
import { OPERATIONS } from './operations.ts';
import { newRequest } from './request.ts';

export type { ClientOptions } from './caller.ts';
export type {
  CallOptions,
  CallOutcome,
  Client,
  ControlClient,
  GatewayClient,
  OperationInput,
  OperationName,
  OperationResult,
  StreamMessage,
} from './client-types.ts';
export { type ClientErrorCode, type Fault, isServiceError, ServiceError } from './errors.ts';
export { listAll } from './list-all.ts';
export type { OperationTypes } from './operation-types.ts';
export { type ErrorCode, OPERATIONS } from './operations.ts';
export { type BearerOptions, bearerTransport, type TokenSource } from './transports/bearer.ts';
export { type CookieOptions, cookieTransport } from './transports/cookie.ts';
export type { Transport, TransportRequest } from './transports/transport.ts';

const OPERATION_BY_NAME: ReadonlyMap<string, Operation> = new Map(Object.entries(OPERATIONS));

const createClient = <Names extends OperationName>(plane: 'control' | 'gateway', options: ClientOptions): Client<Names> => {
  const call = newCaller((name) => OPERATION_BY_NAME.get(name), options);
  const methods = [...OPERATION_BY_NAME]
    .filter(([, operation]) => operation.plane === plane)
    .map(([name]) => [name, async (input?: Input) => (await call(name, input)).body] as const);
  return { ...Object.fromEntries(methods), request: newRequest(call) } as unknown as Client<Names>;
};

/** A client of the control plane: people, API keys, directories. */
export const createControlClient = (options: ClientOptions): ControlClient => createClient('control', options);

/** A client of the gateway, for programs that hold an agent's access token. Agents themselves use `@svc/sdk`. */
export const createGatewayClient = (options: ClientOptions): GatewayClient => createClient('gateway', options);
