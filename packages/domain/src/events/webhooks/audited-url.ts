import { MASKED } from '@svc/policy/masks/mask-secrets.ts';
import { hideSecretLooks } from '../../tools/secret-looks.ts';

const SCHEME_END = '://';

/** What stands before a sign, and the rest with it; all of a text that has none stands before. */
const cutAt = (text: string, sign: string, from = 0): readonly [before: string, rest: string] => {
  const at = text.indexOf(sign, from);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
};

/** A member of a query without its value, and nothing of one that has no name. */
const withoutValue = (member: string): string => {
  const [name, value] = cutAt(member, '=');
  if (value === '') return name === '' ? '' : MASKED;
  return value === '=' ? member : `${name}=${MASKED}`;
};

/**
 * A receiver's address as the record keeps it for good, for all who read it: without what the receiver may know its senders by, which are the values
 * of its query and what looks like a key in its path.
 */
export const auditedUrl = (url: string): string => {
  const [place, query] = cutAt(url, '?');
  const [host, path] = cutAt(place, '/', place.indexOf(SCHEME_END) + SCHEME_END.length);
  const told = `${host}${hideSecretLooks(path, 'path', MASKED)}`;
  return query === '' ? told : `${told}?${query.slice(1).split('&').map(withoutValue).join('&')}`;
};
