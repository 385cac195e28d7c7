/** Issuers at which accounts of many organizations sign in, or of anyone. */
const SHARED_HOSTS: ReadonlySet<string> = new Set([
  'accounts.google.com',
  'appleid.apple.com',
  'access.line.me',
  'account.apple.com',
  'api.login.yahoo.com',
  'gitlab.com',
  'id.twitch.tv',
  'login.salesforce.com',
  'slack.com',
  'www.facebook.com',
  'www.linkedin.com',
  'www.paypal.com',
]);

/** Hosts of Entra ID, at which the first segment of the path is the tenant. */
const ENTRA_HOSTS: ReadonlySet<string> = new Set([
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.partner.microsoftonline.cn',
  'login.chinacloudapi.cn',
  'login.microsoft.com',
  'login.windows.net',
  'sts.windows.net',
]);

/** The tenant of personal Microsoft accounts. */
const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad';
const TENANT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns true if an issuer is not that of a single tenant, so that an address it states says nothing about who assigned it. */
export const isSharedIssuer = (issuer: string): boolean => {
  const url = URL.parse(issuer);
  if (url === null) return false;
  if (SHARED_HOSTS.has(url.hostname)) return true;
  if (!ENTRA_HOSTS.has(url.hostname)) return false;
  const tenant = (url.pathname.split('/')[1] ?? '').toLowerCase();
  return !TENANT_ID.test(tenant) || tenant === CONSUMERS;
};
