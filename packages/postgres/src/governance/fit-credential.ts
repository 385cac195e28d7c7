import { CREDENTIAL_SCHEMES, EXTRA_POSITIONS } from '@svc/contract/credentials/credentials.ts';
import type { CredentialTerms } from '@svc/domain/credentials/credential-terms.ts';
import { findExtraFaults, findPlacementFaults } from '@svc/domain/credentials/placement-faults.ts';
import { parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import type { CredentialSnapshot } from '@svc/enforcement/facts/snapshots.ts';

export type CredentialRow = Omit<CredentialSnapshot, 'destinations' | 'terms' | 'takes_tokens'> & CredentialTerms;

/** Undefined if the service did not write the row that way: its tools are refused as if it were missing, and no other tool is. */
export const fitCredential = (row: CredentialRow): CredentialSnapshot | undefined => {
  const isKnown = (CREDENTIAL_SCHEMES as readonly string[]).includes(row.scheme);
  if (!isKnown || findPlacementFaults(row.scheme, row.placement).length > 0) return undefined;
  if (row.extras.some((item) => !EXTRA_POSITIONS.includes(item.in))) return undefined;
  if (findExtraFaults(row.scheme, row.placement, row.extras).length > 0) return undefined;
  const destinations = row.destinations.map(parseAllowlistEntry).flatMap((entry) => ('fault' in entry ? [] : [entry]));
  if (destinations.length !== row.destinations.length) return undefined;
  const { workspace_id, environment_id, oauth, ...others } = row;
  const { scheme, placement, extras, tools, servers } = others;
  const terms = { workspace_id, environment_id, scheme, placement, extras, destinations: row.destinations, tools, servers, oauth };
  return { ...others, destinations, terms, takes_tokens: oauth !== null };
};
