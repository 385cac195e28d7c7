import { setTimeout as wait } from 'node:timers/promises';
import type { ControlClient } from '@svc/client/client.ts';
import { isServiceError } from '@svc/client/errors.ts';
import { resolveId } from '../calls/resolve-name.ts';
import type { Cli } from '../session/cli.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { plain } from '../terminal/io.ts';
import { type Action, actionLine } from './explain-decision.ts';

type Summary = Awaited<ReturnType<ControlClient['searchActions']>>['data'][number];
type Event = { readonly id: string; readonly type: string; readonly subject: { readonly id: string } };

const POLL_MS = 2_000;
const RECONNECT_MS = 2_000;
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

/** Follows the events of the organization. A broken connection resumes after the last event, without a gap. */
export async function* followEvents(
  client: ControlClient,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<Event & Readonly<Record<string, unknown>>> {
  // From the newest event on, so that nothing is missed until the stream is open.
  let after = (await client.searchAuditEvents({ query: { limit: 1 } })).data[0]?.id;
  for (;;) {
    try {
      for await (const { id, data } of await client.streamEvents({ query: after === undefined ? query : { ...query, after } })) {
        if (id !== '') after = id;
        yield data;
      }
    } catch (error) {
      const isBroken = error instanceof TypeError || isServiceError(error, 'SERVICE_UNREACHABLE', 'DEPENDENCY_UNAVAILABLE', 'RATE_LIMITED');
      if (!isBroken) throw error;
    }
    await wait(RECONNECT_MS);
  }
}

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
  action: Action,
  { tool, agent_id, decision }: { readonly tool?: string; readonly agent_id?: string; readonly decision?: string },
): boolean =>
  (tool === undefined || action.tool === tool) &&
  (agent_id === undefined || action.agent_id === agent_id) &&
  (decision === undefined || action.decision === decision);

const show = (cli: Cli, action: Summary): void => {
  if (cli.json) cli.io.out(JSON.stringify(action));
  else cli.io.out(`${actionLine(cli.io, action)}${action.reason === '' ? '' : `\n    ${plain(action.reason)}`}`);
};

/** Prints actions as they are decided. */
export const tailActions: RunCommand = async (cli, _, options) => {
  const { client } = await cli.connect();
  const filter = {
    ...(typeof options.tool === 'string' ? { tool: options.tool } : {}),
    ...(typeof options.agent === 'string' ? { agent_id: await resolveId(cli, 'agentId', options.agent) } : {}),
    ...(typeof options.decision === 'string' ? { decision: options.decision.toUpperCase() as Action['decision'] } : {}),
  };
  const { permissions } = await client.getSession();
  if (!permissions.includes('audit:read')) {
    cli.io.note('Following by polling: your role has no audit:read.');
    for await (const action of pollActions(client, filter)) show(cli, action);
    return;
  }
  cli.io.note('Following decisions. Stop with Ctrl-C.');
  for await (const { subject } of followEvents(client, { type: DECIDED.join(',') })) {
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
  cli.io.note('Following events. Stop with Ctrl-C.');
  for await (const event of followEvents(client, query)) {
    if (cli.json) cli.io.out(JSON.stringify(event));
    else
      cli.io.out([event.occurred_at, event.severity, event.type, event.subject.id, event.id].map((part) => plain(String(part))).join('  '));
  }
};
