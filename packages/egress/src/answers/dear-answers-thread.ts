import { parentPort } from 'node:worker_threads';
import { standBack } from './stand-back.ts';
import { type SmallAnswer, tellSmall } from './tell-small.ts';

standBack();

/** The thread in which small answers are read whose secrets take long to hide: one at a time, in the order in which they come. */
parentPort?.on('message', (small: SmallAnswer) => parentPort?.postMessage(tellSmall(small)));
