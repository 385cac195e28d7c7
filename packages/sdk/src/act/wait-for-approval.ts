import { type Connection, callGateway } from '../exchange/call-gateway.ts';
import { type Deadline, sleep, withDeadline } from '../exchange/deadline.ts';
import type { Approval } from '../wire/answers.ts';
import { errorOf, GovernanceError } from '../wire/errors.ts';
import type { CallOptions, WaitOptions } from '../wire/options.ts';
import { isApproval } from '../wire/read-answers.ts';
import { PATHS } from '../wire/wire-format.ts';

const POLL_MS_MIN = 250;
const POLL_MS_MAX = 60_000;

/** How long after its expiry an approval that cannot be looked at is still waited for. */
const GRACE_MS = 60_000;

export const readApproval = (connection: Connection, approvalId: string, options: CallOptions): Promise<Approval> =>
  callGateway(connection, { method: 'GET', path: `${PATHS.approvals}/${encodeURIComponent(approvalId)}` }, isApproval, options);

/** A little later than asked, so that many who wait do not look at the same moment. */
const pollDelayMs = (seconds: number): number => Math.min(Math.max(seconds * 1000, POLL_MS_MIN), POLL_MS_MAX) * (1 + Math.random() / 5);

const refusalOf = ({ id, status, denial_reason }: Approval): GovernanceError => {
  const details = { approval_id: id, status, denial_reason };
  if (status === 'EXPIRED') return errorOf({ code: 'APPROVAL_EXPIRED', message: 'Nobody approved in time.', details });
  const why = denial_reason ? `: ${denial_reason}` : '.';
  return errorOf({ code: 'APPROVAL_NOT_GRANTED', message: `The approval was ${status.toLowerCase()}${why}`, details });
};

const isGranted = ({ status }: Approval): boolean => status === 'APPROVED' || status === 'CONSUMED';

/** Looks until somebody has decided. A gateway that is away for a while does not end a wait that may last for hours. */
const poll = async (connection: Connection, approvalId: string, options: WaitOptions, { signal }: Deadline): Promise<Approval> => {
  let last: Approval | undefined;
  const look = async (): Promise<Approval> => {
    try {
      return await readApproval(connection, approvalId, { signal });
    } catch (error) {
      const passes = error instanceof GovernanceError && error.retryable && !signal.aborted;
      if (!passes || !last || connection.clock.nowMs() > Date.parse(last.expires_at) + GRACE_MS) throw error;
      return last;
    }
  };
  for (;;) {
    last = await look();
    options.onPoll?.(last);
    if (isGranted(last)) return last;
    if (last.status !== 'PENDING') throw refusalOf(last);
    await sleep(pollDelayMs(last.poll_after_seconds), signal);
  }
};

/** Waits until an approval is given. Any other end of it is thrown; so is `APPROVAL_PENDING` when the time to wait is over first. */
export const waitForApproval = (connection: Connection, approvalId: string, options: WaitOptions): Promise<Approval> =>
  withDeadline(options.timeoutMs ?? Number.POSITIVE_INFINITY, options.signal, async (deadline) => {
    try {
      return await poll(connection, approvalId, options, deadline);
    } catch (error) {
      if (!deadline.signal.aborted || options.signal?.aborted) throw error;
      const details = { approval_id: approvalId };
      throw errorOf({ code: 'APPROVAL_PENDING', message: 'Nobody decided within the time to wait.', details });
    }
  });
