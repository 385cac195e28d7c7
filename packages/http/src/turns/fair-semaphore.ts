/** Where a request stands: it waits, decides, waits for a downstream, or is over. */
type Line = {
  readonly holder: string;
  deciding: number;
  calling: number;
  /** First come, first served among the requests of one holder. */
  readonly waiting: Set<Waiting>;
};

type Waiting = { readonly dueAt: number; readonly settle: (ticket: Ticket | Full) => void };

/** Nobody can be let in: the holder has more than its share, or all places of everybody are taken. */
export type Full = 'holder' | 'everybody';

export type Ticket = {
  /** Passes the place on: what follows waits for somebody else's answer and costs no time here. */
  readonly beginCall: () => void;
  readonly leave: () => void;
};

export type SemaphoreBounds = {
  readonly decidingMax: number;
  readonly callingMax: number;
  readonly waitingMax: number;
  readonly waitingPerOrganizationMax: number;
  readonly waitMs: number;
};

export type FairSemaphore = {
  readonly enter: (holder: string) => Ticket | Full | Promise<Ticket | Full>;
  /** How many hold a place for being decided, wait for a downstream, and wait for a place. */
  readonly counts: () => { readonly deciding: number; readonly calling: number; readonly waiting: number };
};

/** Lines of holders that rest are forgotten beyond this many. */
const RESTING_MAX = 1_000;
const LOOK_EVERY_MS = 50;

type State = {
  readonly bounds: SemaphoreBounds;
  readonly lines: Map<string, Line>;
  /** Holders whose requests wait, in the order of their turns. */
  readonly turns: Set<Line>;
  deciding: number;
  calling: number;
  waiting: number;
  /** Holders with anything under way or waiting. */
  active: number;
  timer: NodeJS.Timeout | undefined;
};

const isResting = (line: Line): boolean => line.deciding + line.calling + line.waiting.size === 0;

/** One share is always left for whoever comes next. */
const shareOf = (places: number, { active }: State): number => Math.max(1, Math.floor(places / (active + 1)));

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
      if (isResting(line)) rest(state, line);
      passOn(state);
    },
  };
};

const rest = (state: State, line: Line): void => {
  state.active -= 1;
  if (state.lines.size > RESTING_MAX) state.lines.delete(line.holder);
};

/** Up to half of the places are for whoever needs them; of the rest nobody gets more than a share. */
const isFree = (taken: number, own: number, places: number, state: State): boolean =>
  taken < places && (taken < places / 2 || own < shareOf(places, state));

const hasPlace = (state: State, line: Line): boolean => isFree(state.deciding, line.deciding, state.bounds.decidingMax, state);

const take = (line: Line, state: State): Waiting | undefined => {
  const [first] = line.waiting;
  if (first === undefined) return undefined;
  line.waiting.delete(first);
  state.waiting -= 1;
  // The next turn is everybody else's first.
  state.turns.delete(line);
  if (line.waiting.size > 0) state.turns.add(line);
  return first;
};

const passOn = (state: State): void => {
  if (state.waiting === 0) return;
  for (const line of state.turns) {
    if (state.deciding >= state.bounds.decidingMax) return;
    if (!hasPlace(state, line)) continue;
    const first = take(line, state);
    if (first) first.settle(newTicket(state, line));
  }
};

/** Tells those who waited too long; those who came later stand behind them in their line. */
const sendAway = (state: State): void => {
  const now = performance.now();
  for (const line of [...state.turns]) {
    for (const waiting of line.waiting) {
      if (waiting.dueAt > now) break;
      line.waiting.delete(waiting);
      state.waiting -= 1;
      waiting.settle(hasPlace(state, line) ? 'everybody' : 'holder');
    }
    if (line.waiting.size === 0) state.turns.delete(line);
    if (isResting(line)) rest(state, line);
  }
  if (state.waiting > 0) return;
  clearInterval(state.timer);
  state.timer = undefined;
};

const queue = (state: State, line: Line): Promise<Ticket | Full> | Full => {
  const { bounds } = state;
  if (line.waiting.size >= bounds.waitingPerOrganizationMax) return 'holder';
  if (state.waiting >= bounds.waitingMax) return 'everybody';
  state.timer ??= setInterval(() => sendAway(state), LOOK_EVERY_MS).unref();
  return new Promise((settle) => {
    line.waiting.add({ dueAt: performance.now() + bounds.waitMs, settle });
    state.waiting += 1;
    state.turns.add(line);
  });
};

const lineOf = (state: State, holder: string): Line => {
  const known = state.lines.get(holder);
  if (known !== undefined) return known;
  const line: Line = { holder, deciding: 0, calling: 0, waiting: new Set() };
  state.lines.set(holder, line);
  return line;
};

/**
 * A counting semaphore that is fair between holders: each has at most its share of the places, and those who wait take turns by holder.
 * A place is asked for before anything is done; what waits longer than `waitMs` is told that there is none. Costs a fraction of a
 * microsecond while there is room.
 */
export const newFairSemaphore = (bounds: SemaphoreBounds): FairSemaphore => {
  const state: State = { bounds, lines: new Map(), turns: new Set(), deciding: 0, calling: 0, waiting: 0, active: 0, timer: undefined };
  return {
    enter: (holder) => {
      const line = lineOf(state, holder);
      if (!isFree(state.calling, line.calling, bounds.callingMax, state)) return 'holder';
      const wasResting = isResting(line);
      if (wasResting) state.active += 1;
      if (line.waiting.size === 0 && hasPlace(state, line)) return newTicket(state, line);
      const queued = queue(state, line);
      if (wasResting && !(queued instanceof Promise)) rest(state, line);
      return queued;
    },
    counts: () => ({ deciding: state.deciding, calling: state.calling, waiting: state.waiting }),
  };
};
