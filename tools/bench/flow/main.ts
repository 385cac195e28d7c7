import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { describeFlow, evaluateFlow } from './evaluate-flow.ts';

/** npm run bench -- flow [--json] */
endOnOtherWords(
  `Runs sessions of attacks and of everyday work against the flow templates, and prints how many are stopped or held:

    npm run bench -- flow           a table for each way to separate flow contexts
    npm run bench -- flow --json    the same as JSON`,
  /^--json$/,
);
const reports = [evaluateFlow('CONTEXT'), evaluateFlow('AGENT')];
console.log(process.argv.includes('--json') ? JSON.stringify(reports, null, 2) : reports.map(describeFlow).join('\n\n'));
