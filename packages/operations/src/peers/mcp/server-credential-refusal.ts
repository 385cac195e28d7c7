import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { isAllowed, parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import { parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findCredential } from '@svc/postgres/credentials/credentials.ts';

type Referring = {
  readonly organization_id: string;
  readonly environment_id: string;
  readonly slug: string;
  readonly url: string;
  readonly credential_id: string | null;
};

const unusable = (message: string): Refusal<'INVALID_CREDENTIAL_REFERENCE'> =>
  buildRefusal('INVALID_CREDENTIAL_REFERENCE', undefined, { faults: [{ pointer: '/credential_id', message }] });

/** Returns why an MCP server cannot use a credential; undefined if it can, or needs none. */
export const findServerCredentialRefusal = async (
  tx: TenantTransaction,
  { organization_id, environment_id, slug, url, credential_id }: Referring,
): Promise<Refusal<'INVALID_CREDENTIAL_REFERENCE'> | undefined> => {
  if (credential_id === null) return undefined;
  const found = await findCredential(tx, { organization_id, id: credential_id });
  if (!found || found.environment_id !== environment_id) return unusable('There is no such credential in the environment of the server.');
  if (found.status === 'REVOKED') return unusable('The credential is revoked.');
  if (!found.servers.includes(slug)) return unusable(`The credential does not name the MCP server ${slug} in its servers.`);
  const destination = parseDestination(url);
  const entries = found.destinations.map(parseAllowlistEntry).flatMap((entry) => ('fault' in entry ? [] : [entry]));
  if ('fault' in destination || !isAllowed(entries, destination)) return unusable('The credential does not name the host of the server.');
  return undefined;
};
