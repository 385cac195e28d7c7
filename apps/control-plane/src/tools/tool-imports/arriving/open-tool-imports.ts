import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ImportOptions } from '@svc/domain/tools/tool-imports/draft/proposal.ts';
import { createEgress } from '@svc/egress/create-egress.ts';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';
import { describeAllowingSetting } from '@svc/egress/requests/explain-to-people.ts';
import { createWeightedFairQueue, type Turns } from '../../../aside/in-turn.ts';
import { type ReadAside, readInWorkerProcess } from '../reading/read-aside.ts';

/** Fetching and reading of documents, both bounded and shared fairly between organizations. */
export type ToolImports = {
  /** Passes the response of an address to `keep`. It is held in memory until that is done, and no other fetch takes its slot before. */
  readonly fetch: <Kept>(
    address: string,
    organizationId: string,
    keep: (pieces: readonly Uint8Array[]) => Promise<Kept>,
  ) => Promise<Kept | Refusal<'VALIDATION_FAILED' | 'RATE_LIMITED'>>;
  /** Queue for documents that arrive over a connection; they are held in memory until they are read. */
  readonly arrive: Turns;
  readonly read: (
    pieces: readonly Uint8Array[],
    options: ImportOptions,
    organizationId: string,
  ) => Promise<ReadAside | Refusal<'RATE_LIMITED'>>;
  readonly close: () => Promise<void>;
};

export type ImportSettings = {
  readonly allowCidrs: readonly string[];
  readonly nameServers: readonly string[];
  /** Maximum time from the request to the last byte; defaults to the limit of documents. */
  readonly fetchMs?: number;
};

const { documentBytesMax, arrivingMax, arrivingWaitMs, readingMax, readingWaitMs } = LIMITS.toolImports;

const atAddress = (message: string): Refusal<'VALIDATION_FAILED'> =>
  buildRefusal('VALIDATION_FAILED', 'The document cannot be fetched.', { faults: [{ pointer: '/address', message }] });

const getFailure = (result: EgressResult, fetchMs: number): string => {
  if (result.kind === 'timeout') return `did not answer within ${fetchMs / 1_000} seconds`;
  if (result.kind === 'unreachable')
    return result.forbidden ? `is not one that may be called.${describeAllowingSetting(result)}` : `cannot be reached: ${result.detail}`;
  return 'reason' in result ? `cannot be read: ${result.reason}` : 'answers with more than a document may have';
};

/**
 * Opens the fetching of documents, which is like a downstream call: no internal address unless the operator allows it, and no redirects.
 */
export const openToolImports = ({ allowCidrs, nameServers, fetchMs = LIMITS.toolImports.fetchMs }: ImportSettings): ToolImports => {
  const egress = createEgress({
    allowRealEgress: true,
    allowCidrs,
    nameServers,
    timeoutMs: fetchMs,
    responseMaxBytes: documentBytesMax,
    readsAtOnce: true,
    asBytes: true,
  });
  const arrive = createWeightedFairQueue(arrivingMax, arrivingWaitMs);
  const fetching = createWeightedFairQueue(arrivingMax, arrivingWaitMs);
  const reading = createWeightedFairQueue(readingMax, readingWaitMs);
  const fetchOne = async (url: string, tenant: string): Promise<readonly Uint8Array[] | Refusal<'VALIDATION_FAILED'>> => {
    const headers = { accept: 'application/json, application/yaml, text/yaml, text/plain, */*' };
    const result = await egress.call({ method: 'GET', url, headers, tenant });
    if (result.kind !== 'answered') return atAddress(getFailure(result, fetchMs));
    if (result.status >= 300 && result.status < 400)
      return atAddress('answers with a redirect, which is not followed: name where it leads');
    return result.status === 200 && result.raw ? [result.raw] : atAddress(`answers with the status ${result.status}`);
  };
  return {
    fetch: (address, organizationId, keep) =>
      fetching(organizationId, async () => {
        const pieces = await fetchOne(address, organizationId);
        return isRefusal(pieces) ? pieces : keep(pieces);
      }),
    arrive,
    read: (pieces, options, organizationId) => reading(organizationId, () => readInWorkerProcess(pieces, options)),
    close: egress.close,
  };
};
