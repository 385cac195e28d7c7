import { MASKED } from '@svc/policy/masks/mask-secrets.ts';
import { hideSecretLooks } from '../../tools/secret-looks.ts';

const SCHEME_END = '://';

/** Splits a text before a sign; all of a text without it is the first part. */
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
 * Returns a receiver's address for the permanent audit record: without query values and key-like path segments, by which the receiver may
 * recognize its senders.
 */
export const buildAuditedUrl = (url: string): string => {
  const [place, query] = cutAt(url, '?');
  const [host, path] = cutAt(place, '/', place.indexOf(SCHEME_END) + SCHEME_END.length);
  const told = `${host}${hideSecretLooks(path, 'path', MASKED)}`;
  return query === '' ? told : `${told}?${query.slice(1).split('&').map(withoutValue).join('&')}`;
};
