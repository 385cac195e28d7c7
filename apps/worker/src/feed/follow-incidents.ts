import { LIMITS } from '@svc/contract/tables/limits.ts';
import { followIncidents as follow, isFollowed, lookBack } from '@svc/postgres/incidents/incidents/follow-incidents.ts';
import type { EventConsumer } from './consumer.ts';

const SUBJECTS_SET = new Set(['incident.created', 'incident.updated']);

/** Writes the timelines of incidents: events of their subjects, also from the day before an incident was opened. */
export const followIncidents: EventConsumer = {
  name: 'incidents',
  begins: 'now',
  interest: isFollowed,
  lookEveryMs: LIMITS.incidents.lookEveryMs,
  take: async (tx, events) => {
    const told = events.map(({ event }) => event);
    await follow(tx, told);
    for (const { type, organization_id, subject } of told) if (SUBJECTS_SET.has(type)) await lookBack(tx, organization_id, subject.id);
  },
};
