import { describe } from './describe.ts';
import { FULL, QUICK } from './plan.ts';
import { runBench } from './run-bench.ts';

/** npm run bench [-- --quick] [-- --json] */
const known = new Set(['--quick', '--json']);
const unknown = process.argv.slice(2).filter((argument) => !known.has(argument));
if (unknown.length > 0) {
  console.error(`${unknown.join(' ')} means nothing here: run "npm run bench", "npm run bench -- --quick" or "npm run bench -- --json".`);
  process.exit(1);
}
const asJson = process.argv.includes('--json');
const report = await runBench(process.argv.includes('--quick') ? QUICK : FULL, (line) => console.error(line));
console.log(asJson ? JSON.stringify(report, null, 2) : describe(report));
if (report.recorded.answered !== report.recorded.rows) {
  console.error('The database does not hold one action for each answer.');
  process.exitCode = 1;
}
