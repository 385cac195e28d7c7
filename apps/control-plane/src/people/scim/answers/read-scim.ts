import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { findScimFault } from '@svc/operations/people/scim/scim-fault.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';
import SCIMMY from 'scimmy';

/** Returns a library's error about a request; rethrows any other exception. */
export const readScim = async <Result>(read: () => Result | Promise<Result>): Promise<Result | Refusal<'VALIDATION_FAILED'>> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SCIMMY.Types.Error || error instanceof TypeError) {
      const { scimType } = error as { readonly scimType?: string };
      return findScimFault(scimType || 'invalidValue', truncateText(error.message, 300));
    }
    throw error;
  }
};
