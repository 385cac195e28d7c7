import { about } from '@svc/postgres/audit/about.ts';
import { takeUntold } from '@svc/postgres/audit/log/alarms.ts';
import type { Change } from '@svc/postgres/change/change.ts';

const HELD = 'Nothing is sealed any more: what is kept of the log is not what was signed.';
const LIFTED = 'The operator let the log go on, from the largest tree that it had signed; what happened meanwhile is sealed late.';

/** Tells in the record of an organization, once, that its log is held, was let go on, or is another one than is known outside. */
export const tellLogAlarms = async ({ tx, emit }: Change<'audit.integrity_verified'>, organizationId: string): Promise<void> => {
  const { held, lifted, conflicts } = await takeUntold(tx, organizationId);
  const tell = (data: Record<string, unknown>): void =>
    emit('audit.integrity_verified', { ...about.organization({ id: organizationId }), severity: 'critical', data });
  const changed = { intact: false, kinds: ['LOG_CHANGED'] };
  if (held !== undefined) tell({ ...changed, tree_size: held.size, held_since: held.held_since, says: HELD });
  if (lifted !== undefined) tell({ intact: true, kinds: [], ...lifted, says: LIFTED });
  for (const { anchor, reason, conflict_since } of conflicts)
    tell({ ...changed, anchor: anchor.split(':')[0], conflict_since, says: reason });
};
