import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { type PassportIssuer, passportEvent, reissuePassport } from '@svc/operations/agents/agents/issue-passport.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { endOnePassport, findOrganizationsWithEndingPassports, lockAgentToRenew } from '@svc/postgres/agents/agents/ending-passports.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Job } from './job.ts';

/**
 * Renews passports before they end, each under the key its agent has, and tells of those that have ended. One agent at a time: what is
 * written moves its epoch, and nobody who holds one waits for another.
 */
export const renewPassports = (issuer: PassportIssuer): Job<ClockEvent<'renew-passports'>> => ({
  name: 'renew-passports',
  everyMs: 60_000,
  findOrganizations: findOrganizationsWithEndingPassports,
  step: async ({ tx, emit }, organizationId) => {
    const due = await lockAgentToRenew(tx, organizationId);
    const before = due && (await findAgent(tx, organizationId, due.id));
    if (before) {
      const { agent, passport } = await reissuePassport(tx, issuer, organizationId, before, due.now);
      emit('passport.issued', passportEvent(agent, passport, 'renewal'));
      return true;
    }
    const ended = await endOnePassport(tx, organizationId);
    if (ended?.is_told) {
      const { agent_id, version, expires_at } = ended;
      emit('passport.expired', { ...about.passport(ended, ended), data: { agent_id, version, expires_at } });
    }
    return ended !== undefined;
  },
});
