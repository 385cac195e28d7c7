import { LIMITS } from '@svc/contract/tables/limits.ts';

const { unprovenMsMax, restPerUnprovenMs, keptPlacesMax } = LIMITS.egress;

/** Debts of organizations for the decision-thread time used by peers that did not prove their identity. */
export type ProofDebts = {
  /** Returns true if no more is read from unproved peers of this organization. */
  readonly owes: (tenant: string) => boolean;
  /** Starts counting the time that one peer uses until it is proved. */
  readonly open: (tenant: string) => ProofTab;
};

export type ProofTab = {
  readonly spend: (ms: number) => void;
  /** The peer proved its identity: no debt remains. */
  readonly proved: () => void;
  /** The connection is closed, proved or not. */
  readonly left: () => void;
};

/**
 * A proof takes two or three milliseconds. An organization waits a multiple of the time used by failed proofs, beyond what a few expired
 * certificates take; for one that takes long, from then on, however it ends.
 */
export const newProofDebts = (): ProofDebts => {
  const until = new Map<string, number>();
  const owedMs = (tenant: string): number => Math.max(0, (until.get(tenant) ?? 0) - performance.now());
  const add = (tenant: string, ms: number): void => {
    if (until.size >= keptPlacesMax) for (const each of until.keys()) if (owedMs(each) === 0) until.delete(each);
    until.set(tenant, performance.now() + owedMs(tenant) + ms);
  };
  const open = (tenant: string): ProofTab => {
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
