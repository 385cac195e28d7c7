import type { Endpoints } from '@svc/contract/endpoints.ts';
import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { constantTimeEqual } from '@svc/keyring/bytes/constant-time-equal.ts';
import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import { about, EVERYWHERE } from '@svc/postgres/audit/about.ts';
import { keep } from '@svc/postgres/change/change.ts';
import type { CliDecisionRow } from '@svc/postgres/people/cli/decisions.ts';
import { endSignIn, revokeSession } from '@svc/postgres/people/sessions/sessions.ts';

type RedeemCall = Call<Endpoints['redeemCliSignIn']>;

export const USED = refusal('GONE', 'This command-line request was already used or has ended. Start again.');

/**
 * A request that is redeemed again, with its verifier and its code, was known to two, and nobody can tell which of them has the session: it
 * ends (RFC 6749, section 4.1.2). A terminal whose answer was lost leaves no session behind so.
 */
export const endIssued = async (call: RedeemCall, decision: CliDecisionRow): Promise<Refusal<'GONE'>> => {
  const { decided_in: organization_id, decided_by, issued_session_id: id, code_hash } = decision;
  const isCode = code_hash === null || constantTimeEqual(hashSecret(call.body.code ?? ''), code_hash);
  if (id === null || !isCode) return USED;
  return call.change(
    async ({ tx, emit }) => {
      if (!(await revokeSession(tx, { organization_id, id }, call.now))) return USED;
      await endSignIn(tx, { organization_id, id }, { id, withTerminals: true }, call.now);
      emit('session.revoked', { ...about.session({ id }, EVERYWHERE), data: { user_id: decided_by, request_id: call.body.request_id } });
      return keep(USED);
    },
    undefined,
    { scope: { organization_id }, actor: { type: 'SYSTEM', id: 'system', name: null } },
  );
};
