import { callGateway, type GatewayConnection } from '../exchange/call-gateway.ts';
import { type Deadline, sleep, withDeadline } from '../exchange/deadline.ts';
import type { Approval } from '../wire/answers.ts';
import { createError, GovernanceError } from '../wire/errors.ts';
import type { CallOptions, WaitOptions } from '../wire/options.ts';
import { isApproval } from '../wire/read-answers.ts';
import { PATHS } from '../wire/wire-format.ts';

const POLL_MS_MIN = 250;
const POLL_MS_MAX = 60_000;

/** Maximum time for which the gateway holds one poll. */
const HELD_SECONDS_MAX = 30;

/** Time after its expiry for which an unreadable approval is still waited for. */
const GRACE_MS = 60_000;

const getAddress = (approvalId: string): string => `${PATHS.approvals}/${encodeURIComponent(approvalId)}`;

export const readApproval = (connection: GatewayConnection, approvalId: string, options: CallOptions): Promise<Approval> =>
  callGateway(connection, { method: 'GET', path: getAddress(approvalId) }, isApproval, options);

/** Adds jitter, so that many waiting clients do not poll at the same moment. */
const pollDelayMs = (seconds: number): number => Math.min(Math.max(seconds * 1000, POLL_MS_MIN), POLL_MS_MAX) * (1 + Math.random() / 5);

const getRefusal = ({ id, status, denial_reason }: Approval): GovernanceError => {
  const details = { approval_id: id, status, denial_reason };
  if (status === 'EXPIRED') return createError({ code: 'APPROVAL_EXPIRED', message: 'The approval was not granted in time.', details });
  const why = denial_reason ? `: ${denial_reason}` : '.';
  return createError({ code: 'APPROVAL_NOT_GRANTED', message: `The approval was ${status.toLowerCase()}${why}`, details });
};

const isGranted = ({ status }: Approval): boolean => status === 'APPROVED' || status === 'CONSUMED';

const isAskedToWait = (error: unknown): boolean => error instanceof GovernanceError && (error.status === 429 || error.status === 503);

/** True if the gateway may recover; a proxy answers 502 and 504 meanwhile. */
const passes = (error: unknown): error is GovernanceError =>
  error instanceof GovernanceError &&
  (error.retryable || (error.code === 'ANSWER_UNREADABLE' && (error.status === 502 || error.status === 504)));

/**
 * Polls a pending approval: the gateway holds the poll until the approval changes (long polling). If a proxy cuts a held poll, a plain poll
 * follows; if that succeeds, the next one is held half as long, and finally not at all.
 */
const newLooks = (connection: GatewayConnection, approvalId: string, { signal, remainingMs }: Deadline) => {
  let heldSecondsMax = HELD_SECONDS_MAX;
  const plain = (): Promise<Approval> => readApproval(connection, approvalId, { signal });
  const held = (seconds: number): Promise<Approval> => {
    const request = { method: 'GET', path: `${getAddress(approvalId)}?wait=${seconds}` } as const;
    // A poll that was cut would be cut again: only what the gateway itself asks to repeat is repeated with this length.
    const options = { signal, timeoutMs: seconds * 1000 + connection.timeoutMs, isFinal: (error: unknown) => !isAskedToWait(error) };
    return callGateway(connection, request, isApproval, options);
  };
  /** Short enough to return before the caller's timeout, which would otherwise see no poll at all. */
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

/** Polls until there is a decision. An unavailable gateway does not end a wait that may last for hours. */
const poll = async (connection: GatewayConnection, approvalId: string, options: WaitOptions, deadline: Deadline): Promise<Approval> => {
  const { signal } = deadline;
  const looks = newLooks(connection, approvalId, deadline);
  let last: Approval | undefined;
  for (;;) {
    const [isFirst, beganMs] = [last === undefined, performance.now()];
    let askedMs = 0;
    try {
      // The first one is not held, so that the caller gets the state at once.
      last = await (last ? looks.longer() : looks.plain());
    } catch (error) {
      if (!passes(error) || signal.aborted || !last) throw error;
      const leftMs = Date.parse(last.expires_at) + GRACE_MS - connection.clock.nowMs();
      if (leftMs < 0) throw error;
      askedMs = Math.min((error.retryAfterSeconds ?? 0) * 1000, leftMs);
    }
    options.onPoll?.(last);
    if (isGranted(last)) return last;
    if (last.status !== 'PENDING') throw getRefusal(last);
    if (isFirst && looks.heldSeconds() > 0) continue;
    // A held poll has waited already; an immediate one, as after an approver's question, has not.
    const restMs = pollDelayMs(last.poll_after_seconds) - (performance.now() - beganMs);
    await sleep(Math.max(restMs, askedMs, POLL_MS_MIN * Math.random()), signal);
  }
};

/** Waits until an approval is granted. Throws for any other end, and `APPROVAL_PENDING` if the timeout expires first. */
export const waitForApproval = (connection: GatewayConnection, approvalId: string, options: WaitOptions): Promise<Approval> =>
  withDeadline(options.timeoutMs ?? Number.POSITIVE_INFINITY, options.signal, async (deadline) => {
    try {
      return await poll(connection, approvalId, options, deadline);
    } catch (error) {
      if (!deadline.signal.aborted || options.signal?.aborted) throw error;
      const details = { approval_id: approvalId };
      throw createError({ code: 'APPROVAL_PENDING', message: 'The approval was not decided within the timeout.', details });
    }
  });
