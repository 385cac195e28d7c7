import { isRenewalOverdue } from '@svc/postgres/agents/agents/ending-passports.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';

/** Whether passports come near their end because nothing renews them. Strangers may ask for it, so it is one flag and names nobody. */
export type PassportWatch = { readonly isRenewalOverdue: () => Promise<boolean> };

const KEPT_MS = 30_000;

/** Asks the database now and then, however often it is asked itself. */
export const newPassportWatch = (identity: Database, keptMs: number = KEPT_MS): PassportWatch => {
  let asked: Promise<boolean> | undefined;
  let until = 0;
  return {
    isRenewalOverdue: () => {
      if (asked === undefined || performance.now() >= until) {
        until = performance.now() + keptMs;
        asked = isRenewalOverdue(identity).catch((error: unknown) => {
          // What broke is not remembered.
          asked = undefined;
          throw error;
        });
      }
      return asked;
    },
  };
};
