import { type ExpensiveHolders, QUANTUM_MS, SHARED_QUANTUM_MS, STRANGERS } from './expensive-tenants.ts';

/** How long two holders count as competing after both sent a request. */
const SHARED_MS = 250;

/** Tracks if several holders compete: a single holder delays no one. Unauthenticated clients never shorten the quantum. */
const newSharing = () => {
  let last: string | undefined;
  let sharedUntil = 0;
  return {
    note: (holder: string, now: number): void => {
      if (holder === STRANGERS) return;
      if (last !== undefined && holder !== last) sharedUntil = now + SHARED_MS;
      last = holder;
    },
    isShared: (now: number): boolean => now < sharedUntil,
  };
};

/** Measures the time used of one tick's quantum while work runs, and records it for its holder. */
export const newQuantum = (note: ExpensiveHolders['note']) => {
  let spentMs = 0;
  const sharing = newSharing();
  return {
    ask: sharing.note,
    isLeft: (now: number): boolean => spentMs < (sharing.isShared(now) ? SHARED_QUANTUM_MS : QUANTUM_MS),
    /** Starts a new tick; returns true if several holders share it. */
    renew: (now: number): boolean => {
      spentMs = 0;
      return sharing.isShared(now);
    },
    /** Starts the work; what it does after its first wait is not measured. */
    measure: <Value>(holder: string, work: () => Promise<Value>): Promise<Value> => {
      const began = performance.now();
      const working = work();
      const ended = performance.now();
      spentMs += ended - began;
      note(holder, ended - began, ended);
      return working;
    },
  };
};
