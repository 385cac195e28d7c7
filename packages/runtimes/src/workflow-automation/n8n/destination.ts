/** The place that a node calls, as far as its parameters show without evaluation. */
export type NodeDestination =
  | { readonly kind: 'none' }
  | { readonly kind: 'host'; readonly host: string; readonly protocol: string; readonly path: string }
  | { readonly kind: 'dynamic'; readonly because: string };

const DYNAMIC: NodeDestination = { kind: 'dynamic', because: 'Its host is an expression.' };
const NO_URL: NodeDestination = { kind: 'dynamic', because: 'Its address is not a URL.' };

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Returns host and port in one form, without differences that do not matter: case, a trailing dot and the default port. */
const normalHost = (url: URL): string => {
  const name = url.hostname.toLowerCase().replace(/\.$/, '');
  const port = url.port === '' || url.port === DEFAULT_PORTS[url.protocol] ? '' : `:${url.port}`;
  return `${name}${port}`;
};

const parse = (text: string): NodeDestination => {
  if (!URL.canParse(text)) return NO_URL;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return NO_URL;
  return { kind: 'host', host: normalHost(url), protocol: url.protocol, path: url.pathname };
};

/** The constant part of an expression has to contain the whole authority. */
const CONSTANT_AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+[/?#]/i;

/** Reads an address. A leading `=` marks an expression, of which the text before the first `{{` is constant. */
export const readDestination = (value: unknown): NodeDestination => {
  if (typeof value !== 'string' || value.trim() === '') return { kind: 'dynamic', because: 'It has no address.' };
  const isExpression = value.startsWith('=');
  const text = (isExpression ? value.slice(1) : value).trim();
  const at = isExpression ? text.indexOf('{{') : -1;
  if (at < 0) return parse(text);
  const constant = text.slice(0, at);
  return CONSTANT_AUTHORITY.test(constant) ? parse(constant) : DYNAMIC;
};

const hostOfEntry = (entry: string): string => {
  const text = entry.includes('://') ? entry : `https://${entry}`;
  return URL.canParse(text) ? normalHost(new URL(text)) : entry.toLowerCase();
};

/** Returns true if a host is one of a list, by its whole name and port. */
export const isListed = (host: string, entries: readonly string[]): boolean => entries.some((entry) => hostOfEntry(entry) === host);

/** Returns the normal host of an origin. */
export const hostOfOrigin = (origin: string): string => (URL.canParse(origin) ? normalHost(new URL(origin)) : origin);
