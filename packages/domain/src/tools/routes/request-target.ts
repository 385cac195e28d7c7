import { LIMITS } from '@svc/contract/tables/limits.ts';

type Query = Readonly<Record<string, string | readonly string[]>>;

/** A request as a proxy received it. A parameter of the query that is repeated has all its values. */
export type RequestTarget = { readonly segments: readonly string[]; readonly query: Query };
export type TargetFault = { readonly fault: string };

const { targetCharsMax, segmentsMax, queryMembersMax } = LIMITS.routes;

const AMBIGUOUS_PATH =
  'The path can be read in more than one way. Send it without dot segments, double or encoded separators, and semicolons.';
/** Characters that servers read differently in a segment: separators, parameters of a segment, controls. */
const AMBIGUOUS = /[/\\;\p{Cc}]/u;
/** Would be decoded again by some servers. */
const ENCODED_TWICE = /%[0-9a-fA-F]{2}/;

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
};

const readSegment = (text: string): string | undefined => {
  const decoded = decode(text);
  if (decoded === undefined || decoded === '.' || decoded === '..') return undefined;
  return AMBIGUOUS.test(decoded) || ENCODED_TWICE.test(decoded) ? undefined : decoded;
};

/** Reads a path. Empty segments are refused, except a last one, which is a trailing slash. */
export const readSegments = (path: string): { readonly segments: readonly string[] } | TargetFault => {
  if (!path.startsWith('/')) return { fault: 'The path must start with a slash.' };
  const parts = path.slice(1).split('/');
  if (parts.length > segmentsMax) return { fault: `The path has more than ${segmentsMax} segments.` };
  const segments: string[] = [];
  for (const [index, part] of parts.entries()) {
    const segment = readSegment(part);
    if (segment === undefined || (segment === '' && index < parts.length - 1)) return { fault: AMBIGUOUS_PATH };
    segments.push(segment);
  }
  return { segments };
};

const readQuery = (text: string): { readonly query: Query } | TargetFault => {
  const values = new Map<string, string[]>();
  for (const part of text === '' ? [] : text.split('&')) {
    if (part.includes(';')) return { fault: 'The query can be read in more than one way. Send semicolons percent-encoded.' };
    const [first = '', ...rest] = part.split('=');
    const [name, value] = [first, rest.join('=')].map((each) => decode(each.replaceAll('+', ' ')));
    if (name === undefined || value === undefined) return { fault: 'The query is not percent-encoded UTF-8.' };
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
    if (values.size > queryMembersMax) return { fault: `The query has more than ${queryMembersMax} parameters.` };
  }
  return { query: Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all])) };
};

/** Reads the path and query of a request. A target that two servers could read differently is a fault. */
export const readTarget = (target: string): RequestTarget | TargetFault => {
  if (target.length > targetCharsMax) return { fault: `The path and query have more than ${targetCharsMax} characters.` };
  if (/[#\s]/.test(target)) return { fault: 'The path must have no fragment and no spaces.' };
  const end = target.indexOf('?');
  const path = readSegments(end < 0 ? target : target.slice(0, end));
  if ('fault' in path) return path;
  const query = readQuery(end < 0 ? '' : target.slice(end + 1));
  return 'fault' in query ? query : { ...path, ...query };
};
