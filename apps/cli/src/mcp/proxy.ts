import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Governance } from '@svc/sdk/governance.ts';
import { GovernanceError } from '@svc/sdk/wire/errors.ts';
import { openAgent } from '../agents/open-agent.ts';
import { EXIT, type ExitCode, usageError } from '../exit-codes.ts';
import { isObject, type JsonObject } from '../files/json-file.ts';
import type { RunCommand } from '../session/hand-command.ts';

type Id = string | number;

const PENDING_MAX = 1_000;
const LINE_CHARS_MAX = 16 * 1024 * 1024;

const isId = (value: unknown): value is Id => typeof value === 'string' || typeof value === 'number';
const findKey = (id: Id): string => `${typeof id} ${id}`;

/** A result that a client shows to the model, with what it can do next. */
const refusalResult = (error: GovernanceError): JsonObject => ({
  isError: true,
  content: [{ type: 'text', text: `${error.code}: ${error.message} ${error.nextStep}` }],
  _meta: { 'svc/decision': { code: error.code, request_id: error.requestId ?? null } },
});

type Bridge = { readonly toServer: (message: JsonObject) => void; readonly toClient: (message: JsonObject) => void };

/** A failure that the server reported for a call, which is passed on as it is. */
class ServerError extends Error {
  readonly answer: JsonObject;

  constructor(answer: JsonObject) {
    super('The server answered with an error.');
    this.answer = answer;
  }
}

/** Calls that the server answers, by the id of their request. */
type Waiting = Map<string, (answer: JsonObject) => void>;

const sendToServer = (waiting: Waiting, toServer: Bridge['toServer'], id: Id, message: JsonObject): Promise<JsonObject> =>
  new Promise((resolve, reject) => {
    waiting.set(findKey(id), (answer) =>
      isObject(answer.result) && answer.error === undefined ? resolve(answer.result) : reject(new ServerError(answer)),
    );
    toServer(message);
  });

type Governor = { readonly governance: Governance; readonly prefix: string; readonly bridge: Bridge; readonly waiting: Waiting };

/** Decides a call, makes it with the arguments as rules mask them, and reports how it ended. */
const callTool = async (
  { governance, prefix, bridge, waiting }: Governor,
  id: Id,
  message: JsonObject,
  name: string,
  given: JsonObject,
): Promise<void> => {
  const params = isObject(message.params) ? message.params : {};
  const guarded = governance.guard(`${prefix}${name}`, (args: JsonObject) =>
    sendToServer(waiting, bridge.toServer, id, { ...message, params: { ...params, arguments: args } }),
  );
  try {
    bridge.toClient({ jsonrpc: '2.0', id, result: await guarded(given) });
  } catch (error) {
    if (error instanceof ServerError) bridge.toClient(error.answer);
    else if (error instanceof GovernanceError) bridge.toClient({ jsonrpc: '2.0', id, result: refusalResult(error) });
    else throw error;
  } finally {
    waiting.delete(findKey(id));
  }
};

/** Leaves only the tools in a list that the agent may call. */
const keepUsable = async ({ governance, prefix }: Governor, answer: JsonObject): Promise<JsonObject> => {
  const { result } = answer;
  if (!isObject(result) || !Array.isArray(result.tools)) return answer;
  const names = new Set((await governance.handshake()).tools.map(({ name }) => name));
  const tools = result.tools.filter((tool) => isObject(tool) && names.has(`${prefix}${String(tool.name)}`));
  return { ...answer, result: { ...result, tools } };
};

/** Stands between a client and a server: each call of a tool is decided first, and only permitted ones reach the server. */
const newGovernor = (governance: Governance, prefix: string, bridge: Bridge) => {
  const waiting: Waiting = new Map();
  const lists = new Set<string>();
  const governor: Governor = { governance, prefix, bridge, waiting };
  const { toServer, toClient } = bridge;

  const fromClient = async (message: JsonObject): Promise<void> => {
    const { id, method, params } = message;
    if (method === 'tools/call') {
      const { name, arguments: given = {} } = isObject(params) ? params : {};
      const isUsable = isId(id) && typeof name === 'string' && isObject(given) && waiting.size < PENDING_MAX && !waiting.has(findKey(id));
      if (isUsable) await callTool(governor, id, message, name, given);
      else if (isId(id))
        toClient({ jsonrpc: '2.0', id, error: { code: -32602, message: 'The call is not valid, or too many calls are pending.' } });
      return;
    }
    if (method === 'tools/list' && isId(id)) lists.add(findKey(id));
    toServer(message);
  };

  const fromServer = async (message: JsonObject): Promise<void> => {
    const { id, method } = message;
    if (!isId(id) || method !== undefined) return toClient(message);
    const resolve = waiting.get(findKey(id));
    if (resolve !== undefined) return resolve(message);
    if (!lists.delete(findKey(id))) return toClient(message);
    try {
      toClient(await keepUsable(governor, message));
    } catch (error) {
      if (!(error instanceof GovernanceError)) throw error;
      toClient({ jsonrpc: '2.0', id, error: { code: -32603, message: `${error.code}: ${error.message}` } });
    }
  };
  return { fromClient, fromServer };
};

/** Messages are JSON, one on a line; a list of them is a batch of older clients. */
const readMessages = (
  stream: Readable,
  take: (message: JsonObject) => Promise<void>,
  onFault: (line: string) => void,
  onError: (error: unknown) => void,
): void => {
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    if (line.trim() === '') return;
    if (line.length > LINE_CHARS_MAX) return onFault('A message is too long.');
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return onFault('A message is not JSON.');
    }
    for (const each of Array.isArray(message) ? message : [message]) if (isObject(each)) take(each).then(() => undefined, onError);
  });
};

const writer =
  (stream: Writable) =>
  (message: JsonObject): void =>
    void stream.write(`${JSON.stringify(message)}\n`);

/** Runs an MCP server of this machine behind the gateway: standard input and output are those of the client. */
export const proxyMcp: RunCommand = async (cli, [program, ...args], options): Promise<ExitCode> => {
  if (program === undefined) throw usageError('Name the command of the server: svc mcp proxy -- npx some-server');
  const governance = await openAgent(cli, options);
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const prefix = typeof options.prefix === 'string' ? options.prefix : '';
  const governor = newGovernor(governance, prefix, { toServer: writer(child.stdin), toClient: writer(cli.io.stdout) });
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      child.kill();
      reject(error);
    };
    child.on('error', () => reject(usageError(`"${program}" cannot be started.`)));
    child.stdin.on('error', () => undefined);
    child.on('close', (code) => resolve(code === 0 ? EXIT.ok : EXIT.error));
    readMessages(cli.io.stdin, governor.fromClient, cli.io.note, fail);
    readMessages(child.stdout, governor.fromServer, cli.io.note, fail);
    cli.io.stdin.on('end', () => child.stdin.end());
  });
};
