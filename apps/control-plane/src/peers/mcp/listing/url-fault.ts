import { parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';

/** Returns what is wrong with the address of an MCP server; undefined if nothing is. */
export const findUrlFault = (text: string): string | undefined => {
  const destination = parseDestination(text);
  if ('fault' in destination) return destination.fault;
  if (!URL.canParse(text)) return 'must be a URL, such as https://mcp.service.example/mcp';
  const { protocol, username, password, hash, search } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https:// or http://';
  if (username !== '' || password !== '') return 'must not contain a user name or password: store them as a credential';
  if (hash !== '') return 'must not contain a fragment';
  return search === '' ? undefined : 'must not contain a query: secrets are stored as a credential';
};
