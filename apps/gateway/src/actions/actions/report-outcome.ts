import type { Execution } from '@svc/contract/actions/decisions.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { maskReport } from '@svc/enforcement/execution/mask-execution.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { digestRecords } from '@svc/operations/events/audit-log/digest-records.ts';
import { startOf } from '@svc/policy/values/start-of.ts';
import { findAction } from '@svc/postgres/actions/actions/actions.ts';
import { reportOutcome as report } from '@svc/postgres/actions/actions/report-outcome.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { GatewayDeps } from '../../deps.ts';

const REASON_CHARS_MAX = 2_000;

/** How an action went that the agent executed itself. The first report stands. */
export const reportOutcome: Handler<Endpoints['reportOutcome'], GatewayDeps> = (call) =>
  call.change(async ({ tx, emit }) => {
    const { organizationId, agentId } = call.agent;
    const { status, result, error } = call.body;
    const action = await findAction(tx, organizationId, call.params.actionId, agentId);
    if (!action) return call.refuse('NOT_FOUND');
    const reported: Execution = {
      state: status === 'COMPLETED' ? 'EXECUTED' : 'FAILED',
      ...(result === undefined ? {} : { result }),
      ...(error === undefined ? {} : { reason: startOf(error, REASON_CHARS_MAX) }),
    };
    const execution = maskReport(reported, action.explanation.obligations?.mask?.result ?? []);
    const closed = await report(tx, { organization_id: organizationId, id: action.id, status, execution, now: call.now });
    if (!closed) {
      return call.refuse('INVALID_STATE_TRANSITION', 'An outcome can be reported once, and only for a permitted action that the agent executes itself.', {
        operation: 'outcome',
        from: action.status,
        allowed_from: ['ALLOWED', 'OBSERVED'],
      });
    }
    const digests = await digestRecords(tx, organizationId, 'action', [action.id], ['outcome_digest']);
    const used = action.approval === null ? {} : { approval_id: action.approval.id };
    emit(status === 'COMPLETED' ? 'action.completed' : 'action.failed', {
      ...about.action(action),
      data: { agent_id: agentId, tool: action.tool, status, ...used, ...digests(action.id) },
    });
    return (await findAction(tx, organizationId, action.id)) ?? call.refuse('NOT_FOUND');
  });
