import { type Deadline, raceAbort, withDeadline } from '../exchange/deadline.ts';
import { exchange, type GatewayTransport } from '../exchange/exchange.ts';
import { isObject, isText } from '../wire/read-members.ts';
import { PATHS } from '../wire/wire-format.ts';

const CACHED_MS = 300_000;

type PlatformKey = { readonly audience: string };

const isPlatformKey = (json: unknown): json is PlatformKey => isObject(json) && isText(json.audience);

/** The audience to sign for, exactly as the gateway states it. */
export type Audience = {
  readonly read: (deadline: Deadline) => Promise<string>;
  /** Reads it again after `refused` was not accepted; true if it has changed. */
  readonly hasMoved: (refused: string, deadline: Deadline) => Promise<boolean>;
};

/** A configured audience is never requested. */
export const createFixedAudience = (audience: string): Audience => ({ read: async () => audience, hasMoved: async () => false });

/** Reads the published audience and caches it for five minutes; concurrent callers share one request. A failure is not retried here. */
export const createPublishedAudience = (transport: GatewayTransport, timeoutMs: number, nowMs: () => number): Audience => {
  let kept: { readonly audience: string; readonly untilMs: number } | undefined;
  let reading: Promise<string> | undefined;
  const fetchIt = async (): Promise<string> => {
    const { audience } = await withDeadline(timeoutMs, undefined, (deadline) =>
      exchange(transport, { method: 'GET', path: PATHS.platformKey }, isPlatformKey, deadline.signal),
    );
    kept = { audience, untilMs: nowMs() + CACHED_MS };
    return audience;
  };
  const readOnce = (deadline: Deadline): Promise<string> => {
    reading ??= fetchIt().finally(() => {
      reading = undefined;
    });
    return raceAbort(reading, deadline.signal);
  };
  return {
    read: async (deadline) => (kept && nowMs() < kept.untilMs ? kept.audience : readOnce(deadline)),
    hasMoved: async (refused, deadline) => (await readOnce(deadline)) !== refused,
  };
};
