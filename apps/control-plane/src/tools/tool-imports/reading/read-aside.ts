import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ImportOptions } from '@svc/domain/tools/tool-imports/draft/proposal.ts';
import { startAside } from '../../../aside/start-aside.ts';
import { OUT_OF_TIME } from './limit-processor-time.ts';
import type { Document, Question, Reply } from './read-worker.ts';

/** `rows` are texts of JSON arrays, for the database to read. `busy` says that the service, not the document, is the reason. */
export type ReadAside =
  | { readonly document: Document; readonly rows: readonly string[] }
  | { readonly fault: string }
  | { readonly busy: string };

export type ReadingTimes = {
  /** Processor time of the document. */
  readonly readingProcessorMs: number;
  /** Time until the process has started, and again until it has answered. */
  readonly readingMs: number;
};

const { readingHeapBytesMax } = LIMITS.toolImports;

const PIECE_BYTES = 65_536;
const LARGE = 'The document cannot be read, or needs more memory than there is for one. Send a smaller part of it.';
const BUSY = 'The service is too busy to read the document. Nothing was changed; send it again.';

/**
 * Reads a document in a process of its own [a worker process for each document], which ends with it: what a stranger wrote is parsed where
 * nothing is decided, and neither time nor memory that it takes is that of the service.
 */
export const readAside = (
  pieces: readonly Uint8Array[],
  options: ImportOptions,
  { readingProcessorMs, readingMs }: ReadingTimes = LIMITS.toolImports,
): Promise<ReadAside> =>
  new Promise((resolve) => {
    const child = startAside(new URL('./read-worker.ts', import.meta.url), readingHeapBytesMax / 1_048_576);
    const rows: string[] = [];
    const end = (result: ReadAside): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      // Whatever it still has to say is heard by nobody.
      child.on('error', () => undefined);
      child.kill('SIGKILL');
      resolve(result);
    };
    // Starting has as long as reading, and takes none of it: where processors are short, a small document is not refused for that.
    let timer = setTimeout(() => end({ busy: BUSY }), readingMs);
    child.on('message', (message) => {
      const reply = message as Reply;
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
    const questions = function* (): Generator<Question> {
      yield { kind: 'begin', options, processorMs: readingProcessorMs };
      for (const piece of pieces)
        for (let at = 0; at < piece.length; at += PIECE_BYTES) yield { kind: 'piece', bytes: piece.subarray(at, at + PIECE_BYTES) };
      yield { kind: 'end' };
    };
    // One piece after the other, so that this process has turns for others between them.
    const asked = questions();
    const askOn = (): void => {
      const { value, done } = asked.next();
      if (!done && child.connected) child.send(value, () => setImmediate(askOn));
    };
    askOn();
  });
