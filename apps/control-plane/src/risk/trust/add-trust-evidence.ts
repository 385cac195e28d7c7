import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { addTrustEvidence as add, findEvidenceFault, readEvidence } from '@svc/operations/risk/trust/add-trust-evidence.ts';
import { asTrustEvidence } from '@svc/operations/risk/trust/as-trust-evidence.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { RiskDeps } from '../deps.ts';

const ADDED = 'This statement was added for the agent before. A revoked or expired one is not added again.';
const NO_PERSON = 'The statement of a person is made by a person, not by an API key.';

export const addTrustEvidence: Handler<Endpoints['addTrustEvidence'], RiskDeps> = async (call, { inVerificationTurn }) => {
  const { body, now, caller } = call;
  const fault = findEvidenceFault(body, now);
  if (fault) return fault;
  if (body.format === 'NONE' && caller.actor.type !== 'USER') return call.refuse('PERMISSION_DENIED', NO_PERSON);
  const { organization_id: organizationId } = call.scope;
  const found = await readInTenant(call.database, call.scope, (tx) => readEvidence(tx, { organizationId, body, now, actor: caller.actor }));
  if (isRefusal(found)) return found;
  // Verification takes milliseconds of the processor, so it waits for its turn and holds no transaction.
  const read = await inVerificationTurn(organizationId, found.verify);
  if (isRefusal(read)) return read;
  const id = call.newId('trust_evidence');
  return call.change(
    async (change) => {
      const added = await add(change, { ...asActing(call), body, read }, id);
      return isRefusal(added) ? added : asTrustEvidence(added, now);
    },
    { trust_evidence_is_added_once: () => call.refuse('ALREADY_EXISTS', ADDED) },
  );
};
