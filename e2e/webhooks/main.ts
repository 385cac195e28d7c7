import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { delayBehindHanging } from './hanging.ts';
import { killWorkers } from './kills.ts';

/**
 * npm run e2e -- webhooks [<events> <kills>]
 *
 * Measures the promises of webhooks in numbers that take minutes.
 */
endOnOtherWords(
  `Kills workers while they deliver, and delivers beside receivers that hang:

    npm run e2e -- webhooks          10,000 events and 20 kills
    npm run e2e -- webhooks 1000 5   events and kills`,
  /^\d+$/,
);
const [events = 10_000, kills = 20] = process.argv.slice(2).map(Number);
const P95_MS_MAX = 5_000;

const killed = await killWorkers(events, kills);
console.log(
  `${kills} kills during ${events} events: ${killed.arrived} arrived in ${killed.deliveries} deliveries, ${killed.unlike} repeats unlike their first`,
);
const delayed = await delayBehindHanging(100, 200);
console.log(`beside ${delayed.hanging} receivers that hang or drip: p95 ${delayed.p95Ms} ms, longest ${delayed.longestMs} ms`);
const fine = killed.arrived === events && killed.unlike === 0 && delayed.p95Ms <= P95_MS_MAX;
console.log(fine ? '2 passed, 0 failed' : 'a promise was not kept');
process.exitCode = fine ? 0 : 1;
