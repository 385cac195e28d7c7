import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { describe } from '../describe.ts';
import { FULL, QUICK } from '../plan.ts';
import { runBench } from '../run-bench.ts';

/** npm run bench -- actions [--quick] [--json] */
endOnOtherWords(
  `Measures both planes side by side with a bare HTTP server:

    npm run bench -- actions           all of it
    npm run bench -- actions --quick   shorter, and less exact
    npm run bench -- actions --json    the same numbers as JSON`,
  /^--(quick|json)$/,
);
const asJson = process.argv.includes('--json');
const report = await runBench(process.argv.includes('--quick') ? QUICK : FULL, (line) => console.error(line));
console.log(asJson ? JSON.stringify(report, null, 2) : describe(report));
if (report.recorded.answered !== report.recorded.rows) {
  console.error('The database does not hold one action for each answer.');
  process.exitCode = 1;
}
