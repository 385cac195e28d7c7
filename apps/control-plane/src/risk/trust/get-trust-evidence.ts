import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asTrustEvidence } from '@svc/operations/risk/trust/as-trust-evidence.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findEvidenceDocument, findTrustEvidence } from '@svc/postgres/risk/trust/trust-evidence.ts';
import type { RiskDeps } from '../deps.ts';

export const getTrustEvidence: Handler<Endpoints['getTrustEvidence'], RiskDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const piece = await findTrustEvidence(tx, organization_id, call.params.trustEvidenceId);
    if (piece === undefined) return call.refuse('NOT_FOUND');
    return { ...asTrustEvidence(piece, call.now), document: await findEvidenceDocument(tx, organization_id, piece.id) };
  });
