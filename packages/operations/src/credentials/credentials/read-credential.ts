import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { BodyOf } from '@svc/contract/rows/endpoint.ts';
import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { secretFaults } from '@svc/domain/credentials/oauth-faults.ts';
import { extraFaults, placementFaults, repeatedPrefixFaults } from '@svc/domain/credentials/placement-faults.ts';
import { parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import { type CredentialSecret, readClientProofs } from '../tokens/read-client-proofs.ts';

const SERVES_NOTHING = 'must name at least one tool, unless servers names an MCP server';

/** Validates a new credential and returns its secret in the stored form. */
export const readCredential = (
  body: BodyOf<Endpoints['createCredential']>,
  allowsHttp: boolean,
): CredentialSecret | Refusal<'VALIDATION_FAILED'> => {
  const { scheme, placement = {}, extras = [], destinations, tools = [], servers = [], oauth, secret = '' } = body;
  const entries = destinations.flatMap((text, at) => {
    const entry = parseAllowlistEntry(text);
    return 'fault' in entry ? [{ pointer: `/destinations/${at}`, message: entry.fault }] : [];
  });
  const misplaced = placementFaults(scheme, placement);
  const serves = tools.length + servers.length > 0 ? [] : [{ pointer: '/tools', message: SERVES_NOTHING }];
  const faults = [
    ...serves,
    ...misplaced,
    ...(misplaced.length > 0 ? [] : extraFaults(scheme, placement, extras)),
    ...entries,
    ...secretFaults(oauth, body, allowsHttp),
    ...repeatedPrefixFaults(scheme, placement, secret),
  ];
  if (faults.length > 0) return refusal('VALIDATION_FAILED', 'The credential is not valid.', { faults });
  return oauth === undefined ? { secret, oauth: null } : readClientProofs(oauth, body);
};
