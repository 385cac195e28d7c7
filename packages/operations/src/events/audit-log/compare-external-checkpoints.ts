import { getLogOrigin } from '@svc/keyring/log/audit-log.ts';
import { findNewestKept } from '@svc/keyring/log/checkpoint-chain.ts';
import { openCheckpoint } from '@svc/keyring/log/signed-note.ts';
import type { KeptTreeRow } from '@svc/postgres/audit/log/read-log.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import type { LogFinding } from './compare-stretch.ts';
import { readSegmentHashes } from './hashes-over.ts';
import type { AuditedLog } from './verify-log.ts';

const fault = (says: string, sequence: number | null = null): LogFinding => ({ kind: 'LOG_CHANGED', sequence, event_id: null, says });

/** Compares checkpoints that were kept outside of this installation with the log, which must extend each of them. */
export const compareExternalCheckpoints = async (
  tx: TenantTransaction,
  log: AuditedLog,
  row: KeptTreeRow | undefined,
  notes: readonly string[],
): Promise<readonly LogFinding[]> => {
  const [origin, size] = [getLogOrigin(log.installationId, log.organizationId), row?.size ?? 0];
  const opened = notes.map((note) => ({ note, said: openCheckpoint(note, log.keys) }));
  const roots = await readSegmentHashes(
    tx,
    log.organizationId,
    opened.map(({ said }) => ({ from: 0, to: Math.min(said?.size ?? 0, size) })),
  );
  const kept = findNewestKept(row?.checkpoint ?? '')?.number ?? 0;
  return opened.flatMap(({ note, said }, n) => {
    if (said?.origin !== origin) return [fault(`The checkpoint ${n + 1} of your request is not signed by a key of this log.`)];
    if (said.size > size)
      return [fault(`The log was rolled back or truncated: your checkpoint is of ${said.size} leaves, and the log has ${size}.`, size)];
    if (!roots[n]?.equals(said.root))
      return [fault(`The log was rewritten: it does not continue your checkpoint of ${said.size} leaves.`, said.size)];
    const stated = findNewestKept(note)?.number ?? 0;
    return stated > kept ? [fault(`The log was rolled back: your checkpoint commits to ${stated} past ones, and the log to ${kept}.`)] : [];
  });
};
