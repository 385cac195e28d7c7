import type { OperationInput } from '@svc/client/client.ts';
import type { ControlPlane } from '../control-plane.ts';
import type { Fleet } from './seed-fleet.ts';
import type { SeededAgents } from './seed-organization.ts';

type NewIncident = OperationInput<'createIncident'>['body'] & { readonly notes: readonly string[] };

/** Creates an open incident with notes. One with the same title is unchanged. */
const ensureIncident = async (owner: ControlPlane, { notes, ...body }: NewIncident): Promise<void> => {
  const incidents = await owner.ask('listIncidents', {});
  if (incidents.some(({ title }) => title === body.title)) return;
  const { id: incidentId } = await owner.ask('createIncident', { body });
  for (const note of notes) await owner.ask('addIncidentEntry', { params: { incidentId }, body: { note } });
};

/** Creates two open incidents: one about a single refund, and one about an agent whose requests were refused. */
export const seedIncidents = async (owner: ControlPlane, { refunds }: SeededAgents, { exports, payouts }: Fleet): Promise<void> => {
  await ensureIncident(owner, {
    title: 'A refund far above the limit',
    severity: 'MEDIUM',
    description: 'refund-bot asked for a refund that no rule permits.',
    subjects: [{ type: 'agent', id: refunds.id }],
    notes: ['The customer asked for it in a mail. Nothing was paid.'],
  });
  await ensureIncident(owner, {
    title: 'export-bot asks for exports of customers',
    severity: 'HIGH',
    description: 'Every request of export-bot was refused: no policy allows customer.export.',
    subjects: [
      { type: 'agent', id: exports.id },
      { type: 'agent', id: payouts.id },
    ],
    notes: [
      'The agent was started with the configuration of last month’s migration.',
      'It is paused. payout-bot, which shares the configuration, is isolated.',
      'Next: remove the tool from both configurations, then resume export-bot.',
    ],
  });
};
