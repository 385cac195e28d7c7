import { statusAt } from '../agents/status-at.ts';
import type { Chain, DelegationLink } from './delegation.ts';
import { isOwnGrants } from './own-grants.ts';

export type ChainRefusal = {
  readonly code: 'DELEGATION_INVALID' | 'DELEGATION_EXPIRED';
  readonly delegation_id: string;
  readonly reason: string;
};

/**
 * Returns how many links may still be added below the last one, by every link above it. Negative: the chain is longer than some link
 * allows.
 */
export const depthLeft = (chain: Chain): number =>
  chain.reduce((left, link) => Math.min(left - 1, link.can_redelegate ? link.max_depth : 0), Number.POSITIVE_INFINITY);

const invalid = ({ id }: DelegationLink, reason: string): ChainRefusal => ({ code: 'DELEGATION_INVALID', delegation_id: id, reason });

const isStopped = ({ status, expires_at = null }: DelegationLink['delegate'], now: Date): boolean =>
  statusAt({ status, expires_at }, now.getTime()) !== 'ACTIVE';

const UNBACKED = {
  LACKED: 'The root delegator may no longer delegate to this agent.',
  GONE: 'The root delegator is no longer a member of the organization.',
} as const;

const unbacked = ([root]: Chain): ChainRefusal | undefined =>
  root.delegator.type === 'USER' && root.backing !== undefined && root.backing !== 'HELD'
    ? invalid(root, UNBACKED[root.backing])
    : undefined;

const broken = (chain: Chain, now: Date): ChainRefusal | undefined => {
  const fromGrants = isOwnGrants(chain[0]);
  let left = Number.POSITIVE_INFINITY;
  for (const [index, link] of chain.entries()) {
    if (link.status === 'REVOKED') return invalid(link, 'The delegation was revoked.');
    if (left <= 0) return invalid(link, 'The delegation was passed on further than a delegation above it allows.');
    left = Math.min(left - 1, link.can_redelegate ? link.max_depth : 0);
    const isLast = index === chain.length - 1;
    if (isLast) continue;
    if (isStopped(link.delegate, now)) return invalid(link, 'The agent that passed on the delegation is not active.');
    if (fromGrants && link.delegate.is_delegated)
      return invalid(
        link,
        'The delegation starts with an agent’s own grants, but an agent in the chain may act only under delegations from people.',
      );
  }
  return undefined;
};

const overdue = (chain: Chain, now: Date): ChainRefusal | undefined => {
  const over = chain.find(
    (link) => link.status !== 'ACTIVE' || (link.expires_at !== null && !(Date.parse(link.expires_at) > now.getTime())),
  );
  return over && { code: 'DELEGATION_EXPIRED', delegation_id: over.id, reason: 'The delegation has expired.' };
};

/**
 * Returns which link is not in force at this moment; undefined if the chain is. The given clock decides about an expiry, not the status.
 */
export const findChainFault = (chain: Chain, now: Date): ChainRefusal | undefined =>
  broken(chain, now) ?? overdue(chain, now) ?? unbacked(chain);

/**
 * Returns why a root delegation has no effect although it is not revoked: its delegator could not give it now. It still binds the agent,
 * which
 * does not return to its own grants because a person left. Undefined for one that is in force, and for one that ended.
 */
export const leftBehind = (chain: Chain, now: Date): ChainRefusal | undefined =>
  chain.length === 1 && !broken(chain, now) && !overdue(chain, now) ? unbacked(chain) : undefined;
