import { isServiceError } from '@svc/client/errors.ts';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { Tool } from '@svc/contract/tools/tools.ts';
import { splitLines } from '@svc/stdio/lines/split-lines.ts';
import { newMessage, readMessage } from '@svc/stdio/messages/message.ts';
import { NoAnswer, newServerLink } from '@svc/stdio/messages/server-link.ts';
import { isNotStarted, startServer } from '@svc/stdio/process/start-server.ts';
import { sendWithConfirmation } from '../calls/guarded.ts';
import { resolveId } from '../calls/resolve-name.ts';
import { EXIT, type ExitCode, getUsageError } from '../exit-codes.ts';
import { isObject } from '../files/json-file.ts';
import { printResult } from '../output/print.ts';
import type { Cli } from '../session/cli.ts';
import type { HandOptions, RunCommand } from '../session/hand-command.ts';
import { getServerEnvironment } from '../settings.ts';
import { confirmDanger } from '../terminal/ask.ts';
import { escapeControlCharacters } from '../terminal/io.ts';
import { listDefinitions } from './proxy/declared-tools.ts';
import { type Definition, getDeclaredName, getPinnedDescription } from './proxy/definitions.ts';
import { readPrefix } from './proxy-command.ts';

const START_MS = 60_000;
const LINE_BYTES_MAX = 16 * 1024 * 1024;
const CAPABILITY_CHARS_MAX = 100;
const PROTOCOL_VERSION = '2025-11-25';

/** Starts a server, lists its tools, and ends it. */
const readDefinitions = async (program: string, args: readonly string[], version: string): Promise<readonly Definition[]> => {
  const server = startServer({ program, args, env: getServerEnvironment(), stderr: 'inherit' });
  const link = newServerLink((line) => void server.stdin.write(`${line}\n`), START_MS);
  const splitter = splitLines(LINE_BYTES_MAX, (line) => {
    const message = readMessage(line);
    if (message !== undefined && message.value.method === undefined) link.answer(message);
  });
  server.stdout.on('data', (chunk: Buffer) => splitter.take(chunk) || link.close());
  server.exited.then(link.close, link.close);
  try {
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo: { name: 'svc', version } };
    await link.request('svc-initialize', newMessage({ id: 'svc-initialize', method: 'initialize', params }));
    link.send(newMessage({ method: 'notifications/initialized' }));
    return await listDefinitions(link);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    const isMissing = error.reason === 'ENDED' && isNotStarted(await server.exited);
    throw getUsageError(isMissing ? `"${program}" cannot be started.` : `"${program}" did not list its tools. It must be an MCP server.`);
  } finally {
    await server.stop();
  }
};

type Step = {
  readonly name: string;
  readonly state: 'NEW' | 'CHANGED' | 'SAME';
  readonly definition: Definition;
  readonly found: Tool | undefined;
};

const planSteps = (definitions: readonly Definition[], tools: readonly Tool[], prefix: string): readonly Step[] =>
  definitions.map((definition) => {
    const name = getDeclaredName(prefix, definition.name);
    const found = tools.find((tool) => tool.name.toLowerCase() === name.toLowerCase());
    const isSame = found?.description === getPinnedDescription(definition);
    return { name, definition, found, state: found === undefined ? 'NEW' : isSame ? 'SAME' : 'CHANGED' };
  });

/** Risk that the annotations suggest: those of the protocol are claims of the server, so that a missing one counts as the worse. */
const suggestTerms = ({ annotations }: Definition): { readonly risk_rating: 'LOW' | 'MEDIUM' | 'HIGH'; readonly dangerous: boolean } => {
  const { readOnlyHint, destructiveHint, openWorldHint }: JsonObject = isObject(annotations) ? annotations : {};
  if (destructiveHint === true) return { risk_rating: 'HIGH', dangerous: true };
  return { risk_rating: readOnlyHint === true && openWorldHint === false ? 'LOW' : 'MEDIUM', dangerous: false };
};

const capability = (name: string): string => name.toLowerCase().slice(0, CAPABILITY_CHARS_MAX);

type Scope = { readonly environment_id: string; readonly agentId: string | undefined };

const findScope = async (cli: Cli, options: HandOptions): Promise<Scope> => {
  const { client } = await cli.connect();
  const named = typeof options.agent === 'string' ? options.agent : cli.project?.agent?.id;
  const agentId = named === undefined ? undefined : await resolveId(cli, 'agentId', named);
  if (agentId !== undefined) return { agentId, environment_id: (await client.getAgent({ params: { agentId } })).environment_id };
  if (cli.environment === undefined) throw getUsageError('Name the agent with --agent, or the environment with --environment.');
  return { agentId, environment_id: await resolveId(cli, 'environmentId', cli.environment) };
};

