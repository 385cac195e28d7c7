import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { newAssertionOptions } from '@svc/keyring/factors/passkeys.ts';
import type { PeopleDeps } from '../deps.ts';
import { NO_PARTY } from './enrolment/no-party.ts';

/** Starts a passkey sign-in. The response is the same for all callers, since none is identified yet; nothing is stored. */
export const startPasskeySignIn: Handler<Endpoints['startPasskeySignIn'], PeopleDeps> = async (call, { factors }) => {
  const { party, keys } = factors;
  if (!party) return call.refuse('CONFLICT', NO_PARTY);
  const asking = { key: keys.passkeyChallenges, party, ceremony: { of: 'sign-in' }, now: call.now } as const;
  return { public_key: await newAssertionOptions(asking) };
};
