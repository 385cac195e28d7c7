import { ServiceError } from '@svc/client/errors.ts';
import { listItems } from '@svc/client/list-all.ts';
import { useQuery } from '@tanstack/react-query';
import { may } from '../permissions.ts';
import type { Session } from '../session.ts';
import { fetchOperation } from '../use-operation.ts';

/** Something with an id and a name, and the word for its kind. */
export type Known = { readonly id: string; readonly name: string; readonly what: string };

type Row = { readonly id: string; readonly name?: string; readonly user?: { readonly id: string; readonly name: string } };

/** The most items of one page; names beyond it are looked up when they are shown. */
const limit = 200;
const LISTS = [
  { what: 'agent', operation: 'listAgents', query: { limit }, needs: 'agent:read' },
  { what: 'tool', operation: 'listTools', query: { limit }, needs: 'tool:read' },
  { what: 'policy', operation: 'listPolicies', query: { limit }, needs: 'policy:read' },
  { what: 'member', operation: 'listMembers', query: { limit }, needs: 'member:read' },
  { what: 'role', operation: 'listRoles', query: {}, needs: 'role:read' },
  { what: 'API key', operation: 'listApiKeys', query: {}, needs: 'apikey:read' },
  { what: 'credential', operation: 'listCredentials', query: {}, needs: 'credential:read' },
  { what: 'MCP server', operation: 'listMcpServers', query: { limit }, needs: 'mcp:read' },
  { what: 'webhook', operation: 'listWebhooks', query: {}, needs: 'webhook:read' },
  { what: 'environment', operation: 'listEnvironments', query: {}, needs: 'environment:read' },
  { what: 'workspace', operation: 'listWorkspaces', query: {}, needs: 'workspace:read' },
] as const;

/** A member has two ids: that of the membership, and that of the person, which events name as the actor. */
const knownOf = (what: string, { id, name, user }: Row): readonly Known[] => {
  if (user)
    return [
      { id: user.id, name: user.name, what: 'person' },
      { id, name: user.name, what },
    ];
  return name === undefined ? [] : [{ id, name, what }];
};

const readList = async ({ what, operation, query }: (typeof LISTS)[number]): Promise<readonly Known[]> => {
  try {
    const { body } = await fetchOperation(operation, { query });
    return (listItems(body) as readonly Row[]).flatMap((row) => knownOf(what, row));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // Things whose names cannot be read are shown by their ids.
    return [];
  }
};

const readNames = async (session: Session): Promise<readonly Known[]> => {
  const { user, organization } = session;
  const own = [{ id: organization.id, name: organization.name, what: 'organization' }, ...(user ? [{ ...user, what: 'person' }] : [])];
  const lists = await Promise.all(LISTS.filter(({ needs }) => may(session, needs)).map(readList));
  const all = [...own, ...lists.flat()];
  return [...new Map(all.map((each) => [each.id, each])).values()];
};

const FRESH_MS = 60_000;
const NONE: readonly Known[] = [];

/** Names of everything that the person may see; empty until they are loaded. */
export const useKnownNames = (session: Session): readonly Known[] => {
  const { data } = useQuery({ queryKey: ['known-names', session.organization.id], queryFn: () => readNames(session), staleTime: FRESH_MS });
  return data ?? NONE;
};
