import type { RowsOf } from '../rows/rows-of.ts';
import { toolDeclarationEndpoints } from './declarations.ts';
import { toolEndpoints } from './tools.ts';

export const TOOLS = { ...toolEndpoints, ...toolDeclarationEndpoints } as const satisfies RowsOf<'tools'>;
