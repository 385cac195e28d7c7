import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { addressGroup } from '@svc/domain/people/auth/address-group.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { constantTimeEqual } from '@svc/keyring/bytes/constant-time-equal.ts';
import { isVerifierOf } from '@svc/keyring/codes/pkce.ts';
import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import { openSession } from '@svc/operations/people/auth/open-session.ts';
import { postNotice } from '@svc/operations/people/mail/post-notice.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type CliApprover, type CliDecisionRow, findCliDecision, redeemCliDecision } from '@svc/postgres/people/cli/decisions.ts';
import { type CliRequestRow, findCliRequest, notePoll } from '@svc/postgres/people/cli/requests.ts';
import { endSurplus } from '@svc/postgres/people/sessions/end-surplus.ts';
import { listSourceAddresses } from '@svc/postgres/people/sessions/own-sessions.ts';
import { newOpening } from '../auth/sign-in/new-opening.ts';
import type { PeopleDeps } from '../deps.ts';
import { endIssued, USED } from './requests/end-issued.ts';

type Whose = { readonly organizationId: string; readonly userId: string };
type RedeemCall = Call<Endpoints['redeemCliSignIn']>;

const { pollSlowerSeconds, pollSecondsMax } = LIMITS.cliRequests;

const stillWaiting = async (
  { now }: RedeemCall,
  { identity }: PeopleDeps,
  row: CliRequestRow,
): Promise<Refusal<'RATE_LIMITED' | 'APPROVAL_REQUIRED' | 'GONE'>> => {
  const poll = await notePoll(identity, row.id, { now, slowerSeconds: pollSlowerSeconds, secondsMax: pollSecondsMax });
  if (poll === undefined) return USED;
  const retry_after_seconds = poll.poll_seconds;
  if (poll.too_soon) return refusal('RATE_LIMITED', 'The terminal polls too often. It must wait longer.', { retry_after_seconds });
  const waits = { request_id: row.id, poll_after_seconds: retry_after_seconds, expires_at: row.expires_at };
  return refusal('APPROVAL_REQUIRED', 'This sign-in has not been decided yet.', waits);
};

/** The answer to what is not, or not any more, to be redeemed; undefined where it is. */
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
  const user = { id: approver.user_id, email: approver.email, name: approver.name };
  const organization = { id: approver.organization_id, name: approver.organization_name };
  const begun = newOpening(call, deps.settings);
  const expiresAt = new Date(Math.min(begun.expiresAt.getTime(), Date.parse(approver.expires_at)));
  const opening = { ...begun, expiresAt, approvedBySignInId: approver.sign_in_id };
  return call.change(
    async ({ tx, emit }) => {
      if (!(await redeemCliDecision(tx, { organization_id: organization.id, request_id: row.id }, opening.id, call.now))) return USED;
      const isNew = await isNewNetwork(tx, { organizationId: organization.id, userId: user.id }, call.sourceIp);
      const signedIn = { user, organization, rights: approver, epoch: approver.epoch, vouchedAmr: approver.vouched_amr };
      const answer = await openSession(tx, opening, signedIn, approver.amr);
      const ended = await endSurplus(tx, { organizationId: organization.id, userId: user.id }, call.now);
      const data = { session_id: opening.id, request_id: row.id, flow: row.flow, source_ip: call.sourceIp };
      emit('cli.session_issued', { ...about.user(user), data: { ...data, ...(ended.length > 0 ? { sessions_ended: ended } : {}) } });
      if (isNew) await postNotice(deps, call, tx, { what: 'terminal', to: user.email, organizationId: organization.id });
      return answer;
    },
    undefined,
    { scope: { organization_id: organization.id }, actor: { type: 'USER', id: user.id, name: user.name } },
  );
};

/** Whether none of the sessions that are known of a person came from the network of an address. */
const isNewNetwork = async (tx: TenantTransaction, whose: Whose, sourceIp: string): Promise<boolean> => {
  const seen = await listSourceAddresses(tx, whose);
  return !seen.some((address) => addressGroup(address) === addressGroup(sourceIp));
};

/** Nothing is told of a request to whoever has not its verifier: not even that there is one. */
export const redeemCliSignIn: Handler<Endpoints['redeemCliSignIn'], PeopleDeps> = async (call, deps) => {
  const { body, now } = call;
  const row = await findCliRequest(deps.identity, body.request_id);
  if (row === undefined || !isVerifierOf(body.code_verifier, row.code_challenge)) return call.refuse('INVALID_CREDENTIALS');
  if (Date.parse(row.expires_at) <= now.getTime()) return USED;
  const decision = await findCliDecision(deps.identity, row.id, now);
  if (decision === undefined) return stillWaiting(call, deps, row);
  if (decision.redeemed_at !== null) return endIssued(call, decision);
  const refused = unredeemable(call, row, decision);
  if (isRefusal(refused)) return refused;
  if (decision.approver === null) return call.refuse('APPROVAL_NOT_GRANTED', 'The session that approved this sign-in has ended.');
  const answer = await issue(call, deps, row, decision.approver);
  if (!isRefusal(answer)) return answer;
  // Another took it at the same moment, so that two know it: what that one got ends, as where it had come a moment before.
  const taken = await findCliDecision(deps.identity, row.id, now);
  return taken?.redeemed_at ? endIssued(call, taken) : answer;
};
