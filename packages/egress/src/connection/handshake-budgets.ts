import { LIMITS } from '@svc/contract/tables/limits.ts';

const { unprovenMsMax, restPerUnprovenMs, keptPlacesMax } = LIMITS.egress;

/** CPU budget of each organization for the TLS handshakes of peers that have not authenticated yet. */
export type HandshakeBudgets = {
  /** Returns true if the organization exceeded its budget: reads from its unauthenticated peers are paused. */
  readonly owes: (tenant: string) => boolean;
  /** Starts counting the time that one peer uses until it has authenticated. */
  readonly open: (tenant: string) => HandshakeTimer;
};

export type HandshakeTimer = {
  readonly spend: (ms: number) => void;
  /** The peer authenticated: its time is not charged. */
  readonly proved: () => void;
  /** The connection was closed. Charges the time if the peer has not authenticated. */
  readonly left: () => void;
};

/**
 * Charges an organization `restPerUnprovenMs` times the time of failed handshakes, as a delay that decays with time. An allowance covers a
 * few expired certificates. A handshake that takes `unprovenMsMax` is charged while it runs. A normal one takes 2 to 3 ms.
 */
export const createHandshakeBudgets = (): HandshakeBudgets => {
  const until = new Map<string, number>();
  const owedMs = (tenant: string): number => Math.max(0, (until.get(tenant) ?? 0) - performance.now());
  const add = (tenant: string, ms: number): void => {
    if (until.size >= keptPlacesMax) for (const each of until.keys()) if (owedMs(each) === 0) until.delete(each);
    until.set(tenant, performance.now() + owedMs(tenant) + ms);
  };
  const open = (tenant: string): HandshakeTimer => {
    let [spentMs, charged, isProved] = [0, 0, false];
    const charge = (): void => {
      const more = spentMs * restPerUnprovenMs - charged;
      charged += more;
      if (more > 0) add(tenant, more);
    };
    return {
      spend: (ms) => {
        spentMs += ms;
        if (spentMs >= unprovenMsMax) charge();
      },
      proved: () => {
        isProved = true;
        if (charged > 0) add(tenant, -charged);
      },
      left: () => void (isProved || charge()),
    };
  };
  return { owes: (tenant) => owedMs(tenant) > unprovenMsMax * restPerUnprovenMs, open };
};
