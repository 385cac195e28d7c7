import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { must } from '../../faults/story-fault.ts';
import { formatDecidingRule, formatStages } from '../in-words.ts';
import type { DemoScene } from '../scene.ts';

const TRAIL = [
  'action.requested',
  'action.approval_required',
  'approval.requested',
  'approval.vote_cast',
  'approval.approved',
  'action.allowed',
  'action.completed',
];

const byTime = (first: AuditEvent, second: AuditEvent): number =>
  first.occurred_at.localeCompare(second.occurred_at) || TRAIL.indexOf(first.type) - TRAIL.indexOf(second.type);

/** Shows the record of the approved refund, and its events. */
export const readRecord = async ({ tell, owner, agentId }: DemoScene, actionId: string): Promise<void> => {
  tell.chapter('The audit record of the refund that Ada approved');
  const action = await owner.ask('getAction', { params: { actionId } }, ({ status }) => status);
  must(action.status === 'COMPLETED' && action.approval_id !== null, 'The record was to hold a completed action with its approval.');
  tell.shows('record', [
    `asked    ${action.created_at} by ${action.agent_name}: ${action.tool} ${JSON.stringify(action.parameters)}`,
    `decided  ${formatDecidingRule(action.explanation)}`,
    `checks   ${formatStages(action.explanation)}`,
    `approval ${action.approval_id}`,
    `outcome  ${action.execution?.state} with HTTP ${action.execution?.http_status} at ${action.completed_at}`,
    `request  ${action.request_id}, trace ${action.trace_id}`,
  ]);
  const getEvents = (subject_id: string) =>
    owner.ask('searchAuditEvents', { query: { subject_id } }, ({ data }) => `${data.length} events`);
  const events = [...(await getEvents(actionId)).data, ...(await getEvents(action.approval_id ?? '')).data].sort(byTime);
  const missing = TRAIL.filter((type) => !events.some((event) => event.type === type));
  must(missing.length === 0, `The audit trail was to hold ${missing.join(', ')} too.`);
  const whoDid = ({ actor }: AuditEvent): string => actor.name ?? (actor.id === agentId ? 'refund-bot' : actor.id);
  tell.shows(
    'trail',
    events.map((event) => `${event.occurred_at.slice(11, 23)}  ${event.type.padEnd(26)}${whoDid(event)}`),
  );
};
