import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findDayWithoutUsage, storeUsage, type UsageDay } from '@svc/postgres/tenancy/organization/usage.ts';

/** Records the usage of the earliest day without a record. Returns true if there may be more. */
export const recordUsage = async (
  { tx, emit }: Change<'usage.recorded'>,
  organizationId: string,
  days: readonly UsageDay[],
  now: Date,
): Promise<boolean> => {
  const day = await findDayWithoutUsage(tx, organizationId, days);
  if (day === undefined) return false;
  const decisions = await storeUsage(tx, organizationId, day, now);
  emit('usage.recorded', { ...about.organization({ id: organizationId }), data: { day: day.day, decisions } });
  return true;
};
