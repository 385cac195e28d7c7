import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockEnvironment, updateEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { ControlDeps } from '../../deps.ts';

export const resumeEnvironment: Handler<Endpoints['resumeEnvironment'], ControlDeps> = (call) => {
  const { params, scope, now } = call;
  const { reason } = call.body;
  return call.change(async ({ tx, emit }) => {
    const before = await lockEnvironment(tx, scope.organization_id, params.environmentId);
    if (!before) return call.refuse('NOT_FOUND');
    if (!before.paused) {
      const details = { operation: 'resume', from: 'ACTIVE', allowed_from: ['PAUSED'] };
      return call.refuse('INVALID_STATE_TRANSITION', 'The environment is not paused.', details);
    }
    const after = await updateEnvironment(tx, scope.organization_id, before.id, { paused_at: null, paused_reason: null }, now);
    emit('environment.resumed', {
      ...about.environment(before),
      data: { before: { paused: true, paused_reason: before.paused_reason }, after: { paused: false, paused_reason: null }, reason },
    });
    return after;
  });
};
