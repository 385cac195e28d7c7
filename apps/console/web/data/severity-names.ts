import type { IncidentSeverity } from '@svc/contract/incidents/incidents/incident-shapes.ts';

/** Severities of incidents as pages show them. */
export const SEVERITY_NAMES: Readonly<Record<IncidentSeverity, string>> = {
  LOW: 'Low',
  MEDIUM: 'Medium',
  HIGH: 'High',
  CRITICAL: 'Critical',
};
