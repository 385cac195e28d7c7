import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockEnvironment, updateEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { CallContext } from '../../people/auth/acting.ts';

type ResumeEnvironmentRequest = CallContext & {
  readonly environmentId: string;
  readonly body: EndpointBody<Endpoints['resumeEnvironment']>;
};

export const resumeEnvironment = async ({ tx, emit }: Change<'environment.resumed'>, request: ResumeEnvironmentRequest) => {
  const { scope, now, environmentId } = request;
  const { reason } = request.body;
  const before = await lockEnvironment(tx, scope.organization_id, environmentId);
  if (!before) return buildRefusal('NOT_FOUND');
  if (!before.paused) {
    const details = { operation: 'resume', from: 'ACTIVE', allowed_from: ['PAUSED'] };
    return buildRefusal('INVALID_STATE_TRANSITION', 'The environment is not paused.', details);
  }
  const after = await updateEnvironment(tx, scope.organization_id, before.id, { paused_at: null, paused_reason: null }, now);
  emit('environment.resumed', {
    ...about.environment(before),
    data: { before: { paused: true, paused_reason: before.paused_reason }, after: { paused: false, paused_reason: null }, reason },
  });
  return after;
};
