import type { ResultOf } from '@svc/client/client-types.ts';

export type Organization = ResultOf<'getOrganization'>;
