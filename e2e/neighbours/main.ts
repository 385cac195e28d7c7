import path from 'node:path';
import type { Attack } from './attack.ts';
import { describeReport, describeTable } from './describe.ts';
import { findAttacks } from './find-attacks.ts';
import { type Bounds, judge } from './judge.ts';
import { runAttack } from './run-attack.ts';
import { setScene } from './scene.ts';

/**
 * npm run e2e -- neighbours [part of an attack's name ...] [--seconds=10]
 *
 * Measures the load that each adversarial tenant or unauthenticated client can cause, and its effect on a neighbour. Each attack has planes
 * of its own.
 */
const BOUNDS: Bounds = { timesQuietMax: 2, p99MsMax: { decide: 50, call: 100, read: 250, stop: 500 }, planeMiBMax: 400 };

const USAGE = `Lets hostile tenants and strangers spend what they can, and prints what each costs a neighbour:

    npm run e2e -- neighbours                      every attack
    npm run e2e -- neighbours flood                those with that in their name
    npm run e2e -- neighbours flood --seconds=10   for so long each`;

const asked = process.argv.slice(2);
const unknown = asked.filter((word) => word.startsWith('-') && !word.startsWith('--seconds='));
if (asked.includes('--help') || asked.includes('-h')) {
  console.log(USAGE);
  process.exit(0);
}
if (unknown.length > 0) {
  console.error(`${unknown.join(' ')} is not recognized.\n\n${USAGE}`);
  process.exit(2);
}
const seconds = Number(asked.find((word) => word.startsWith('--seconds='))?.slice('--seconds='.length) ?? 8);
const files = findAttacks(asked.filter((word) => !word.startsWith('--')));
if (files.length === 0 || !(seconds > 0)) {
  console.error('No attack has that in its name, or --seconds is no number: run "npm run e2e -- neighbours" for all of them.');
  process.exit(1);
}

const lines: string[][] = [];
for (const file of files) {
  const { attack } = (await import(file)) as { readonly attack: Attack };
  const scene = await setScene(attack.env);
  try {
    const report = await runAttack(scene, file, { quietMs: seconds * 500, attackMs: seconds * 1_000 });
    const findings = judge(report, BOUNDS);
    lines.push(describeReport(report, findings));
    console.error(
      `${findings.length === 0 ? 'ok  ' : 'FELT'}  ${report.name}: ${report.title}${findings.map((one) => `\n        ${one}`).join('')}`,
    );
    if (findings.length > 0) process.exitCode = 1;
  } catch (error) {
    console.error(`FELT  ${path.basename(file, '.ts')}: it could not be tried\n        ${(error as Error).stack}`);
    process.exitCode = 1;
  } finally {
    await scene.stop();
  }
}
console.log(describeTable(lines));
process.exit();
