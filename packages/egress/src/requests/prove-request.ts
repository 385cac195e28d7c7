import { listRevealingTexts, placeSecrets } from '@svc/domain/credentials/place-secret.ts';
import type { SecretBearing } from '@svc/domain/credentials/slots/slot.ts';
import { isAllowed } from '@svc/domain/tools/destinations/allowlist.ts';
import { parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';
import type { EgressRequest } from './egress-request.ts';

/** Texts to mask in the response of a call: its secrets, and what was sent before they were added. */
export type Hidden = { readonly secrets: readonly string[]; readonly sent: readonly string[] };

/** A request with its secret added. */
export type AuthenticatedRequest = { readonly request: EgressRequest; readonly url: URL; readonly hidden: Hidden };
type NotProved =
  | { readonly kind: 'refused' | 'no_credential'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly sent: false };

const UNOPENED = 'The call was not sent: the secret of its credential could not be decrypted.';
const refused = (reason: string): NotProved => ({ kind: 'refused', reason });

const lowerNames = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const NOTHING_HIDDEN: Hidden = { secrets: [], sent: [] };

const listTexts = ({ url, headers, body }: SecretBearing): readonly string[] => [
  url.href,
  ...Object.values(headers),
  ...(body === undefined ? [] : [body]),
];

/** Adds the secret to a call if its destination is one that the credential names; a call without a credential stays unchanged. */
export const proveRequest = (request: EgressRequest, url: URL): AuthenticatedRequest | NotProved => {
  const { credential } = request;
  if (credential === undefined) return { request, url, hidden: NOTHING_HIDDEN };
  // The destination is at the beginning of the URL, and the rest may exceed the length of destinations.
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
  const encoded = [opened.secret, ...opened.hidden].flatMap((secret) => listRevealingTexts(credential, secret));
  const secrets = [...new Set([opened.secret, ...opened.extras, ...opened.hidden, ...encoded])];
  return { request: proved, url: placed.url, hidden: { secrets, sent: listTexts(bare) } };
};
