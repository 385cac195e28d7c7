import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { describePolicies } from './describe.ts';
import { FULL, QUICK } from './plan.ts';
import { runPolicyBench } from './run-policy-bench.ts';

/** npm run bench -- policy [--quick] [--json] */
endOnOtherWords(
  `Asks casbin, json-rules-engine, Cedar and Cerbos what the policies here are asked, and ends when one answers otherwise:

    npm run bench -- policy           all of it
    npm run bench -- policy --quick   shorter, and less exact
    npm run bench -- policy --json    the same numbers as JSON`,
  /^--(quick|json)$/,
);
const report = await runPolicyBench(process.argv.includes('--quick') ? QUICK : FULL, (line) => console.error(line));
console.log(process.argv.includes('--json') ? JSON.stringify(report, null, 2) : describePolicies(report));
