import { readRequest } from '../calls/read-request.ts';
import { resolveId } from '../calls/resolve-name.ts';
import { explanationLines, paintDecision } from '../output/explain-decision.ts';
import { printResult } from '../output/print.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { plain } from '../terminal/io.ts';

/** Decides a request with the rules in force, without recording anything. */
export const simulate: RunCommand = async (cli, [agent = '', tool = ''], options) => {
  const { client } = await cli.connect();
  const request = await readRequest(cli, options);
  const agent_id = await resolveId(cli, 'agentId', agent);
  const decision = await client.simulatePolicy({ body: { agent_id, tool, ...request } });
  printResult(cli, decision, () => {
    cli.io.out(`${paintDecision(cli.io, decision.decision)}  ${plain(tool)}  by ${plain(agent)}  (simulated; mode ${decision.mode})`);
    cli.io.out(`${plain(decision.reason)}${decision.code === null ? '' : `   ${decision.code}`}`);
    for (const line of explanationLines(cli.io, decision.explanation)) cli.io.out(line);
  });
};
