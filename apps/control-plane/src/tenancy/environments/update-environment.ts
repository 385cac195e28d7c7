import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Separation } from '@svc/contract/tables/vocabulary.ts';
import type { Environment } from '@svc/contract/tenancy/environments.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/http/admission/authorize.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockEnvironment, updateEnvironment as update } from '@svc/postgres/tenancy/environments.ts';
import type { ControlDeps } from '../../deps.ts';

type UpdateEnvironment = Endpoints['updateEnvironment'];

const CHANGEABLE = ['name', 'requires_delegation', 'separation', 'archived_at'] as const;
type Changed = {
  readonly name?: string;
  readonly requires_delegation?: boolean;
  readonly separation?: Separation;
  readonly archived_at?: null;
};

/** The members that differ from what is stored, as they become. */
const differences = (
  { name, requires_delegation, separation, archived }: Call<UpdateEnvironment>['body'],
  stored: Environment,
): Changed => ({
  ...(name === undefined || name === stored.name ? {} : { name }),
  ...(requires_delegation === undefined || requires_delegation === stored.requires_delegation ? {} : { requires_delegation }),
  ...(separation === undefined || separation === stored.separation ? {} : { separation }),
  ...(archived === undefined || stored.archived_at === null ? {} : { archived_at: null }),
});

/** Why the caller may not lower what holds agents back here, if that is what is asked. To bring back what is archived needs what stops it. */
const loweringRefusal = (call: Call<UpdateEnvironment>, after: Changed) => {
  const { body, caller, now } = call;
  if ('archived_at' in after && !call.holds('environment:pause'))
    return call.refuse('PERMISSION_DENIED', 'To bring an environment back needs the permission to stop it.', {
      permission: 'environment:pause',
    });
  if (!hasFreshStepUp(caller, now)) return stepUpRefusal(caller);
  return body.reason === undefined ? call.fault('/reason', 'Reducing enforcement and unarchiving require a reason.') : undefined;
};

/** Changes an environment. Requiring no delegation, or a weaker separation of duties, lowers enforcement as a weaker mode does. */
export const updateEnvironment: Handler<UpdateEnvironment, ControlDeps> = (call) => {
  const { body, params, scope, now } = call;
  const { reason, ...asked } = body;
  if (Object.keys(asked).length === 0) return call.fault('', 'Send at least one member to change.');
  return call.change(
    async ({ tx, emit }) => {
      const stored = await lockEnvironment(tx, scope.organization_id, params.environmentId);
      if (!stored) return call.refuse('NOT_FOUND');
      const after = differences(asked, stored);
      const changed = CHANGEABLE.filter((member) => Object.hasOwn(after, member));
      if (changed.length === 0) return stored;
      const reducing = after.requires_delegation === false || after.separation === 'WHEN_POSSIBLE';
      const refused = reducing || 'archived_at' in after ? loweringRefusal(call, after) : undefined;
      if (refused) return refused;
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
