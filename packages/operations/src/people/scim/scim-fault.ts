import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';

/** Builds an error as defined in RFC 7644, table 9. */
export const findScimFault = (scim_type: string, message: string): Refusal<'VALIDATION_FAILED'> =>
  buildRefusal('VALIDATION_FAILED', message, { scim_type });
