import { buildConsolePath, CONSOLE_ROUTES, type ConsoleRoute } from '@svc/contract/tables/console-routes.ts';
import { useEnvironments } from '../data/environments.ts';
import { getObjectPath } from '../data/object-path.ts';
import { may } from '../data/permissions.ts';
import type { Session } from '../data/session.ts';
import { useOperation } from '../data/use-operation.ts';
import { getPaletteActions } from './palette-actions.ts';

/** Something that the palette opens. */
export type PaletteEntry = {
  readonly key: string;
  readonly text: string;
  readonly kind: string;
  /** The keys that do the same without the palette. */
  readonly keys?: string;
  /** The page that it opens, or what it does on the page that is shown. */
  readonly path?: string;
  readonly command?: 'light' | 'dark' | 'auto' | 'copy-link' | 'calls' | 'shortcuts' | 'menu' | 'sign-out';
  /** The scope that it chooses. */
  readonly scope?: string;
  /** The permission that the person lacks for it. */
  readonly missing?: string | undefined;
};

const FOUND_MAX = 5;
const LISTED_MAX = 200;
const SEARCHED_MIN = 2;

const ROUTES: readonly ConsoleRoute[] = Object.values(CONSOLE_ROUTES);

/** Pages without parameters that the person may open. */
const pagesFor = (session: Session): readonly PaletteEntry[] =>
  ROUTES.flatMap(({ path, name, access, permission, chord }) =>
    access !== 'session' || path.includes('{') || !may(session, permission)
      ? []
      : [{ key: path, text: name, kind: 'Page', path, ...(chord === undefined ? {} : { keys: chord }) }],
  );

const matches = (text: string, query: string): boolean => text.toLowerCase().includes(query.toLowerCase());

/** Agents, tools and policies by a part of their names. */
const useNamed = (session: Session, query: string): readonly PaletteEntry[] => {
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

/** The environments as choices of the scope. */
const useScopes = (): readonly PaletteEntry[] =>
  (useEnvironments() ?? []).map(({ id, label }) => ({ key: id, text: `Switch to ${label}`, kind: 'Scope', scope: id }));

/** Returns the entries of the palette for a text: a pasted id first, then pages and resources with the text in their names. */
export const usePaletteEntries = (session: Session, text: string): readonly PaletteEntry[] => {
  const query = text.trim();
  const named = useNamed(session, query);
  const scopes = useScopes();
  const path = getObjectPath(query);
  const pasted = path === undefined ? [] : [{ key: 'pasted', text: query, kind: 'Id', path }];
  return [
    ...pasted,
    ...[...pagesFor(session), ...getPaletteActions(session), ...scopes].filter((entry) => matches(entry.text, query)),
    ...named,
  ];
};
