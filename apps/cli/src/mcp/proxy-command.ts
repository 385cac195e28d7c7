import { setTimeout as wait } from 'node:timers/promises';
import type { Governance } from '@svc/sdk/governance.ts';
import { splitLines } from '@svc/stdio/lines/split-lines.ts';
import { readMessage, type StdioMessage } from '@svc/stdio/messages/message.ts';
import { newServerLink } from '@svc/stdio/messages/server-link.ts';
import { isNotStarted, type ServerExit, type ServerProcess, startServer } from '@svc/stdio/process/start-server.ts';
import { openAgent } from '../agents/open-agent.ts';
import { EXIT, type ExitCode, getUsageError } from '../exit-codes.ts';
import type { Cli } from '../session/cli.ts';
import type { HandOptions, RunCommand } from '../session/hand-command.ts';
import { readTimeout } from '../session/read-timeout.ts';
import { getServerEnvironment } from '../settings.ts';
import { bridgeServer } from './bridge.ts';
import { getPinnedCommand } from './packages/pinned-command.ts';
import { type Allowed, isOptionalFeature, OPTIONAL_FEATURES } from './proxy/capabilities.ts';
import { newCallDecider } from './proxy/decide-call.ts';
import { newDeclaredTools } from './proxy/declared-tools.ts';
import { newRelay, type Relay } from './proxy/relay.ts';

const LINE_BYTES_MAX = 16 * 1024 * 1024;
const PENDING_MAX = 256;
const CALL_MS = 300_000;
const HOLD_MS = 25_000;
/** Time for calls that are on their way when the client closes its output. */
const DRAIN_MS = 5_000;
const PROGRESS_HOLD_MS = 210_000;

const UNPINNED =
  'The package of this server is not pinned, so another version may run from one day to the next. Import the entry again to pin it.';

export const readPrefix = ({ prefix }: HandOptions): string => (typeof prefix === 'string' ? prefix : '');

const readAllowed = ({ allow }: HandOptions): Allowed => {
  const names = typeof allow === 'string' ? allow.split(',').map((name) => name.trim()) : [];
  const unknown = names.find((name) => !isOptionalFeature(name));
  if (unknown !== undefined) throw getUsageError(`"${unknown}" cannot be allowed.`, `Use: ${OPTIONAL_FEATURES.join(', ')}`);
  return new Set(names.filter(isOptionalFeature));
};

const readHold = ({ hold }: HandOptions): number | undefined => (typeof hold === 'string' ? readTimeout(hold) : undefined);

const openRelay = (cli: Cli, governance: Governance, server: ServerProcess, options: HandOptions): Relay => {
  const prefix = readPrefix(options);
  const link = newServerLink((line) => void server.stdin.write(`${line}\n`), readTimeout(cli.options.timeout) ?? CALL_MS);
  const hold = readHold(options);
  return newRelay({
    governance,
    decide: newCallDecider(governance),
    tools: newDeclaredTools(governance, link, prefix),
    link,
    prefix,
    toClient: ({ line }) => void cli.io.stdout.write(`${line}\n`),
    note: cli.io.note,
    holdMs: hold ?? HOLD_MS,
    progressHoldMs: hold ?? PROGRESS_HOLD_MS,
    allowed: readAllowed(options),
    pendingMax: PENDING_MAX,
  });
};

type Fault = (message: string) => void;

/** Reads messages from a stream. A line that is not a message is passed over; one that is too long ends the reading. */
const readMessages = (
  stream: NodeJS.ReadableStream,
  source: string,
  take: (message: StdioMessage) => void,
  note: Fault,
  onFault: Fault,
): void => {
  const splitter = splitLines(LINE_BYTES_MAX, (line) => {
    const message = readMessage(line);
    if (message === undefined) note(`A line of the ${source} is not a JSON-RPC message. It is dropped.`);
    else take(message);
  });
  stream.on('data', (chunk: Buffer) => {
    if (splitter.take(chunk)) return;
    stream.pause();
    onFault(`A message of the ${source} exceeds 16 MiB.`);
  });
  stream.on('end', splitter.end);
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const exitCode = (exit: ServerExit, program: string, isStopping: boolean): ExitCode => {
  if (isNotStarted(exit)) throw getUsageError(`"${program}" cannot be started.`, 'Check the command after --, and that it is in PATH.');
  return isStopping || exit.code === 0 ? EXIT.ok : EXIT.error;
};

/** Connects both ends, until one of them ends. */
const relayUntilEnd = async (cli: Cli, server: ServerProcess, relay: Relay, program: string): Promise<ExitCode> => {
  let isStopping = false;
  let failure: unknown;
  const stop = (): void => {
    isStopping = true;
    void server.stop();
  };
  const fail = (error: unknown): void => {
    failure ??= error;
    stop();
  };
  const onFault = (message: string): void => fail(new Error(message));
  for (const signal of SIGNALS) process.once(signal, stop);
  readMessages(cli.io.stdin, 'client', (message) => void relay.fromClient(message).catch(fail), cli.io.note, onFault);
  readMessages(server.stdout, 'server', relay.fromServer, cli.io.note, onFault);
  cli.io.stdin.once('end', () => void Promise.race([relay.settled(), wait(DRAIN_MS, undefined, { ref: false })]).then(stop));
  const exit = await server.exited;
  relay.close();
  cli.io.stdin.destroy();
  for (const signal of SIGNALS) process.removeListener(signal, stop);
  if (failure !== undefined) throw failure;
  return exitCode(exit, program, isStopping);
};

/**
 * Runs an MCP server of this machine behind the gateway: standard input and output are those of the client. Only calls through this process are
 * decided: a person who starts the server in another way bypasses it.
 */
export const proxyMcp: RunCommand = async (cli, [program, ...args], options): Promise<ExitCode> => {
  if (typeof options.server === 'string') return bridgeServer(cli, options.server, program, options);
  if (program === undefined) throw getUsageError('Name the command of the server: svc mcp proxy -- npx some-server');
  const command = typeof options.integrity === 'string' ? getPinnedCommand(cli, { program, args }, options.integrity) : { program, args };
  if (options.unpinned === true) cli.io.note(UNPINNED);
  const governance = await openAgent(cli, options);
  const server = startServer({ ...command, env: getServerEnvironment(), stderr: 'inherit' });
  return relayUntilEnd(cli, server, openRelay(cli, governance, server, options), program);
};
