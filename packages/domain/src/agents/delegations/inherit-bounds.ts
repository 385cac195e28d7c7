import type { RatesAtTime } from './ceiling-within.ts';
import { depthLeft } from './chain-standing.ts';
import type { Ceiling, Chain, DelegationBounds, Scope } from './delegation.ts';
import { earlier, meetCeilings, meetLists, meetScopes } from './meet.ts';

/** Requested bounds. Omitted ones are inherited; null requests no bound. */
export type RequestedBounds = {
  readonly scope?: Partial<Scope>;
  readonly ceiling?: Partial<Ceiling> | null;
  readonly expires_at?: string | null;
  readonly can_redelegate?: boolean;
  readonly max_depth?: number;
};

const NO_CEILING: Ceiling = { max_amount: null, currency: null, max_calls: null, window_seconds: null };

type Left = Pick<DelegationBounds, 'scope' | 'ceiling' | 'expires_at'>;
const UNBOUNDED: Left = {
  scope: { capabilities: null, tools: null, environments: null, destinations: null },
  ceiling: NO_CEILING,
  expires_at: null,
};

/** Returns what a chain leaves. If two ceilings cannot be combined into one, the nearer is used; every request is compared with both. */
const leftBy = (chain: Chain, exchange: RatesAtTime): Left =>
  chain.reduce<Left>((above, link) => {
    const scope = meetScopes(above.scope, link.scope);
    const capabilities = scope.capabilities && meetLists(scope.capabilities, link.delegate.capabilities);
    return {
      scope: { ...scope, capabilities },
      ceiling: meetCeilings(above.ceiling, link.ceiling, exchange) ?? link.ceiling,
      expires_at: earlier(above.expires_at, link.expires_at),
    };
  }, UNBOUNDED);

const mergeCeiling = (above: Ceiling, asked: RequestedBounds['ceiling']): Ceiling => (asked === null ? NO_CEILING : { ...above, ...asked });

const getDepth = (asked: RequestedBounds, left: number): Pick<DelegationBounds, 'can_redelegate' | 'max_depth'> => {
  const can_redelegate = asked.can_redelegate ?? (asked.max_depth ?? 0) > 0;
  return { can_redelegate, max_depth: asked.max_depth ?? (can_redelegate ? Math.max(0, Math.min(1, left - 1)) : 0) };
};

/** Returns the bounds of a new delegation: as requested, and by default as much as the chain above leaves. */
export const inheritBounds = (chain: Chain | null, asked: RequestedBounds, exchange: RatesAtTime): DelegationBounds => {
  const above = chain === null ? UNBOUNDED : leftBy(chain, exchange);
  return {
    scope: { ...above.scope, ...asked.scope },
    ceiling: mergeCeiling(above.ceiling, asked.ceiling),
    expires_at: asked.expires_at === undefined ? above.expires_at : asked.expires_at,
    ...getDepth(asked, chain === null ? Number.POSITIVE_INFINITY : depthLeft(chain)),
  };
};

/** Returns a delegation after a change: omitted members stay. */
export const changedBounds = (current: DelegationBounds, asked: RequestedBounds): DelegationBounds => ({
  scope: { ...current.scope, ...asked.scope },
  ceiling: mergeCeiling(current.ceiling, asked.ceiling),
  expires_at: asked.expires_at === undefined ? current.expires_at : asked.expires_at,
  can_redelegate: asked.can_redelegate ?? current.can_redelegate,
  max_depth: asked.max_depth ?? current.max_depth,
});
