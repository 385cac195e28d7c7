import { client } from '../../data/client.ts';
import { useStream } from '../../data/follow-stream.ts';
import { refresh } from '../../data/use-operation.ts';

/** How often lists are read while no stream is open, and as a safety net while one is. */
const POLL_MS = { false: 5_000, true: 60_000 } as const;

/** Reads approvals again when one changes. Returns the interval of polling in milliseconds. */
export const useApprovalStream = (): number => {
  const isLive = useStream(
    'approvals',
    (options) => client.request('streamApprovals', options),
    () => void refresh('listApprovals', 'getApproval', 'listApprovers'),
  );
  return POLL_MS[`${isLive}`];
};
