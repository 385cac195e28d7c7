import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { checkGuess } from '@svc/operations/people/auth/guesses/check-guess.ts';
import { findByUserCode } from '@svc/postgres/people/cli/requests.ts';
import type { PeopleDeps } from '../deps.ts';
import { guessTerms } from './requests/guess-terms.ts';
import { isPending } from './requests/pending-request.ts';
import { showRequest } from './requests/show-request.ts';

/** Finds a request by its code. A LOOPBACK code cannot be found: its page already has the request. */
export const findCliRequest: Handler<Endpoints['findCliRequest'], PeopleDeps> = async (call, deps) => {
  const { checks, guess } = await guessTerms(call, deps);
  const found = await checkGuess(checks, guess, async () => {
    const row = await findByUserCode(deps.identity, deps.userCodes.hashOf(call.query.user_code));
    return row?.flow === 'DEVICE' && isPending(row, call.now) ? row : undefined;
  });
  if (found === undefined)
    return call.refuse('NOT_FOUND', 'No terminal is waiting with this code. Check the code, or start again in the terminal.');
  return isRefusal(found) ? found : showRequest(found, call.sourceIp, deps.userCodes.codeOf(found.id));
};
