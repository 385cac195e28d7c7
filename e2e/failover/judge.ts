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

/** Everything that is known of one order. */
type Order = {
  readonly order: string;
  readonly calls: number;
  readonly answers: readonly ClientResponse[];
  readonly records: readonly ActionRow[];
};

const listOrders = ({ answers, actions, received }: FailoverEvidence): readonly Order[] => {
  const [answered, recorded] = [Map.groupBy(answers, ({ order }) => order), Map.groupBy(actions, ({ order }) => order)];
  const names = new Set([...answered.keys(), ...recorded.keys(), ...received.keys()]);
  return [...names].map((order) => ({
    order,
    calls: received.get(order) ?? 0,
    answers: answered.get(order) ?? [],
    records: recorded.get(order) ?? [],
  }));
};

/** Records of executed calls: those that certainly reached the tool, and those of which the gateway does not know. */
const countRan = ({ records }: Order): { readonly known: number; readonly unknown: number } => {
  const ran = records.filter(({ tool, status, is_unsent }) => tool !== 'note' && RAN.includes(status) && !is_unsent);
  const unknown = ran.filter(({ status }) => status === 'UNKNOWN').length;
  return { known: ran.length - unknown, unknown };
};

const isRefused = ({ answers }: Order): boolean => answers.length > 0 && answers.every(({ status }) => status === 503);

const isLeftAllowed = ({ decision, is_unsent }: ActionRow): boolean => decision === 'ALLOW' && !is_unsent;

/** True if the answer to an order states an executed or decided action that the record states was never sent. */
const isContradicted = ({ answers, records }: Order): boolean =>
  records.some(({ id, is_unsent }) => is_unsent && answers.some(({ action_id, status }) => action_id === id && status === 200));

/** Judges every order that was requested, recorded or received, even if one of the three is missing. */
const judgeOrders = (evidence: FailoverEvidence): readonly Verdict[] => {
  const orders = listOrders(evidence);
  const refused = orders.filter(isRefused);
  const unsent = orders.filter(({ records }) => records.some(({ is_unsent }) => is_unsent));
  return [
    { promise: `${evidence.received.size} calls reached the tool once`, broken: orders.filter(({ calls }) => calls > 1) },
    {
      promise: `each call has one record; ${orders.length} orders were compared`,
      broken: orders.filter((order) => {
        const { known, unknown } = countRan(order);
        return order.calls > known + unknown || known + unknown > 1;
      }),
    },
    { promise: 'each record of an executed call has its call', broken: orders.filter((order) => countRan(order).known > order.calls) },
    { promise: 'each record has its request', broken: orders.filter(({ answers, records }) => records.length > 0 && answers.length === 0) },
    {
      promise: `${unsent.length} orders with a call on record as not sent were not answered as executed`,
      broken: unsent.filter(isContradicted),
    },
    { promise: `${refused.length} refused orders were not executed`, broken: refused.filter(({ calls }) => calls > 0) },
    { promise: 'no refused order is on record as allowed', broken: refused.filter(({ records }) => records.some(isLeftAllowed)) },
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
  ...judgeOrders(evidence),
  ...judgeDeliveries(evidence),
];
