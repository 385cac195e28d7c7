import { type DearHolders, QUANTUM_MS, SHARED_QUANTUM_MS, STRANGERS } from './dear-holders.ts';

/** So long after two holders asked for something one of them is still held to be waiting for the other. */
const SHARED_MS = 250;

/** Whether several holders ask for something: what is one holder's alone keeps nobody waiting. Strangers make nobody's time less. */
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

/** What one turn of the event loop may take, and what of it is used up: measured as work runs, and noted for its holder. */
export const newQuantum = (note: DearHolders['note']) => {
  let spentMs = 0;
  const sharing = newSharing();
  return {
    ask: sharing.note,
    isLeft: (now: number): boolean => spentMs < (sharing.isShared(now) ? SHARED_QUANTUM_MS : QUANTUM_MS),
    /** For a new turn of the event loop; answers whether several share it. */
    renew: (now: number): boolean => {
      spentMs = 0;
      return sharing.isShared(now);
    },
    /** Begins the work; what it does once it has waited for something is not measured. */
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
