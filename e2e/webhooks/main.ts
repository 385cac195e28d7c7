import { delayBehindHanging } from './hanging.ts';
import { killWorkers } from './kills.ts';

/** npm run test:webhooks [-- <events> <kills>]: what webhooks promise, in numbers that take minutes. */
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
