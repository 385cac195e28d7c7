import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { BENCH_THRESHOLDS } from './run-agent.ts';
import { type AttackResult, type KindResult, measureLongLife, simulateAttacks, simulateHonest } from './simulate-risk.ts';

/** npm run bench -- risk [--json] */
endOnOtherWords(
  `Runs some 400,000 actions of honest agents and the attacks of a stolen agent through the risk signals, and prints how many reach a threshold:

    npm run bench -- risk           two tables
    npm run bench -- risk --json    the same as JSON`,
  /^--json$/,
);

const perThousand = (part: number, whole: number): string => ((part / whole) * 1_000).toFixed(3).padStart(8);

const honestLine = ({ kind, actions, elevated, high, signals }: KindResult): string => {
  const fired = Object.entries(signals).map(([name, count]) => `${name} ${((count / actions) * 1_000).toFixed(2)}`);
  return `${kind.padEnd(10)}${String(actions).padStart(9)}${perThousand(elevated, actions)}${perThousand(high, actions)}  ${fired.join(', ')}`;
};

const attackLine = ({ title, score, signals, elevatedAt, highAt }: AttackResult): string =>
  `${String(score).padStart(4)}  ${title}: elevated at request ${elevatedAt || 'none'}, high at ${highAt || 'none'} (${signals.join(', ')})`;

const honest = simulateHonest();
const attacks = simulateAttacks();
const sum = (member: 'actions' | 'elevated' | 'high') => honest.reduce((total, each) => total + each[member], 0);
if (process.argv.includes('--json')) console.log(JSON.stringify({ thresholds: BENCH_THRESHOLDS, honest, attacks }, null, 2));
else {
  console.log(
    `Honest actions: ${sum('actions')}; elevated (${BENCH_THRESHOLDS.elevated}) ${sum('elevated')}, high (${BENCH_THRESHOLDS.high}) ${sum('high')}`,
  );
  console.log('kind        actions  elevated     high  (per 1,000), then what counted per 1,000');
  for (const each of honest) console.log(honestLine(each));
  console.log('\nAttacks on an agent with 14 days of history');
  for (const each of attacks) console.log(attackLine(each));
  console.log('\nOne agent');
  for (const { actions, bytes, micros } of measureLongLife([1_000, 1_000_000]))
    console.log(`after ${actions} actions: ${bytes} bytes of history, ${micros.toFixed(1)} us for a request (median)`);
}
