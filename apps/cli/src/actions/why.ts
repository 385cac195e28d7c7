import type { CallOutcome, OperationTypes } from '@svc/client/client.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { isObject } from '../files/json-file.ts';
import { type ActionResult, DECISION_WORDS, formatExplanationLines, getActionLine, listRules } from '../output/explain-decision.ts';
import { formatAmount } from '../output/money.ts';
import { printResult } from '../output/print.ts';
import type { Cli } from '../session/cli.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { escapeControlCharacters } from '../terminal/io.ts';

type Decision = OperationTypes['simulatePolicy']['result'];

const TRIED_MAX = 3;

const noAction = (text: string): CommandError =>
  new CommandError(EXIT.notFound, `No action is recorded for ${text}.`, 'List them: svc actions list', 'NOT_FOUND');

/** Finds an action by its id, by the id of its request, or the newest one. */
const findAction = async (cli: Cli, wanted: string | undefined): Promise<ActionResult> => {
  const { client } = await cli.connect();
  if (wanted?.startsWith('act_')) return client.getAction({ params: { actionId: wanted } });
  const query = wanted === undefined ? { limit: 1 } : { limit: 1, request_id: wanted };
  const [found] = (await client.searchActions({ query })).data;
  if (found === undefined) throw noAction(wanted ?? 'you to see');
  return client.getAction({ params: { actionId: found.id } });
};

/** Amounts at which a condition on the amount would turn out otherwise, nearest first. */
const boundaries = (action: ActionResult): readonly number[] => {
  const { amount } = action;
  if (amount === null) return [];
  const values = listRules(action.explanation)
    .flatMap(({ conditions }) => conditions)
    .filter(({ field, expected }) => field === 'amount' && typeof expected === 'number')
    .flatMap(({ op, expected }) => {
      const value = Number(expected);
      if (op === 'gt' || op === 'lte') return [value, value + 1];
      return op === 'gte' || op === 'lt' ? [value - 1, value] : [value];
    });
  return [...new Set(values)]
    .filter((value) => value >= 0 && value !== amount)
    .toSorted((left, right) => Math.abs(left - amount) - Math.abs(right - amount));
};

type Change = { readonly amount: number; readonly decision: string; readonly reason: string };

/** Other amounts that would be decided otherwise, by simulation. Needs policy:simulate; without it nothing is said. */
const findChanges = async (cli: Cli, action: ActionResult): Promise<readonly Change[]> => {
  const { client } = await cli.connect();
  const found: Change[] = [];
  for (const amount of boundaries(action).slice(0, TRIED_MAX * 2)) {
    const outcome: CallOutcome<Decision> = await client.request('simulatePolicy', {
      body: {
        agent_id: action.agent_id,
        tool: action.tool,
        amount,
        parameters: action.parameters,
        ...(action.currency === null ? {} : { currency: action.currency }),
        ...(action.destination === null ? {} : { destination: action.destination }),
      },
    });
    if (!outcome.ok) return found;
    const { decision, reason } = outcome.body;
    if (decision !== action.decision && !found.some((each) => each.decision === decision)) found.push({ amount, decision, reason });
    if (found.length >= TRIED_MAX) return found;
  }
  return found;
};

const print = (cli: Cli, action: ActionResult, changes: readonly Change[]): void => {
  const { io } = cli;
  io.out(getActionLine(io, action));
  io.out(`${escapeControlCharacters(action.reason)}${action.code === null ? '' : `   ${action.code}`}`);
  for (const line of formatExplanationLines(io, action.explanation)) io.out(line);
  const { authority } = action.explanation;
  if (Array.isArray(authority.chain)) {
    const steps = authority.chain
      .filter(isObject)
      .map(({ delegator_name, name, id }) => escapeControlCharacters(String(delegator_name ?? name ?? id)));
    if (steps.length > 0) io.out(`  Authority: ${steps.join(' → ')} → ${escapeControlCharacters(action.agent_name)}`);
  }
  for (const given of action.approval?.given_by ?? [])
    io.out(`  Approved by ${escapeControlCharacters(given.user_name)} at ${given.voted_at}`);
  for (const { amount, decision } of changes)
    io.out(
      `Would be ${DECISION_WORDS[decision] ?? decision} at ${formatAmount(amount, action.currency)} (simulated with the rules of now)`,
    );
  io.note(`Next: svc open ${action.id}${action.approval_id === null ? '' : `   svc approvals get ${action.approval_id}`}`);
};

/** Explains one decision. */
export const explainAction: RunCommand = async (cli, [wanted]) => {
  const action = await findAction(cli, wanted);
  const changes = await findChanges(cli, action);
  printResult(cli, { ...action, would_change: changes }, () => print(cli, action, changes));
};
