import type { RatesAtTime } from '@svc/domain/agents/delegations/ceiling-within.ts';
import type { DelegationLink } from '@svc/domain/agents/delegations/delegation.ts';
import { isCounted, type ReadyChain } from '@svc/domain/agents/delegations/ready-chain.ts';
import { convertMinor } from '@svc/domain/money/fx-rates/convert.ts';
import type { Claim } from '../facts/claims.ts';
import type { DerivedRequest } from '../facts/facts.ts';

/** Returns the counter of a delegation, shared by everything below it. */
export const getCounter = ({ id }: Pick<DelegationLink, 'id'>): string => `delegation:${id}`;

const inCeilingCurrency = ({ ceiling }: DelegationLink, { amount, currency }: DerivedRequest, { rates, now }: RatesAtTime): number => {
  if (amount === null || currency === null || ceiling.max_amount === null || ceiling.currency === null) return 0;
  const converted = convertMinor(amount, currency, ceiling.currency, rates, now);
  // The stage has already compared this amount with the ceiling.
  if (!('ok' in converted)) throw new Error('an amount that was compared with a ceiling cannot be converted');
  return converted.ok;
};

const getClaim = (link: DelegationLink, derived: DerivedRequest, exchange: RatesAtTime): Claim => {
  const { max_calls, max_amount, currency, window_seconds } = link.ceiling;
  // Without a window an amount limits single actions, which the stage compares itself.
  const countsAmounts = max_amount !== null && window_seconds !== null;
  return {
    counter: getCounter(link),
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

/** Returns one claim for each counted link, so that everything below a link together never uses more than that link has. */
export const listAuthorityClaims = (
  { chain, isCounted: counts }: ReadyChain,
  derived: DerivedRequest,
  exchange: RatesAtTime,
): readonly Claim[] => (counts ? chain.filter(isCounted).map((link) => getClaim(link, derived, exchange)) : []);
