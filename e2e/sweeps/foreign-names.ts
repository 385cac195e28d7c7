import type { CanaryOrganization } from './canary-organization.ts';
import { findParameterNamed } from './parameter-named.ts';

const NEVER = '7ZZZZZZZZZZZZZZZZZZZZZZZZZ';

/** Query members that are not called like a noun, and the resources that each can name. */
const NAMED_IN_QUERY: Readonly<Record<string, (organization: CanaryOrganization) => readonly string[]>> = {
  agent_id: ({ agent }) => [agent.id],
  delegate_agent_id: ({ agent }) => [agent.id],
  delegator_id: ({ tenant, agent }) => [tenant.user.id, agent.id],
  parent_id: ({ resources }) => [resources.delegationId],
  actor_id: ({ tenant, agent }) => [tenant.user.id, agent.id],
  subject_id: ({ resources }) => Object.values(resources).filter((id) => id.includes('_')),
  request_id: ({ requestId }) => [requestId],
  tool: ({ resources, toolName }) => [resources.toolId, toolName],
  event_id: ({ resources }) => [resources.eventId],
  connection_id: ({ resources }) => [resources.connectionId],
  organization_id: ({ tenant }) => [tenant.organization_id],
  email: ({ tenant }) => [tenant.email],
  filter: ({ resources }) => [`userName eq "${resources.directoryUserId}"`],
  user_code: ({ userCode }) => [userCode],
  after: ({ resources }) => [resources.eventId],
  label: ({ word }) => [`team=${word}`],
  q: ({ word, agent }) => [word, agent.id],
  reason: ({ word }) => [`${word} reason`],
  rule: ({ word }) => [`${word}-held`],
  run_id: ({ runId }) => [runId],
  provider_id: ({ resources }) => [resources.trustProviderId],
  workflow_id: ({ resources }) => [resources.workflowId],
};

/** Members that name nothing: words of the contract, times and numbers. */
const NAMES_NOTHING = new Set([
  'limit',
  'wait',
  'offset',
  'from',
  'to',
  'days',
  'framework',
  'status',
  'decision',
  'severity',
  'actor_type',
  'order',
  'type',
  'code',
  ...['expires_before', 'sdk_name', 'sdk_version'],
  'token',
  ...['unread', 'kind'],
  ...['source', 'base_url', 'state'],
  ...['startIndex', 'count', 'attributes', 'excludedAttributes', 'domain', 'return_to'],
  ...['accept_warnings', 'dry_run'],
  ...['category', 'scheme', 'capability'],
  ...['mode', 'amount_min', 'amount_max', 'mine'],
  ...['signal', 'enforcement', 'health', 'active', 'dormant'],
]);

/** Returns what a query member can name in an organization; throws for a member without an entry. */
export const listNamesInQuery = (name: string, organization: CanaryOrganization, path: string): readonly string[] => {
  if (NAMES_NOTHING.has(name)) return [];
  if (name === 'cursor') {
    const cursor = organization.cursors[path];
    if (cursor === undefined) throw new Error(`no cursor for ${path}: it belongs into PAGED`);
    return [cursor];
  }
  const named = NAMED_IN_QUERY[name];
  const parameter = findParameterNamed(name);
  if (named !== undefined) return named(organization);
  if (parameter !== undefined) return [organization.resources[parameter]];
  throw new Error(`the query member ${name} of ${path} names no noun and is in neither table of what queries name`);
};

/** Returns everything that names a resource of an organization, with a value of the same shape that was never issued. */
export const createUnknownNames = ({
  tenant,
  agent,
  resources,
  word,
  idempotencyKey,
  cursors,
  requestId,
  toolName,
  userCode,
  runId,
}: CanaryOrganization) => {
  const ids = [
    tenant.organization_id,
    tenant.user.id,
    agent.id,
    requestId,
    runId,
    ...Object.values(resources).filter((id) => id.includes('_')),
  ];
  return new Map<string, string>([
    ...ids.map((id) => [id, `${id.split('_')[0]}_${NEVER}`] as const),
    // Changes the first letter of a signed value.
    ...Object.values(cursors).map((cursor) => [cursor, `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`] as const),
    [idempotencyKey, 'never-used-key'],
    [userCode, 'BCDF-GHJK'],
    [toolName, 'never-made.tool'],
    [tenant.email, 'nobody@never.example'],
    [word, 'NEVERSAID'],
  ]);
};

/** Replaces each of them in a text. */
export const withNeverIssued = (text: string, never: ReadonlyMap<string, string>): string => {
  let replaced = text;
  for (const [issued, unissued] of never) replaced = replaced.replaceAll(issued, unissued);
  return replaced;
};
