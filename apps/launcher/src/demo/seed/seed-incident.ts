import type { ControlPlane } from '../control-plane.ts';
import type { SeededAgents } from './seed-organization.ts';

const TITLE = 'A refund far above the limit';

/** An open incident about the agent whose refund was refused, with a note. One that is there already stays as it is. */
export const seedIncident = async (owner: ControlPlane, { refunds }: SeededAgents): Promise<void> => {
  const incidents = await owner.ask('listIncidents', {});
  if (incidents.some(({ title }) => title === TITLE)) return;
  const { id: incidentId } = await owner.ask('createIncident', {
    body: {
      title: TITLE,
      severity: 'MEDIUM',
      description: 'refund-bot asked for a refund that no rule permits.',
      subjects: [{ type: 'agent', id: refunds.id }],
    },
  });
  await owner.ask('addIncidentEntry', { params: { incidentId }, body: { note: 'The customer asked for it in a mail. Nothing was paid.' } });
};
