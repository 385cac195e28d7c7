import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import type { PassportIssuer } from '@svc/operations/agents/agents/issue-passport.ts';
import { renewEndingPassport } from '@svc/operations/agents/agents/renew-ending-passport.ts';
import { findOrganizationsWithEndingPassports } from '@svc/postgres/agents/agents/ending-passports.ts';
import type { Job } from './job.ts';

/** Renews passports before they expire, and records those that have expired. */
export const renewPassports = (issuer: PassportIssuer): Job<ClockEvent<'renew-passports'>> => ({
  name: 'renew-passports',
  everyMs: 60_000,
  findOrganizations: findOrganizationsWithEndingPassports,
  step: (change, organizationId) => renewEndingPassport(change, organizationId, issuer),
});
