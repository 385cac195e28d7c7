/** A kind of honest agent: how often it acts, and on what. */
export type AgentKind = {
  readonly name: string;
  readonly agents: number;
  /** Actions of a working day, before bursts. */
  readonly perDay: number;
  /** Working hours in UTC; one hour for a nightly job. */
  readonly hours: readonly [from: number, to: number];
  readonly worksOnWeekends: boolean;
  readonly tools: readonly string[];
  /** Number of destinations that it knows, and the share of calls that go to one it never saw. */
  readonly destinations: number;
  readonly newDestinationShare: number;
  /** Number of different records that it reads. */
  readonly records: number;
  /** Median amount in minor units; null for an agent that moves no money. */
  readonly amount: number | null;
  /** Chance for a day to begin from another network, as machines move. */
  readonly movesShare: number;
  /** Chance for an action to use a tool that it seldom uses. */
  readonly seldomShare: number;
};

/** Five kinds, made up from what support desks, accountants, researchers, nightly jobs and operators do. */
export const HONEST_KINDS: readonly AgentKind[] = [
  {
    ...{ name: 'support', agents: 30, perDay: 330, hours: [7, 19], worksOnWeekends: true, records: 4_000 },
    ...{ tools: ['customer.read', 'ticket.reply', 'refund.create', 'order.read'], destinations: 4, newDestinationShare: 0 },
    ...{ amount: 4_000, movesShare: 0.01, seldomShare: 0.0005 },
  },
  {
    ...{ name: 'finance', agents: 30, perDay: 95, hours: [8, 17], worksOnWeekends: false, records: 300 },
    ...{ tools: ['invoice.read', 'payment.create', 'ledger.write'], destinations: 12, newDestinationShare: 0.001 },
    ...{ amount: 25_000, movesShare: 0.02, seldomShare: 0.0005 },
  },
  {
    ...{ name: 'research', agents: 30, perDay: 110, hours: [8, 20], worksOnWeekends: false, records: 0 },
    ...{ tools: ['web.fetch', 'web.search', 'report.write'], destinations: 60, newDestinationShare: 0.2 },
    ...{ amount: null, movesShare: 0.02, seldomShare: 0.0005 },
  },
  {
    ...{ name: 'nightly', agents: 30, perDay: 400, hours: [2, 3], worksOnWeekends: true, records: 400 },
    ...{ tools: ['export.read', 'store.write'], destinations: 2, newDestinationShare: 0 },
    ...{ amount: null, movesShare: 0.003, seldomShare: 0 },
  },
  {
    ...{ name: 'ops', agents: 30, perDay: 40, hours: [0, 24], worksOnWeekends: true, records: 0 },
    ...{ tools: ['deploy.start', 'log.read', 'host.restart', 'alert.ack', 'config.write'], destinations: 40, newDestinationShare: 0.02 },
    ...{ amount: null, movesShare: 0.01, seldomShare: 0.005 },
  },
];

export const SELDOM_TOOLS = ['account.read', 'calendar.write', 'note.write', 'file.read', 'chat.post', 'status.read'] as const;
