import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockEnvironment, updateEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { CallContext } from '../../people/auth/acting.ts';

type ArchiveEnvironmentRequest = CallContext & {
  readonly environmentId: string;
  readonly body: EndpointBody<Endpoints['archiveEnvironment']>;
};

/** Archives an environment: its agents are refused from the commit on, and everything pending in it is withdrawn. */
export const archiveEnvironment = async ({ tx, emit }: Change<'environment.updated'>, request: ArchiveEnvironmentRequest) => {
  const { scope, now, environmentId } = request;
  const { organization_id: organizationId } = scope;
  const { reason } = request.body;
  const stored = await lockEnvironment(tx, organizationId, environmentId);
  if (!stored) return buildRefusal('NOT_FOUND');
  if (stored.archived_at !== null) {
    const details = { operation: 'archive', from: 'ARCHIVED', allowed_from: ['ACTIVE'] };
    return buildRefusal('INVALID_STATE_TRANSITION', 'The environment is already archived.', details);
  }
  const updated = await updateEnvironment(tx, organizationId, stored.id, { archived_at: now }, now);
  const data = { before: { archived_at: null }, after: { archived_at: updated.archived_at }, reason };
  emit('environment.updated', { ...about.environment(stored), severity: 'critical', data });
  return updated;
};
