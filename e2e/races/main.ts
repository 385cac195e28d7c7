import { ENDPOINTS } from './doors.ts';
import { PARALLEL, runRound } from './race.ts';
import { setScene } from './scene.ts';

/**
 * npm run e2e -- races [part of a name ...] [--rounds=100]
 *
 * Uses everything that may be used once concurrently, on two planes, in many rounds (race conditions): exactly one use must win each round.
 */
const USAGE = `Uses whatever may be used once ${PARALLEL} times at the same moment, and counts who wins:

    npm run e2e -- races               everything, 100 rounds each
    npm run e2e -- races invitation    what has that in its name
    npm run e2e -- races --rounds=10   fewer`;

const asked = process.argv.slice(2);
const rounds = Number(asked.find((word) => word.startsWith('--rounds='))?.slice('--rounds='.length) ?? 100);
const unknown = asked.filter((word) => word.startsWith('-') && !word.startsWith('--rounds='));
const names = asked.filter((word) => !word.startsWith('-'));
const doors = ENDPOINTS.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
if (asked.includes('--help') || asked.includes('-h')) {
  console.log(USAGE);
  process.exit(0);
}
if (unknown.length > 0 || doors.length === 0 || !(rounds >= 1)) {
  console.error(USAGE);
  process.exit(2);
}

const scene = await setScene();
try {
  for (const door of doors) {
    const startedAt = performance.now();
    const faults: string[] = [];
    for (let round = 1; round <= rounds; round += 1)
      faults.push(...(await runRound(scene, door)).map((fault) => `round ${round}: ${fault}`));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    console.log(`${faults.length === 0 ? 'one wins' : 'WRONG   '}  ${door.name} (${rounds} rounds, ${seconds} s)`);
    for (const fault of faults) console.log(`          ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  }
} finally {
  await scene.stop();
}
process.exit();
