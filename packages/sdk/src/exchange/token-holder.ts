import type { Grant } from '../wire/read-answers.ts';
import { orAborted } from './deadline.ts';
import { withScheme } from './dpop-prover.ts';

/** A token is renewed when a minute of its life is left, or a tenth when its life is short. */
const RENEW_BEFORE_MS = 60_000;
const RENEW_BEFORE_SHARE = 0.1;

/** A renewal that failed is not tried again with each call. */
const RENEW_AGAIN_AFTER_MS = 5_000;

type Held = { readonly token: string; readonly expiresAtMs: number; renewAtMs: number };

export type TokenHolder = {
  /** A live token; waits only when there is none. */
  readonly take: (signal: AbortSignal) => Promise<string>;
  /** The live token, if there is one. */
  readonly current: () => string | undefined;
  /** Forgets a token that was refused, unless another has taken its place already. */
  readonly discard: (token: string) => void;
  /** Takes over a token that came by another way; `askedAtMs` is when it was asked for. */
  readonly adopt: (grant: Grant, askedAtMs: number) => void;
};

export type TokenSource = {
  readonly mint: () => Promise<Grant>;
  readonly nowMs: () => number;
  /** Learns of a renewal that failed while the old token was still good. */
  readonly onRenewalError: (error: unknown) => void;
};

/** Keeps one token alive. However many ask at once, one is minted; renewal goes on in the background while the old one serves. */
export const newTokenHolder = ({ mint, nowMs, onRenewalError }: TokenSource): TokenHolder => {
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
      if (!current) return (await orAborted(mintOnce(), signal)).token;
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
