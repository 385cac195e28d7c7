import type { IncomingHttpHeaders } from 'node:http';
import { bodyBytesMaxOf, type Endpoint } from '@svc/contract/rows/endpoint.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { Soon } from '@svc/contract/rows/soon.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Budget } from '@svc/shared-state/rate-limiter.ts';
import type { ServeDeps } from '../calls/serve-deps.ts';
import { type Limit, rateLimited, takeFrom, type Who } from './rate-limit.ts';

/** As the request says before it comes; one that does not say counts as the largest that its row takes. */
const bytesToCome = (row: Endpoint, headers: IncomingHttpHeaders): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : bodyBytesMaxOf(row);

/** Undefined where nothing is counted: a small body, one of a stranger, and one that stops something. */
export const bytesLimitOf = (
  row: Endpoint,
  { rates }: Pick<ServeDeps, 'rates'>,
  { caller, agent, directory }: Who,
  headers: IncomingHttpHeaders,
): Limit | undefined => {
  const organizationId = (agent ?? caller ?? directory)?.organizationId;
  const bytes = bytesToCome(row, headers);
  if (bytes <= LIMITS.bodies.uncountedBytesMax || organizationId === undefined || row.emergency === true) return undefined;
  const key = `bytes-of-${agent === undefined ? 'people' : 'agents'}:${organizationId}`;
  return { key, limit: rates.organizationKibPerMinute, uses: Math.ceil(bytes / 1024), whose: 'bytes of an organization' };
};

/**
 * What an organization sends may have to be kept for years, so it is bounded by how much it is as well: by requests alone one could fill the disk
 * of all. Agents draw on a budget of their own, so that people can still change what those do; strangers have the budget of their address.
 */
export const takeBytes = (row: Endpoint, deps: ServeDeps, who: Who, headers: IncomingHttpHeaders): Soon<Refusal | undefined> => {
  const limit = bytesLimitOf(row, deps, who, headers);
  if (limit === undefined) return undefined;
  const tell = (budget: Budget): Refusal | undefined => {
    if (budget.allowed) return undefined;
    deps.watch?.refused('bytes');
    return rateLimited(budget, limit.whose);
  };
  const taken = takeFrom(deps, limit);
  return taken instanceof Promise ? taken.then(tell) : tell(taken);
};
