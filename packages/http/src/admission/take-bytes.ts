import type { IncomingHttpHeaders } from 'node:http';
import { type Endpoint, getBodyBytesMax } from '@svc/contract/rows/endpoint.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { MaybePromise } from '@svc/contract/rows/soon.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { RateLimitState } from '@svc/shared-state/rate-limiter.ts';
import type { ServeDeps } from '../calls/serve-deps.ts';
import { chargeBudget, type RequestLimit, type RequestPrincipals, refuseRateLimited } from './rate-limit.ts';

/**
 * Returns the announced bytes of a body. Without an announcement it counts as the largest that its row accepts; a larger one is refused
 * unread, and so charged nothing.
 */
const bytesToCome = (row: Endpoint, headers: IncomingHttpHeaders): number => {
  const most = getBodyBytesMax(row);
  const said = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : most;
  if (!(said <= most)) return 0;
  return row.keepsWhole === true ? most : said;
};

/** Limit of one caller: half of the organization's, and at least the largest document. */
const ownPart = (limit: number): number =>
  Math.min(limit, Math.max(Math.ceil(limit / 2), Math.ceil(LIMITS.toolImports.documentBytesMax / 1024)));

/** Undefined if nothing is counted: a small body, one without authentication, and one that stops something. */
export const getBytesLimit = (
  row: Endpoint,
  { rates }: Pick<ServeDeps, 'rates'>,
  { caller, agent, directory }: RequestPrincipals,
  headers: IncomingHttpHeaders,
): RequestLimit | undefined => {
  const organizationId = (agent ?? caller ?? directory)?.organizationId;
  const bytes = bytesToCome(row, headers);
  if (bytes <= LIMITS.bodies.uncountedBytesMax || organizationId === undefined || row.emergency === true) return undefined;
  const uses = Math.ceil(bytes / 1024);
  const limit = rates.organizationKibPerMinute;
  const one = agent?.agentId ?? caller?.actor.id ?? 'directory';
  const whole = { key: `bytes-of-${agent === undefined ? 'people' : 'agents'}:${organizationId}`, limit, uses };
  return { key: `bytes:${organizationId}:${one}`, limit: ownPart(limit), uses, whose: 'bytes', whole };
};

/**
 * Charges the bytes of a body. They may be stored for years, so they are limited per organization: with a limit on requests alone one
 * organization could fill the disk of all. Agents have a separate budget, so that people can still control them, and one caller leaves the
 * others half; unauthenticated clients have the budget of their address. Checked last, since a body refused for another reason is never
 * read.
 */
export const takeBytes = (
  row: Endpoint,
  deps: ServeDeps,
  who: RequestPrincipals,
  headers: IncomingHttpHeaders,
): MaybePromise<Refusal | undefined> => {
  const limit = getBytesLimit(row, deps, who, headers);
  if (limit === undefined) return undefined;
  const tell = (budget: RateLimitState): Refusal | undefined => {
    if (budget.allowed) return undefined;
    deps.watch?.refused('bytes');
    return refuseRateLimited(budget, limit.whose);
  };
  const taken = chargeBudget(deps, limit);
  return taken instanceof Promise ? taken.then(tell) : tell(taken);
};
