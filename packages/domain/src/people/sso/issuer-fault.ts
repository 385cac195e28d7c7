const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Why a browser is not sent to an address of a provider, or undefined. */
export const ssoUrlFault = (address: string): string | undefined => {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && (url.protocol !== 'http:' || !LOOPBACK.has(url.hostname))))
    return 'The provider takes requests at an https address; http is for this machine alone.';
  if (url.username !== '' || url.password !== '' || url.hash !== '') return 'The address holds no user name, password or fragment.';
  return undefined;
};

/** What is wrong with the text of an entity id (SAML), or undefined: a URI, compared letter by letter. */
export const entityIdFault = (entityId: string): string | undefined =>
  /^[a-z][a-z0-9+.-]*:[!-~]+$/i.test(entityId) ? undefined : 'An entity id is a URI, as the metadata of the provider has it.';

/** What is wrong with the text of an issuer, or undefined. It is compared letter by letter, so nothing is put right. */
export const issuerFault = (issuer: string): string | undefined => {
  const url = URL.parse(issuer);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'An issuer is an https address.';
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) return 'An issuer is an https address; http is for this machine alone.';
  if (url.username !== '' || url.password !== '') return 'An issuer holds no user name or password.';
  if (issuer.includes('?') || issuer.includes('#')) return 'An issuer must not have a query or a fragment.';
  return undefined;
};
