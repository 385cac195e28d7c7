import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { OperationTypes } from '@svc/client/client.ts';
import { isServiceError } from '@svc/client/errors.ts';
import { sendWithConfirmation } from '../calls/guarded.ts';
import { formatExplanationLines } from '../output/explain-decision.ts';
import { formatAmount } from '../output/money.ts';
import { getRelativeTime, printResult } from '../output/print.ts';
import type { Cli } from '../session/cli.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { askChoice, askText } from '../terminal/ask.ts';
import { escapeControlCharacters } from '../terminal/io.ts';
import { openBrowser } from '../terminal/open-browser.ts';

type Card = OperationTypes['getApproval']['result'];

const POLL_MS = 2_000;
const CHOICES = [
  { value: 'skip', label: 'Skip' },
  { value: 'approve', label: 'Approve this request, exactly as shown' },
  { value: 'deny', label: 'Deny' },
  { value: 'ask', label: 'Ask a question' },
  { value: 'open', label: 'Open in the console' },
  { value: 'quit', label: 'Quit' },
] as const;

/** Everything that the person decides about. */
const showCard = (cli: Cli, card: Card): void => {
  const { io } = cli;
  io.out('');
  io.out(
    `${io.paint('bold', escapeControlCharacters(card.tool))}  by ${escapeControlCharacters(card.agent_name)}  ${formatAmount(card.amount, card.currency)}  ${card.id}`,
  );
  io.out(escapeControlCharacters(card.reason));
  io.out(`Expires ${getRelativeTime(card.expires_at)}; ${card.approvals_given} of ${card.quorum} approvals; version ${card.wording}`);
  if (card.destination !== null) io.out(`Destination ${escapeControlCharacters(card.destination)}`);
  for (const line of JSON.stringify(card.parameters, undefined, 2).split('\n')) io.out(`  ${escapeControlCharacters(line).trimEnd()}`);
  for (const line of formatExplanationLines(io, card.explanation)) io.out(line);
  for (const { user_name, vote, comment } of card.votes)
    io.out(`  ${escapeControlCharacters(user_name)}: ${vote}${comment === null ? '' : ` "${escapeControlCharacters(comment)}"`}`);
  for (const { question, answer, is_untrusted } of card.questions)
    io.out(
      `  Question: ${escapeControlCharacters(question)}${answer === null ? '' : `\n    Answer${is_untrusted ? ' (by the agent, not verified)' : ''}: ${escapeControlCharacters(answer)}`}`,
    );
  if (card.remedy !== null) io.out(`  ${escapeControlCharacters(card.remedy)}`);
};

const approve = (cli: Cli, { id, wording }: Card): Promise<unknown> =>
  sendWithConfirmation(cli, 'approveApproval', ({ client }) => client.approveApproval({ params: { approvalId: id }, body: { wording } }));

/** Acts on one card as the person chooses. Returns false to stop watching. */
const decide = async (cli: Cli, card: Card): Promise<boolean> => {
  const params = { approvalId: card.id };
  for (;;) {
    const choice = await askChoice(cli.io, 'Decide', CHOICES);
    if (choice === 'quit') return false;
    if (choice === 'skip') return true;
    if (choice === 'open') {
      openBrowser(cli.settings, `${cli.url()}/approvals/${card.id}`);
      continue;
    }
    const { client } = await cli.connect();
    try {
      if (choice === 'approve') await approve(cli, card);
      else if (choice === 'deny') await client.denyApproval({ params, body: { reason: await askText(cli.io, 'Reason') } });
      else await client.askAboutApproval({ params, body: { question: await askText(cli.io, 'Question') } });
      cli.io.note('Done.');
      return true;
    } catch (error) {
      // A vote that the service refuses, such as on one's own request, is said, and the person chooses again.
      if (!isServiceError(error) || error.status === 401) throw error;
      cli.io.note(`${escapeControlCharacters(error.message)} (${error.code})`);
    }
  }
};

const run = (program: string, input: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, { shell: true, stdio: ['pipe', 'inherit', 'inherit'] });
    child.on('error', reject);
    child.on('close', () => resolve());
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });

const handle = async (cli: Cli, card: Card, exec: unknown): Promise<boolean> => {
  if (typeof exec === 'string') await run(exec, JSON.stringify(card));
  else if (cli.json) cli.io.out(JSON.stringify(card));
  else {
    showCard(cli, card);
    if (cli.io.interactive) {
      cli.io.stderr.write('\u0007');
      return decide(cli, card);
    }
  }
  return true;
};

/** Shows each approval that waits, and lets a person decide it in the terminal. */
export const watchApprovals: RunCommand = async (cli, _, { exec, once }) => {
  const { client } = await cli.connect();
  const seen = new Set<string>();
  cli.io.note('Waiting for approvals. Stop with Ctrl-C.');
  for (;;) {
    const pending = await client.listApprovals({ query: { status: 'PENDING', order: 'oldest' } });
    for (const { id, wording } of pending) {
      if (seen.has(`${id} ${wording}`)) continue;
      seen.add(`${id} ${wording}`);
      const outcome = await client.request('getApproval', { params: { approvalId: id } });
      if (outcome.ok && outcome.body.status === 'PENDING' && !(await handle(cli, outcome.body, exec))) return;
    }
    if (once === true) return;
    await wait(POLL_MS);
  }
};

/** Prints the card of one approval. */
export const showApproval: RunCommand = async (cli, [approvalId = '']) => {
  const { client } = await cli.connect();
  const card = await client.getApproval({ params: { approvalId } });
  printResult(cli, card, () => showCard(cli, card));
};
