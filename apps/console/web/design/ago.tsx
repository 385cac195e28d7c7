import { type ReactNode, useSyncExternalStore } from 'react';
import { formatTime } from './time-words.ts';

const TICK_MS = 10_000;
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

const tick = (): void => {
  now = Date.now();
  for (const listener of listeners) listener();
};

/** One clock for all times on the page. */
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  now = Date.now();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** The present time in milliseconds, read again every ten seconds. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

const format = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });

/** A time relative to another: `2 min. ago`, `in 6 days`. */
export const formatAgo = (at: string, from: number): string => {
  const apart = Date.parse(at) - from;
  const [unit, long] = UNITS.find(([, each]) => Math.abs(apart) >= each) ?? ['second', 1_000];
  if (unit === 'second') return apart > 0 ? 'in under a minute' : 'just now';
  return format.format(Math.trunc(apart / long), unit);
};

/** A relative time, with the exact one where it is pointed at. */
export const Ago = ({ at }: { readonly at: string }): ReactNode => {
  const from = useNow();
  return (
    <time dateTime={at} title={`${formatTime(at)} (${at})`}>
      {formatAgo(at, from)}
    </time>
  );
};
