import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { ExportRecord } from '@svc/contract/events/audit-export.ts';
import type { ExportOrigin } from '@svc/domain/events/audit-events/ocsf-event.ts';
import { newRunningDigest } from '@svc/keyring/bytes/running-digest.ts';
import type { ExportedLeaf } from '@svc/postgres/events/audit-exports.ts';
import type { FileForm } from './forms.ts';
import { tileLines } from './tile-lines.ts';

/** What came of an export, or of as much of it as was made. */
export type Outcome = {
  readonly phase: 'completed' | 'broken_off';
  readonly events: number;
  readonly bytes: number;
  readonly sha256: string;
};

/** What a file is made of, and whom it tells how it goes. */
export type FileSource = {
  readonly form: FileForm;
  /** Leaves that are told of, the last one excluded. */
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
  /** Asked when all leaves were told of: up to where they go now, which is further where the export became one of a later log. */
  readonly settle: () => Promise<number>;
  /** What the manifest says besides what is counted, asked when everything is settled. */
  readonly manifest: () => Promise<object>;
  readonly origin: ExportOrigin;
  readonly begin: () => Promise<unknown>;
  readonly end: (outcome: Outcome) => Promise<unknown>;
};

const recordLine = (record: ExportRecord): string => `${JSON.stringify({ record })}\n`;

/** How often a file becomes one of a later log until it is broken off: retention announces something once in ten minutes. */
const SETTLED_MAX = 20;

/**
 * Writes a file of events, a part of it each time that one is asked for. What came of it is recorded before its manifest is handed over, so
 * that nobody has a whole file of which the record does not know; one that breaks off has no manifest.
 */
export async function* writeFile(source: FileSource, ended: AbortSignal): AsyncGenerator<Buffer, void> {
  const { form, read, begin, end } = source;
  const digest = newRunningDigest();
  let [events, bytes, isWhole] = [0, 0, false];
  const outcome = (phase: Outcome['phase']): Outcome => ({ phase, events, bytes, sha256: digest.hex() });
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
          page.events.map(form.line).join('') + page.records.map(recordLine).join('') + (form.hasHashes ? tileLines(page.leaves) : '');
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
