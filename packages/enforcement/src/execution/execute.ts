import type { Execution } from '@svc/contract/actions/decisions.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Block } from '@svc/domain/incidents/emergency/blocked-destination.ts';
import type { CallKind } from '../facts/call-request.ts';
import type { OnProgress } from '../facts/progress.ts';
import type { Executed, ExecutionCode } from '../ports/executed.ts';
import type { BrokenCall } from '../ports/execution-results.ts';
import { type ExecutionCall, type Executor, type Executors, type GovernedCall, getExecutor } from '../ports/executors.ts';
import { failClosed } from '../ports/fail-closed.ts';
import type { ActionRecord, DecisionRecord, EventRecord, GivenBack, Ports } from '../ports/ports.ts';

/** A call whose decision is on record. */
export type RecordedCall = {
  readonly record: DecisionRecord;
  readonly call: GovernedCall;
  /** Paths that rules hide in the result. */
  readonly masks: readonly string[];
  /** Checks that the call may still be sent, after it had to wait. */
  readonly mayLeave: () => Promise<boolean>;
  readonly blocks: readonly Block[];
  /** The trace context for the call, unless its tool declares one. */
  readonly traceParent?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
};

/** A larger result is not recorded; the agent still gets all of it. */
const RECORDED_RESULT_CHARS_MAX = 65_536;

/**
 * Returns the masks for the record and for the agent. OBSERVE gives the agent the unmasked result; the record never contains what a rule
 * masks.
 */
const resultMasks = ({ mode }: ActionRecord, masks: readonly string[]): { record: readonly string[]; answer: readonly string[] } => ({
  record: masks,
  answer: mode === 'OBSERVE' ? [] : masks,
});

const unkept = (execution: Execution, size: string): Execution => ({
  ...execution,
  result: null,
  reason: `${execution.reason ?? ''} The result of ${size} is not recorded.`.trim(),
});

const recordable = (execution: Execution): Execution => {
  const text = JSON.stringify(execution.result ?? null);
  return text.length <= RECORDED_RESULT_CHARS_MAX ? execution : unkept(execution, `${text.length} characters`);
};

type Masking = Executor<CallKind>['mask'];

/** Returns the recorded result. A large one is never recorded, even if masks leave little of it. */
const recorded = ({ execution, large }: Executed, masks: readonly string[], mask: Masking): Execution =>
  large === undefined ? recordable(mask(execution, masks)) : unkept(execution, `${large.json.length} bytes`);

const UNRECORDED: Execution = {
  state: 'UNKNOWN',
  reason: 'The call was made, but its outcome could not be recorded. Check the destination before you try again.',
};

const CLOSED: Execution = {
  state: 'UNKNOWN',
  reason: 'The call was made, but its action was closed before the outcome could be recorded. Check the destination before you try again.',
};

const getEvent = (ports: Ports, action: ActionRecord, status: Executed['status'], { code, execution, detail }: Executed): EventRecord => ({
  id: ports.newId('audit_event'),
  type: code === null ? 'action.completed' : 'action.failed',
  about: 'action',
  data: {
    agent_id: action.agent_id,
    tool: action.tool,
    status,
    code,
    http_status: execution.http_status ?? null,
    ...(execution.response_bytes === undefined ? {} : { response_bytes: execution.response_bytes }),
    ...(execution.expectation_failed === undefined ? {} : { expectation_failed: execution.expectation_failed, reason: execution.reason }),
    ...(execution.tries === undefined ? {} : { tries: execution.tries }),
    ...(action.approval_id === null ? {} : { approval_id: action.approval_id }),
    ...(detail === undefined ? {} : { detail }),
  },
});

/** An MCP tool that was sent a call, with the server it belongs to. */
const invokedEvent = (
  ports: Ports,
  action: ActionRecord,
  call: GovernedCall,
  { status, code, isUnsent }: Executed,
): EventRecord | undefined => {
  if (call.kind !== 'mcp' || isUnsent) return undefined;
  const { agent_id, tool } = action;
  const data = { agent_id, tool, server_id: call.server_id, name: call.name, action_id: action.id, status, code };
  return { id: ports.newId('audit_event'), type: 'mcp.tool_invoked', about: 'action', data };
};

/** A message that was sent to a remote agent, with the connection it went over. */
const interactionEvent = (
  ports: Ports,
  action: ActionRecord,
  call: GovernedCall,
  { status, code, isUnsent }: Executed,
): EventRecord | undefined => {
  if (call.kind !== 'a2a' || isUnsent) return undefined;
  const { agent_id, tool } = action;
  const data = { agent_id, tool, connection_id: call.connection_id, method: call.method, action_id: action.id, status, code };
  return { id: ports.newId('audit_event'), type: 'a2a.interaction_allowed', about: 'action', data };
};

const moreEvents = (ports: Ports, action: ActionRecord, call: GovernedCall, executed: Executed): readonly EventRecord[] =>
  [
    getSecurityEvent(ports, action, executed),
    invokedEvent(ports, action, call, executed),
    interactionEvent(ports, action, call, executed),
  ].filter((event) => event !== undefined);

/** Builds the event of a call that was stopped because of its destination; the response to the agent omits that reason. */
const getSecurityEvent = (ports: Ports, action: ActionRecord, { isBlocked, detail, execution }: Executed): EventRecord | undefined => {
  if (isBlocked === undefined) return undefined;
  const { agent_id, tool, destination } = action;
  const data = { agent_id, tool, destination, reason: detail ?? execution.reason ?? null };
  return { id: ports.newId('audit_event'), type: 'security.destination_blocked', about: 'action', data };
};

