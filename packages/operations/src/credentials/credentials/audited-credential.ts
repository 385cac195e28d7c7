import type { StoredCredential } from '@svc/postgres/credentials/credentials.ts';

/** Returns the members of a credential for audit events: where its secret is sent, for which tools, and where it is obtained. */
export const formatCredentialForAudit = ({
  name,
  scheme,
  placement,
  extras,
  destinations,
  tools,
  servers,
  status,
  generation,
  oauth,
}: StoredCredential) => ({
  name,
  scheme,
  placement,
  ...(extras.length === 0 ? {} : { extras }),
  destinations,
  tools,
  ...(servers.length === 0 ? {} : { servers }),
  status,
  generation,
  ...(oauth === null ? {} : { oauth }),
});
