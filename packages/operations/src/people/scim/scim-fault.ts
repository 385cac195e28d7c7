import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';

/** Builds an error as defined in RFC 7644, table 9. */
export const scimFault = (scim_type: string, message: string): Refusal<'VALIDATION_FAILED'> =>
  refusal('VALIDATION_FAILED', message, { scim_type });
