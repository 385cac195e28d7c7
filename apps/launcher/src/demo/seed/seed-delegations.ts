import type { OperationResult } from '@svc/client/client.ts';
import type { ControlPlane } from '../control-plane.ts';
import { CAPABILITIES } from '../demo-tools.ts';
import type { Fleet } from './seed-fleet.ts';
import type { SeededAgents } from './seed-organization.ts';

type Delegation = OperationResult<'createDelegation'>;
type Ceiling = { readonly max_amount?: number; readonly currency?: string; readonly max_calls?: number; readonly window_seconds?: number };
type Link = {
  readonly to: string;
  readonly parent?: string;
  readonly capability: string;
  readonly ceiling: Ceiling;
  readonly depth: number;
};

const DAY_SECONDS = 86_400;
const perDay = (max_amount: number): Ceiling => ({ max_amount, currency: 'USD', window_seconds: DAY_SECONDS });

/** A tree of three levels below the owner, and one delegation that was revoked. Returns the one of billing-bot. Existing data is not changed. */
export const seedDelegations = async (
  owner: ControlPlane,
  { refunds }: SeededAgents,
  { triage, billing, exports, payouts }: Fleet,
): Promise<string> => {
  const items = await owner.ask('listDelegations', { query: { limit: 200 } });
  const same = items.find(({ delegate_agent_id, parent_id }) => delegate_agent_id === billing.id && parent_id === null);
  if (same) return same.id;
  const hand = ({ to, parent, capability, ceiling, depth }: Link): Promise<Delegation> =>
    owner.ask('createDelegation', {
      body: {
        delegate_agent_id: to,
        ...(parent === undefined ? {} : { parent_id: parent }),
        scope: { capabilities: [capability] },
        ceiling,
        can_redelegate: depth > 0,
        max_depth: depth,
      },
    });
  await hand({ to: triage.id, capability: CAPABILITIES.read, ceiling: { max_calls: 500, window_seconds: DAY_SECONDS }, depth: 0 });
  const old = await hand({ to: exports.id, capability: 'customers.export', ceiling: { max_calls: 10 }, depth: 0 });
  await owner.ask('revokeDelegation', { params: { delegationId: old.id }, body: { reason: 'The migration is finished' } });
  const root = await hand({ to: billing.id, capability: CAPABILITIES.refund, ceiling: perDay(500_000), depth: 2 });
  const second = await hand({ to: refunds.id, parent: root.id, capability: CAPABILITIES.refund, ceiling: perDay(200_000), depth: 1 });
  await hand({ to: payouts.id, parent: second.id, capability: CAPABILITIES.refund, ceiling: perDay(50_000), depth: 0 });
  return root.id;
};
