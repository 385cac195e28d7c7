import type { TrustRequirement } from '@svc/contract/risk/trust/trust-shapes.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { loosensRequirement, tidyRequirement } from '@svc/domain/risk/trust/trust-requirement.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findToolEnvironment, lockRequirement, putRequirement } from '@svc/postgres/risk/trust/trust-requirements.ts';
import type { CallContext } from '../../people/auth/acting.ts';

export type RequiringTrust = CallContext & {
  readonly requires: TrustRequirement | null;
  readonly reason: string;
  /** Refuses a caller who may not loosen. Called only if something is loosened. */
  readonly refuseLoosening: () => Refusal<'STEP_UP_REQUIRED'> | undefined;
};

type RequirementSet = { readonly requires: TrustRequirement | null };

type StoredRequirement = { readonly before: TrustRequirement | null; readonly after: TrustRequirement | null; readonly isLooser: boolean };

const store = async (
  { tx }: Pick<Change<never>, 'tx'>,
  table: 'environments' | 'tools',
  id: string,
  { scope, requires, refuseLoosening }: RequiringTrust,
) => {
  const { organization_id } = scope;
  const row = await lockRequirement(tx, table, organization_id, id);
  if (row === undefined) return buildRefusal('NOT_FOUND');
  const after = requires === null ? null : tidyRequirement(requires);
  const isLooser = loosensRequirement(row.requires_trust, after);
  const refused = isLooser ? refuseLoosening() : undefined;
  if (refused) return refused;
  await putRequirement(tx, table, organization_id, id, after);
  return { row, stored: { before: row.requires_trust, after, isLooser } satisfies StoredRequirement };
};

const changed = ({ before, after, isLooser }: StoredRequirement, reason: string) => ({
  ...(isLooser ? { severity: 'critical' as const } : {}),
  data: { before: { requires_trust: before }, after: { requires_trust: after }, reason },
});

type Refused = Refusal<'NOT_FOUND' | 'STEP_UP_REQUIRED'>;

/** Sets the evidence that every action in an environment requires. */
export const requireEnvironmentTrust = async (
  { tx, emit }: Change<'environment.updated'>,
  request: RequiringTrust & { readonly environmentId: string },
): Promise<RequirementSet | Refused> => {
  const set = await store({ tx }, 'environments', request.environmentId, request);
  if ('refused' in set) return set;
  emit('environment.updated', { ...about.environment(set.row), ...changed(set.stored, request.reason) });
  return { requires: set.stored.after };
};

/** Sets the evidence that every action with a tool requires. */
export const requireToolTrust = async (
  { tx, emit }: Change<'tool.updated'>,
  request: RequiringTrust & { readonly toolId: string },
): Promise<RequirementSet | Refused> => {
  const set = await store({ tx }, 'tools', request.toolId, request);
  if ('refused' in set) return set;
  const { environment_id } = await findToolEnvironment(tx, request.scope.organization_id, request.toolId);
  emit('tool.updated', { ...about.tool({ ...set.row, environment_id }), ...changed(set.stored, request.reason) });
  return { requires: set.stored.after };
};
