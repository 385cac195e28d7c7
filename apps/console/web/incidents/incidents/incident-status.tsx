import type { Incident } from '@svc/contract/incidents/incidents/incident-shapes.ts';
import type { ReactNode } from 'react';
import { refresh } from '../../data/use-operation.ts';
import { StatusPill, type Tone } from '../../design/status-pill.tsx';

const STATUSES: Readonly<Record<Incident['status'], { readonly tone: Tone; readonly name: string }>> = {
  OPEN: { tone: 'blocked', name: 'Open' },
  CONTAINED: { tone: 'held', name: 'Contained' },
  RESOLVED: { tone: 'allowed', name: 'Resolved' },
  CLOSED: { tone: 'neutral', name: 'Closed' },
};

export const IncidentStatus = ({ status }: Pick<Incident, 'status'>): ReactNode => (
  <StatusPill tone={STATUSES[status].tone}>{STATUSES[status].name}</StatusPill>
);

/** The title, marked where the incident is an exercise. */
export const formatTitle = ({ title, drill }: Pick<Incident, 'title' | 'drill'>): string => (drill ? `${title} (drill)` : title);

export const refreshIncidents = (): Promise<void> => refresh('listIncidents', 'getIncident', 'getIncidentTimeline', 'getIncidentReport');
