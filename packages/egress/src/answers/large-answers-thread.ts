import { parentPort } from 'node:worker_threads';
import { type LargeBody, tellLarge } from './tell-large.ts';

/** The thread in which large answers are read: one at a time, in the order in which they come. */
parentPort?.on('message', (large: LargeBody) => {
  const told = tellLarge(large);
  parentPort?.postMessage(told, told.kind === 'told' ? [told.json.buffer] : []);
});
