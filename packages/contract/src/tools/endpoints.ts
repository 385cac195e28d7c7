import type { RowsOf } from '../rows/rows-of.ts';
import { toolEndpoints } from './tools.ts';

export const TOOLS = { ...toolEndpoints } as const satisfies RowsOf<'tools'>;
