import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { startOf } from '@svc/policy/values/start-of.ts';
import SCIMMY from 'scimmy';

type Told = Refusal<'VALIDATION_FAILED'>;

/** A fault in the words of RFC 7644, table 9. */
export const scimFault = (scim_type: string, message: string): Told => refusal('VALIDATION_FAILED', message, { scim_type });

/** What the library found wrong with a request; anything else that it throws is no fault of whoever asks. */
export const readScim = async <Result>(read: () => Result | Promise<Result>): Promise<Result | Told> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SCIMMY.Types.Error || error instanceof TypeError) {
      const { scimType } = error as { readonly scimType?: string };
      return scimFault(scimType || 'invalidValue', startOf(error.message, 300));
    }
    throw error;
  }
};
