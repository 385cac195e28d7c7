import { Governance } from '@svc/sdk/governance.ts';
import type { ActionRequest } from '@svc/sdk/wire/options.ts';
import { SHIPPING_PARTNER, TICKET_SERVER } from '../demo-tools.ts';
import { refund } from '../scene.ts';
import { askOnce } from './ask-once.ts';
import type { DemoCredentials } from './demo-credentials.ts';
import { EXPORT_TOOL, type Fleet } from './seed-fleet.ts';
import type { SeededAgents } from './seed-organization.ts';

/** Concurrent requests. */
const AT_ONCE = 8;

type Request = {
  readonly by: keyof DemoCredentials['agents'];
  readonly tool: string;
  readonly request: ActionRequest;
  readonly outcome?: 'COMPLETED' | 'FAILED';
};

const count = (length: number, make: (index: number) => Request): readonly Request[] => Array.from({ length }, (_, index) => make(index));

/** Spreads amounts over the range, the same in each seed. */
const spread = (index: number, least: number, most: number): number => least + ((index * 7_919) % (most - least));

const REFUND = 'refund.create';
/** A made-up value in the form of a token. A report with it raises a risk event. */
const MADE_UP_TOKEN = ['ghp', 'd3M0'.repeat(9)].join('_');

/** A message to the shipping partner. */
const askShipment = (number: number) => ({
  method: 'SendMessage',
  message: { messageId: `shipment-${number}`, role: 'ROLE_USER', parts: [{ text: `Please state the position of shipment ${number}.` }] },
});

/** Returns the requests of the agents, the same in each seed. They are dated now: the sealed log dates an event when it happens. */
const requests = (delegationId: string): readonly Request[] => [
  ...count(110, (n) => ({ by: 'refunds', tool: REFUND, request: refund(`order-${1_000 + n}`, spread(n, 500, 48_000)) })),
  ...count(60, (n) => ({
    by: 'triage',
    tool: 'customer.read',
    request: { parameters: { customer: `c-${n}` } },
    outcome: n % 13 === 12 ? 'FAILED' : 'COMPLETED',
  })),
  ...count(50, (n) => ({ by: 'billing', tool: REFUND, request: { ...refund(`invoice-${n}`, spread(n, 100, 9_000)), delegationId } })),
  // Above the delegation's ceiling.
  ...count(5, (n) => ({ by: 'billing', tool: REFUND, request: { ...refund(`invoice-large-${n}`, 600_000), delegationId } })),
  ...count(41, (n) => ({ by: 'exports', tool: EXPORT_TOOL, request: { parameters: { segment: `segment-${n}` } } })),
  ...count(12, (n) => ({ by: 'payouts', tool: REFUND, request: refund(`payout-${n}`, 600_000 + n * 10_000) })),
  ...count(20, (n) => ({
    by: 'reports',
    tool: 'report.publish',
    request: {
      parameters: { audience: n % 4 === 3 ? 'public' : 'internal', ...(n % 7 === 6 ? { text: `Access: ${MADE_UP_TOKEN}` } : {}) },
    },
  })),
  ...count(6, (n) => ({ by: 'refunds', tool: TICKET_SERVER.name, request: { parameters: { query: `order-${1_000 + n}` } } })),
  ...count(4, (n) => ({ by: 'refunds', tool: SHIPPING_PARTNER.name, request: { parameters: askShipment(n) } })),
  ...count(2, (n) => ({ by: 'refunds', tool: REFUND, request: refund(`order-held-${n}`, 60_000 + n * 115_000) })),
];

/** Sends some three hundred requests through the gateway, several concurrently. */
export const seedActivity = async (
  { agents }: DemoCredentials,
  seeded: SeededAgents & Fleet,
  gatewayUrl: string,
  delegationId: string,
): Promise<number> => {
  const governances = new Map<string, Governance>();
  const openGovernance = (by: Request['by']): Governance => {
    const known = governances.get(by);
    if (known) return known;
    const opened = new Governance({ gatewayUrl, agentId: seeded[by].id, privateKey: agents[by].privateKey });
    governances.set(by, opened);
    return opened;
  };
  const all = requests(delegationId);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < all.length; at = next++) {
      const { by, tool, request, outcome } = all[at] as Request;
      const { actionId } = await askOnce(openGovernance(by), tool, request, `${by}-${at}`);
      if (outcome !== undefined && actionId !== undefined)
        await openGovernance(by).outcome(
          actionId,
          outcome === 'FAILED' ? { status: outcome, error: 'The directory did not answer.' } : { status: outcome },
        );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return all.length;
};