const PAGE = 100;
const PAGES_MAX = 50;

const listRegistered = async (cli: Cli, prefix: string, environmentId: string): Promise<readonly Tool[]> => {
  const { client } = await cli.connect();
  const found: Tool[] = [];
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = { ...(prefix === '' ? {} : { q: prefix }), limit: PAGE, offset: page * PAGE };
    const { items, total } = await client.listTools({ query });
    found.push(...items);
    if (items.length === 0 || (page + 1) * PAGE >= total) break;
  }
  return found.filter(({ environment_id }) => environment_id === environmentId);
};

const declare = (
  cli: Cli,
  { name, definition, found }: Step,
  { environment_id }: Scope,
): Promise<Pick<Tool, 'id' | 'required_capability'>> => {
  const description = getPinnedDescription(definition);
  const parameters_schema = isObject(definition.inputSchema) ? definition.inputSchema : {};
  if (found !== undefined)
    return sendWithConfirmation(cli, 'updateTool', ({ client }) =>
      client.updateTool({ params: { toolId: found.id }, body: { description, parameters_schema } }),
    );
  const body = {
    ...{ name, environment_id, kind: 'SDK' as const, required_capability: capability(name) },
    ...{ description, parameters_schema, ...suggestTerms(definition) },
  };
  return sendWithConfirmation(cli, 'createTool', ({ client }) => client.createTool({ body }));
};

const unlessThere = async (work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!isServiceError(error, 'ALREADY_EXISTS')) throw error;
  }
};

const allow = async (cli: Cli, agentId: string, { id, required_capability }: Pick<Tool, 'id' | 'required_capability'>): Promise<void> => {
  await unlessThere(
    sendWithConfirmation(cli, 'grantCapability', ({ client }) =>
      client.grantCapability({ params: { agentId }, body: { capability: required_capability } }),
    ),
  );
  await unlessThere(
    sendWithConfirmation(cli, 'authorizeAgentForTool', ({ client }) =>
      client.authorizeAgentForTool({ params: { toolId: id }, body: { agent_id: agentId } }),
    ),
  );
};

type Outcome = { readonly name: string; readonly state: Step['state'] | 'FAILED'; readonly fault?: string };

const applyStep = async (cli: Cli, step: Step, scope: Scope): Promise<Outcome> => {
  const { name, state, found } = step;
  try {
    const tool = state === 'SAME' && found !== undefined ? found : await declare(cli, step, scope);
    if (scope.agentId !== undefined) await allow(cli, scope.agentId, tool);
    return { name, state };
  } catch (error) {
    if (!isServiceError(error) || error.status === undefined || error.status === 401 || error.status >= 500) throw error;
    return { name, state: 'FAILED', fault: `${error.code}: ${error.message}` };
  }
};

const DESCRIPTION_CHARS = 300;

const showPlan = (cli: Cli, steps: readonly Step[]): void => {
  for (const { name, state, definition } of steps) {
    const { risk_rating, dangerous } = suggestTerms(definition);
    cli.io.note(`${state.padEnd(7)} ${name}${state === 'NEW' ? `  ${risk_rating}${dangerous ? ', dangerous' : ''}` : ''}`);
    if (state !== 'SAME')
      cli.io.note(`        ${escapeControlCharacters(String(definition.description ?? '')).slice(0, DESCRIPTION_CHARS)}`);
  }
};

/** Registers the tools of an MCP server of this machine, with the definitions that a person reads here, and allows an agent to use them. */
export const registerLocalTools: RunCommand = async (cli, [program, ...args], options): Promise<ExitCode> => {
  if (program === undefined) throw getUsageError('Name the command of the server: svc mcp register --prefix files. -- npx some-server');
  const prefix = readPrefix(options);
  const scope = await findScope(cli, options);
  const definitions = await readDefinitions(program, args, cli.version);
  const steps = planSteps(definitions, await listRegistered(cli, prefix, scope.environment_id), prefix);
  showPlan(cli, steps);
  const changes = steps.filter(({ state }) => state !== 'SAME').length;
  if (changes > 0) await confirmDanger(cli.io, `Accept ${changes} definitions?`, cli.options.yes === true);
  const outcomes: Outcome[] = [];
  for (const step of steps) outcomes.push(await applyStep(cli, step, scope));
  printResult(cli, outcomes, () => {
    for (const { name, state, fault } of outcomes)
      cli.io.out(`${state.padEnd(7)} ${name}${fault === undefined ? '' : `  ${escapeControlCharacters(fault)}`}`);
  });
  return outcomes.some(({ state }) => state === 'FAILED') ? EXIT.error : EXIT.ok;
};
