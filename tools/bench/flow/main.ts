import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { describeAgentDojo, evaluateAgentDojo } from './agentdojo/evaluate-agentdojo.ts';
import { describeFlow, evaluateFlow } from './evaluate-flow.ts';

/** npm run bench -- flow [--json] */
endOnOtherWords(
  `Runs sessions of attacks and of everyday work against the flow templates, and prints how many are stopped or held. Own sessions, and sessions made from
the public suites of AgentDojo:

    npm run bench -- flow           a table for each way to separate flow contexts
    npm run bench -- flow --json    the same as JSON`,
  /^--json$/,
);
const reports = [evaluateFlow('CONTEXT'), evaluateFlow('AGENT')];
const agentdojo = evaluateAgentDojo();
console.log(
  process.argv.includes('--json')
    ? JSON.stringify({ own: reports, agentdojo }, null, 2)
    : [...reports.map(describeFlow), describeAgentDojo(agentdojo)].join('\n\n'),
);
