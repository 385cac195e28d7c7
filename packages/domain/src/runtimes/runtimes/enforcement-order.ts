import { ENFORCEMENT_STATUSES, type EnforcementStatus } from '@svc/contract/runtimes/runtimes/vocabulary.ts';

const rank = (status: EnforcementStatus): number => ENFORCEMENT_STATUSES.indexOf(status);

export const isWeaker = (one: EnforcementStatus, other: EnforcementStatus): boolean => rank(one) < rank(other);

/** Returns the weakest of some statuses; undefined if there are none. */
export const weakest = (statuses: readonly EnforcementStatus[]): EnforcementStatus | undefined =>
  statuses.reduce<EnforcementStatus | undefined>((least, each) => (least === undefined || isWeaker(each, least) ? each : least), undefined);
