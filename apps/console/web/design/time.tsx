import type { ReactNode } from 'react';
import { formatTime } from './time-words.ts';

/** Shows a time in the reader's time zone and language; the recorded time appears on hover. */
export const Time = ({ at }: { readonly at: string }): ReactNode => (
  <time dateTime={at} title={at}>
    {formatTime(at)}
  </time>
);
