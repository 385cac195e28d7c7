import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import type { Separation } from '@svc/contract/tables/vocabulary.ts';
import type { Environment } from '@svc/contract/tenancy/environments.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockEnvironment, updateEnvironment as update } from '@svc/postgres/tenancy/environments.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { hasFreshStepUp, stepUpRefusal } from '../../people/auth/step-up.ts';

type UpdateEnvironmentRequest = CallContext & {
  readonly environmentId: string;
  readonly holds: (permission: 'environment:pause') => boolean;
  readonly steppedUpUntil: string | null;
  readonly body: EndpointBody<Endpoints['updateEnvironment']>;
};

const CHANGEABLE = ['name', 'requires_delegation', 'separation', 'archived_at'] as const;

type Changed = {
  readonly name?: string;
  readonly requires_delegation?: boolean;
  readonly separation?: Separation;
  readonly archived_at?: null;
};

/** Returns the members that differ from what is stored, with their new values. */
const differences = (
  { name, requires_delegation, separation, archived }: UpdateEnvironmentRequest['body'],
  stored: Environment,
): Changed => ({
  ...(name === undefined || name === stored.name ? {} : { name }),
  ...(requires_delegation === undefined || requires_delegation === stored.requires_delegation ? {} : { requires_delegation }),
  ...(separation === undefined || separation === stored.separation ? {} : { separation }),
  ...(archived === undefined || stored.archived_at === null ? {} : { archived_at: null }),
});

/** Returns why the caller may not lower enforcement, if the change does. Restoring from the archive needs the permission to stop. */
const loweringRefusal = (request: UpdateEnvironmentRequest, after: Changed) => {
  const { body, now, actor, steppedUpUntil } = request;
  if ('archived_at' in after && !request.holds('environment:pause'))
    return buildRefusal('PERMISSION_DENIED', 'To bring an environment back needs the permission to stop it.', {
      permission: 'environment:pause',
    });
  if (!hasFreshStepUp({ actor, steppedUpUntil }, now)) return stepUpRefusal({ actor });
  return body.reason === undefined ? refuseBody('/reason', 'Reducing enforcement and unarchiving require a reason.') : undefined;
};

/** Changes an environment. Requiring no delegation, or a weaker separation of duties, lowers enforcement like a weaker mode. */
export const updateEnvironment = async ({ tx, emit }: Change<'environment.updated'>, request: UpdateEnvironmentRequest) => {
  const { scope, body, now, environmentId } = request;
  const { reason, ...asked } = body;
  const stored = await lockEnvironment(tx, scope.organization_id, environmentId);
  if (!stored) return buildRefusal('NOT_FOUND');
  const after = differences(asked, stored);
  const changed = CHANGEABLE.filter((member) => Object.hasOwn(after, member));
  if (changed.length === 0) return stored;
  const reducing = after.requires_delegation === false || after.separation === 'WHEN_POSSIBLE';
  const refused = reducing || 'archived_at' in after ? loweringRefusal(request, after) : undefined;
  if (refused) return refused;
  const before = Object.fromEntries(changed.map((member) => [member, stored[member]]));
  const updated = await update(tx, scope.organization_id, stored.id, after, now);
  emit('environment.updated', {
    ...about.environment(stored),
    ...(reducing ? { severity: 'critical' as const } : {}),
    data: { before, after, reason: reason ?? null },
  });
  return updated;
};
