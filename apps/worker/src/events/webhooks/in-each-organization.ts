import { isUnavailable } from '@svc/postgres/connection/is-unavailable.ts';
import type { Logger } from 'pino';

/**
 * Runs work in each organization in sequence: a failure in one is logged and does not stop the others. A database that does not respond
 * ends it, since it would be the same for each.
 */
export const forEachOrganization = async <Each>(
  log: Logger,
  all: Iterable<Each>,
  work: (each: Each) => Promise<void>,
  told: (each: Each) => { readonly organization_id: string },
): Promise<void> => {
  for (const each of all)
    try {
      await work(each);
    } catch (err) {
      if (isUnavailable(err)) throw err;
      log.error({ err, ...told(each) }, 'webhook processing of one organization failed; others continue');
    }
};
