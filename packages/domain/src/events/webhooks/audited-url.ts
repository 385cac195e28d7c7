import { MASKED } from '@svc/policy/masks/mask-secrets.ts';
import { hideSecretLooks } from '../../tools/declaration/secret-looks.ts';

/** The value of a member of a query, or all of one that has no name. */
const VALUE = /(?<=^|&)[^&=]+(?=&|$)|(?<==)[^&]+/g;

/**
 * A receiver's address as the record keeps it for good, for all who read it: without what the receiver may know its senders by, which are the values
 * of its query and what looks like a key in its path.
 */
export const auditedUrl = (url: string): string => {
  const { origin } = new URL(url);
  const at = url.indexOf('?');
  const [place, query] = at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
  const path = hideSecretLooks(new URL(place).pathname, 'path', MASKED);
  return `${origin}${path}${at === -1 ? '' : '?'}${query.replace(VALUE, MASKED)}`;
};
