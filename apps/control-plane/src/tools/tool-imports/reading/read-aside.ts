import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ImportOptions } from '@svc/domain/tools/tool-imports/draft/proposal.ts';
import { startWorkerProcess } from '../../../aside/start-aside.ts';
import { OUT_OF_TIME } from './limit-processor-time.ts';
import type { DocumentMetadata, ReadMessage, ReadReply } from './read-worker.ts';

/** `rows` are JSON arrays as text, for the database to parse. `busy` means that the service, not the document, is the reason. */
export type ReadAside =
  | { readonly document: DocumentMetadata; readonly rows: readonly string[] }
  | { readonly fault: string }
  | { readonly busy: string };

export type ReadingTimes = {
  /** Processor time for the document. */
  readonly readingProcessorMs: number;
  /** Time until the process has started, and again until it has answered. */
  readonly readingMs: number;
};

const { readingHeapBytesMax } = LIMITS.toolImports;

const PIECE_BYTES = 65_536;
const LARGE = 'The document cannot be read, or needs more memory than there is for one. Send a smaller part of it.';
const BUSY = 'The service is too busy to read the document. Nothing was changed; send it again.';

/**
 * Reads a document in a worker process of its own, which ends with it: untrusted input is parsed where no decision is made, and the time
 * and memory it takes are not the service's.
 */
export const readInWorkerProcess = (
  pieces: readonly Uint8Array[],
  options: ImportOptions,
  { readingProcessorMs, readingMs }: ReadingTimes = LIMITS.toolImports,
): Promise<ReadAside> =>
  new Promise((resolve) => {
    const child = startWorkerProcess(new URL('./read-worker.ts', import.meta.url), readingHeapBytesMax / 1_048_576);
    const rows: string[] = [];
    const end = (result: ReadAside): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      // Later errors of the process are ignored.
      child.on('error', () => undefined);
      child.kill('SIGKILL');
      resolve(result);
    };
    // Starting may take as long as reading, and takes none of its time: a small document is not refused if processors are short.
    let timer = setTimeout(() => end({ busy: BUSY }), readingMs);
    child.on('message', (message) => {
      const reply = message as ReadReply;
      if (reply.kind === 'ready') {
        clearTimeout(timer);
        timer = setTimeout(() => end({ busy: BUSY }), readingMs);
      } else if (reply.kind === 'rows') rows.push(reply.text);
      else if (reply.kind === 'done') end({ document: reply.document, rows });
      else end({ fault: reply.message });
    });
    const slow = `The document took more than ${readingProcessorMs / 1_000} seconds of processor time. Send a smaller part of it.`;
    child.on('error', () => end({ busy: BUSY }));
    child.on('exit', (_code, signal) => end({ fault: signal === OUT_OF_TIME ? slow : LARGE }));
    const questions = function* (): Generator<ReadMessage> {
      yield { kind: 'begin', options, processorMs: readingProcessorMs };
      for (const piece of pieces)
        for (let at = 0; at < piece.length; at += PIECE_BYTES) yield { kind: 'piece', bytes: piece.subarray(at, at + PIECE_BYTES) };
      yield { kind: 'end' };
    };
    // One chunk per event-loop tick, so that this process serves others between them.
    const asked = questions();
    const askOn = (): void => {
      const { value, done } = asked.next();
      if (!done && child.connected) child.send(value, () => setImmediate(askOn));
    };
    askOn();
  });
