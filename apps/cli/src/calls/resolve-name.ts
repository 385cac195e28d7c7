import type { CallOutcome, ControlClient } from '@svc/client/client.ts';
import { listItems, nextPageQuery } from '@svc/client/list-all.ts';
import { CommandError, EXIT, getUsageError } from '../exit-codes.ts';
import { isObject } from '../files/json-file.ts';
import type { Cli } from '../session/cli.ts';

const ID = /^[a-z0-9]{2,5}_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Lists in which a name is looked up, by path parameter or member. */
const LISTS = {
  agentId: 'listAgents',
  toolId: 'listTools',
  policyId: 'listPolicies',
  environmentId: 'listEnvironments',
  workspaceId: 'listWorkspaces',
  roleId: 'listRoles',
  apiKeyId: 'listApiKeys',
  memberId: 'listMembers',
  credentialId: 'listCredentials',
  subscriptionId: 'listWebhooks',
  serverId: 'listMcpServers',
  invariantId: 'listInvariants',
  channelId: 'listNotificationChannels',
} as const;
type Named = keyof typeof LISTS;

const ITEMS_MAX = 5_000;

const isNamed = (parameter: string): parameter is Named => parameter in LISTS;

const requestList = (client: ControlClient, parameter: Named, query: object): Promise<CallOutcome<unknown>> => {
  const request = client.request as (name: string, input: object) => Promise<CallOutcome<unknown>>;
  return request(LISTS[parameter], { query });
};

const allItems = async (cli: Cli, parameter: Named): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const { client } = await cli.connect();
  const found: Readonly<Record<string, unknown>>[] = [];
  let query: object | undefined = {};
  while (query !== undefined && found.length < ITEMS_MAX) {
    const outcome: CallOutcome<unknown> = await requestList(client, parameter, query);
    if (!outcome.ok) throw outcome.error;
    found.push(...listItems(outcome.body).filter(isObject));
    query = nextPageQuery(outcome.body, outcome.headers, query);
  }
  return found;
};

const readNames = (item: Readonly<Record<string, unknown>>): readonly unknown[] => [
  item.name,
  item.email,
  item.slug,
  isObject(item.user) ? item.user.email : undefined,
];

const isInScope = (cli: Cli, item: Readonly<Record<string, unknown>>): boolean =>
  (cli.environment === undefined ||
    !ID.test(cli.environment) ||
    item.environment_id === undefined ||
    item.environment_id === cli.environment) &&
  (cli.workspace === undefined || !ID.test(cli.workspace) || item.workspace_id === undefined || item.workspace_id === cli.workspace);

/** The id for an id or a name. A name must be unique among the resources in the scope of the command. */
export const resolveId = async (cli: Cli, parameter: string, value: string): Promise<string> => {
  if (!isNamed(parameter) || ID.test(value)) return value;
  const named = (await allItems(cli, parameter)).filter((item) => readNames(item).includes(value) && isInScope(cli, item));
  const ids = named.map(({ id }) => String(id));
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return only;
  const noun = parameter.replace(/Id$/, '');
  if (only === undefined)
    throw new CommandError(EXIT.notFound, `There is no ${noun} with the id or name "${value}".`, undefined, 'NOT_FOUND');
  throw getUsageError(
    `${ids.length} resources are named "${value}": ${ids.slice(0, 10).join(', ')}.`,
    'Use an id, or narrow the scope with --environment.',
  );
};

/** The same for members of a body or query, such as agent_id, where the member holds one id. */
export const resolveMember = (cli: Cli, member: string, value: unknown): Promise<unknown> | unknown => {
  const parameter = member.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/^delegateAgentId$/, 'agentId');
  return typeof value === 'string' && member.endsWith('_id') && isNamed(parameter) ? resolveId(cli, parameter, value) : value;
};
