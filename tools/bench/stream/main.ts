import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mintToken } from '@svc/testing/agents/agent.ts';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { getProcessMicros } from '../processor-time.ts';
import { setScene } from '../scene.ts';
import { type CleanupSteps, startService } from '../service.ts';

/**
 * npm run bench -- stream [<decisions a second> <seconds>]
 *
 * Measures how long it takes from a decision event until a hundred listeners of four organizations have it, while all of these decide. The
 * time counts from when it happened, before it is recorded.
 */
endOnOtherWords(
  `Measures how long it takes from a decision until a hundred listeners have its event:

    npm run bench -- stream          1,000 decisions a second for 15 seconds
    npm run bench -- stream 200 30   200 a second for 30 seconds`,
  /^\d+$/,
);
const [perSecond = 1_000, seconds = 15] = process.argv.slice(2).map(Number);
const ORGANIZATIONS = 4;
const LISTENERS_EACH = 25;
const P99_MS_MAX = 300;
const AGENTS = 4;

type Report = { readonly open: number; readonly events: number; readonly p50: number; readonly p99: number; readonly longest: number };
type Decided = { readonly decided: number; readonly seconds: number };

const undo: CleanupSteps = [];
const begin = (file: string): ChildProcess => {
  const child = fork(path.join(import.meta.dirname, file));
  undo.push(() => child.disconnect());
  return child;
};
const readAnswer = async <Answer>(child: ChildProcess, message: object | string): Promise<Answer> => {
  const answered = once(child, 'message');
  child.send(message);
  return ((await answered) as [Answer])[0];
};

try {
  const { controlUrl, gatewayUrl, controlPid, gatewayPid } = await startService(undo);
  const scenes = [];
  for (let n = 0; n < ORGANIZATIONS; n += 1) scenes.push(await setScene(controlUrl, AGENTS));
  const tokens = await Promise.all(scenes.flatMap(({ agents }) => agents.map((agent) => mintToken(gatewayUrl, agent))));
  const [deciding, listening] = [begin('decide.ts'), begin('listen.ts')];
  listening.send({ controlUrl, tokens: scenes.map(({ callerToken }) => callerToken), each: LISTENERS_EACH });
  while ((await readAnswer<Report>(listening, 'report')).open < ORGANIZATIONS * LISTENERS_EACH) await sleep(100);
  await readAnswer<Decided>(deciding, { gatewayUrl, tokens, perSecond, seconds: 3 });
  listening.send('measure');
  const before = getProcessMicros(controlPid);
  const { decided, seconds: took } = await readAnswer<Decided>(deciding, { gatewayUrl, tokens, perSecond, seconds });
  const micros = getProcessMicros(controlPid) - before;
  await sleep(1_000);
  const { open, events, p50, p99, longest } = await readAnswer<Report>(listening, 'report');
  console.log(
    `${Math.round(decided / took)} decisions a second (required: ${perSecond}), ${events} events at ${open} listeners: p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms (required: p99 ${P99_MS_MAX} ms); the plane that streams took ${Math.round(micros / decided)} us of processor time for a decision, all listeners together`,
  );
  if (getProcessMicros(gatewayPid) === 0) console.log('processor time is not available on this system');
  process.exitCode = p99 > P99_MS_MAX ? 1 : 0;
} finally {
  for (const each of undo.toReversed()) await each();
}
