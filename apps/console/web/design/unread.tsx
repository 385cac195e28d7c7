import type { ReactNode } from 'react';
import type { ApiError } from '../data/answer.ts';
import { Problem } from './problem.tsx';
import { Skeleton } from './skeleton.tsx';

type UnreadProps = { readonly error: ApiError | null | undefined; readonly lines: number };

/** Stands in for content whose data is not read: the failure with its retry, or that it loads. */
export const Unread = ({ error, lines }: UnreadProps): ReactNode => (error ? <Problem error={error} /> : <Skeleton lines={lines} />);
