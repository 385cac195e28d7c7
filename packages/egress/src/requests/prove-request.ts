import { placeSecret } from '@svc/domain/credentials/place-secret.ts';
import { isAllowed } from '@svc/domain/tools/destinations/allowlist.ts';
import { parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';
import type { EgressRequest } from './egress-request.ts';

/** A request with the secret on it. */
export type Proved = { readonly request: EgressRequest; readonly url: URL; readonly secret: string | undefined };
type NotProved = { readonly kind: 'refused'; readonly reason: string } | { readonly kind: 'no_credential'; readonly reason: string };

const UNOPENED = 'The call was never sent: the secret of its credential could not be opened.';
const refused = (reason: string): NotProved => ({ kind: 'refused', reason });

const lowerNames = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Puts the secret of a call on it, where it goes to a destination that the credential names; a call without one is left as it is. */
export const proveRequest = (request: EgressRequest, url: URL): Proved | NotProved => {
  const { credential } = request;
  if (credential === undefined) return { request, url, secret: undefined };
  const destination = parseDestination(url.href);
  if ('fault' in destination || !isAllowed(credential.destinations, destination))
    return refused('The credential of the call does not name its destination.');
  const secret = credential.open();
  if (secret === undefined) return { kind: 'no_credential', reason: UNOPENED };
  const placed = placeSecret({ url, headers: lowerNames(request.headers), body: request.body }, { ...credential, secret });
  if ('unplaced' in placed) return refused(placed.unplaced);
  const { body, headers } = placed;
  return { request: { ...request, headers, ...(body === undefined ? {} : { body }) }, url: placed.url, secret };
};
