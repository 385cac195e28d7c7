import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { refuseWithoutMail } from '@svc/operations/people/mail/mail-service.ts';
import type { PeopleDeps } from '../deps.ts';
import { isSetupTokenAlive } from '../setup/links/setup-token.ts';
import { refuseFounding } from './founding/may-found.ts';

const OPEN = { open: true } as const;
const OVER =
  'This set-up link is no longer valid: it was used, the first organization already exists, or the link is incomplete. If the service is not set up yet, use the link that the start of the service prints.';

/** Checks a sign-up before the user fills in a form. The sign-up itself checks again. */
export const checkSignup: Handler<Endpoints['checkSignup'], PeopleDeps> = async ({ body: { setup_token }, refuse }, deps) => {
  if (setup_token !== undefined) return (await isSetupTokenAlive(deps.identity, setup_token)) ? OPEN : refuse('GONE', OVER);
  return (await refuseFounding(deps, { email: '' })) ?? refuseWithoutMail(deps.mail) ?? OPEN;
};
