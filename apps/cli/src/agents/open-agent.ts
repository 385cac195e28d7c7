import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Governance } from '@svc/sdk/governance.ts';
import type { GovernanceOptions } from '@svc/sdk/wire/options.ts';
import { getUsageError } from '../exit-codes.ts';
import { checkPrivate } from '../files/credentials-file.ts';
import type { Cli } from '../session/cli.ts';
import type { HandOptions } from '../session/hand-command.ts';

const findKeyFile = (cli: Cli, { keyFile }: HandOptions): string | undefined => {
  if (typeof keyFile === 'string') return resolve(keyFile);
  const { project } = cli;
  return project?.agent === undefined ? undefined : resolve(dirname(project.path), project.agent.keyFile);
};

/** Address of the gateway: given, in SVC_GATEWAY_URL, or what the service publishes to the signed-in person. */
const findGateway = async (cli: Cli, { gateway }: HandOptions): Promise<string> => {
  if (typeof gateway === 'string') return gateway;
  if (cli.settings.gatewayUrl !== undefined) return cli.settings.gatewayUrl;
  const { client } = await cli.connect();
  return (await client.getInfo()).gateway_url;
};

/** Id, key file and gateway of an agent. */
export type AgentAccess = { readonly agentId: string; readonly keyFile: string; readonly gatewayUrl: string };

/** The agent of a command: by --agent and --key-file, or that of the project. */
export const getAgentAccess = async (cli: Cli, options: HandOptions): Promise<AgentAccess> => {
  const agentId = typeof options.agent === 'string' ? options.agent : cli.project?.agent?.id;
  const keyFile = findKeyFile(cli, options);
  if (agentId === undefined || keyFile === undefined)
    throw getUsageError('No agent is named.', 'Run svc init, or pass --agent agt_… --key-file agent.key');
  checkPrivate(keyFile);
  return { agentId, keyFile, gatewayUrl: await findGateway(cli, options) };
};

/** Options of the client of an agent, with its key. */
export const readAgentOptions = async (cli: Cli, options: HandOptions): Promise<GovernanceOptions> => {
  const { agentId, keyFile, gatewayUrl } = await getAgentAccess(cli, options);
  return { gatewayUrl, agentId, privateKey: readFileSync(keyFile, 'utf8').trim() };
};

/** The client of an agent with its key. */
export const openAgent = async (cli: Cli, options: HandOptions): Promise<Governance> =>
  new Governance(await readAgentOptions(cli, options));
