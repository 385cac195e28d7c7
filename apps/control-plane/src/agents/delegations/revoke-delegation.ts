import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { recordRevokedDescendants, revokeDelegation as revoke } from '@svc/operations/agents/delegations/revoke-delegation.ts';
import type { AgentsDeps } from '../deps.ts';

/** Revokes a delegation and everything below it: no decision that starts after the response relies on any of it. */
export const revokeDelegation: Handler<Endpoints['revokeDelegation'], AgentsDeps> = async (call) => {
  const { scope, now } = call;
  const revoking = { scope, delegationId: call.params.delegationId, reason: call.body.reason, now };
  const revoked = await call.change((change) => revoke(change, revoking));
  if (isRefusal(revoked)) return revoked;
  // Everything below is already invalid. The loop only records it where there are many rows.
  while (await call.change((change) => recordRevokedDescendants(change, revoking)));
  return revoked;
};
