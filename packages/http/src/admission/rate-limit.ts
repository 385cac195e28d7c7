import { type CountedBudget, isUncounted } from '@svc/contract/rows/budget.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { getAddressGroup } from '@svc/domain/people/auth/address-group.ts';
import type { Budget, Share } from '@svc/shared-state/rate-limiter.ts';
import { RateLimiterUnavailableError } from '@svc/shared-state/rate-limiter-unavailable-error.ts';
import type { AgentCaller, Caller, DirectoryCaller } from '../calls/call.ts';
import type { ServeDeps } from '../calls/serve-deps.ts';

const MINUTE_MS = 60_000;

/** Owner of a budget, named in a refusal: something that the caller has sent or shown. */
type Whose =
  | 'address'
  | 'guesses of an address'
  | 'mails of an address'
  | 'paths of an address'
  | 'questions for health of an address'
  | 'session'
  | 'caller'
  | 'emergencies of a caller'
  | 'agent'
  | 'directory'
  | 'bytes';

export type Limit = Share & {
  readonly whose: Whose;
  readonly whole?: Share;
  /** Counted by this process: always, or while the shared store does not respond. Omitted for the shared store only. */
  readonly counted?: 'here' | 'here_if_away';
};

/** Authenticated caller of a request, if any. */
export type Who = { readonly caller?: Caller; readonly agent?: AgentCaller; readonly directory?: DirectoryCaller };

type Counted = (row: Endpoint, rates: ServeDeps['rates'], who: Who, sourceIp: string) => Limit | undefined;

/** Returns the authenticated owner of a budget; a request without one is not served. */
const recognised = <Known>(known: Known | undefined): Known => {
  if (known === undefined) throw new Error('a request is counted for an unauthenticated caller');
  return known;
};

/** Guesses are counted by their source: by address at sign-in, by session at step-up. Accounts have a separate lockout. */
const ofGuesses: Counted = (_row, { loginPerMinute }, { caller }, sourceIp) =>
  caller
    ? { key: `step-up:${caller.credentialId}`, limit: loginPerMinute, whose: 'session' }
    : { key: `login:${getAddressGroup(sourceIp)}`, limit: loginPerMinute, whose: 'guesses of an address', unproven: true };

/** Counted by caller, so that more sessions give no more budget, and also by organization, so that more keys do not either. */
const ofCaller: Counted = (_row, rates, who) => {
  const { organizationId, actor } = recognised(who.caller);
  const whole = { key: `control-of:${organizationId}`, limit: rates.organizationPerMinute };
  return { key: `control:${organizationId}:${actor.id}`, limit: rates.controlPlanePerMinute, whose: 'caller', whole };
};

/**
 * Rate limit of emergencies: as high as for all other requests of the caller, but a separate budget; the organization's use delays no one.
 */
const ofEmergency: Counted = (_row, rates, who) => {
  const { organizationId, actor } = recognised(who.caller);
  return {
    key: `emergency:${organizationId}:${actor.id}`,
    limit: rates.controlPlanePerMinute,
    whose: 'emergencies of a caller',
    counted: 'here',
  };
};

const ofNewcomer: Counted = (_row, rates, _who, sourceIp) => ({
  key: `signup:${getAddressGroup(sourceIp)}`,
  limit: rates.controlPlanePerMinute,
  whose: 'address',
  unproven: true,
});

/** A sixth of the sign-ins, so that no address makes the service mail many people. */
const countMails: Counted = (_row, { loginPerMinute }, _who, sourceIp) => ({
  key: `mail:${getAddressGroup(sourceIp)}`,
  limit: Math.ceil(loginPerMinute / 6),
  whose: 'mails of an address',
  unproven: true,
});

/** Counted by this process while the shared store is unavailable. */
const orHere =
  (counted: Counted): Counted =>
  (...asked) => {
    const limit = counted(...asked);
    return limit && { ...limit, counted: 'here_if_away' };
  };

const ofAgent: Counted = (_row, rates, who) => {
  const { agentId, organizationId } = recognised(who.agent);
  const whole = { key: `agents-of:${organizationId}`, limit: rates.organizationActionsPerMinute };
  return { key: `agent:${agentId}`, limit: rates.gatewayActionsPerMinute, whose: 'agent', whole };
};

