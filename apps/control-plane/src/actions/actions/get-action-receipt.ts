import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { getLogOrigin } from '@svc/keyring/log/audit-log.ts';
import { signReceipt } from '@svc/keyring/log/receipt.ts';
import { proveEvent } from '@svc/operations/events/audit-log/prove-event.ts';
import { compareReceiptRecord } from '@svc/operations/events/audit-log/receipt-record.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findDecisionEvent } from '@svc/postgres/events/audit-events.ts';
import type { ActionsDeps } from '../deps.ts';

const DIGESTS = ['decision_digest', 'outcome_digest', 'digest_version', 'digest_revision', 'request_hmac'] as const;

const listDigests = ({ data }: AuditEvent): Readonly<Record<string, unknown>> =>
  Object.fromEntries(DIGESTS.map((name) => [name, (data as Readonly<Record<string, unknown>>)[name] ?? null]));

/** Returns the receipt for the event that last decided the action. */
export const getActionReceipt: Handler<Endpoints['getActionReceipt'], ActionsDeps> = async (call, deps) => {
  // A receipt is kept for a long time, so it is not signed with a key that was retired after this plane started.
  await deps.platformKeys.renew();
  return readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const event = await findDecisionEvent(tx, organization_id, call.params.actionId);
    if (event === undefined) return call.refuse('NOT_FOUND');
    const proof = await proveEvent(tx, organization_id, event.id);
    if (isRefusal(proof)) return proof;
    const iss = getLogOrigin(deps.installationId, organization_id);
    const iat = Math.floor(call.now.getTime() / 1_000);
    const sealed = { ...event, sequence: proof.sequence };
    const { status, documents } = await compareReceiptRecord(tx, organization_id, sealed);
    const record = { type: 'action', id: call.params.actionId, status, ...listDigests(event) };
    const receipt = signReceipt(deps.platformKeys.keys, { iss, iat, event: sealed, proof, record });
    return { action_id: call.params.actionId, event_id: event.id, receipt, record: { status, documents: [...documents] } };
  });
};
