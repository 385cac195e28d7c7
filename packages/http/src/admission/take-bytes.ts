import type { IncomingHttpHeaders } from 'node:http';
import { bodyBytesMaxOf, type Endpoint } from '@svc/contract/rows/endpoint.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { Soon } from '@svc/contract/rows/soon.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Budget } from '@svc/shared-state/rate-limiter.ts';
import type { ServeDeps } from '../calls/serve-deps.ts';
import { type Limit, rateLimited, takeFrom, type Who } from './rate-limit.ts';

/**
 * As the request says before it comes. One that does not say counts as the largest that its row takes; what says that it is larger is refused
 * unread, and so takes nothing.
 */
const bytesToCome = (row: Endpoint, headers: IncomingHttpHeaders): number => {
  const most = bodyBytesMaxOf(row);
  const said = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : most;
  if (!(said <= most)) return 0;
  return row.keepsWhole === true ? most : said;
};

/** One of many may send half of what all may, and the largest document all the same. */
const ownPart = (limit: number): number =>
  Math.min(limit, Math.max(Math.ceil(limit / 2), Math.ceil(LIMITS.toolImports.documentBytesMax / 1024)));

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
  const uses = Math.ceil(bytes / 1024);
  const limit = rates.organizationKibPerMinute;
  const one = agent?.agentId ?? caller?.actor.id ?? 'directory';
  const whole = { key: `bytes-of-${agent === undefined ? 'people' : 'agents'}:${organizationId}`, limit, uses };
  return { key: `bytes:${organizationId}:${one}`, limit: ownPart(limit), uses, whose: 'bytes', whole };
};

/**
 * What an organization sends may have to be kept for years, so it is bounded by how much it is as well: by requests alone one could fill the disk
 * of all. Agents draw on a budget of their own, so that people can still change what those do, and one of either leaves the others half; strangers
 * have the budget of their address. Asked last, since what is refused for another reason is never read.
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
