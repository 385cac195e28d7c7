import { LIMITS } from '@svc/contract/tables/limits.ts';
import { addressGroup } from '@svc/domain/people/auth/address-group.ts';
import { newMemoryRateLimiter } from '@svc/shared-state/memory-rate-limiter.ts';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

const MINUTE_MS = 60_000;
const REFUSED = 400;
const TOO_MANY = 429;

/** Which answered requests leave a line in the log. */
export type AccessLines = {
  /** Writes the line of this request; undefined where it leaves none. */
  readonly logOf: (request: FastifyRequest, status: number) => ((line: object) => void) | undefined;
  /** The same of what was no request. */
  readonly logOfStranger: (address: string) => ((line: object) => void) | undefined;
};

/** Of somebody who was recognised, and whose budgets bound how many there are. */
const isOfSomebody = ({ recognised }: FastifyRequest, status: number): boolean => status !== TOO_MANY && recognised !== null;

/**
 * So that no stranger makes a log so long that the rest of it is moved away: an address gets so many lines a minute for what was refused of it, and
 * how many were left out is told once a minute. Questions for health that were answered are told at level `debug`.
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
    const own = { key: addressGroup(address), limit: LIMITS.log.refusalLinesPerMinute };
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
