import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { endOnePassport, lockAgentToRenew } from '@svc/postgres/agents/agents/ending-passports.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { buildPassportEvent, type PassportIssuer, reissuePassport } from './issue-passport.ts';

/**
 * Renews one passport before it expires, under the key of its agent; if none is due, records one that has expired. One agent per
 * transaction: the update locks the epoch of the agent, and a transaction that holds an epoch must not wait for another one. Returns true
 * if there may be more.
 */
export const renewEndingPassport = async (
  { tx, emit }: Change<'passport.issued' | 'passport.expired'>,
  organizationId: string,
  issuer: PassportIssuer,
): Promise<boolean> => {
  const due = await lockAgentToRenew(tx, organizationId);
  const before = due && (await findAgent(tx, organizationId, due.id));
  if (before) {
    const { agent, passport } = await reissuePassport(tx, issuer, organizationId, before, due.now);
    emit('passport.issued', buildPassportEvent(agent, passport, 'renewal'));
    return true;
  }
  const ended = await endOnePassport(tx, organizationId);
  if (ended?.is_told) {
    const { agent_id, version, expires_at } = ended;
    emit('passport.expired', { ...about.passport(ended, ended), data: { agent_id, version, expires_at } });
  }
  return ended !== undefined;
};
