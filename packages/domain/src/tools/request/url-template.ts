import { type Destination, isDestinationFault, parseDestination } from '../destinations/parse-destination.ts';
import { parameterName } from './text-template.ts';

type Place = 'authority' | 'path' | 'query';

/** One `{...}` of a URL template (RFC 6570), and its part of the URL. */
export type UrlExpression = {
  readonly place: Place;
  readonly operator: string;
  readonly variables: readonly { readonly name: string; readonly modifier: string }[];
};

/** A URL template of one tool. `destination` is set if no parameter is part of scheme, host or port. */
export type UrlTemplate = {
  readonly text: string;
  readonly expressions: readonly UrlExpression[];
  readonly destination?: Destination;
};

const variablesMax = 32;

type TemplateFault = { readonly fault: string };

/** Operators allowed in each part of a URL, and the part they lead to. A fragment is never sent, so `#` is not allowed. */
const operators: Readonly<Record<Place, Readonly<Record<string, Place>>>> = {
  authority: { '': 'authority', '/': 'path', '?': 'query' },
  path: { '': 'path', '+': 'path', '.': 'path', '/': 'path', ';': 'path', '?': 'query' },
  query: { '': 'query', '+': 'query', '&': 'query' },
};

const literalFault = (literal: string): string | undefined => {
  if (!/^(?:[A-Za-z0-9!$&'()*+,./:;=?@[\]_~-]|%[0-9A-Fa-f]{2})*$/.test(literal)) {
    return literal.includes('#')
      ? 'must not have a fragment, which is never sent'
      : 'must percent-encode characters that are not allowed in a URL';
  }
  return undefined;
};

const placeAfter = (place: Place, literal: string): Place => {
  if (place === 'query' || literal.includes('?')) return 'query';
  return place === 'path' || literal.includes('/') ? 'path' : 'authority';
};

const readExpression = (text: string, place: Place): { readonly expression: UrlExpression; readonly next: Place } | TemplateFault => {
  const operator = /^[^A-Za-z0-9_]/.exec(text)?.[0] ?? '';
  const next = Object.hasOwn(operators[place], operator) ? operators[place][operator] : undefined;
  if (next === undefined) return { fault: `must not use {${operator}...} in its ${place}` };
  const variables = text
    .slice(operator.length)
    .split(',')
    .map((variable) => /^([^:*]+)(\*|:[1-9][0-9]{0,3})?$/.exec(variable))
    .map((match) => ({ name: match?.[1] ?? '', modifier: match?.[2] ?? '' }));
  if (!variables.every(({ name }) => parameterName.test(name)))
    return { fault: 'must have parameter names in {...} of letters, digits, _ and .' };
  if (next === 'authority' && (variables.length !== 1 || variables[0]?.modifier !== '')) {
    return { fault: 'may use only a plain {name} in its host or port' };
  }
  return { expression: { place: next, operator, variables }, next };
};

const readRest = (rest: string): { readonly expressions: readonly UrlExpression[]; readonly authority: string | null } | TemplateFault => {
  const expressions: UrlExpression[] = [];
  let place: Place = 'authority';
  let authority = '';
  for (const [token, inner] of rest.matchAll(/\{([^{}]*)\}|[{}]|[^{}]+/g)) {
    if (inner !== undefined) {
      const read = readExpression(inner, place);
      if ('fault' in read) return read;
      expressions.push(read.expression);
      place = read.next;
      continue;
    }
    if (token === '{' || token === '}') return { fault: 'must close every opening brace' };
    const fault = literalFault(token);
    if (fault !== undefined) return { fault };
    if (place === 'authority') authority += token.split(/[/?]/, 1)[0];
    if (authority.includes('@')) return { fault: 'must not contain a user name or password' };
    place = placeAfter(place, token);
  }
  return { expressions, authority: expressions.some((expression) => expression.place === 'authority') ? null : authority };
};

/** Servers and proxies each remove one layer of encoding; a value with more layers than this hides something. */
const LAYERS_MAX = 8;

/** Dots and separators in the two ways in which servers decode them: as they are encoded, and as two bytes that were never valid UTF-8. */
const ENCODED: Readonly<Record<string, string>> = {
  '2e': '.',
  '2f': '/',
  '5c': '/',
  '3b': ';',
  '25': '%',
  '00': '',
  'c0%ae': '.',
  'c0%af': '/',
};

const withoutLayer = (path: string): string =>
  path.replaceAll(/%(c0%a[ef]|2e|2f|5c|3b|25|00)/gi, (whole, code: string) => ENCODED[code.toLowerCase()] ?? whole);

/** A server drops the part of a segment after `;` before it resolves it. */
const climbs = (path: string): boolean =>
  path.split(/[/\\]/).some((segment) => {
    const [name] = segment.split(';', 1);
    return name === '.' || name === '..';
  });

/**
 * Returns true if a path has a dot segment, as written or after any number of decodings: the URL parser, the server, or a proxy
 * would resolve it and reach another resource (path traversal).
 */
export const hasDotSegment = (path: string): boolean => {
  let text = path;
  for (let layer = 0; layer < LAYERS_MAX; layer += 1) {
    if (climbs(text)) return true;
    const next = withoutLayer(text);
    if (next === text) return false;
    text = next;
  }
  return true;
};

/**
 * Reads the URL template of a tool: RFC 6570 with a literal http or https scheme, no fragment, and in host and port at most plain `{name}`
 * expressions. An operator such as `{/x}` or `{?x}` ends the authority, so that what it expands to cannot lengthen the host.
 */
export const parseUrlTemplate = (text: string): UrlTemplate | TemplateFault => {
  const scheme = /^https?:\/\//i.exec(text)?.[0];
  if (scheme === undefined) return { fault: 'must begin with https:// or http://' };
  const rest = text.slice(scheme.length);
  const read = readRest(rest);
  if ('fault' in read) return read;
  if (read.expressions.flatMap(({ variables }) => variables).length > variablesMax)
    return { fault: `must have at most ${variablesMax} parameters` };
  const literalPath = rest.replaceAll(/\{[^{}]*\}/g, 'x').split('?', 1)[0] ?? '';
  if (hasDotSegment(literalPath)) return { fault: 'must not have . or .. as a path segment' };
  if (read.authority === null) return { text, expressions: read.expressions };
  const destination = parseDestination(scheme + read.authority);
  return isDestinationFault(destination) ? destination : { text, expressions: read.expressions, destination };
};
