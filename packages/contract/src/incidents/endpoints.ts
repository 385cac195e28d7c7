import type { AreaEndpoints } from '../rows/area-rows.ts';
import { breakGlassEndpoints } from './emergency/break-glass.ts';
import { emergencyEndpoints } from './emergency.ts';
import { incidentRuleEndpoints } from './incident-rules/incident-rules.ts';
import { containmentEndpoints } from './incidents/containment.ts';
import { incidentEndpoints } from './incidents/incidents.ts';

export const INCIDENTS = {
  ...incidentEndpoints,
  ...containmentEndpoints,
  ...incidentRuleEndpoints,
  ...emergencyEndpoints,
  ...breakGlassEndpoints,
} as const satisfies AreaEndpoints<'incidents'>;
