import { isIP } from 'node:net';

/** The relying party of passkeys (WebAuthn): the host they are bound to, and the origins that may request one. */
export type RelyingParty = { readonly id: string; readonly origins: readonly string[] };

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Derives the relying party from the public address of the plane. Browsers bind no passkey to an IP address, so the loopback address
 * becomes
 * `localhost`; undefined for any other.
 */
export const deriveRelyingParty = (baseUrl: string): RelyingParty | undefined => {
  if (!URL.canParse(baseUrl)) return undefined;
  const { origin, hostname, protocol, port } = new URL(baseUrl);
  if (LOOPBACK.has(hostname)) return { id: 'localhost', origins: [`${protocol}//localhost${port === '' ? '' : `:${port}`}`] };
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { id: hostname, origins: [origin] } : undefined;
};
