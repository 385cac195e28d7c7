import type { Organization } from '@svc/contract/tenancy/organization.ts';

export type { Organization };
