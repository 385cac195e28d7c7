import { type Connection, callGateway } from '../exchange/call-gateway.ts';
import { type Deadline, sleep, withDeadline } from '../exchange/deadline.ts';
import type { Approval } from '../wire/answers.ts';
import { errorOf, GovernanceError } from '../wire/errors.ts';
import type { CallOptions, WaitOptions } from '../wire/options.ts';
import { isApproval } from '../wire/read-answers.ts';
import { PATHS } from '../wire/wire-format.ts';

const POLL_MS_MIN = 250;
const POLL_MS_MAX = 60_000;

/** How long the gateway may hold one look at most. */
const HELD_SECONDS_MAX = 30;

/** How long after its expiry an approval that cannot be looked at is still waited for. */
const GRACE_MS = 60_000;

const addressOf = (approvalId: string): string => `${PATHS.approvals}/${encodeURIComponent(approvalId)}`;

export const readApproval = (connection: Connection, approvalId: string, options: CallOptions): Promise<Approval> =>
  callGateway(connection, { method: 'GET', path: addressOf(approvalId) }, isApproval, options);

/** A little later than asked, so that many who wait do not look at the same moment. */
const pollDelayMs = (seconds: number): number => Math.min(Math.max(seconds * 1000, POLL_MS_MIN), POLL_MS_MAX) * (1 + Math.random() / 5);

const refusalOf = ({ id, status, denial_reason }: Approval): GovernanceError => {
  const details = { approval_id: id, status, denial_reason };
  if (status === 'EXPIRED') return errorOf({ code: 'APPROVAL_EXPIRED', message: 'The approval was not granted in time.', details });
  const why = denial_reason ? `: ${denial_reason}` : '.';
  return errorOf({ code: 'APPROVAL_NOT_GRANTED', message: `The approval was ${status.toLowerCase()}${why}`, details });
};

const isGranted = ({ status }: Approval): boolean => status === 'APPROVED' || status === 'CONSUMED';

const isAskedToWait = (error: unknown): boolean => error instanceof GovernanceError && (error.status === 429 || error.status === 503);

/** Whether the gateway may be back later; a proxy before it answers 502 and 504 meanwhile. */
const passes = (error: unknown): error is GovernanceError =>
  error instanceof GovernanceError &&
  (error.retryable || (error.code === 'ANSWER_UNREADABLE' && (error.status === 502 || error.status === 504)));

/**
 * Looks at an approval that has been seen pending: the gateway holds the look until something becomes of it [long polling]. Where something
 * on the way does not let it be held so long, a plain look follows; if that goes well, the next is held half as long, in the end not at all.
 */
const newLooks = (connection: Connection, approvalId: string, { signal, remainingMs }: Deadline) => {
  let heldSecondsMax = HELD_SECONDS_MAX;
  const plain = (): Promise<Approval> => readApproval(connection, approvalId, { signal });
  const held = (seconds: number): Promise<Approval> => {
    const request = { method: 'GET', path: `${addressOf(approvalId)}?wait=${seconds}` } as const;
    // What was cut would be cut again: only what the gateway itself asks to repeat is repeated at this length.
    const options = { signal, timeoutMs: seconds * 1000 + connection.timeoutMs, isFinal: (error: unknown) => !isAskedToWait(error) };
    return callGateway(connection, request, isApproval, options);
  };
  /** Answered in time for the caller, who would otherwise hear of no look at all. */
  const heldSeconds = (): number => Math.max(0, Math.min(heldSecondsMax, Math.floor(remainingMs() / 1000)));
  const longer = async (): Promise<Approval> => {
    const seconds = heldSeconds();
    if (seconds === 0) return plain();
    try {
      return await held(seconds);
    } catch (error) {
      if (signal.aborted || isAskedToWait(error)) throw error;
      const found = await plain();
      heldSecondsMax = Math.floor(seconds / 2);
      return found;
    }
  };
  return { plain, longer, heldSeconds };
};

/** Looks until somebody has decided. A gateway that is away for a while does not end a wait that may last for hours. */
const poll = async (connection: Connection, approvalId: string, options: WaitOptions, deadline: Deadline): Promise<Approval> => {
  const { signal } = deadline;
  const looks = newLooks(connection, approvalId, deadline);
  let last: Approval | undefined;
  for (;;) {
    const [isFirst, beganMs] = [last === undefined, performance.now()];
    let askedMs = 0;
    try {
      // The first one is not held, so that the caller hears at once how it stands.
      last = await (last ? looks.longer() : looks.plain());
    } catch (error) {
      if (!passes(error) || signal.aborted || !last) throw error;
      const leftMs = Date.parse(last.expires_at) + GRACE_MS - connection.clock.nowMs();
      if (leftMs < 0) throw error;
      askedMs = Math.min((error.retryAfterSeconds ?? 0) * 1000, leftMs);
    }
    options.onPoll?.(last);
    if (isGranted(last)) return last;
    if (last.status !== 'PENDING') throw refusalOf(last);
    if (isFirst && looks.heldSeconds() > 0) continue;
    // A look that was held has waited already; one that was not, as where an approver asks something, has not.
    const restMs = pollDelayMs(last.poll_after_seconds) - (performance.now() - beganMs);
    await sleep(Math.max(restMs, askedMs, POLL_MS_MIN * Math.random()), signal);
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
      throw errorOf({ code: 'APPROVAL_PENDING', message: 'The approval was not decided within the timeout.', details });
    }
  });
