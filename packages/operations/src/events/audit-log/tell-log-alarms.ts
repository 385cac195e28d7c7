import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { takeUntold } from '@svc/postgres/audit/log/alarms.ts';
import { takeAdopted, takeRejections } from '@svc/postgres/audit/log/rejections.ts';
import type { Change } from '@svc/postgres/change/change.ts';

const HELD = 'Sealing has stopped: the stored log does not match the signed log.';
const REJECTED = 'The service did not write these events: they were inserted into the database directly. They are not sealed or delivered.';
const ADOPTED =
  'These events were written by a version that did not authenticate them, and were not sealed when the database was upgraded.';
const LIFTED = 'The operator resumed the log from its largest signed tree. Events recorded in the meantime are sealed late.';

export type LogAlarm = ClockEvent<'tell-log-alarms'>;

/** Records once that the log of an organization is held, was released, or differs from what is known outside. */
export const recordLogAlarms = async ({ tx, emit }: Change<LogAlarm>, organizationId: string): Promise<void> => {
  const { held, lifted, conflicts } = await takeUntold(tx, organizationId);
  const tell = (data: Record<string, unknown>): void =>
    emit('audit.integrity_verified', { ...about.organization({ id: organizationId }), severity: 'critical', data });
  const changed = { intact: false, kinds: ['LOG_CHANGED'] };
  if (held !== undefined) tell({ ...changed, tree_size: held.size, held_since: held.held_since, says: HELD });
  if (lifted !== undefined) tell({ intact: true, kinds: [], ...lifted, says: LIFTED });
  for (const { anchor, reason, conflict_since } of conflicts)
    tell({ ...changed, anchor: anchor.split(':')[0], conflict_since, says: reason });
  const subject = about.organization({ id: organizationId });
  const report = await takeRejections(tx, organizationId);
  if (report !== undefined) emit('audit.event_rejected', { ...subject, data: { ...report, says: REJECTED } });
  const adopted = await takeAdopted(tx, organizationId);
  if (adopted !== undefined) emit('audit.events_adopted', { ...subject, data: { adopted, says: ADOPTED } });
};
