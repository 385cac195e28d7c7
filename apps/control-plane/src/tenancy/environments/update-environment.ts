import type { Endpoints } from '@svc/contract/endpoints.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/http/admission/authorize.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockEnvironment, updateEnvironment as update } from '@svc/postgres/tenancy/environments.ts';
import type { ControlDeps } from '../../deps.ts';

const CHANGEABLE = ['name', 'requires_delegation'] as const;

/** Changes what an environment is called or demands. To demand a delegation no longer lowers enforcement, as a weaker mode does. */
export const updateEnvironment: Handler<Endpoints['updateEnvironment'], ControlDeps> = (call) => {
  const { body, caller, params, scope, now } = call;
  const { reason } = body;
  if (CHANGEABLE.every((member) => body[member] === undefined)) return call.fault('', 'Name at least one member to change.');
  return call.change(
    async ({ tx, emit }) => {
      const stored = await lockEnvironment(tx, scope.organization_id, params.environmentId);
      if (!stored) return call.refuse('NOT_FOUND');
      const changed = CHANGEABLE.filter((member) => body[member] !== undefined && body[member] !== stored[member]);
      if (changed.length === 0) return stored;
      const reducing = stored.requires_delegation && changed.includes('requires_delegation');
      if (reducing && !hasFreshStepUp(caller, now)) return stepUpRefusal(caller);
      if (reducing && reason === undefined) return call.fault('/reason', 'Reducing enforcement needs a reason.');
      const after = Object.fromEntries(changed.map((member) => [member, body[member]]));
      const before = Object.fromEntries(changed.map((member) => [member, stored[member]]));
      const updated = await update(tx, scope.organization_id, stored.id, after, now);
      emit('environment.updated', {
        ...about.environment(stored),
        ...(reducing ? { severity: 'critical' as const } : {}),
        data: { before, after, reason: reason ?? null },
      });
      return updated;
    },
    { environments_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'The workspace already has an environment of this name.') },
  );
};
