import { parentPort } from 'node:worker_threads';
import { describeSmallAnswer, type SmallAnswer } from './describe-small-answer.ts';
import { lowerThreadPriority } from './stand-back.ts';

lowerThreadPriority();

/** The worker thread that reads small responses whose secrets take long to mask: one at a time, in order of arrival. */
parentPort?.on('message', (small: SmallAnswer) => parentPort?.postMessage(describeSmallAnswer(small)));
