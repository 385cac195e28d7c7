import type { RowsOf } from '../rows/rows-of.ts';
import { emergencyEndpoints } from './emergency.ts';
import { containmentEndpoints } from './incidents/containment.ts';
import { incidentEndpoints } from './incidents/incidents.ts';

export const INCIDENTS = {
  ...incidentEndpoints,
  ...containmentEndpoints,
  ...emergencyEndpoints,
} as const satisfies RowsOf<'incidents'>;
