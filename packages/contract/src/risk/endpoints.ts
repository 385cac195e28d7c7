import type { RowsOf } from '../rows/rows-of.ts';
import { contextEndpoints } from './contexts.ts';
import { riskEventEndpoints } from './risk-events.ts';
import { riskSettingsEndpoints } from './risk-settings.ts';
import { riskSignalEndpoints } from './risk-signals.ts';

export const RISK = {
  ...riskSignalEndpoints,
  ...riskEventEndpoints,
  ...riskSettingsEndpoints,
  ...contextEndpoints,
} as const satisfies RowsOf<'risk'>;
