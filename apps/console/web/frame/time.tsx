import type { ReactNode } from 'react';

/** A time as the reader's own clock and language have it. */
export const Time = ({ at }: { readonly at: string }): ReactNode => <time dateTime={at}>{new Date(at).toLocaleString()}</time>;
