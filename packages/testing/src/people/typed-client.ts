import { bearerTransport, type ControlClient, createControlClient, createGatewayClient, type GatewayClient } from '@svc/client/client.ts';

/** Returns a typed client of the control plane at `url`, authenticated by a session or API key; anonymous without a token. Calls that are refused throw. */
export const newControlClient = (url: string, token?: string): ControlClient =>
  createControlClient({ transport: bearerTransport({ url, ...(token === undefined ? {} : { token }) }) });

/** Returns a typed client of the gateway at `url`, authenticated by an agent token; anonymous without a token. Calls that are refused throw. */
export const newGatewayClient = (url: string, token?: string): GatewayClient =>
  createGatewayClient({ transport: bearerTransport({ url, ...(token === undefined ? {} : { token }) }) });
