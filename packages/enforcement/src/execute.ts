import type { Execution } from '@svc/contract/decisions.ts';
import { isRefusal } from '@svc/contract/refusal.ts';
import type { ActionStatus } from '@svc/contract/vocabulary.ts';
import type { ExecutionRequest } from '@svc/domain/tools/execution-request.ts';
import { failClosed } from './fail-closed.ts';
import { maskExecution } from './mask-execution.ts';
import type { ActionRecord, ExecutionResult, Ports } from './ports.ts';

/** What is answered when the call of a permitted action did not go well. */
export type ExecutionCode = 'EXECUTION_FAILED' | 'EXECUTION_TIMEOUT' | 'DESTINATION_BLOCKED';

export type Executed = { readonly status: ActionStatus; readonly execution: Execution; readonly code: ExecutionCode | null };

/** A stored result beyond this is left out of the record; the agent still gets all of it. */
const RECORDED_RESULT_CHARS_MAX = 65_536;

const REJECTED_FROM_STATUS = 300;

/** A downstream that answered decided itself; one that fell silent after the request left may have acted all the same. */
const readResult = (result: ExecutionResult): Executed => {
  switch (result.kind) {
    case 'answered': {
      const ok = result.status < REJECTED_FROM_STATUS;
      const execution: Execution = {
        state: ok ? 'EXECUTED' : 'FAILED',
        http_status: result.status,
        duration_ms: result.duration_ms,
        result: result.bodyJson ?? result.body,
        ...(ok ? {} : { reason: `The destination answered ${result.status}.` }),
      };
      return { status: ok ? 'COMPLETED' : 'FAILED', execution, code: ok ? null : 'EXECUTION_FAILED' };
    }
    case 'disabled':
      return { status: 'ALLOWED', execution: { state: 'NOT_EXECUTED', reason: result.reason }, code: null };
    case 'refused':
      return { status: 'FAILED', execution: { state: 'FAILED', reason: result.reason }, code: 'DESTINATION_BLOCKED' };
    case 'timeout':
      return {
        status: 'UNKNOWN',
        execution: { state: 'UNKNOWN', reason: 'No answer in time.', duration_ms: result.duration_ms },
        code: 'EXECUTION_TIMEOUT',
      };
    case 'failed':
      return result.sent
        ? { status: 'UNKNOWN', execution: { state: 'UNKNOWN', reason: result.reason }, code: 'EXECUTION_TIMEOUT' }
        : { status: 'FAILED', execution: { state: 'FAILED', reason: result.reason }, code: 'EXECUTION_FAILED' };
  }
};

/** What the record keeps and what the agent gets. OBSERVE gives the agent what came; the record never keeps what a rule masks. */
const resultMasks = ({ mode }: ActionRecord, masks: readonly string[]): { record: readonly string[]; answer: readonly string[] } => ({
  record: masks,
  answer: mode === 'OBSERVE' ? [] : masks,
});

const recordable = (execution: Execution): Execution => {
  const text = JSON.stringify(execution.result ?? null);
  if (text.length <= RECORDED_RESULT_CHARS_MAX) return execution;
  return {
    ...execution,
    result: null,
    reason: `${execution.reason ?? ''} The result of ${text.length} characters is not kept in the record.`.trim(),
  };
};

const UNRECORDED: Execution = {
  state: 'UNKNOWN',
  reason: 'The call was made and its outcome could not be recorded; check the destination before trying again.',
};

/**
 * Makes the call of a decision that is on record, and records how it went. When that record cannot be written the answer is that
 * the outcome is unknown: a code that invites a plain retry could make the call happen twice.
 */
export const execute = async (ports: Ports, action: ActionRecord, call: ExecutionRequest, masks: readonly string[]): Promise<Executed> => {
  const { executor } = ports;
  if (executor === null) throw new Error('a plane without an executor reached execution');
  const result = await failClosed('DEPENDENCY_UNAVAILABLE', ports.onBreakage, () => executor.execute(call));
  const executed = isRefusal(result) ? readResult({ kind: 'failed', reason: 'The call broke off.', sent: true }) : readResult(result);
  const status = action.mode === 'OBSERVE' && executed.status !== 'UNKNOWN' ? 'OBSERVED' : executed.status;
  const masked = resultMasks(action, masks);
  const completedAt = ports.clock().toISOString();
  const recorded = await failClosed('AUDIT_SERVICE_UNAVAILABLE', ports.onBreakage, () =>
    ports.recorder.recordOutcome({
      action,
      status,
      code: executed.code,
      execution: recordable(maskExecution(executed.execution, masked.record)),
      event: {
        id: ports.newId('audit_event'),
        type: executed.code === null ? 'action.completed' : 'action.failed',
        data: {
          agent_id: action.agent_id,
          tool: action.tool,
          status,
          code: executed.code,
          http_status: executed.execution.http_status ?? null,
        },
      },
      completed_at: completedAt,
    }),
  );
  if (isRefusal(recorded)) return { status: 'UNKNOWN', execution: UNRECORDED, code: 'EXECUTION_TIMEOUT' };
  return { ...executed, execution: maskExecution(executed.execution, masked.answer), status };
};
