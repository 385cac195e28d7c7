import type { Endpoints } from '@svc/contract/endpoints.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { constantTimeEqual } from '@svc/keyring/bytes/constant-time-equal.ts';
import { matchesChallenge } from '@svc/keyring/codes/pkce.ts';
import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import { endIssuedSession } from '@svc/operations/people/cli/end-issued-session.ts';
import { CLI_REQUEST_USED, issueCliSession } from '@svc/operations/people/cli/issue-cli-session.ts';
import { type CliApprover, type CliDecisionRow, findCliDecision } from '@svc/postgres/people/cli/decisions.ts';
import { type CliRequestRow, findCliRequest, notePoll } from '@svc/postgres/people/cli/requests.ts';
import { newOpening } from '../auth/sign-in/new-opening.ts';
import type { PeopleDeps } from '../deps.ts';

type RedeemCall = Call<Endpoints['redeemCliSignIn']>;

const { pollSlowerSeconds, pollSecondsMax } = LIMITS.cliRequests;

const stillWaiting = async (
  { now }: RedeemCall,
  { identity }: PeopleDeps,
  row: CliRequestRow,
): Promise<Refusal<'RATE_LIMITED' | 'APPROVAL_REQUIRED' | 'GONE'>> => {
  const poll = await notePoll(identity, row.id, { now, slowerSeconds: pollSlowerSeconds, secondsMax: pollSecondsMax });
  if (poll === undefined) return CLI_REQUEST_USED;
  const retry_after_seconds = poll.poll_seconds;
  if (poll.too_soon) return buildRefusal('RATE_LIMITED', 'The terminal polls too often. It must wait longer.', { retry_after_seconds });
  const waits = { request_id: row.id, poll_after_seconds: retry_after_seconds, expires_at: row.expires_at };
  return buildRefusal('APPROVAL_REQUIRED', 'This sign-in has not been decided yet.', waits);
};

/** Returns the refusal of a request that cannot be redeemed, or no longer; undefined otherwise. */
const unredeemable = (call: RedeemCall, row: CliRequestRow, decision: CliDecisionRow) => {
  const { code } = call.body;
  if (!decision.is_approved) return call.refuse('APPROVAL_NOT_GRANTED', 'This sign-in was denied.');
  if (row.flow === 'LOOPBACK' && code === undefined) return call.fault('/code', 'LOOPBACK requires the code that the browser delivered.');
  if (row.flow === 'DEVICE' && code !== undefined) return call.fault('/code', 'Must be omitted for DEVICE.');
  if (code !== undefined && !constantTimeEqual(hashSecret(code), decision.code_hash ?? Buffer.alloc(0)))
    return call.refuse('INVALID_CREDENTIALS');
  return undefined;
};

const issue = (call: RedeemCall, deps: PeopleDeps, row: CliRequestRow, approver: CliApprover) => {
  const request = { row, approver, opening: newOpening(call, deps.settings), posting: call };
  return call.change((change) => issueCliSession(change, request, deps), undefined, {
    scope: { organization_id: approver.organization_id },
    actor: { type: 'USER', id: approver.user_id, name: approver.name },
  });
};

/**
 * Ends the session that was issued, if the request is redeemed again with the right code. Two clients then know the code, and it is unknown
 * which of them has the session.
 */
const endIssued = async (call: RedeemCall, decision: CliDecisionRow): Promise<Refusal<'GONE'>> => {
  const { decided_in: organization_id, decided_by: userId, issued_session_id: id, code_hash } = decision;
  const isCode = code_hash === null || constantTimeEqual(hashSecret(call.body.code ?? ''), code_hash);
  if (id === null || !isCode) return CLI_REQUEST_USED;
  const request = { session: { organization_id, id }, userId, requestId: call.body.request_id, now: call.now };
  return call.change((change) => endIssuedSession(change, request), undefined, {
    scope: { organization_id },
    actor: { type: 'SYSTEM', id: 'system', name: null },
  });
};

/** Without the verifier of a request the answer does not reveal whether the request exists. */
export const redeemCliSignIn: Handler<Endpoints['redeemCliSignIn'], PeopleDeps> = async (call, deps) => {
  const { body, now } = call;
  const row = await findCliRequest(deps.identity, body.request_id);
  if (row === undefined || !matchesChallenge(body.code_verifier, row.code_challenge)) return call.refuse('INVALID_CREDENTIALS');
  if (Date.parse(row.expires_at) <= now.getTime()) return CLI_REQUEST_USED;
  const decision = await findCliDecision(deps.identity, row.id, now);
  if (decision === undefined) return stillWaiting(call, deps, row);
  if (decision.redeemed_at !== null) return endIssued(call, decision);
  const refused = unredeemable(call, row, decision);
  if (isRefusal(refused)) return refused;
  if (decision.approver === null) return call.refuse('APPROVAL_NOT_GRANTED', 'The session that approved this sign-in has ended.');
  const answer = await issue(call, deps, row, decision.approver);
  if (!isRefusal(answer)) return answer;
  // Another client redeemed it at the same moment, so its session ends, as if that client had been earlier.
  const taken = await findCliDecision(deps.identity, row.id, now);
  return taken?.redeemed_at ? endIssued(call, taken) : answer;
};
