import { describePolicies } from './describe.ts';
import { FULL, QUICK } from './plan.ts';
import { runPolicyBench } from './run-policy-bench.ts';

/** npm run bench:policy [-- --quick] [-- --json] */
const known = new Set(['--quick', '--json']);
const unknown = process.argv.slice(2).filter((argument) => !known.has(argument));
if (unknown.length > 0) {
  console.error(
    `${unknown.join(' ')} means nothing here: run "npm run bench:policy", "npm run bench:policy -- --quick" or "npm run bench:policy -- --json".`,
  );
  process.exit(1);
}
const report = await runPolicyBench(process.argv.includes('--quick') ? QUICK : FULL, (line) => console.error(line));
console.log(process.argv.includes('--json') ? JSON.stringify(report, null, 2) : describePolicies(report));
