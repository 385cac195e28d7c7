const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns why a browser must not be sent to an address of a provider, or undefined. */
export const findSsoUrlFault = (address: string): string | undefined => {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && (url.protocol !== 'http:' || !LOOPBACK.has(url.hostname))))
    return 'Must be an https address; http is allowed only for this machine.';
  if (url.username !== '' || url.password !== '' || url.hash !== '') return 'Must not contain a user name, password or fragment.';
  return undefined;
};

/** Returns the fault of an entity id (SAML), or undefined: a URI, compared byte by byte. */
export const findEntityIdFault = (entityId: string): string | undefined =>
  /^[a-z][a-z0-9+.-]*:[!-~]+$/i.test(entityId) ? undefined : 'Must be the entity id from the metadata of the provider, which is a URI.';

/** Returns the fault of an issuer, or undefined. It is compared byte by byte, so nothing is normalized. */
export const findIssuerFault = (issuer: string): string | undefined => {
  const url = URL.parse(issuer);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'Must be an https address.';
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) return 'Must be an https address; http is allowed only for this machine.';
  if (url.username !== '' || url.password !== '') return 'Must not contain a user name or password.';
  if (issuer.includes('?') || issuer.includes('#')) return 'Must not contain a query or a fragment.';
  return undefined;
};
