import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getAddressGroup } from '@svc/domain/people/auth/address-group.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { insertCliRequest, type NewCliRequest } from '@svc/postgres/people/cli/requests.ts';
import type { PeopleDeps } from '../deps.ts';

const { lifetimeSeconds, pendingPerAddressMax, pendingMax, pollSeconds } = LIMITS.cliRequests;
const BOUNDS = { ofAddress: pendingPerAddressMax, inAll: pendingMax };
/** The probability that a code is taken is one in millions. */
const TRIES_MAX = 3;

/**
 * Returns the page for a request. A LOOPBACK page gets the request by its link; a DEVICE request is found by its code alone, which a link
 * sent to another user does not contain.
 */
const getPage = (base: string, flow: string, id: string): string => (flow === 'LOOPBACK' ? `${base}/cli?request_id=${id}` : `${base}/cli`);

export const startCliSignIn: Handler<Endpoints['startCliSignIn'], PeopleDeps> = async (call, { identity, userCodes, urls }) => {
  const { body, now, sourceIp } = call;
  const { flow, redirect_port, client } = body;
  if (flow === 'LOOPBACK' && redirect_port === undefined)
    return call.fault('/redirect_port', 'LOOPBACK requires the port that receives the code.');
  if (flow === 'DEVICE' && redirect_port !== undefined) return call.fault('/redirect_port', 'Must be omitted for DEVICE.');
  const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
  for (let tried = 0; tried < TRIES_MAX; tried += 1) {
    const id = call.newId('cli_request');
    const code = userCodes.codeOf(id);
    const row: NewCliRequest = {
      id,
      flow,
      code_challenge: body.code_challenge,
      redirect_port: redirect_port ?? null,
      hostname: client.hostname ?? null,
      platform: client.platform ?? null,
      version: client.version ?? null,
      user_code_hash: userCodes.hashOf(code),
      source_ip: sourceIp,
      address_group: getAddressGroup(sourceIp),
      created_at: now,
      expires_at: after(lifetimeSeconds),
      // The interval counts between polls (RFC 8628, section 3.2), so the first one is free.
      poll_after: now,
      poll_seconds: pollSeconds,
    };
    const kept = await insertCliRequest(identity, row, BOUNDS);
    if (kept === 'full') return call.refuse('RATE_LIMITED', 'Too many command-line sign-ins are pending.', { retry_after_seconds: 60 });
    if (kept === 'taken') continue;
    const told = { user_code: code, verification_uri: getPage(urls.base, flow, id), poll_after_seconds: pollSeconds };
    return { request_id: id, ...told, expires_at: row.expires_at.toISOString() };
  }
  throw new Error('no code was free for a request of the command line');
};
