import type { AreaEndpoints } from '../rows/area-rows.ts';
import { contextEndpoints } from './contexts.ts';
import { riskEventEndpoints } from './risk-events.ts';
import { riskSettingsEndpoints } from './risk-settings.ts';
import { riskSignalEndpoints } from './risk-signals.ts';
import { trustEvidenceEndpoints } from './trust/trust-evidence.ts';
import { trustProviderEndpoints } from './trust/trust-providers.ts';
import { trustRequirementEndpoints } from './trust/trust-requirements.ts';

/** Endpoints of the risk area, by operation name. */
export const RISK = {
  ...riskSignalEndpoints,
  ...riskEventEndpoints,
  ...riskSettingsEndpoints,
  ...contextEndpoints,
  ...trustProviderEndpoints,
  ...trustEvidenceEndpoints,
  ...trustRequirementEndpoints,
} as const satisfies AreaEndpoints<'risk'>;
