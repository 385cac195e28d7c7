import type { ReactNode } from 'react';
import { timeWords } from './time-words.ts';

/** A time as the reader's own clock and language have it; as it is on record where it is pointed at. */
export const Time = ({ at }: { readonly at: string }): ReactNode => (
  <time dateTime={at} title={at}>
    {timeWords(at)}
  </time>
);
