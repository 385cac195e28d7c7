import { parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';

/** Returns what is wrong with the address of an instance; undefined if nothing is. */
export const findBaseUrlFault = (text: string): string | undefined => {
  const destination = parseDestination(text);
  if ('fault' in destination) return destination.fault;
  if (!URL.canParse(text)) return 'must be a URL, such as https://automation.service.example';
  const { protocol, username, password, hash, search, pathname } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https:// or http://';
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  if (hash !== '' || search !== '') return 'must not contain a query or a fragment';
  return pathname === '/' || pathname === '' ? undefined : 'must not contain a path';
};

/** Returns the address in the form in which it is stored and compared. */
export const getNormalBaseUrl = (text: string): string => new URL(text).origin;
