import { bearerTransport, type ControlClient, createControlClient, createGatewayClient, type GatewayClient } from '@svc/client/client.ts';

/** The control plane in the name of a session or key, typed by the contract; a refusal is thrown. Nobody's without a token. */
export const controlOf = (url: string, token?: string): ControlClient =>
  createControlClient({ transport: bearerTransport({ url, ...(token === undefined ? {} : { token }) }) });

/** The gateway in the name of an agent, typed by the contract; a refusal is thrown. Nobody's without a token. */
export const gatewayOf = (url: string, token?: string): GatewayClient =>
  createGatewayClient({ transport: bearerTransport({ url, ...(token === undefined ? {} : { token }) }) });
