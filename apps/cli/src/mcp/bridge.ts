import { setTimeout as wait } from 'node:timers/promises';
import { connect } from '@svc/sdk/identity/connect.ts';
import { splitLines } from '@svc/stdio/lines/split-lines.ts';
import { errorMessage, isId, readMessage, SERVER_BUSY, type StdioMessage } from '@svc/stdio/messages/message.ts';
import { readAgentOptions } from '../agents/open-agent.ts';
import { EXIT, type ExitCode, getUsageError } from '../exit-codes.ts';
import type { Cli } from '../session/cli.ts';
import type { HandOptions } from '../session/hand-command.ts';
import { readTimeout } from '../session/read-timeout.ts';
import { type Bridge, forward } from './bridge/forward.ts';

const LINE_BYTES_MAX = 16 * 1024 * 1024;
/** Longer than the gateway holds a call for an approval, and lets a server run. */
const CALL_MS = 600_000;
const PENDING_MAX = 256;
/** Time for calls that are on their way when the client closes its output. */
const DRAIN_MS = 5_000;
const SERVER_ID = /^mcp_[0-9A-Z]{1,60}$/;

const serverPath = (server: string): string => {
  if (server === 'all') return '/gateway/v1/mcp';
  if (!SERVER_ID.test(server))
    throw getUsageError(`"${server}" is not the id of an MCP server.`, 'Use mcp_…, or all for every server of the environment.');
  return `/gateway/v1/mcp/${server}`;
};

const openBridge = async (cli: Cli, server: string, options: HandOptions): Promise<Bridge> => {
  const path = serverPath(server);
  const session = connect(await readAgentOptions(cli, options));
  return {
    session,
    url: `${session.transport.url}${path}`,
    timeoutMs: readTimeout(cli.options.timeout) ?? CALL_MS,
    toClient: (line) => void cli.io.stdout.write(`${line}\n`),
    version: undefined,
  };
};

const refuseBusy = ({ toClient }: Bridge, { value: { id } }: StdioMessage): void => {
  if (isId(id)) toClient(errorMessage(id, SERVER_BUSY, `${PENDING_MAX} requests are pending. Wait for one to end.`).line);
};

/** Forwards messages in parallel; what follows `initialize` waits for the revision that its answer names. */
const newForwarder = (bridge: Bridge, signal: AbortSignal) => {
  const active = new Set<Promise<void>>();
  let before: Promise<void> = Promise.resolve();
  const take = (message: StdioMessage): void => {
    if (active.size >= PENDING_MAX) {
      refuseBusy(bridge, message);
      return;
    }
    const work = before.then(() => forward(bridge, message, signal)).finally(() => active.delete(work));
    active.add(work);
    if (message.value.method === 'initialize') before = work;
  };
  return { take, settled: () => Promise.all(active) };
};

/** Connects a client that starts programs to the governed address of a registered server, with a token of the agent that is always fresh. */
export const bridgeServer = async (cli: Cli, server: string, program: string | undefined, options: HandOptions): Promise<ExitCode> => {
  if (program !== undefined) throw getUsageError('--server names a registered server, so no command follows.');
  const bridge = await openBridge(cli, server, options);
  const controller = new AbortController();
  const { take, settled } = newForwarder(bridge, controller.signal);
  const splitter = splitLines(LINE_BYTES_MAX, (line) => {
    const message = readMessage(line);
    if (message === undefined) cli.io.note('A line of the client is not a JSON-RPC message. It is dropped.');
    else take(message);
  });
  for await (const chunk of cli.io.stdin)
    if (!splitter.take(Buffer.from(chunk))) throw new RangeError('A message of the client exceeds 16 MiB.');
  splitter.end();
  await Promise.race([settled(), wait(DRAIN_MS, undefined, { ref: false })]);
  controller.abort();
  return EXIT.ok;
};
