const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What is wrong with the text of an issuer, or undefined. It is compared letter by letter, so nothing is put right. */
export const issuerFault = (issuer: string): string | undefined => {
  const url = URL.parse(issuer);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'An issuer is an https address.';
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) return 'An issuer is an https address; http is for this machine alone.';
  if (url.username !== '' || url.password !== '') return 'An issuer holds no user name or password.';
  if (issuer.includes('?') || issuer.includes('#')) return 'An issuer has neither query nor fragment.';
  return undefined;
};
