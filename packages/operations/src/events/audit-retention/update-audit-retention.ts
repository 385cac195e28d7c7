import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockRetention, setRetention } from '@svc/postgres/audit/retention/audit-retention.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { formatRetention } from './format-retention.ts';

/** Stores a retention that a job applies seven days later, so that an unwanted change can be noticed and reverted. */
export const updateAuditRetention = async (
  { tx, emit }: Change<'audit.retention_updated'>,
  request: CallContext & { readonly body: EndpointBody<Endpoints['updateAuditRetention']> },
) => {
  const { scope, body } = request;
  const { organization_id: id } = scope;
  const before = await lockRetention(tx, id);
  if (before.keep_days === body.keep_days) return formatRetention(before);
  const after = await setRetention(tx, id, body.keep_days);
  const data = { before: { keep_days: before.keep_days }, after: { keep_days: after.keep_days }, reason: body.reason };
  emit('audit.retention_updated', { ...about.organization({ id }), data });
  return formatRetention(after);
};
