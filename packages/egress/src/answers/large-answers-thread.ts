import { parentPort } from 'node:worker_threads';
import { describeLargeAnswer, type LargeBody } from './describe-large-answer.ts';
import { lowerThreadPriority } from './stand-back.ts';

lowerThreadPriority();

/** The worker thread that reads large responses: one at a time, in order of arrival. */
parentPort?.on('message', (large: LargeBody) => {
  const told = describeLargeAnswer(large);
  // Freed now instead of by the garbage collector: a dozen of them are soon read in succession.
  large.body.buffer.transfer(0);
  parentPort?.postMessage(told, told.kind === 'told' ? [told.json.buffer] : []);
});
