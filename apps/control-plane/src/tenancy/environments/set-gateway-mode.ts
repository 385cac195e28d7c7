import type { Endpoints } from '@svc/contract/endpoints.ts';
import { MODES } from '@svc/contract/tables/vocabulary.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/http/admission/authorize.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockEnvironment, updateEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { ControlDeps } from '../../deps.ts';

export const setGatewayMode: Handler<Endpoints['setGatewayMode'], ControlDeps> = (call) => {
  const { body, caller, params, scope, now } = call;
  const { mode, reason } = body;
  return call.change(async ({ tx, emit }) => {
    const before = await lockEnvironment(tx, scope.organization_id, params.environmentId);
    if (!before) return call.refuse('NOT_FOUND');
    if (before.mode === mode) return before;
    // The list of modes goes from the one that enforces least to the one that enforces most.
    const reducing = MODES.indexOf(mode) < MODES.indexOf(before.mode);
    if (reducing && !hasFreshStepUp(caller, now)) return stepUpRefusal(caller);
    if (reducing && reason === undefined) return call.fault('/reason', 'Reducing enforcement needs a reason.');
    const after = await updateEnvironment(tx, scope.organization_id, before.id, { mode }, now);
    emit('environment.mode_changed', {
      ...about.environment(before),
      ...(reducing ? { severity: 'critical' as const } : {}),
      data: { before: { mode: before.mode }, after: { mode }, reason: reason ?? null },
    });
    return after;
  });
};
