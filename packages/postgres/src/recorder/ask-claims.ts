import type { Claim, LostClaim } from '@svc/enforcement/facts/claims.ts';
import type { ActionRecord } from '@svc/enforcement/ports/ports.ts';

/** A decision and what it claims. */
export type Claiming = { readonly action: ActionRecord; readonly claims: readonly Claim[] };

/** A row of svc_take_claims. `n` counts the decisions from 1. */
export type ClaimRow = {
  readonly n: number;
  readonly outcome: 'taken' | 'moved' | 'key_used' | 'lost';
  readonly claim: number | null;
  readonly frees_at: string | null;
  /** Numeric, so text. */
  readonly frees_in_seconds: string | null;
};

type Part = {
  readonly counter: string;
  readonly claim: Claim;
  readonly bound: LostClaim['bound'];
  readonly amount: number;
  readonly max: number;
};

/** The key under which the calls of a counter are stored. */
export const callsCounter = (counter: string): string => `${counter}#calls`;
/** And its amounts of one currency. */
export const amountCounter = (counter: string, currency: string | null): string => `${counter}#${currency}`;

/**
 * Calls and amounts are counted separately, and amounts per currency. The same counter twice in one decision counts once, with the smaller
 * bound.
 */
const listParts = (claims: readonly Claim[]): Part[] => {
  const parts = claims.flatMap((claim): Part[] => {
    const { counter, max_calls, max_amount, currency, amount } = claim;
    return [
      ...(max_calls === null ? [] : [{ counter: callsCounter(counter), claim, bound: 'max_calls' as const, amount: 1, max: max_calls }]),
      ...(max_amount === null
        ? []
        : [{ counter: amountCounter(counter, currency), claim, bound: 'max_amount' as const, amount, max: max_amount }]),
    ];
  });
  const strictest = parts.toSorted((one, other) => other.max - one.max);
  return [...new Map(strictest.map((part) => [part.counter, part])).values()];
};

const byText = (one: readonly string[], other: readonly string[]): number => {
  const [left, right] = [one.join(' '), other.join(' ')];
  return left === right ? 0 : left < right ? -1 : 1;
};

/** Returns the argument of svc_give_back_claims as JSON: the counters of these claims, in the order in which all callers lock them. */
export const buildGiveBack = (claims: readonly Claim[]): string => {
  const parts = listParts(claims).toSorted((one, other) => byText([one.counter], [other.counter]));
  return JSON.stringify(parts.map(({ counter, claim, amount }) => ({ counter, amount, is_windowed: claim.window_seconds !== null })));
};

/** The argument of svc_take_claims as JSON, and how its rows are read. */
export type ClaimsStatement = { readonly json: string; readonly lostOf: (row: ClaimRow) => LostClaim };

type Asked = { readonly organization_id: string; readonly claims: readonly Claim[]; readonly fence: object };

const askAll = (take: boolean, decisions: readonly Asked[]): ClaimsStatement => {
  const parts = decisions.map(({ claims }) => listParts(claims));
  const named = decisions.flatMap(({ organization_id }, index) => (parts[index] ?? []).map(({ counter }) => [organization_id, counter]));
  // One global lock order, so that two decisions never deadlock.
  const counters = [...new Map(named.map((name) => [name.join(' '), name])).values()].sort(byText);
  const places = new Map(counters.map((name, index) => [name.join(' '), index + 1]));
  const json = JSON.stringify({
    take,
    counters,
    decisions: decisions.map(({ organization_id, fence }, index) => ({
      organization_id,
      ...fence,
      claims: (parts[index] ?? []).map(({ counter, claim, amount, max }, place) => ({
        counter: places.get(`${organization_id} ${counter}`),
        claim: place,
        amount,
        max,
        window_seconds: claim.window_seconds,
      })),
    })),
  });
  const lostOf = ({ n, claim: place, frees_at, frees_in_seconds }: ClaimRow): LostClaim => {
    const part = parts[n - 1]?.[place ?? -1];
    if (!part) throw new Error('a claim that does not exist was lost');
    return {
      claim: part.claim,
      bound: part.bound,
      frees_at,
      retry_after_seconds: frees_in_seconds === null ? null : Math.max(1, Math.ceil(Number(frees_in_seconds))),
    };
  };
  return { json, lostOf };
};

/** Takes the claims of each decision, if its state is still current and its key is new. */
export const askToTake = (records: readonly Claiming[], keyed: 'keyed' | 'key_is_known' = 'keyed'): ClaimsStatement =>
  askAll(
    true,
    records.map(({ action: a, claims }) => ({
      organization_id: a.organization_id,
      claims,
      fence: {
        action_id: a.id,
        workspace_id: a.workspace_id,
        environment_id: a.environment_id,
        agent_id: a.agent_id,
        environment_epoch: a.environment_epoch,
        agent_epoch: a.agent_epoch,
        principal_id: a.principal_id,
        idempotency_key: keyed === 'keyed' ? a.idempotency_key : null,
      },
    })),
  );

/** Checks if one decision's claims would fit, and takes nothing. */
export const askToLook = (organizationId: string, claims: readonly Claim[]): ClaimsStatement =>
  askAll(false, [{ organization_id: organizationId, claims, fence: {} }]);
