import { missingPrograms } from '@svc/testing/database/patroni-cluster.ts';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { judge } from './judge.ts';
import { type Kill, runFailover } from './run-failover.ts';

endOnOtherWords(
  `Kills the primary of a cluster of three PostgreSQL servers under load, with Patroni, etcd and haproxy:

    npm run e2e -- failover       20 kills
    npm run e2e -- failover 4     number of kills

It needs the Debian packages patroni, etcd-server, haproxy and postgresql.`,
  /^[1-9]\d{0,2}$/,
);
const [kills = 20] = process.argv.slice(2).map(Number);
const BACK_MS_MAX = 30_000;

const missing = missingPrograms();
if (missing.length > 0) {
  console.error(`Not installed: ${missing.join(', ')}. Install the packages patroni, etcd-server, haproxy and postgresql.`);
  process.exit(1);
}
const done: Kill[] = [];
const evidence = await runFailover(kills, (kill) => {
  done.push(kill);
  console.log(
    `kill ${done.length} of ${kills} (${kill.failure.toLowerCase()}): first correct answer after ${Math.round(kill.backAfterMs)} ms`,
  );
});
const verdicts = judge(evidence);
for (const { promise, broken } of verdicts)
  console.log(
    broken.length === 0 ? `kept    ${promise}` : `BROKEN  ${promise}: ${broken.length}, such as ${JSON.stringify(broken.slice(0, 3))}`,
  );
for (const failure of ['MACHINE', 'PROCESS'] as const) {
  const times = done.filter((kill) => kill.failure === failure).map(({ backAfterMs }) => backAfterMs);
  if (times.length > 0)
    console.log(`first correct answer after the end of a ${failure.toLowerCase()}: at most ${Math.round(Math.max(...times))} ms`);
}
const slow = done.filter(({ backAfterMs }) => backAfterMs > BACK_MS_MAX).length;
const broken = verdicts.filter((verdict) => verdict.broken.length > 0).length;
console.log(
  `${done.length} kills, ${slow} slower than ${BACK_MS_MAX / 1000} s; ${verdicts.length - broken} promises kept, ${broken} broken`,
);
process.exitCode = broken === 0 && slow === 0 ? 0 : 1;
