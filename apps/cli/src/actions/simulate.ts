import { readRequest } from '../calls/read-request.ts';
import { resolveId } from '../calls/resolve-name.ts';
import { formatExplanationLines, paintDecision } from '../output/explain-decision.ts';
import { printResult } from '../output/print.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { escapeControlCharacters } from '../terminal/io.ts';

/** Decides a request with the rules in force, without recording anything. */
export const simulate: RunCommand = async (cli, [agent = '', tool = ''], options) => {
  const { client } = await cli.connect();
  const request = await readRequest(cli, options);
  const agent_id = await resolveId(cli, 'agentId', agent);
  const decision = await client.simulatePolicy({ body: { agent_id, tool, ...request } });
  printResult(cli, decision, () => {
    cli.io.out(
      `${paintDecision(cli.io, decision.decision)}  ${escapeControlCharacters(tool)}  by ${escapeControlCharacters(agent)}  (simulated; mode ${decision.mode})`,
    );
    cli.io.out(`${escapeControlCharacters(decision.reason)}${decision.code === null ? '' : `   ${decision.code}`}`);
    for (const line of formatExplanationLines(cli.io, decision.explanation)) cli.io.out(line);
  });
};
