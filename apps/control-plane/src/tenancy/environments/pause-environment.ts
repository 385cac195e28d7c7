import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockEnvironment, updateEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { ControlDeps } from '../../deps.ts';

export const pauseEnvironment: Handler<Endpoints['pauseEnvironment'], ControlDeps> = (call) => {
  const { params, scope, now } = call;
  const { reason } = call.body;
  return call.change(async ({ tx, emit }) => {
    const before = await lockEnvironment(tx, scope.organization_id, params.environmentId);
    if (!before) return call.refuse('NOT_FOUND');
    if (before.paused) {
      const details = { operation: 'pause', from: 'PAUSED', allowed_from: ['ACTIVE'] };
      return call.refuse('INVALID_STATE_TRANSITION', 'The environment is paused already.', details);
    }
    const after = await updateEnvironment(tx, scope.organization_id, before.id, { paused_at: now, paused_reason: reason }, now);
    emit('environment.paused', {
      ...about.environment(before),
      data: { before: { paused: false }, after: { paused: true }, reason },
    });
    return after;
  });
};
