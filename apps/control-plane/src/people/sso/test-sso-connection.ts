import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { isCertificateValid } from '@svc/keyring/public-keys/provider-certificate.ts';
import { getAcsUrl } from '@svc/operations/people/sso/addresses.ts';
import { getCallbackUrl } from '@svc/operations/people/sso/callback-url.ts';
import { OWNERS_FALL_UNDER_IT } from '@svc/operations/people/sso/enforce-fault.ts';
import { formatConnection, getDnsRecord } from '@svc/operations/people/sso/format-connection.ts';
import { refusePart } from '@svc/operations/people/sso/refuse-part.ts';
import { verifyDomain } from '@svc/operations/people/sso/verify-domain.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findConnection, type SsoConnectionWithDomains } from '@svc/postgres/people/sso/connections.ts';
import type { PeopleDeps } from '../deps.ts';
import { findClientFault } from './oidc/capability-fault.ts';
import type { Sso } from './oidc/open-sso.ts';
import { buildRedirectUri } from './sign-in/redirect-uri.ts';

type Test = Endpoints['testSsoConnection'];
type Looked = { readonly domain: string; readonly verified: boolean; readonly fault: string | null };

/** True if the DNS record of a domain exists; a verified domain stays verified. */
const look = async (
  { textRecords }: Sso,
  { domain, challenge, verified_at }: SsoConnectionWithDomains['domains'][number],
): Promise<Looked> => {
  if (verified_at !== null) return { domain, verified: true, fault: null };
  const { name, value } = getDnsRecord(domain, challenge);
  const records = await textRecords(name);
  if (records?.includes(value)) return { domain, verified: true, fault: null };
  const fault = records === null ? `No name server returned the records of ${name} in time.` : `${name} has no TXT record ${value}.`;
  return { domain, verified: false, fault };
};

const TAKEN = 'The domain is verified by another organization, which has to give it up first.';

const keepVerified = async (call: Call<Test>, deps: PeopleDeps, connection: SsoConnectionWithDomains, looked: Looked): Promise<Looked> => {
  const known = connection.domains.find(({ domain }) => domain === looked.domain);
  if (!looked.verified || known?.verified_at) return looked;
  const kept = await call.change(
    (change) =>
      verifyDomain(
        change,
        { ...asActing(call), sourceIp: call.sourceIp, newId: call.newId, organizationName: call.caller.organizationName },
        connection,
        looked,
        deps,
      ),
    { sso_domains_are_verified_once: () => call.refuse('NOT_FOUND') },
  );
  if (!isRefusal(kept)) return kept;
  return { ...looked, verified: false, fault: kept.refused === 'PERMISSION_DENIED' ? (kept.message ?? OWNERS_FALL_UNDER_IT) : TAKEN };
};

type Asked = { readonly fault: string | null; readonly redirect_uri: string | null };

/** Checks a SAML connection without a call: its certificates are pinned. */
const samlFault = ({ saml }: Sso, { certificates }: SsoConnectionWithDomains, now: Date): string | null => {
  if (!saml) return 'SAML is disabled. The operator of the service can set SVC_SAML.';
  return certificates.some((pem) => isCertificateValid(pem, now))
    ? null
    : 'None of its certificates is in force: pin the one the provider signs with.';
};

const ask = async ({ sso, urls }: PeopleDeps, connection: SsoConnectionWithDomains, now: Date): Promise<Asked> => {
  if (connection.kind === 'SAML') return { fault: samlFault(sso, connection, now), redirect_uri: getAcsUrl(urls.base, connection.id) };
  const discovered = await sso.discover(connection.issuer, connection.organization_id, true);
  if ('fault' in discovered) return { fault: discovered.fault, redirect_uri: null };
  const fault = findClientFault(discovered.metadata, connection.sealed_client_secret !== null) ?? null;
  return { fault, redirect_uri: getCallbackUrl(urls.base, buildRedirectUri(discovered.metadata, connection.id)) };
};

export const testSsoConnection: Handler<Test, PeopleDeps> = async (call, deps) => {
  const { sso, urls } = deps;
  const part = refusePart(call.scope);
  if (part) return part;
  const read = () =>
    readInTenant(call.database, call.scope, (tx) => findConnection(tx, call.scope.organization_id, call.params.connectionId));
  const connection = await read();
  if (!connection) return call.refuse('NOT_FOUND');
  const [asked, ...looked] = await Promise.all([ask(deps, connection, call.now), ...connection.domains.map((domain) => look(sso, domain))]);
  const domains: Looked[] = [];
  for (const each of looked) domains.push(await keepVerified(call, deps, connection, each));
  return {
    ok: asked.fault === null,
    ...asked,
    domains,
    connection: formatConnection((await read()) ?? connection, urls.base),
  };
};
