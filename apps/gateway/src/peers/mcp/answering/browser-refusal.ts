import { isIP } from 'node:net';

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

const readHost = (text: string | undefined): string | undefined => {
  const url = text === undefined ? undefined : `http://${text}`;
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined;
};

const originHost = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).hostname : undefined);

/**
 * Returns why a request may come from another site's page (DNS rebinding): its Host is not this plane's, or its Origin is another site.
 * Undefined for a request of a program.
 */
export const checkBrowserOrigin = (host: string | undefined, origin: string | undefined, publicUrl: string): string | undefined => {
  const own = new URL(publicUrl).hostname;
  const isOwn = (name: string | undefined): boolean => name !== undefined && (name === own || LOCAL.has(name));
  const name = readHost(host);
  if (name === undefined || !(isOwn(name) || isIP(name.replace(/^\[|\]$/g, '')) > 0))
    return `The Host header must name the public address of the gateway, ${own}.`;
  if (origin !== undefined && !isOwn(originHost(origin))) return 'Pages of other sites may not call this endpoint.';
  return undefined;
};