const UNSENT: Execution = {
  state: 'FAILED',
  reason: 'The call was not sent: the connection to the database was lost while the decision was recorded, so the request was refused.',
};

/** Codes whose responses invite a retry of the same request. */
const RETRIED: readonly (ExecutionCode | null)[] = ['RATE_LIMITED', 'DEPENDENCY_UNAVAILABLE', 'CREDENTIAL_SERVICE_UNAVAILABLE'];

/**
 * Returns what the outcome of a call gives back: nothing unless it is certain that no byte was sent. `isRetried`: the response invites a
 * retry.
 */
const givenBack = (
  ports: Ports,
  { action, consumes, claims }: DecisionRecord,
  { isUnsent, execution }: Executed,
  isRetried: boolean,
): GivenBack | null => {
  const freesKey = action.idempotency_key !== null && isRetried;
  if (!isUnsent || (consumes === null && claims.length === 0 && !freesKey)) return null;
  if (consumes === null) return { approval: null, claims, freesKey };
  const states = { before: { status: 'CONSUMED' }, after: { status: 'APPROVED' } };
  const data = {
    action_id: action.id,
    agent_id: action.agent_id,
    ...states,
    expires_at: consumes.expires_at,
    reason: execution.reason ?? null,
  };
  const restored = { id: ports.newId('audit_event'), type: 'approval.restored', about: 'approval', data } as const;
  return { approval: { id: consumes.id, restored }, claims, freesKey };
};

/**
 * Closes a decision that was answered as unrecorded, if it was recorded all the same: its call is never made. The response was a 503, so
 * the idempotency key may be used again.
 */
export const undoUnrecorded = (ports: Ports, record: DecisionRecord): void => {
  const { action } = record;
  const executed: Executed = { status: 'FAILED', execution: UNSENT, code: 'EXECUTION_FAILED', isUnsent: true };
  const status = action.mode === 'OBSERVE' ? 'OBSERVED' : executed.status;
  const { code, execution } = executed;
  const event = getEvent(ports, action, status, executed);
  const givesBack = givenBack(ports, record, executed, true);
  ports.recorder.undo({ action, status, code, execution, event, completed_at: ports.clock().toISOString(), givesBack });
};

const BROKEN: BrokenCall = { kind: 'failed', reason: 'The call was interrupted.', sent: true };

/** Makes a call with the executor of its kind. If it throws, the call may have been sent. */
const makeCall = async <Kind extends CallKind>(ports: Ports, executors: Executors, action: ActionRecord, call: ExecutionCall<Kind>) => {
  const executor = getExecutor<Kind>(executors, call);
  const request = { requestId: action.request_id, traceId: action.trace_id };
  const result = await failClosed('DEPENDENCY_UNAVAILABLE', ports, request, () => executor.execute(call));
  return executor.readResult(call, isRefusal(result) ? BROKEN : result);
};

/** Returns a refusal by the destination with a small result or none. */
const answered = (executed: Executed): Executed => {
  const { large, ...rest } = executed;
  if (large === undefined || executed.code === null) return executed;
  const bytes = large.json.length;
  large.release();
  const reason = `${rest.execution.reason ?? ''} The result of ${bytes} bytes is not shown, because it is too large.`.trim();
  return { ...rest, execution: { ...rest.execution, result: null, reason } };
};

/**
 * Makes the call of a recorded decision and records its outcome before it responds. If that record cannot be written, or another one
 * exists, the response states an unknown outcome: so the response never differs from the record, and no code invites a plain retry that
 * could repeat the call.
 */
export const execute = async (ports: Ports, recordedCall: RecordedCall): Promise<Executed> => {
  const { record, call, masks, mayLeave, blocks, traceParent, signal, onProgress } = recordedCall;
  const { action } = record;
  const { executors } = ports;
  if (executors === null) throw new Error('a plane without an executor reached execution');
  const request = { requestId: action.request_id, traceId: action.trace_id };
  const masked = resultMasks(action, masks);
  const watched = { ...(signal === undefined ? {} : { signal }), ...(onProgress === undefined ? {} : { onProgress }) };
  const place = { workspace_id: action.workspace_id, environment_id: action.environment_id };
  const asked = {
    ...call,
    tenant: action.organization_id,
    actionId: action.id,
    agentId: action.agent_id,
    place,
    traceParent,
    mayLeave,
    blocks,
    masks: masked.answer,
    ...watched,
  };
  const { mask } = getExecutor<CallKind>(executors, call);
  const executed = answered(await makeCall(ports, executors, action, asked));
  const status = action.mode === 'OBSERVE' && executed.status !== 'UNKNOWN' ? 'OBSERVED' : executed.status;
  const completedAt = ports.clock().toISOString();
  const written = await failClosed('AUDIT_SERVICE_UNAVAILABLE', ports, request, () =>
    ports.recorder.recordOutcome({
      action,
      status,
      code: executed.code,
      execution: recorded(executed, masked.record, mask),
      event: getEvent(ports, action, status, executed),
      more: moreEvents(ports, action, call, executed),
      completed_at: completedAt,
      givesBack: givenBack(ports, record, executed, RETRIED.includes(executed.code)),
    }),
  );
  if (written !== 'recorded' && written !== 'overtaken') {
    executed.large?.release();
    return { status: 'UNKNOWN', execution: isRefusal(written) ? UNRECORDED : CLOSED, code: 'EXECUTION_TIMEOUT' };
  }
  const told = { ...executed, execution: mask(executed.execution, masked.answer), status };
  return written === 'overtaken' ? { ...told, isOvertaken: true } : told;
};
