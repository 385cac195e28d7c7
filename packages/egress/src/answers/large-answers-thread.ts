import { parentPort } from 'node:worker_threads';
import { standBack } from './stand-back.ts';
import { type LargeBody, tellLarge } from './tell-large.ts';

standBack();

/** The thread in which large answers are read: one at a time, in the order in which they come. */
parentPort?.on('message', (large: LargeBody) => {
  const told = tellLarge(large);
  // Given back now, and not when garbage is looked for: a dozen of them are soon read one behind the other.
  large.body.buffer.transfer(0);
  parentPort?.postMessage(told, told.kind === 'told' ? [told.json.buffer] : []);
});
