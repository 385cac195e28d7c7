import { ENDPOINTS } from './doors.ts';
import { judge, measure } from './measure.ts';
import { setScene } from './scene.ts';

/**
 * npm run e2e -- timing [part of a door's name ...] [--tries=400]
 *
 * Measures whether the response time discloses who has an account: for each endpoint the median for known and for unknown addresses,
 * requested alternately in one run. Exits with 1 if two medians differ by more than 5 % or a millisecond.
 */
const USAGE = `Compares how long answers take for known and for unknown addresses:

    npm run e2e -- timing               every door, 400 tries each
    npm run e2e -- timing sign-in       those with that in their name
    npm run e2e -- timing --tries=100   fewer`;

const asked = process.argv.slice(2);
const tries = Number(asked.find((word) => word.startsWith('--tries='))?.slice('--tries='.length) ?? 400);
const unknown = asked.filter((word) => word.startsWith('-') && !word.startsWith('--tries='));
const names = asked.filter((word) => !word.startsWith('-'));
const doors = ENDPOINTS.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
if (asked.includes('--help') || asked.includes('-h')) {
  console.log(USAGE);
  process.exit(0);
}
if (unknown.length > 0 || doors.length === 0 || !(tries >= 1)) {
  console.error(USAGE);
  process.exit(2);
}

const WARM_UP = 20;
const scene = await setScene((tries + WARM_UP) * doors.length);
try {
  for (const [index, door] of doors.entries()) {
    const measured = await measure(scene, door, { from: index * (tries + WARM_UP), tries, warmUp: WARM_UP });
    const { known, unknown: other, part, isAlike } = judge(measured);
    const figures = `known ${known.toFixed(2)} ms, unknown ${other.toFixed(2)} ms, ${(part * 100).toFixed(1)} % apart`;
    console.log(`${isAlike ? 'alike' : 'APART'}  ${door.name.padEnd(54)} ${figures}`);
    for (const fault of measured.faults) console.log(`       ${fault}`);
    if (!isAlike) process.exitCode = 1;
  }
} finally {
  await scene.stop();
}
process.exit();
