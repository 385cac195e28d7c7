import { placeSecrets, revealingTexts } from '@svc/domain/credentials/place-secret.ts';
import type { SecretBearing } from '@svc/domain/credentials/slots/slot.ts';
import { isAllowed } from '@svc/domain/tools/destinations/allowlist.ts';
import { parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';
import type { EgressRequest } from './egress-request.ts';

/** What is hidden of a call in its answer: what is secret of it, and what it said before that was put on it. */
export type Hidden = { readonly secrets: readonly string[]; readonly sent: readonly string[] };

/** A request with the secret on it. */
export type Proved = { readonly request: EgressRequest; readonly url: URL; readonly hidden: Hidden };
type NotProved =
  | { readonly kind: 'refused' | 'no_credential'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly sent: false };

const UNOPENED = 'The call was not sent: the secret of its credential could not be decrypted.';
const refused = (reason: string): NotProved => ({ kind: 'refused', reason });

const lowerNames = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const NOTHING_HIDDEN: Hidden = { secrets: [], sent: [] };

const textsOf = ({ url, headers, body }: SecretBearing): readonly string[] => [
  url.href,
  ...Object.values(headers),
  ...(body === undefined ? [] : [body]),
];

/** Puts the secret of a call on it, where it goes to a destination that the credential names; a call without one is left as it is. */
export const proveRequest = (request: EgressRequest, url: URL): Proved | NotProved => {
  const { credential } = request;
  if (credential === undefined) return { request, url, hidden: NOTHING_HIDDEN };
  // Where it goes is at its beginning, and the rest may be longer than destinations are.
  const destination = parseDestination(url.origin);
  if ('fault' in destination || !isAllowed(credential.destinations, destination))
    return refused('The credential of the call does not list its destination.');
  const opened = credential.open();
  if (opened === undefined) return { kind: 'no_credential', reason: UNOPENED };
  const bare = { url, headers: lowerNames(request.headers), body: request.body };
  const placed = placeSecrets(bare, credential, opened);
  if ('unplaced' in placed) return { kind: 'failed', reason: placed.unplaced, sent: false };
  const { body, headers } = placed;
  const proved = { ...request, headers, ...(body === undefined ? {} : { body }) };
  const encoded = [opened.secret, ...opened.hidden].flatMap((secret) => revealingTexts(credential, secret));
  const secrets = [...new Set([opened.secret, ...opened.extras, ...opened.hidden, ...encoded])];
  return { request: proved, url: placed.url, hidden: { secrets, sent: textsOf(bare) } };
};