const ofDirectory: Counted = (_row, rates, who) => {
  const { organizationId } = recognised(who.directory);
  const whole = { key: `control-of:${organizationId}`, limit: rates.organizationPerMinute };
  return { key: `directory:${organizationId}`, limit: rates.controlPlanePerMinute, whose: 'directory', whole };
};

const COUNTED: Readonly<Record<CountedBudget, Counted>> = {
  caller: ofCaller,
  emergency: ofEmergency,
  agent: ofAgent,
  directory: ofDirectory,
  guess: ofGuesses,
  sign_in: orHere(ofGuesses),
  mail: countMails,
  newcomer: ofNewcomer,
  sign_in_start: orHere(ofNewcomer),
  // Charged by the handler, once the owner is known.
  assertion: () => undefined,
  // Charged to every caller without a credential, before the row.
  address: () => undefined,
};

/** Returns the charge of a request and its budget, by its row. */
export const getLimit = (row: Endpoint, { rates }: Pick<ServeDeps, 'rates'>, who: Who, sourceIp: string): Limit | undefined =>
  isUncounted(row.budget) ? undefined : COUNTED[row.budget](row, rates, who, sourceIp);

export const buildBudgetHeaders = (budget: Budget): Readonly<Record<string, string>> => ({
  'ratelimit-limit': String(budget.limit),
  'ratelimit-remaining': String(budget.remaining),
  'ratelimit-reset': String(budget.resetSeconds),
});

/** Charges a use. A process counts for itself only if otherwise no one could stop anything. */
export const chargeBudget = ({ rateLimiter, processRateLimiter = rateLimiter }: ServeDeps, limit: Limit): Budget | Promise<Budget> => {
  const takeHere = () => processRateLimiter.take(limit, MINUTE_MS, limit.whole);
  if (limit.counted === 'here') return takeHere();
  const taken = rateLimiter.take(limit, MINUTE_MS, limit.whole);
  if (limit.counted === undefined || !(taken instanceof Promise)) return taken;
  return taken.catch((error: unknown) => {
    if (error instanceof RateLimiterUnavailableError) return takeHere();
    throw error;
  });
};

const USED_UP: Readonly<Record<Whose, string>> = {
  address: 'Too many requests from this IP address in the last minute. Wait and try again.',
  'guesses of an address': 'Too many passwords and codes were tried from this IP address. Wait a minute and try again.',
  'mails of an address': 'Too many mails with a code were requested from this IP address. Wait a minute and try again.',
  'paths of an address': 'Too many requests from this IP address were for paths that do not exist. Wait a minute and try again.',
  'questions for health of an address': 'Too many health checks from this IP address. Wait and try again.',
  session: 'This session has tried too many passwords and codes in the last minute. Wait and try again.',
  caller: 'You have made too many requests in the last minute. Wait and try again.',
  'emergencies of a caller': 'You have used the emergency stop too often in the last minute. Wait and try again.',
  agent: 'This agent has made too many requests in the last minute. Wait and try again.',
  directory: 'The directory has made too many requests in the last minute. Wait and try again.',
  bytes: 'You have sent too much data in the last minute, in bodies larger than 4 KiB and new versions. Wait and try again.',
};
const OF_ORGANIZATION = 'Your organization has made too many requests in the last minute. Wait and try again.';
const BYTES_OF_ORGANIZATION =
  'Your organization has sent too much data in the last minute, in bodies larger than 4 KiB and new versions. Wait and try again.';

const saidOf = ({ isWhole }: Budget, whose: Whose): string => {
  if (!isWhole) return USED_UP[whose];
  return whose === 'bytes' ? BYTES_OF_ORGANIZATION : OF_ORGANIZATION;
};

/** Refuses with the budget that is used up. */
export const refuseRateLimited = (budget: Budget, whose: Whose): Refusal<'RATE_LIMITED'> =>
  buildRefusal('RATE_LIMITED', saidOf(budget, whose), { retry_after_seconds: Math.max(1, budget.resetSeconds) });
