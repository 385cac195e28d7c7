import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { constantTimeEqual } from '@svc/keyring/bytes/constant-time-equal.ts';
import { newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { checkGuess } from '@svc/operations/people/auth/guesses/check-guess.ts';
import { approveCliRequest as approve } from '@svc/operations/people/cli/approve-cli-request.ts';
import type { PeopleDeps } from '../deps.ts';
import { guessTerms } from './requests/guess-terms.ts';
import { getPendingRequest } from './requests/pending-request.ts';

export const approveCliRequest: Handler<Endpoints['approveCliRequest'], PeopleDeps> = async (call, deps) => {
  const row = await getPendingRequest(deps.identity, call);
  if (isRefusal(row)) return row;
  const { checks, guess } = await guessTerms(call, deps);
  const typed = deps.userCodes.hashOf(call.body.user_code);
  const right = await checkGuess(checks, guess, async () => constantTimeEqual(typed, row.user_code_hash) || undefined);
  if (right === undefined) return call.fault('/user_code', 'This is not the code that the terminal shows.');
  if (isRefusal(right)) return right;
  const code = row.flow === 'LOOPBACK' ? newSecretToken(SECRET_PREFIXES.cli_code) : null;
  return call.change((change) =>
    approve(change, { ...asActing(call), credentialId: call.caller.credentialId, sourceIp: call.sourceIp }, row, code),
  );
};
