import { ApprovalRequired, GovernanceError } from '@svc/sdk/wire/errors.ts';
import { readRequest } from '../calls/read-request.ts';
import { CommandError, EXIT, type ExitCode } from '../exit-codes.ts';
import { type ActionExplanation, formatExplanationLines, paintDecision } from '../output/explain-decision.ts';
import { printResult } from '../output/print.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { escapeControlCharacters } from '../terminal/io.ts';
import { openAgent } from './open-agent.ts';

const findExit = (error: GovernanceError): ExitCode => {
  if (error instanceof ApprovalRequired) return EXIT.waits;
  if (error.status === 403) return EXIT.refused;
  if (error.status === 401) return EXIT.signIn;
  return error.status === undefined || error.status >= 500 ? EXIT.unavailable : EXIT.error;
};

/** Requests an action as an agent with its key. */
export const runAction: RunCommand = async (cli, [tool = ''], options) => {
  const governance = await openAgent(cli, options);
  const request = await readRequest(cli, options);
  try {
    const decision = await governance.act(tool, {
      ...request,
      ...(options.wait === true ? { waitForApproval: true } : {}),
      ...(options.dryRun === true ? { dryRun: true } : {}),
      allowNotExecuted: true,
    });
    printResult(cli, decision, () => {
      cli.io.out(
        `${paintDecision(cli.io, decision.decision)}  ${escapeControlCharacters(tool)}  ${decision.action_id ?? '(nothing recorded)'}`,
      );
      cli.io.out(escapeControlCharacters(decision.reason));
      if (decision.execution !== undefined)
        cli.io.out(
          `${decision.execution.state}${decision.execution.reason === undefined ? '' : `: ${escapeControlCharacters(decision.execution.reason)}`}`,
        );
      for (const line of formatExplanationLines(cli.io, decision.explanation as ActionExplanation)) cli.io.out(line);
    });
  } catch (error) {
    if (!(error instanceof GovernanceError)) throw error;
    const approval = error instanceof ApprovalRequired ? `svc approvals get ${error.approvalId}` : undefined;
    throw new CommandError(findExit(error), error.message, approval ?? error.nextStep, error.code);
  }
};
