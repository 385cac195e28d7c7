import { setTimeout as wait } from 'node:timers/promises';
import type { ControlClient } from '@svc/client/client.ts';
import { resolveId } from '../calls/resolve-name.ts';
import { type ActionResult, getActionLine } from '../output/explain-decision.ts';
import type { Cli } from '../session/cli.ts';
import { followEvents } from '../session/follow-events.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { escapeControlCharacters } from '../terminal/io.ts';

type Summary = Awaited<ReturnType<ControlClient['searchActions']>>['data'][number];

const POLL_MS = 2_000;
const SEEN_MAX = 10_000;
const DECIDED = [
  'action.allowed',
  'action.blocked',
  'action.limited',
  'action.masked',
  'action.approval_required',
  'action.observed',
  'action.simulated',
];

/** New actions without the right to read events: by asking for the newest ones again and again. */
async function* pollActions(client: ControlClient, query: object): AsyncGenerator<Summary> {
  const seen = new Set<string>((await client.searchActions({ query: { ...query, limit: 50 } })).data.map(({ id }) => id));
  for (;;) {
    await wait(POLL_MS);
    const { data } = await client.searchActions({ query: { ...query, limit: 50 } });
    for (const action of data.toReversed()) {
      if (seen.has(action.id)) continue;
      seen.add(action.id);
      yield action;
    }
    if (seen.size > SEEN_MAX) for (const id of [...seen].slice(0, SEEN_MAX / 2)) seen.delete(id);
  }
}

const matches = (
  action: ActionResult,
  { tool, agent_id, decision }: { readonly tool?: string; readonly agent_id?: string; readonly decision?: string },
): boolean =>
  (tool === undefined || action.tool === tool) &&
  (agent_id === undefined || action.agent_id === agent_id) &&
  (decision === undefined || action.decision === decision);

const show = (cli: Cli, action: Summary): void => {
  if (cli.json) cli.io.out(JSON.stringify(action));
  else cli.io.out(`${getActionLine(cli.io, action)}${action.reason === '' ? '' : `\n    ${escapeControlCharacters(action.reason)}`}`);
};

/** Prints actions as they are decided. */
export const tailActions: RunCommand = async (cli, _, options) => {
  const { client } = await cli.connect();
  const filter = {
    ...(typeof options.tool === 'string' ? { tool: options.tool } : {}),
    ...(typeof options.agent === 'string' ? { agent_id: await resolveId(cli, 'agentId', options.agent) } : {}),
    ...(typeof options.decision === 'string' ? { decision: options.decision.toUpperCase() as ActionResult['decision'] } : {}),
  };
  const { permissions } = await client.getSession();
  if (!permissions.includes('audit:read')) {
    cli.io.note('Following by polling: your role has no audit:read.');
    for await (const action of pollActions(client, filter)) show(cli, action);
    return;
  }
  const events = await followEvents(client, { type: DECIDED.join(',') });
  cli.io.note('Following decisions. Stop with Ctrl-C.');
  for await (const { subject } of events) {
    const outcome = await client.request('getAction', { params: { actionId: subject.id } });
    if (outcome.ok && matches(outcome.body, filter)) show(cli, outcome.body);
  }
};

/** Prints audit events as they are written. */
export const tailEvents: RunCommand = async (cli, _, options) => {
  const { client } = await cli.connect();
  const query = Object.fromEntries(
    (['type', 'severity'] as const).flatMap((name) =>
      typeof options[name] === 'string' ? [[name, name === 'severity' ? options[name].toUpperCase() : options[name]]] : [],
    ),
  );
  const events = await followEvents(client, query);
  cli.io.note('Following events. Stop with Ctrl-C.');
  for await (const event of events) {
    if (cli.json) cli.io.out(JSON.stringify(event));
    else
      cli.io.out(
        [event.occurred_at, event.severity, event.type, event.subject.id, event.id]
          .map((part) => escapeControlCharacters(String(part)))
          .join('  '),
      );
  }
};
