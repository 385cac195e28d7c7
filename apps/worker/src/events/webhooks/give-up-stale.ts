import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { change } from '@svc/postgres/change/change.ts';
import { findStaleStretches, passOverStale } from '@svc/postgres/events/webhooks/stretches.ts';
import { firstIdSince } from '@svc/program/ids/first-id-since.ts';
import { inEachOrganization } from './in-each-organization.ts';
import { asWorker } from './sending/as-worker.ts';
import type { SettleDeps } from './sending/settle-ended.ts';

const REASON = `The organization had more events than its receivers accepted: events older than ${LIMITS.webhooks.stretchSecondsMax / 3_600} hours are not delivered. Read them from the audit log.`;

/** Passes over what nobody was told of for too long since more happened than receivers took, which the record tells. */
export const giveUpStale = async (deps: SettleDeps, secondsMax: number = LIMITS.webhooks.stretchSecondsMax): Promise<void> => {
  const before = firstIdSince('audit_event', new Date(deps.clock().getTime() - secondsMax * 1_000));
  const passOver = (organization_id: string): Promise<void> =>
    change<ClockEvent<'send-webhooks'>, void>(deps.database, asWorker(deps, organization_id), async ({ tx, emit }) => {
      const passed = await passOverStale(tx, organization_id, before);
      if (passed) emit('webhook.delivery_failed', { ...about.organization({ id: organization_id }), data: { ...passed, reason: REASON } });
    });
  await inEachOrganization(deps.log, await findStaleStretches(deps.reader, before), passOver, (organization_id) => ({ organization_id }));
};
