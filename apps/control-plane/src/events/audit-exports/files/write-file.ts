import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { ExportRecord } from '@svc/contract/events/audit-export.ts';
import type { ExportOrigin } from '@svc/domain/events/audit-events/ocsf-event.ts';
import { newRunningDigest } from '@svc/keyring/bytes/running-digest.ts';
import type { ExportedLeaf } from '@svc/postgres/events/audit-exports.ts';
import type { FileForm } from './forms.ts';
import { formatTileLines } from './tile-lines.ts';

/** Result of an export, complete or partial. */
export type ExportResult = {
  readonly phase: 'completed' | 'broken_off';
  readonly events: number;
  readonly bytes: number;
  readonly sha256: string;
};

/** Content of a file, and the callbacks that record its progress. */
export type FileSource = {
  readonly form: FileForm;
  /** Leaves that were written, the last one excluded. */
  readonly from: number;
  readonly to: number;
  readonly read: (
    from: number,
    to: number,
  ) => Promise<{
    readonly leaves: readonly ExportedLeaf[];
    readonly events: readonly AuditEvent[];
    readonly records: readonly ExportRecord[];
  }>;
  /** Called when all leaves were written. Returns the new end, which is higher if the export became one of a later log. */
  readonly settle: () => Promise<number>;
  /** Returns what the manifest states in addition to counts; called when the plan is final. */
  readonly manifest: () => Promise<object>;
  readonly origin: ExportOrigin;
  readonly begin: () => Promise<unknown>;
  readonly end: (outcome: ExportResult) => Promise<unknown>;
};

const recordLine = (record: ExportRecord): string => `${JSON.stringify({ record })}\n`;

/** Number of times a file may become one of a later log before it is aborted. Retention announces a removal at most once in ten minutes. */
const SETTLED_MAX = 20;

/**
 * Writes a file of events chunk by chunk, on demand. The result is recorded before the manifest is sent, so that no complete file exists
 * which the record does not know. An aborted file has no manifest.
 */
export async function* writeFile(source: FileSource, ended: AbortSignal): AsyncGenerator<Buffer, void> {
  const { form, read, begin, end } = source;
  const digest = newRunningDigest();
  let [events, bytes, isWhole] = [0, 0, false];
  const outcome = (phase: ExportResult['phase']): ExportResult => ({ phase, events, bytes, sha256: digest.hex() });
  const written = (text: string): Buffer => {
    const part = Buffer.from(text);
    digest.add(part);
    bytes += part.length;
    return part;
  };
  await begin();
  try {
    if (form.head !== '') yield written(form.head);
    let [at, to, settled] = [source.from, source.to, 0];
    for (let isSettled = false; !isSettled; ) {
      while (at < to) {
        if (ended.aborted) throw new Error(`the export was ended: ${String(ended.reason ?? 'the reader closed the connection')}`);
        const page = await read(at, to);
        if (page.leaves.length === 0) break;
        at = (page.leaves.at(-1)?.leaf_index ?? to) + 1;
        events += page.events.length;
        const text =
          page.events.map(form.line).join('') +
          page.records.map(recordLine).join('') +
          (form.hasHashes ? formatTileLines(page.leaves) : '');
        if (text !== '') yield written(text);
      }
      const now = await source.settle();
      isSettled = now <= to;
      to = now;
      settled += 1;
      if (!isSettled && settled >= SETTLED_MAX)
        throw new Error('the export was ended: retention announced more each time that it was whole');
    }
    const manifest = await source.manifest();
    const { sha256 } = outcome('completed');
    const size = { events, bytes };
    if (ended.aborted) throw new Error('the export was ended before its manifest');
    await end(outcome('completed'));
    isWhole = true;
    yield Buffer.from(form.manifest({ format: form.name, ...manifest, ...size, sha256 }, source.origin));
  } finally {
    if (!isWhole) await end(outcome('broken_off'));
  }
}
