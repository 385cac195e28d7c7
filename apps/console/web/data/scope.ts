import { CONSOLE_ROUTES } from '@svc/contract/tables/console-routes.ts';
import { useLocation, useSearch } from 'wouter';
import type { ControlOperation } from './client.ts';

const KEY = 'svc-scope';
/** Name of the scope in the query of the address. */
export const SCOPE = 'scope';
/** The choice of everything that the person may see, which a link may state as well. */
export const EVERYTHING = 'all';

/** Lists that are narrowed to the chosen scope. Pages about one thing show it in any scope. */
const SCOPED_PATHS: ReadonlySet<string> = new Set(
  [CONSOLE_ROUTES.overview, CONSOLE_ROUTES.approvals, CONSOLE_ROUTES.actions, CONSOLE_ROUTES.agents, CONSOLE_ROUTES.delegations].map(
    ({ path }) => path,
  ),
);
const SCOPED: ReadonlySet<ControlOperation> = new Set<ControlOperation>([
  'searchActions',
  'summarizeActions',
  'listApprovals',
  'listAgents',
  'getDelegationGraph',
]);

/** The last choice, kept by this browser. Storage may be refused by its privacy settings. */
const readKept = (): string | undefined => {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
};

export const keepScope = (scope: string): void => {
  try {
    localStorage.setItem(KEY, scope);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
};

export const isScopedPath = (path: string): boolean => SCOPED_PATHS.has(path);

/** The id of the chosen workspace or environment, or `all`: the one that the address names, otherwise the last choice. */
export const useScope = (): { readonly scope: string; readonly isInAddress: boolean } => {
  const named = new URLSearchParams(useSearch()).get(SCOPE);
  return { scope: named ?? readKept() ?? EVERYTHING, isInAddress: named !== null };
};

type ScopeInput = { readonly workspaceId?: string; readonly environmentId?: string };

/** The members of a request that narrow an operation to the chosen scope; none where it is not narrowed. */
export const useScopeInput = (name: ControlOperation): ScopeInput => {
  const [path] = useLocation();
  const { scope } = useScope();
  if (!SCOPED.has(name) || !isScopedPath(path)) return {};
  if (scope.startsWith('env_')) return { environmentId: scope };
  return scope.startsWith('wsp_') ? { workspaceId: scope } : {};
};
