import { MASKED } from '@svc/policy/masks/mask-secrets.ts';
import { hideSecretLooks } from '../../tools/declaration/secret-looks.ts';

/** Scheme and host, the path, and the query. */
const PARTS = /^([a-z]+:\/\/[^/?]*)((?:\/[^?]*)?)(\??)(.*)$/is;
/** The value of a member of a query, or all of one that has no name. */
const VALUE = /(?<=^|&)[^&=]+(?=&|$)|(?<==)[^&]+/g;

/**
 * A receiver's address as the record keeps it for good, for all who read it: without what the receiver may know its senders by, which are the values
 * of its query and what looks like a key in its path.
 */
export const auditedUrl = (url: string): string => {
  const [, host = MASKED, path = '', mark = '', query = ''] = PARTS.exec(url) ?? [];
  return `${host}${hideSecretLooks(path, 'path', MASKED)}${mark}${query.replace(VALUE, MASKED)}`;
};
