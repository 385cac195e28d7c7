import { hash, randomBytes } from 'node:crypto';
import { call, mustCall, type TestResponse } from './client.ts';

/** A pending command-line sign-in, with the terminal's secrets. */
export type Terminal = {
  readonly request_id: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly poll_after_seconds: number;
  readonly expires_at: string;
  readonly code_verifier: string;
};

/** Generates a PKCE verifier and its S256 challenge. */
export const newPkce = (): { readonly code_verifier: string; readonly code_challenge: string } => {
  const code_verifier = randomBytes(32).toString('base64url');
  return { code_verifier, code_challenge: hash('sha256', code_verifier, 'base64url') };
};

const CLIENT = { hostname: 'ada-laptop', platform: 'linux x64', version: '1.4.0' };

/** Begins a sign-in; without a port it uses the flow DEVICE. */
export const startTerminal = async (controlUrl: string, redirect_port?: number, client: object = CLIENT): Promise<Terminal> => {
  const { code_verifier, code_challenge } = newPkce();
  const flow = redirect_port === undefined ? { flow: 'DEVICE' } : { flow: 'LOOPBACK', redirect_port };
  const body = { ...flow, code_challenge, client };
  return { ...(await mustCall(controlUrl, 'POST', '/v1/auth/cli/start', { body })), code_verifier };
};

/** Polls for the session of a terminal. */
export const redeem = (controlUrl: string, { request_id, code_verifier }: Terminal, code?: string): Promise<TestResponse> =>
  call(controlUrl, 'POST', '/v1/auth/cli/token', { body: { request_id, code_verifier, ...(code === undefined ? {} : { code }) } });

/** Approves like the page does. */
export const approve = (controlUrl: string, token: string, { request_id, user_code }: Terminal): Promise<TestResponse> =>
  call(controlUrl, 'POST', `/v1/auth/cli/requests/${request_id}/approve`, { token, body: { user_code } });
