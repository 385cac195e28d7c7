import type { Grant } from '../wire/read-answers.ts';
import { raceAbort } from './deadline.ts';
import { withScheme } from './dpop-prover.ts';

/** Remaining lifetime at which a token is renewed: a minute, or a tenth of a short lifetime. */
const RENEW_BEFORE_MS = 60_000;
const RENEW_BEFORE_SHARE = 0.1;

/** Minimum interval between failed renewals. */
const RENEW_AGAIN_AFTER_MS = 5_000;

type Held = { readonly token: string; readonly expiresAtMs: number; renewAtMs: number };

export type TokenHolder = {
  /** Returns a valid token; waits only if there is none. */
  readonly take: (signal: AbortSignal) => Promise<string>;
  /** Returns the valid token, if there is one. */
  readonly current: () => string | undefined;
  /** Drops a refused token, unless another one has already replaced it. */
  readonly discard: (token: string) => void;
  /** Adopts a token that was obtained another way; `askedAtMs` is the time of its request. */
  readonly adopt: (grant: Grant, askedAtMs: number) => void;
};

export type TokenMinting = {
  readonly mint: () => Promise<Grant>;
  readonly nowMs: () => number;
  /** Receives a renewal that failed while the old token was still valid. */
  readonly onRenewalError: (error: unknown) => void;
};

/** Keeps one token valid. Concurrent callers share one request; renewal runs in the background while the old token is used. */
export const createTokenCache = ({ mint, nowMs, onRenewalError }: TokenMinting): TokenHolder => {
  let held: Held | undefined;
  let minting: Promise<Held> | undefined;

  const hold = ({ expires_in, ...grant }: Grant, askedAtMs: number): Held => {
    const token = withScheme(grant);
    const lifeMs = expires_in * 1000;
    const expiresAtMs = askedAtMs + lifeMs;
    held = { token, expiresAtMs, renewAtMs: expiresAtMs - Math.min(RENEW_BEFORE_MS, lifeMs * RENEW_BEFORE_SHARE) };
    return held;
  };
  const mintAndHold = async (): Promise<Held> => {
    const askedAtMs = nowMs();
    return hold(await mint(), askedAtMs);
  };
  const mintOnce = (): Promise<Held> => {
    minting ??= mintAndHold().finally(() => {
      minting = undefined;
    });
    return minting;
  };
  const live = (): Held | undefined => (held && nowMs() < held.expiresAtMs ? held : undefined);
  const renewEarly = (current: Held): void => {
    if (minting || nowMs() < current.renewAtMs) return;
    current.renewAtMs = nowMs() + RENEW_AGAIN_AFTER_MS;
    mintOnce().then(undefined, onRenewalError);
  };

  return {
    take: async (signal) => {
      const current = live();
      if (!current) return (await raceAbort(mintOnce(), signal)).token;
      renewEarly(current);
      return current.token;
    },
    current: () => live()?.token,
    discard: (token) => {
      if (held?.token === token) held = undefined;
    },
    adopt: (grant, askedAtMs) => {
      hold(grant, askedAtMs);
    },
  };
};
