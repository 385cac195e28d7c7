import { CONSOLE_ROUTES, type ConsoleRoute, type ConsoleRouteName } from '@svc/contract/tables/console-routes.ts';

export type PageMatch =
  | { readonly name: ConsoleRouteName; readonly params: Readonly<Record<string, string>> }
  /** The present path of a page that had this one before. */
  | { readonly redirectTo: string };

const ROUTES = Object.entries(CONSOLE_ROUTES as Readonly<Record<ConsoleRouteName, ConsoleRoute>>) as [ConsoleRouteName, ConsoleRoute][];
const PATTERNS = ROUTES.map(([name, { path }]) => ({ name, pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) }));
const FORMER: ReadonlyMap<string, string> = new Map(
  ROUTES.flatMap(([, { path, formerPaths = [] }]) => formerPaths.map((former) => [former, path] as const)),
);

const decoded = (groups: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined => {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
};

/** The page of a path, with the parameters in it; undefined where there is none. */
export const matchRoute = (path: string): PageMatch | undefined => {
  const redirectTo = FORMER.get(path);
  if (redirectTo !== undefined) return { redirectTo };
  for (const { name, pattern } of PATTERNS) {
    const found = pattern.exec(path);
    const params = found ? decoded(found.groups ?? {}) : undefined;
    if (params) return { name, params };
  }
  return undefined;
};

const callsGateway = (path: string): boolean => {
  const match = matchRoute(path);
  const route: ConsoleRoute | undefined = match !== undefined && 'name' in match ? CONSOLE_ROUTES[match.name] : undefined;
  return route?.callsGateway === true;
};

/** True if a page has to be loaded as a document: only the document of a page that acts as an agent may connect to the gateway. */
export const needsDocument = (path: string): boolean => callsGateway(path) || callsGateway(location.pathname);

/** Opens a page of the console, without loading the document again if its policy is the same. */
export const openPath = (path: string, navigate: (path: string) => void): void => {
  if (needsDocument(path.split(/[?#]/, 1)[0] ?? path)) location.assign(path);
  else navigate(path);
};
