import { type FairQueue, newFairQueue } from '../queue/fair-queue.ts';

/** The slots of one holder. */
type Line = { readonly holder: string; deciding: number; calling: number };

type Waiting = { readonly line: Line; readonly dueAt: number; readonly settle: (ticket: Ticket | Full) => void };

/** The reason for a refusal: the holder has more than its share, or all slots are taken. */
export type Full = 'holder' | 'everybody';

export type Ticket = {
  /** Frees the slot for a decision while the call waits for a downstream, which costs no time here. */
  readonly beginCall: () => void;
  readonly leave: () => void;
};

export type PlaceSemaphoreBounds = {
  readonly decidingMax: number;
  readonly callingMax: number;
  readonly waitingMax: number;
  readonly waitingPerOrganizationMax: number;
  readonly waitMs: number;
};

export type PlaceSemaphore = {
  readonly enter: (holder: string) => Ticket | Full | Promise<Ticket | Full>;
  /** Counts the calls that hold a slot for a decision, wait for a downstream, and wait for a slot. */
  readonly counts: () => { readonly deciding: number; readonly calling: number; readonly waiting: number };
};

/** Beyond this many, lines of idle holders are dropped. */
const RESTING_MAX = 1_000;
const LOOK_EVERY_MS = 50;

type State = {
  readonly bounds: PlaceSemaphoreBounds;
  readonly lines: Map<string, Line>;
  readonly queue: FairQueue<Waiting>;
  deciding: number;
  calling: number;
  /** Holders with work in progress or waiting. */
  active: number;
  timer: NodeJS.Timeout | undefined;
};

const isResting = ({ queue }: State, { deciding, calling, holder }: Line): boolean => deciding + calling + queue.sizeOf(holder) === 0;

/** One share is always left for a newcomer. */
const computeShare = (places: number, { active }: State): number => Math.max(1, Math.floor(places / (active + 1)));

const newTicket = (state: State, line: Line): Ticket => {
  let stands: 'deciding' | 'calling' | 'over' = 'deciding';
  line.deciding += 1;
  state.deciding += 1;
  const stopDeciding = (): void => {
    line.deciding -= 1;
    state.deciding -= 1;
  };
  return {
    beginCall: () => {
      if (stands !== 'deciding') return;
      stands = 'calling';
      line.calling += 1;
      state.calling += 1;
      stopDeciding();
      passOn(state);
    },
    leave: () => {
      if (stands === 'over') return;
      if (stands === 'deciding') stopDeciding();
      else {
        line.calling -= 1;
        state.calling -= 1;
      }
      stands = 'over';
      if (isResting(state, line)) rest(state, line);
      passOn(state);
    },
  };
};

const rest = (state: State, line: Line): void => {
  state.active -= 1;
  if (state.lines.size > RESTING_MAX) state.lines.delete(line.holder);
};

/** Up to half of the slots are for any holder; of the other half a holder gets at most a share. */
const isFree = (taken: number, own: number, places: number, state: State): boolean =>
  taken < places && (taken < places / 2 || own < computeShare(places, state));

const hasPlace = (state: State, line: Line): boolean => isFree(state.deciding, line.deciding, state.bounds.decidingMax, state);

const passOn = (state: State): void => {
  const { queue, lines } = state;
  if (queue.size() === 0) return;
  const mayGo = (holder: string): boolean => {
    const line = lines.get(holder);
    return line !== undefined && hasPlace(state, line);
  };
  for (let next = queue.next(mayGo); next !== undefined; next = queue.next(mayGo)) next.settle(newTicket(state, next.line));
};

/** Refuses those who waited too long; within a line the newer ones are behind them. */
const sendAway = (state: State): void => {
  const now = performance.now();
  for (const { line, settle } of state.queue.takeLate(({ dueAt }) => dueAt <= now)) {
    settle(hasPlace(state, line) ? 'everybody' : 'holder');
    if (isResting(state, line)) rest(state, line);
  }
  if (state.queue.size() > 0) return;
  clearInterval(state.timer);
  state.timer = undefined;
};

const wait = (state: State, line: Line): Promise<Ticket | Full> | Full => {
  const { bounds, queue } = state;
  if (queue.sizeOf(line.holder) >= bounds.waitingPerOrganizationMax) return 'holder';
  if (queue.size() >= bounds.waitingMax) return 'everybody';
  state.timer ??= setInterval(() => sendAway(state), LOOK_EVERY_MS).unref();
  return new Promise((settle) => queue.push(line.holder, { line, dueAt: performance.now() + bounds.waitMs, settle }));
};

const getLine = (state: State, holder: string): Line => {
  const known = state.lines.get(holder);
  if (known !== undefined) return known;
  const line: Line = { holder, deciding: 0, calling: 0 };
  state.lines.set(holder, line);
  return line;
};

/**
 * A counting semaphore that is fair between holders: each has at most its share of the slots, and waiting holders take turns. A slot is
 * acquired before any work; a call that waits longer than `waitMs` is refused. Costs a fraction of a microsecond while slots are free.
 */
export const newPlaceSemaphore = (bounds: PlaceSemaphoreBounds): PlaceSemaphore => {
  const state: State = { bounds, lines: new Map(), queue: newFairQueue(), deciding: 0, calling: 0, active: 0, timer: undefined };
  return {
    enter: (holder) => {
      const line = getLine(state, holder);
      if (!isFree(state.calling, line.calling, bounds.callingMax, state)) return 'holder';
      const wasResting = isResting(state, line);
      if (wasResting) state.active += 1;
      if (state.queue.sizeOf(holder) === 0 && hasPlace(state, line)) return newTicket(state, line);
      const queued = wait(state, line);
      if (wasResting && !(queued instanceof Promise)) rest(state, line);
      return queued;
    },
    counts: () => ({ deciding: state.deciding, calling: state.calling, waiting: state.queue.size() }),
  };
};
