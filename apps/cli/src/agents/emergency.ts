import { sendWithConfirmation } from '../calls/guarded.ts';
import { resolveId } from '../calls/resolve-name.ts';
import { getUsageError } from '../exit-codes.ts';
import { printResult } from '../output/print.ts';
import type { Cli } from '../session/cli.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { askText, confirmDanger } from '../terminal/ask.ts';
import { escapeControlCharacters } from '../terminal/io.ts';

const readReason = (cli: Cli, reason: unknown): Promise<string> | string =>
  typeof reason === 'string' ? reason : askText(cli.io, 'Reason', '--reason');

const chosenEnvironments = async (
  cli: Cli,
  isAll: boolean,
): Promise<readonly { readonly id: string; readonly name: string; readonly paused: boolean }[]> => {
  const { client } = await cli.connect();
  const environments = (await client.listEnvironments()).filter(({ archived_at }) => archived_at === null);
  if (isAll) return environments;
  if (cli.environment === undefined) throw getUsageError('Name what to stop: --environment <environment>, --agent <agent> or --all.');
  const wanted = await resolveId(cli, 'environmentId', cli.environment);
  return environments.filter(({ id }) => id === wanted);
};

/** Stops an agent, an environment or all environments. Going on after one that fails, it reports each. */
export const runEmergencyStop: RunCommand = async (cli, _, options) => {
  const reason = await readReason(cli, options.reason);
  if (typeof options.agent === 'string') {
    const agentId = await resolveId(cli, 'agentId', options.agent);
    await confirmDanger(cli.io, `Isolate ${options.agent}?`, cli.options.yes === true);
    const agent = await sendWithConfirmation(cli, 'isolateAgent', ({ client }) =>
      client.isolateAgent({ params: { agentId }, body: { reason } }),
    );
    printResult(cli, agent, () => cli.io.out(`${escapeControlCharacters(agent.name)} is ${agent.status}.`));
    return;
  }
  const environments = await chosenEnvironments(cli, options.all === true);
  await confirmDanger(
    cli.io,
    `Pause ${environments.map(({ name }) => escapeControlCharacters(name)).join(', ')}?`,
    cli.options.yes === true,
  );
  const results = [];
  for (const { id, name } of environments.filter(({ paused }) => !paused)) {
    const outcome = await sendWithConfirmation(cli, 'pauseEnvironment', ({ client }) =>
      client.request('pauseEnvironment', { params: { environmentId: id }, body: { reason } }),
    );
    results.push({ id, name, paused: outcome.ok, error: outcome.ok ? null : outcome.error.code });
  }
  printResult(cli, results);
  return results.some(({ paused }) => !paused) ? 1 : 0;
};

const MODES = { observe: 'OBSERVE', simulate: 'SIMULATE', enforce: 'ENFORCE' } as const;

const MODE_SENTENCES = {
  OBSERVE: 'Observing: decides and records, and refuses nothing.',
  SIMULATE: 'Simulating: decides and records, and executes nothing.',
  ENFORCE: 'Enforcing: executes only what is permitted.',
} as const;

/** Shows or sets the enforcement mode of an environment. */
export const showEnvironmentMode: RunCommand = async (cli, [environment = '', wanted], { reason }) => {
  const { client } = await cli.connect();
  const environmentId = await resolveId(cli, 'environmentId', environment);
  const found = (await client.listEnvironments()).find(({ id }) => id === environmentId);
  if (wanted === undefined) {
    printResult(cli, found, () =>
      cli.io.out(found === undefined ? environment : `${escapeControlCharacters(found.name)}  ${MODE_SENTENCES[found.mode]}`),
    );
    return;
  }
  const mode = Object.entries(MODES).find(([name]) => name === wanted.toLowerCase())?.[1];
  if (mode === undefined) throw getUsageError(`"${wanted}" is not a mode.`, 'Use observe, simulate or enforce.');
  await confirmDanger(cli.io, `${found?.name ?? environment}: ${found?.mode} → ${mode}. ${MODE_SENTENCES[mode]}`, cli.options.yes === true);
  const body = { mode, ...(typeof reason === 'string' ? { reason } : {}) };
  const changed = await sendWithConfirmation(cli, 'setGatewayMode', (connection) =>
    connection.client.setGatewayMode({ params: { environmentId }, body }),
  );
  printResult(cli, changed, () => cli.io.out(`${escapeControlCharacters(changed.name)}  ${MODE_SENTENCES[changed.mode]}`));
};
