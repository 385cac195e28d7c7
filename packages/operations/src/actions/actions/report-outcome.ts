import type { Execution } from '@svc/contract/actions/decisions.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { maskReport } from '@svc/enforcement/execution/mask-execution.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';
import { findAction } from '@svc/postgres/actions/actions/actions.ts';
import { reportOutcome as closeReported } from '@svc/postgres/actions/actions/report-outcome.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { digestRecords } from '../../events/audit-log/digest-records.ts';

type ReportOutcomeRequest = {
  readonly organizationId: string;
  readonly agentId: string;
  readonly actionId: string;
  readonly body: EndpointBody<Endpoints['reportOutcome']>;
  readonly now: Date;
};

const REASON_CHARS_MAX = 2_000;
const NOT_REPORTABLE = 'An outcome can be reported once, and only for a permitted action that the agent executes itself.';

/** Records the outcome of an action that the agent executed itself. Only the first report counts. */
export const reportOutcome = async (
  { tx, emit }: Change<'action.completed' | 'action.failed'>,
  { organizationId, agentId, actionId, body, now }: ReportOutcomeRequest,
) => {
  const { status, result, error } = body;
  const action = await findAction(tx, organizationId, actionId, agentId);
  if (!action) return buildRefusal('NOT_FOUND');
  const reported: Execution = {
    state: status === 'COMPLETED' ? 'EXECUTED' : 'FAILED',
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { reason: truncateText(error, REASON_CHARS_MAX) }),
  };
  const execution = maskReport(reported, action.explanation.obligations?.mask?.result ?? []);
  const closed = await closeReported(tx, { organization_id: organizationId, id: action.id, status, execution, now });
  if (!closed) {
    const details = { operation: 'outcome', from: action.status, allowed_from: ['ALLOWED', 'OBSERVED'] };
    return buildRefusal('INVALID_STATE_TRANSITION', NOT_REPORTABLE, details);
  }
  const digests = await digestRecords(tx, organizationId, 'action', [action.id], ['outcome_digest']);
  const used = action.approval === null ? {} : { approval_id: action.approval.id };
  emit(status === 'COMPLETED' ? 'action.completed' : 'action.failed', {
    ...about.action(action),
    data: { agent_id: agentId, tool: action.tool, status, ...used, ...digests(action.id) },
  });
  return (await findAction(tx, organizationId, action.id)) ?? buildRefusal('NOT_FOUND');
};
