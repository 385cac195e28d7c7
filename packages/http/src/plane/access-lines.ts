import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getAddressGroup } from '@svc/domain/people/auth/address-group.ts';
import { newMemoryRateLimiter } from '@svc/shared-state/memory-rate-limiter.ts';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

const MINUTE_MS = 60_000;
const REFUSED = 400;
const TOO_MANY = 429;

/** Decides which answered requests get a log line. */
export type AccessLines = {
  /** Returns the function that writes the line of this request; undefined if it gets none. */
  readonly logOf: (request: FastifyRequest, status: number) => ((line: object) => void) | undefined;
  /** The same for bytes that are no request. */
  readonly logOfStranger: (address: string) => ((line: object) => void) | undefined;
};

/** True for an authenticated caller, whose budgets bound the number of lines. */
const isOfSomebody = ({ recognised }: FastifyRequest, status: number): boolean => status !== TOO_MANY && recognised !== null;

/**
 * Bounds the log, so that unauthenticated clients cannot rotate the rest of it away: an address gets a number of lines per minute for
 * refused requests, and the omitted ones are reported once a minute. Successful health checks are logged at level `debug`.
 */
export const newAccessLines = (log: Logger): AccessLines => {
  const limiter = newMemoryRateLimiter();
  let leftOut = 0;
  const tellLeftOut = (): void => {
    log.warn(
      { left_out: leftOut },
      `${leftOut} log lines about refused requests were omitted: too many from one IP address within a minute.`,
    );
    leftOut = 0;
  };
  const leaveOut = (): undefined => {
    if (leftOut === 0) setTimeout(tellLeftOut, MINUTE_MS).unref();
    leftOut += 1;
  };
  const atInfo = (line: object): void => log.info(line);
  const atDebug = (line: object): void => log.debug(line);
  const logOfStranger: AccessLines['logOfStranger'] = (address) => {
    const own = { key: getAddressGroup(address), limit: LIMITS.log.refusalLinesPerMinute };
    return limiter.take(own, MINUTE_MS).allowed ? atInfo : leaveOut();
  };
  return {
    logOf: (request, status) => {
      if (status < REFUSED) return request.routeOptions.config.isUncounted ? atDebug : atInfo;
      return isOfSomebody(request, status) ? atInfo : logOfStranger(request.ip);
    },
    logOfStranger,
  };
};
