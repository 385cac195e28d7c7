/** Checks the keys and the credential that a connection names. */
import type { A2aKey } from '@svc/contract/peers/a2a/a2a-connections.ts';
import { buildRefusal, type Refusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { isAllowed, parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import { parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';
import { readCardKey } from '@svc/keyring/tokens/card-signature.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findCredential } from '@svc/postgres/credentials/credentials.ts';

/** Reads the registered keys, each with its kid. */
export const readConnectionKeys = (keys: readonly A2aKey[]): A2aKey[] | Refusal<'VALIDATION_FAILED'> => {
  const known = new Set<string>();
  const read: A2aKey[] = [];
  for (const [at, jwk] of keys.entries()) {
    const parsed = readCardKey(jwk);
    if (!parsed.ok) return refuseBody(`/keys/${at}`, parsed.reason);
    if (known.has(parsed.key.kid)) return refuseBody(`/keys/${at}`, 'must have another kid than the keys before it');
    known.add(parsed.key.kid);
    read.push({ ...jwk, kid: parsed.key.kid });
  }
  return read;
};

type Referring = { readonly organization_id: string; readonly environment_id: string; readonly tool: string; readonly url: string };

/** Returns why a connection cannot use a credential; undefined if it can. */
export const findConnectionCredentialRefusal = async (
  tx: TenantTransaction,
  { organization_id, environment_id, tool, url }: Referring,
  id: string,
): Promise<Refusal<'INVALID_CREDENTIAL_REFERENCE'> | undefined> => {
  const unusable = (message: string) =>
    buildRefusal('INVALID_CREDENTIAL_REFERENCE', undefined, { faults: [{ pointer: '/credential_id', message }] });
  const found = await findCredential(tx, { organization_id, id });
  if (!found || found.environment_id !== environment_id)
    return unusable('There is no such credential in the environment of the connection.');
  if (found.status === 'REVOKED') return unusable('The credential is revoked.');
  if (!found.tools.includes(tool)) return unusable(`The credential does not name the tool ${tool}.`);
  const destination = parseDestination(url);
  const entries = found.destinations.map(parseAllowlistEntry).flatMap((entry) => ('fault' in entry ? [] : [entry]));
  return 'fault' in destination || !isAllowed(entries, destination)
    ? unusable('The credential does not name the host that messages are sent to.')
    : undefined;
};
