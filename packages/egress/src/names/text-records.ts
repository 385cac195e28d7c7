import { promises as dns } from 'node:dns';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isConnectionError } from '../requests/failure-reason.ts';

/** Reads the TXT records of a name; null if no name server answered in time. */
export type TextRecords = (name: string) => Promise<readonly string[] | null>;

const QUERY_MS = 1_500;
const NONE = new Set(['ENODATA', 'ENOTFOUND']);

/** Queries the name servers, those of the system if empty. Each lookup has a resolver of its own, so that it can be aborted alone. */
export const newTextRecords =
  (nameServers: readonly string[]): TextRecords =>
  async (name) => {
    const resolver = new dns.Resolver({ timeout: QUERY_MS, tries: 2 });
    if (nameServers.length > 0) resolver.setServers(nameServers);
    const timer = setTimeout(() => resolver.cancel(), LIMITS.sso.recordLookupMs);
    try {
      const records = await resolver.resolveTxt(name);
      return records.slice(0, LIMITS.sso.recordsMax).map((parts) => parts.join(''));
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      return NONE.has(error.code) ? [] : null;
    } finally {
      clearTimeout(timer);
    }
  };
