import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isDestinationFault, parseDestination } from '../../tools/destinations/parse-destination.ts';

/** Returns why nothing can be delivered to a URL. Its addresses are checked at each call. */
export const findUrlFault = (url: string, { allowsHttp }: { readonly allowsHttp: boolean }): string | undefined => {
  if (url.length > LIMITS.webhooks.urlLengthMax) return `Must be at most ${LIMITS.webhooks.urlLengthMax} characters long.`;
  const destination = parseDestination(url);
  if (isDestinationFault(destination)) return `The URL ${destination.fault}.`;
  if (destination.scheme === 'http' && !allowsHttp)
    return 'Must begin with https://, so that deliveries cannot be read or changed in transit.';
  if (destination.scheme !== 'https' && destination.scheme !== 'http') return 'Must begin with https://.';
  return url.includes('#') ? 'Must not contain a fragment (#), because fragments are not sent to servers.' : undefined;
};
