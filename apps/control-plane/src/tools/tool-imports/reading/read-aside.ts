import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ImportOptions } from '@svc/domain/tools/tool-imports/draft/proposal.ts';
import { startAside } from '../../../aside/start-aside.ts';
import type { Document, Question, Reply } from './read-worker.ts';

/** `rows` are texts of JSON arrays, for the database to read. */
export type ReadAside = { readonly document: Document; readonly rows: readonly string[] } | { readonly fault: string };

const { readingMs, readingHeapBytesMax } = LIMITS.toolImports;

const PIECE_BYTES = 65_536;
const GIVEN_UP = `The document took more than ${readingMs / 1_000} seconds, or more memory than there is for one. Send a smaller part of it.`;

/**
 * Reads a document in a process of its own [a worker process for each document], which ends with it: what a stranger wrote is parsed where
 * nothing is decided, and neither time nor memory that it takes is that of the service.
 */
export const readAside = (pieces: readonly Uint8Array[], options: ImportOptions): Promise<ReadAside> =>
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
    let timer = setTimeout(() => end({ fault: GIVEN_UP }), readingMs);
    child.on('message', (message) => {
      const reply = message as Reply;
      if (reply.kind === 'ready') {
        clearTimeout(timer);
        timer = setTimeout(() => end({ fault: GIVEN_UP }), readingMs);
      } else if (reply.kind === 'rows') rows.push(reply.text);
      else if (reply.kind === 'done') end({ document: reply.document, rows });
      else end({ fault: reply.message });
    });
    child.on('error', () => end({ fault: GIVEN_UP }));
    child.on('exit', () => end({ fault: GIVEN_UP }));
    const questions = function* (): Generator<Question> {
      yield { kind: 'begin', options };
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
