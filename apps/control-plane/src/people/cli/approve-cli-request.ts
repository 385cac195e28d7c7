import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { constantTimeEqual } from '@svc/keyring/bytes/constant-time-equal.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { checkGuess } from '@svc/operations/people/auth/guesses/check-guess.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { insertCliDecision } from '@svc/postgres/people/cli/decisions.ts';
import type { ControlDeps } from '../../deps.ts';
import { guessTerms } from './requests/guess-terms.ts';
import { decidedMeanwhile, pendingRequest } from './requests/pending-request.ts';

/**
 * Binds the request to the organization of the session that approves. Of LOOPBACK the browser gets a code for the address that the terminal
 * listens at, on the machine of the browser and no other; the request's identifier goes with it as the state that the terminal compares.
 */
export const approveCliRequest: Handler<Endpoints['approveCliRequest'], ControlDeps> = async (call, deps) => {
  const { caller, now, sourceIp } = call;
  const row = await pendingRequest(deps.identity, call);
  if (isRefusal(row)) return row;
  const { checks, guess } = await guessTerms(call, deps);
  const typed = deps.userCodes.hashOf(call.body.user_code);
  const right = await checkGuess(checks, guess, async () => constantTimeEqual(typed, row.user_code_hash) || undefined);
  if (right === undefined) return call.fault('/user_code', 'This is not the code that the terminal shows.');
  if (isRefusal(right)) return right;
  const code = row.flow === 'LOOPBACK' ? newSecretToken(SECRET_PREFIXES.cli_code) : null;
  return call.change(async ({ tx, emit }) => {
    const decision = {
      organization_id: caller.organizationId,
      request_id: row.id,
      user_id: caller.actor.id,
      session_id: caller.credentialId,
    };
    const isFirst = await insertCliDecision(tx, {
      ...decision,
      is_approved: true,
      code_hash: code === null ? null : hashSecret(code),
      decided_at: now,
    });
    if (!isFirst) return decidedMeanwhile();
    const { flow, hostname, platform, version } = row;
    const asked = { request_id: row.id, flow, client: { hostname, platform, version }, asked_from: row.source_ip, source_ip: sourceIp };
    emit('cli.authorization_approved', { ...about.user(caller.actor), data: { ...asked, session_id: caller.credentialId } });
    if (code === null) return { request_id: row.id, redirect_uri: null };
    return { request_id: row.id, redirect_uri: `http://127.0.0.1:${row.redirect_port}/?${new URLSearchParams({ code, state: row.id })}` };
  });
};
