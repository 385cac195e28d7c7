import { buildConsolePath, CONSOLE_ROUTES, type ConsoleRoute } from '@svc/contract/tables/console-routes.ts';
import { getObjectPath } from '../data/object-path.ts';
import { may } from '../data/permissions.ts';
import type { Session } from '../data/session.ts';
import { useOperation } from '../data/use-operation.ts';

/** Something that the palette opens. */
export type Entry = { readonly key: string; readonly text: string; readonly kind: string; readonly keys?: string; readonly path: string };

const FOUND_MAX = 5;
const LISTED_MAX = 200;
const SEARCHED_MIN = 2;

const ROUTES: readonly ConsoleRoute[] = Object.values(CONSOLE_ROUTES);

/** Pages without parameters that the person may open. */
const pagesFor = (session: Session): readonly Entry[] =>
  ROUTES.flatMap(({ path, name, access, permission, chord }) =>
    access !== 'session' || path.includes('{') || !may(session, permission)
      ? []
      : [{ key: path, text: name, kind: 'Page', path, ...(chord === undefined ? {} : { keys: chord }) }],
  );

const matches = (text: string, query: string): boolean => text.toLowerCase().includes(query.toLowerCase());

/** Agents, tools and policies by a part of their names. */
const useNamed = (session: Session, query: string): readonly Entry[] => {
  const isSearched = query.length >= SEARCHED_MIN;
  const byName = { query: { q: query, limit: FOUND_MAX } };
  const agents = useOperation('listAgents', byName, { isEnabled: isSearched && may(session, 'agent:read') });
  const tools = useOperation('listTools', byName, { isEnabled: isSearched && may(session, 'tool:read') });
  const policies = useOperation('listPolicies', { query: { limit: LISTED_MAX } }, { isEnabled: isSearched && may(session, 'policy:read') });
  if (!isSearched) return [];
  return [
    ...(agents.data?.items ?? []).map(({ id, name }) => ({
      key: id,
      text: name,
      kind: 'Agent',
      path: buildConsolePath('agent', { agentId: id }),
    })),
    ...(tools.data?.items ?? []).map(({ id, name }) => ({
      key: id,
      text: name,
      kind: 'Tool',
      path: buildConsolePath('tool', { toolId: id }),
    })),
    ...(policies.data ?? [])
      .filter(({ name }) => matches(name, query))
      .slice(0, FOUND_MAX)
      .map(({ id, name }) => ({ key: id, text: name, kind: 'Policy', path: buildConsolePath('policy', { policyId: id }) })),
  ];
};

/** Filtered lists that people often open. */
const SHORTCUTS: readonly Entry[] = [
  { key: 'blocked', text: 'Blocked actions', kind: 'List', path: `${buildConsolePath('actions')}?decision=BLOCK` },
  { key: 'held', text: 'Held actions', kind: 'List', path: `${buildConsolePath('actions')}?decision=REQUIRE_APPROVAL` },
  { key: 'failed', text: 'Failed actions', kind: 'List', path: `${buildConsolePath('actions')}?status=FAILED` },
  { key: 'paused', text: 'Paused agents', kind: 'List', path: `${buildConsolePath('agents')}?status=PAUSED` },
];

/** Returns the entries of the palette for a text: a pasted id first, then pages and resources with the text in their names. */
export const usePaletteEntries = (session: Session, text: string): readonly Entry[] => {
  const query = text.trim();
  const named = useNamed(session, query);
  const path = getObjectPath(query);
  const pasted = path === undefined ? [] : [{ key: 'pasted', text: query, kind: 'Id', path }];
  return [...pasted, ...[...pagesFor(session), ...SHORTCUTS].filter((entry) => matches(entry.text, query)), ...named];
};
