import type { CallOutcome } from '@svc/client/client-types.ts';
import { useQuery } from '@tanstack/react-query';
import { client } from '../client.ts';
import { may } from '../permissions.ts';
import type { Session } from '../session.ts';
import type { Known } from './known-names.ts';

type Named = { readonly id: string; readonly name: string };

/** Kinds of which there may be more than one page of a list holds. */
const KINDS = [
  { what: 'agent', prefix: 'agt_', needs: 'agent:read', get: (agentId: string) => client.request('getAgent', { params: { agentId } }) },
  { what: 'tool', prefix: 'tool_', needs: 'tool:read', get: (toolId: string) => client.request('getTool', { params: { toolId } }) },
  {
    what: 'policy',
    prefix: 'pol_',
    needs: 'policy:read',
    get: (policyId: string) => client.request('getPolicy', { params: { policyId } }),
  },
] as const;

const lookUp = async (id: string, session: Session): Promise<readonly Known[]> => {
  const kind = KINDS.find(({ prefix, needs }) => id.startsWith(prefix) && may(session, needs));
  if (!kind) return [];
  const answer: CallOutcome<Named> = await kind.get(id);
  return answer.ok ? [{ id, name: answer.body.name, what: kind.what }] : [];
};

/** Lookups by id, each made once while the tab is open. */
const lookedUp = new Map<string, Promise<readonly Known[]>>();

const lookUpOnce = (id: string, session: Session): Promise<readonly Known[]> => {
  const current = lookedUp.get(id) ?? lookUp(id, session);
  lookedUp.set(id, current);
  return current;
};

/** The known names with those of further ids. Looks nothing up before the lists are loaded. */
export const useMoreNames = (ids: readonly string[], known: readonly Known[], session: Session): readonly Known[] => {
  const missing = known.length === 0 ? [] : ids.filter((id) => !known.some((each) => each.id === id));
  const { data = [] } = useQuery({
    queryKey: ['further-names', session.organization.id, missing],
    enabled: missing.length > 0,
    queryFn: async () => (await Promise.all(missing.map((id) => lookUpOnce(id, session)))).flat(),
    placeholderData: (before) => before,
  });
  return data.length === 0 ? known : [...known, ...data];
};

/** Agents and tools with this name, or with one that contains it, beyond the lists. */
export const searchNames = async (name: string, session: Session): Promise<readonly Known[]> => {
  const query = { q: name, limit: 200 };
  const [agents, tools] = await Promise.all([
    may(session, 'agent:read') ? client.request('listAgents', { query }) : undefined,
    may(session, 'tool:read') ? client.request('listTools', { query }) : undefined,
  ]);
  const knownOf = (what: string, rows: readonly Named[]) => rows.map((row) => ({ id: row.id, name: row.name, what }));
  return [...knownOf('agent', agents?.ok ? agents.body.items : []), ...knownOf('tool', tools?.ok ? tools.body.items : [])];
};
