import type { ReceivedDelivery } from '@svc/testing/peers/webhook-receiver.ts';
import type { ClientResponse } from '../crash/load.ts';
import { countUnlike } from '../webhooks/kills.ts';

/** Answers to clients, records of the database, calls of tools and deliveries of webhooks. */
export type FailoverEvidence = {
  readonly answers: readonly ClientResponse[];
  /** Approvals whose vote was answered with 200. */
  readonly granted: readonly string[];
  readonly actions: readonly ActionRow[];
  readonly approvals: readonly { readonly id: string; readonly status: string }[];
  /** Recorded events of the types that the receiver subscribes to. */
  readonly eventIds: readonly string[];
  /** Calls of each order at the tool. */
  readonly received: ReadonlyMap<string, number>;
  readonly deliveries: readonly ReceivedDelivery[];
};

type ActionRow = {
  readonly id: string;
  readonly order: string;
  readonly tool: string;
  readonly decision: string;
  readonly status: string;
  /** True if it was closed because its decision was answered as not recorded; its call was never made. */
  readonly is_unsent: boolean;
  readonly events: readonly string[];
};

type Verdict = { readonly promise: string; readonly broken: readonly unknown[] };

const SETTLED = ['COMPLETED', 'FAILED', 'BLOCKED'];
const RAN = ['COMPLETED', 'FAILED', 'UNKNOWN'];
const GRANTED = ['APPROVED', 'CONSUMED'];

const judgeAnswers = ({ answers, actions, granted, approvals }: FailoverEvidence): readonly Verdict[] => {
  const byId = new Map(actions.map((action) => [action.id, action]));
  const answered = answers.filter(({ action_id }) => action_id !== null);
  const isLost = ({ action_id, decision, order, tool }: ClientResponse): boolean => {
    const action = byId.get(action_id ?? '');
    return action?.decision !== decision || action.order !== order || action.tool !== tool;
  };
  const statuses = new Map(approvals.map(({ id, status }) => [id, status]));
  return [
    { promise: `${answered.length} answered decisions are recorded as answered`, broken: answered.filter(isLost) },
    {
      promise: 'answered outcomes are recorded as answered',
      broken: answered.filter(({ action_id, outcome }) => SETTLED.includes(outcome ?? '') && byId.get(action_id ?? '')?.status !== outcome),
    },
    {
      promise: `${granted.length} answered votes are recorded`,
      broken: granted.filter((id) => !GRANTED.includes(statuses.get(id) ?? '')),
    },
    {
      promise: 'each recorded action has its events once',
      broken: actions.filter(({ events }) => new Set(events).size !== events.length || !events.includes('action.requested')),
    },
    { promise: 'no action is left in execution', broken: actions.filter(({ status }) => status === 'EXECUTING') },
  ];
};

const judgeCalls = ({ answers, actions, received }: FailoverEvidence): readonly Verdict[] => {
  const ran = Map.groupBy(
    actions.filter(({ tool, status, is_unsent }) => tool !== 'note' && RAN.includes(status) && !is_unsent),
    ({ order }) => order,
  );
  const refused = [...Map.groupBy(answers, ({ order }) => order)].filter(([, all]) => all.every(({ status }) => status === 503));
  return [
    { promise: `${received.size} calls reached the tool once`, broken: [...received].filter(([, times]) => times > 1) },
    {
      promise: `each call has one record; ${actions.filter(({ is_unsent }) => is_unsent).length} more are of calls that were not sent`,
      broken: [...received.keys()]
        .filter((order) => ran.get(order)?.length !== 1)
        .map((order) => ({
          order,
          records: ran.get(order) ?? [],
          answers: answers.filter((answer) => answer.order === order),
        })),
    },
    { promise: `${refused.length} refused orders were not executed`, broken: refused.filter(([order]) => received.has(order)) },
  ];
};

const judgeDeliveries = ({ eventIds, deliveries }: FailoverEvidence): readonly Verdict[] => {
  const delivered = new Set(deliveries.map(({ headers }) => String(headers['svc-event-id'])));
  const recorded = new Set(eventIds);
  const unlike = countUnlike(deliveries);
  return [
    { promise: `${eventIds.length} events arrived at the receiver`, broken: eventIds.filter((id) => !delivered.has(id)) },
    { promise: 'only recorded events arrived', broken: [...delivered].filter((id) => !recorded.has(id)) },
    { promise: 'repeated deliveries have the id of the first', broken: unlike === 0 ? [] : [unlike] },
  ];
};

/** Compares what was answered with what is recorded and what was executed. */
export const judge = (evidence: FailoverEvidence): readonly Verdict[] => [
  ...judgeAnswers(evidence),
  ...judgeCalls(evidence),
  ...judgeDeliveries(evidence),
];
