import type { ToolRoute } from '@svc/contract/tools/tool-routes.ts';
import { readSegments } from './request-target.ts';

const PARAMETER = /^\{([a-z][a-z0-9_]{0,59})\}$/;

/** The name of a parameter that a segment of a route is; undefined for a literal segment. */
const parameterName = (segment: string): string | undefined => PARAMETER.exec(segment)?.[1];

/** Returns why a route cannot be used; undefined if it can. */
export const routeFault = ({ path }: ToolRoute): string | undefined => {
  const read = readSegments(path);
  if ('fault' in read) return 'must be a path without dot segments, empty or encoded segments, semicolons, query and fragment';
  if (/[?#%]/.test(path)) return 'must have no query, no fragment and no percent-encoded characters';
  const names = read.segments.map(parameterName);
  const broken = read.segments.find((segment, index) => names[index] === undefined && /[{}]/.test(segment));
  if (broken !== undefined) return `must have parameters as whole segments, such as {order}; ${broken} is none`;
  const named = names.filter((name) => name !== undefined);
  return new Set(named).size < named.length ? 'must name each parameter once' : undefined;
};

/** Requests that two routes share are decided by one tool only; routes with the same shape are the same route. */
export const routeKey = ({ mapping, method, path }: ToolRoute): string =>
  JSON.stringify([
    mapping,
    method,
    path.split('/').map((segment) => (parameterName(segment) === undefined ? segment.toLowerCase() : null)),
  ]);

type Match<Tool> = { readonly tool: Tool; readonly parameters: Readonly<Record<string, string>>; readonly literals: readonly boolean[] };
type Candidate<Tool> = Match<Tool> & { readonly isExact: boolean };

const matchSegments = <Tool>(tool: Tool, path: string, segments: readonly string[]): Candidate<Tool> | undefined => {
  const wanted = path.slice(1).split('/');
  if (wanted.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  const literals: boolean[] = [];
  let isExact = true;
  for (const [index, segment] of wanted.entries()) {
    const [name, given] = [parameterName(segment), segments[index] ?? ''];
    literals.push(name === undefined);
    if (name === undefined) {
      if (segment.toLowerCase() !== given.toLowerCase()) return undefined;
      isExact &&= segment === given;
    } else if (given === '') return undefined;
    else parameters[name] = given;
  }
  return { tool, parameters, literals, isExact };
};

/** Puts the route with a literal segment first, at the first segment in which they differ. */
const compareLiterals = (one: readonly boolean[], other: readonly boolean[]): number => {
  const index = one.findIndex((isLiteral, at) => isLiteral !== other[at]);
  if (index < 0) return 0;
  return one[index] ? -1 : 1;
};

export type RouteMatch<Tool> =
  | { readonly tool: Tool; readonly parameters: Readonly<Record<string, string>> }
  | { readonly none: 'NO_ROUTE' | 'AMBIGUOUS' };

type Routed = { readonly routes: readonly ToolRoute[] };

/**
 * Finds the tool that stands for a request. Literal segments come before parameters. Letters of another case match no route, so that a request
 * does not reach a wider route at a server that ignores the case; two tools with one route match none.
 */
export const matchRoute = <Tool extends Routed>(
  tools: Iterable<Tool>,
  request: { readonly mapping: string; readonly method: string; readonly segments: readonly string[] },
): RouteMatch<Tool> => {
  const candidates: Candidate<Tool>[] = [];
  for (const tool of tools)
    for (const { mapping, method, path } of tool.routes) {
      if (mapping !== request.mapping || method !== request.method) continue;
      const match = matchSegments(tool, path, request.segments);
      if (match !== undefined) candidates.push(match);
    }
  candidates.sort((one, other) => compareLiterals(one.literals, other.literals));
  const [best, next] = candidates;
  if (best === undefined || !best.isExact) return { none: 'NO_ROUTE' };
  if (next !== undefined && compareLiterals(best.literals, next.literals) === 0) return { none: 'AMBIGUOUS' };
  return { tool: best.tool, parameters: best.parameters };
};
