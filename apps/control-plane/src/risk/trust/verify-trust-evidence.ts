import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findEvidenceFault, readEvidence, verifyEvidence } from '@svc/operations/risk/trust/add-trust-evidence.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { RiskDeps } from '../deps.ts';

export const verifyTrustEvidence: Handler<Endpoints['verifyTrustEvidence'], RiskDeps> = async (call, { inVerificationTurn }) => {
  const { body, now, caller } = call;
  const fault = findEvidenceFault(body, now);
  if (fault) return fault;
  const { organization_id: organizationId } = call.scope;
  const request = { organizationId, body, now, actor: caller.actor };
  const found = await readInTenant(call.database, call.scope, (tx) => readEvidence(tx, request));
  if (isRefusal(found)) return found;
  const read = await inVerificationTurn(organizationId, found.verify);
  if (isRefusal(read)) return read;
  return readInTenant(call.database, call.scope, (tx) => verifyEvidence(tx, request, read));
};
