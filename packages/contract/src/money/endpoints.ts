import type { AreaEndpoints } from '../rows/area-rows.ts';
import { fxRateEndpoints } from './fx-rates.ts';

export const MONEY = { ...fxRateEndpoints } as const satisfies AreaEndpoints<'money'>;
