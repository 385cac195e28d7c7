import { fault, type PlatformFormat, type RouteFault } from './platform-format.ts';

/** A directive, with the block that it opens. */
type Directive = { readonly words: readonly string[]; readonly block: readonly Directive[] | null };

const DEPTH_MAX = 20;
const TOKENS_MAX = 50_000;

/** Splits a configuration into words and the marks `;`, `{` and `}`; null where it is too long or a quote is not closed. */
const tokensIn = (text: string): string[] | null => {
  const tokens: string[] = [];
  const pattern = /\s+|#[^\n]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[;{}]|[^\s;{}"'#]+/gy;
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text);
    if (found === null || tokens.length > TOKENS_MAX) return null;
    const [token] = found;
    if (!/^\s|^#/.test(token)) tokens.push(token);
  }
  return tokens;
};

const parse = (text: string): readonly Directive[] | undefined => {
  const tokens = tokensIn(text);
  if (tokens === null) return undefined;
  const root: Directive[] = [];
  const open: Directive[][] = [root];
  let words: string[] = [];
  for (const token of tokens) {
    const here = open.at(-1);
    if (here === undefined || open.length > DEPTH_MAX) return undefined;
    if (token === ';') {
      if (words.length > 0) here.push({ words, block: null });
      words = [];
    } else if (token === '{') {
      const block: Directive[] = [];
      here.push({ words, block });
      open.push(block);
      words = [];
    } else if (token === '}') {
      open.pop();
      words = [];
    } else words.push(token);
  }
  return open.length === 1 ? root : undefined;
};

/** The settings that a location takes from the block around it, unless it sets its own. */
type Inherited = {
  readonly auth: string | undefined;
  readonly satisfy: string | undefined;
  readonly errorPages: readonly (readonly string[])[];
};

const setIn = (block: readonly Directive[], outer: Inherited): Inherited => {
  const value = (name: string): string | undefined =>
    block.findLast(({ words, block: inner }) => words[0] === name && inner === null)?.words[1];
  const errorPages = block.filter(({ words, block: inner }) => words[0] === 'error_page' && inner === null).map(({ words }) => words);
  return {
    auth: value('auth_request') ?? outer.auth,
    satisfy: value('satisfy') ?? outer.satisfy,
    errorPages: errorPages.length > 0 ? errorPages : outer.errorPages,
  };
};

const UPSTREAM = new Set(['proxy_pass', 'grpc_pass', 'fastcgi_pass', 'uwsgi_pass', 'scgi_pass']);

const isInternal = (block: readonly Directive[]): boolean => block.some(({ words }) => words[0] === 'internal');

/** A refusal that is turned into a success. */
const turnsRefusal = (pages: Inherited['errorPages']): boolean =>
  pages.some((words) => words.some((word) => word === '401' || word === '403') && words.some((word) => /^=2\d\d$/.test(word)));

const locationFaults = (name: string, { auth, satisfy, errorPages }: Inherited): RouteFault[] => {
  if (auth === undefined) return [fault('ROUTE_AROUND', 'HIGH', name, 'No auth_request applies to it.')];
  if (auth === 'off') return [fault('AUTHZ_DISABLED_ON_ROUTE', 'HIGH', name, 'auth_request is off.')];
  return [
    ...(satisfy === 'any' ? [fault('AUTHZ_FAIL_OPEN', 'CRITICAL', name, 'satisfy any lets another check replace it.')] : []),
    ...(turnsRefusal(errorPages) ? [fault('AUTHZ_FAIL_OPEN', 'CRITICAL', name, 'error_page turns a refusal into a success.')] : []),
  ];
};

type Found = { routes: number; readonly faults: RouteFault[] };

const walk = (block: readonly Directive[], outer: Inherited, path: readonly string[], found: Found): void => {
  const here = setIn(block, outer);
  for (const { words, block: inner } of block) {
    const [word = '', ...rest] = words;
    if (UPSTREAM.has(word) && !isInternal(block)) {
      found.routes += 1;
      found.faults.push(...locationFaults(path.join(' / ') || word, here));
    }
    if (inner !== null) walk(inner, here, word === 'location' || word === 'server' ? [...path, [word, ...rest].join(' ')] : path, found);
  }
};

/** NGINX with auth_request. */
export const nginx: PlatformFormat = {
  read: (content) => {
    const root = parse(content);
    if (root === undefined || root.length === 0) return undefined;
    const found: Found = { routes: 0, faults: [] };
    walk(root, { auth: undefined, satisfy: undefined, errorPages: [] }, [], found);
    return found.routes === 0 ? undefined : found;
  },
};
