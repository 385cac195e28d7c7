import { normaliseHost } from '@svc/policy/values/normalise-host.ts';
import { splitPort } from './split-port.ts';

/** The destination of an action. `host` is normalised; `scheme` is absent if only host[:port] was given. */
export type Destination = { readonly scheme?: string; readonly host: string; readonly port: number };
export type DestinationFault = { readonly fault: string };

const defaultPorts: Readonly<Record<string, number>> = { https: 443, http: 80, wss: 443, ws: 80 };
const textMax = 8192;

/** The port a scheme implies, undefined when it implies none. */
export const defaultPort = (scheme: string): number | undefined => (Object.hasOwn(defaultPorts, scheme) ? defaultPorts[scheme] : undefined);

export const isDestinationFault = (value: Destination | DestinationFault): value is DestinationFault => 'fault' in value;

const splitScheme = (text: string): { readonly scheme?: string; readonly authority: string } | DestinationFault => {
  const match = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text);
  if (match === null) {
    return /[/?#]/.test(text) ? { fault: 'must be a URL with a scheme, or host, or host:port' } : { authority: text };
  }
  const rest = text.slice(match[0].length);
  return { scheme: match[1]?.toLowerCase() ?? '', authority: rest.split(/[/?#]/, 1)[0] ?? '' };
};

/**
 * Reads a URL (any scheme followed by `//`) or a bare `host[:port]`. A bare host means port 443. A scheme other than http, https, ws and wss
 * implies no port, so one has to be written. Userinfo, backslashes, control characters and whitespace are refused: each is a way to show one
 * host to a person and reach another.
 */
export const parseDestination = (text: string): Destination | DestinationFault => {
  if (text.length > textMax) return { fault: `must be at most ${textMax} characters long` };
  if (/[\p{Cc}\s\\]/u.test(text)) return { fault: 'must not contain whitespace, control characters or backslashes' };
  const split = splitScheme(text);
  if ('fault' in split) return split;
  if (split.authority.includes('@')) return { fault: 'must not contain a user name or password' };
  const parts = splitPort(split.authority);
  if ('fault' in parts) return parts;
  const host = normaliseHost(parts.hostText);
  if (host === null) return { fault: 'must have a valid host' };
  const port = parts.port ?? defaultPort(split.scheme ?? 'https');
  if (port === undefined) return { fault: `must include a port, because ${split.scheme} has no default port` };
  return split.scheme === undefined ? { host, port } : { scheme: split.scheme, host, port };
};
