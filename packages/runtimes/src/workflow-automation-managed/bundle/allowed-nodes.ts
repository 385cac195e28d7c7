import type { HookRequest } from '@svc/contract/runtimes/runtime-hooks.ts';
import type { RuntimeSettings } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';

/** Nodes that a managed instance may load. An allow-list, since a new release brings new nodes. */
const LOCAL_NODES = [
  ...['set', 'if', 'switch', 'merge', 'noOp', 'filter', 'splitInBatches', 'splitOut', 'aggregate', 'limit', 'sort', 'removeDuplicates'],
  ...['summarize', 'dateTime', 'stickyNote', 'stopAndError', 'respondToWebhook', 'manualTrigger', 'scheduleTrigger', 'errorTrigger'],
  ...['executeWorkflow', 'executeWorkflowTrigger', 'webhook', 'wait'],
].map((name) => `n8n-nodes-base.${name}`);
const GOVERNED_NODES = ['svcAction', 'svcTrigger'].map((name) => `n8n-nodes-svc-governance.${name}`);

/** Credentials that an instance may store: the identity at the gateway, and those that check what comes in. */
const CREDENTIAL_TYPES: ReadonlySet<string> = new Set(['svcAgentApi', 'svcWebhookSecret', 'httpBasicAuth', 'httpHeaderAuth', 'jwtAuth']);

/** Returns the node types that a managed instance may load. */
export const allowedNodes = ({ governed_node_types = [] }: RuntimeSettings): readonly string[] => [
  ...new Set([...LOCAL_NODES, ...GOVERNED_NODES, ...governed_node_types]),
];

/** Moments at which nodes are about to run. A draft that is only stored runs nothing. */
const STARTS: ReadonlySet<HookRequest['event']> = new Set(['workflow.activate', 'workflow.preExecute']);

/** Returns what the hook file must refuse of a request; undefined if it is permitted. The product makes a Tool type of each node itself. */
export const hookRefusal = (
  settings: RuntimeSettings,
  { event, node_types = [], credential_type }: HookRequest,
): { readonly reason: string; readonly types: readonly string[] } | undefined => {
  if (event === 'credentials.create' || event === 'credentials.update') {
    if (credential_type !== undefined && CREDENTIAL_TYPES.has(credential_type)) return undefined;
    return { reason: 'The instance must not store credentials of other services.', types: [credential_type ?? 'unknown'] };
  }
  if (!STARTS.has(event)) return undefined;
  const allowed = new Set(allowedNodes(settings));
  const types = node_types.filter((type) => !allowed.has(type) && !allowed.has(type.replace(/Tool$/, '')));
  return types.length === 0 ? undefined : { reason: 'The workflow contains node types that the instance must not run.', types };
};
