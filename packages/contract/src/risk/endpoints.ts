import type { RowsOf } from '../rows/rows-of.ts';
import { riskSettingsEndpoints } from './risk-settings.ts';
import { riskSignalEndpoints } from './risk-signals.ts';

export const RISK = {
  ...riskSignalEndpoints,
  ...riskSettingsEndpoints,
} as const satisfies RowsOf<'risk'>;
