import { LIMITS } from '@svc/contract/tables/limits.ts';
import { startWorkerProcess } from '../../../aside/start-aside.ts';
import type { ParseReply, ParseTask } from './parse-worker.ts';

const { parseMs, parseHeapBytesMax } = LIMITS.codeAssist;
const GIVEN_UP: ParseReply = { kind: 'fault', message: 'The source takes too long to parse.' };

/** Parses and checks in a worker process that ends afterwards: the time and memory that a source takes are not the service's. */
export const parseInWorkerProcess = (question: ParseTask): Promise<Exclude<ParseReply, { readonly kind: 'ready' }>> =>
  new Promise((resolve) => {
    const child = startWorkerProcess(new URL('./parse-worker.ts', import.meta.url), parseHeapBytesMax / 1_048_576);
    const end = (reply: ParseReply): void => {
      if (reply.kind === 'ready') return;
      clearTimeout(timer);
      child.removeAllListeners();
      child.on('error', () => undefined);
      child.kill('SIGKILL');
      resolve(reply);
    };
    // Starting may take as long as parsing, and takes none of its time.
    let timer = setTimeout(() => end(GIVEN_UP), parseMs);
    child.on('message', (message) => {
      const reply = message as ParseReply;
      if (reply.kind !== 'ready') return end(reply);
      clearTimeout(timer);
      timer = setTimeout(() => end(GIVEN_UP), parseMs);
      child.send(question);
    });
    child.on('error', () => end(GIVEN_UP));
    child.on('exit', () => end(GIVEN_UP));
  });
