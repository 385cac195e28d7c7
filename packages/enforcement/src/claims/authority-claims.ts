import type { Exchange } from '@svc/domain/agents/delegations/ceiling-within.ts';
import type { Link } from '@svc/domain/agents/delegations/delegation.ts';
import { isCounted, type ReadyChain } from '@svc/domain/agents/delegations/ready-chain.ts';
import { convertMinor } from '@svc/domain/money/fx-rates/convert.ts';
import type { Claim } from '../facts/claims.ts';
import type { DerivedRequest } from '../facts/facts.ts';

/** What uses of a delegation are counted on, for everything below it alike. */
export const counterOf = ({ id }: Pick<Link, 'id'>): string => `delegation:${id}`;

const inCeilingCurrency = ({ ceiling }: Link, { amount, currency }: DerivedRequest, { rates, now }: Exchange): number => {
  if (amount === null || currency === null || ceiling.max_amount === null || ceiling.currency === null) return 0;
  const converted = convertMinor(amount, currency, ceiling.currency, rates, now);
  // The stage has compared this very amount with the ceiling before.
  if (!('ok' in converted)) throw new Error('an amount that was compared with a ceiling cannot be converted');
  return converted.ok;
};

const claimOf = (link: Link, derived: DerivedRequest, exchange: Exchange): Claim => {
  const { max_calls, max_amount, currency, window_seconds } = link.ceiling;
  // Without a window an amount bounds single actions, which the stage compares by itself.
  const countsAmounts = max_amount !== null && window_seconds !== null;
  return {
    counter: counterOf(link),
    window_seconds,
    max_calls,
    max_amount: countsAmounts ? max_amount : null,
    currency: countsAmounts ? currency : null,
    amount: countsAmounts ? inCeilingCurrency(link, derived, exchange) : 0,
    code: 'AUTHORITY_EXCEEDED',
    label: `The request exceeds the ceiling of the delegation ${link.id}.`,
    source: { delegation_id: link.id },
  };
};

/** One claim for each link that counts, so that what hangs below a link together never uses more than that link has. */
export const authorityClaims = ({ chain, isCounted: counts }: ReadyChain, derived: DerivedRequest, exchange: Exchange): readonly Claim[] =>
  counts ? chain.filter(isCounted).map((link) => claimOf(link, derived, exchange)) : [];
