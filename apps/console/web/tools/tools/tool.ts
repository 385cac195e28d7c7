import type { Tool } from '@svc/contract/tools/tools.ts';

export type { Tool };
