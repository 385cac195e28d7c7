import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { findSecretFaults } from '@svc/domain/credentials/oauth-faults.ts';
import { findExtraFaults, findPlacementFaults, findRepeatedPrefixFaults } from '@svc/domain/credentials/placement-faults.ts';
import { parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import { type CredentialSecret, readClientProofs } from '../tokens/read-client-proofs.ts';

const SERVES_NOTHING = 'must name at least one tool, unless servers names an MCP server';

/** Validates a new credential and returns its secret in the stored form. */
export const readCredential = (
  body: EndpointBody<Endpoints['createCredential']>,
  allowsHttp: boolean,
): CredentialSecret | Refusal<'VALIDATION_FAILED'> => {
  const { scheme, placement = {}, extras = [], destinations, tools = [], servers = [], oauth, secret = '' } = body;
  const entries = destinations.flatMap((text, at) => {
    const entry = parseAllowlistEntry(text);
    return 'fault' in entry ? [{ pointer: `/destinations/${at}`, message: entry.fault }] : [];
  });
  const misplaced = findPlacementFaults(scheme, placement);
  const serves = tools.length + servers.length > 0 ? [] : [{ pointer: '/tools', message: SERVES_NOTHING }];
  const faults = [
    ...serves,
    ...misplaced,
    ...(misplaced.length > 0 ? [] : findExtraFaults(scheme, placement, extras)),
    ...entries,
    ...findSecretFaults(oauth, body, allowsHttp),
    ...findRepeatedPrefixFaults(scheme, placement, secret),
  ];
  if (faults.length > 0) return buildRefusal('VALIDATION_FAILED', 'The credential is not valid.', { faults });
  return oauth === undefined ? { secret, oauth: null } : readClientProofs(oauth, body);
};
