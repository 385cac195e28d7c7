import type { FindingKind } from '@svc/contract/runtimes/runtimes/vocabulary.ts';

type Text = { readonly title: string; readonly remedy: string };

/** Title and remedy of each kind of finding. */
export const FINDING_TEXTS: Readonly<Record<FindingKind, Text>> = {
  DIRECT_SERVICE: {
    title: 'A node calls another service directly',
    remedy: 'Declare the action as a tool, and replace the node by the governed node.',
  },
  DIRECT_HTTP: { title: 'A request goes to an address that is not the gateway', remedy: 'Send it through the gateway, or allow the host.' },
  DYNAMIC_DESTINATION: {
    title: 'The host of a request is not constant',
    remedy: 'Write the host into the node, so that it can be inspected.',
  },
  RAW_NETWORK: {
    title: 'A node opens a connection to a database, queue or mail server',
    remedy: 'Stop it by a network policy, or declare the action as a tool.',
  },
  HOST_COMMAND: { title: 'A node runs commands on a host', remedy: 'Exclude the node type from the instance (NODES_EXCLUDE).' },
  HOST_FILES: {
    title: 'A node reads or writes files of the host',
    remedy: 'Exclude the node type, or restrict the paths (N8N_RESTRICT_FILE_ACCESS_TO).',
  },
  CODE_NODE: { title: 'A node runs code', remedy: 'Replace it by nodes, or accept the risk of exactly this code.' },
  AI_TOOL_UNGOVERNED: {
    title: 'A model can use a tool that is not governed',
    remedy: 'Use the governed node as the tool, or the MCP address of the gateway.',
  },
  MODEL_DIRECT: { title: 'A model is called directly', remedy: 'Add its host to model_hosts if that is intended.' },
  OPEN_TRIGGER: {
    title: 'Anyone can start the workflow',
    remedy: 'Require a header, a JSON Web Token or a user of the instance.',
  },
  RESUME_OPEN: { title: 'Anyone can resume a waiting execution', remedy: 'Require authentication for the resume address.' },
  LOCAL_CREDENTIAL: {
    title: 'The instance holds a credential of a service',
    remedy: 'Store the credential in this service, and remove it from the instance.',
  },
  UNUSED_CREDENTIAL: { title: 'The instance holds a credential that nothing uses', remedy: 'Delete it at the instance.' },
  SECRET_IN_WORKFLOW: { title: 'A workflow contains a secret', remedy: 'Rotate the secret, then remove it from the workflow.' },
  ENV_ACCESS: {
    title: 'A workflow reads variables of the environment',
    remedy: 'Block the access (N8N_BLOCK_ENV_ACCESS_IN_NODE).',
  },
  SUBWORKFLOW_BYPASS: { title: 'A workflow that is called bypasses the service', remedy: 'See the findings of the called workflow.' },
  ERROR_WORKFLOW_BYPASS: { title: 'The error workflow bypasses the service', remedy: 'See the findings of the error workflow.' },
  SUBWORKFLOW_UNKNOWN: {
    title: 'The workflow that is called is not known',
    remedy: 'Name it by a constant id that the API key may read.',
  },
  COMMUNITY_NODE: {
    title: 'A node of another package runs',
    remedy: 'Remove it, or add its type to governed_node_types after a review.',
  },
  UNKNOWN_NODE: { title: 'The type of a node is not known', remedy: 'Remove it, or add its type to governed_node_types after a review.' },
  FOREIGN_GATEWAY: { title: 'A governed node asks another gateway', remedy: 'Set its address to that of this gateway.' },
  REFUSAL_SWALLOWED: {
    title: 'The workflow continues after a refusal',
    remedy: 'Use the output for refused actions instead of continuing on errors.',
  },
  INSECURE_TRANSPORT: { title: 'The connection is not protected', remedy: 'Use https, and check certificates.' },
  SELF_MANAGEMENT: {
    title: 'A workflow administers the instance or this service',
    remedy: 'Remove it: an agent never holds a key of an administrator.',
  },
  SELF_CALL: { title: 'A workflow calls an address of its own instance', remedy: 'Call the workflow by its id.' },
  EXPOSED_BY_MCP: { title: 'The workflow can be called over MCP', remedy: 'Turn off its availability in MCP.' },
  PINNED_DATA: { title: 'A node has pinned data', remedy: 'Remove it: a test run skips the node, and the decision with it.' },
  NO_EXECUTION_EVIDENCE: { title: 'Executions are not saved', remedy: 'Save the data of executions, so that they can be inspected.' },
  UNGOVERNED_EXECUTION: {
    title: 'An execution passed without a decision',
    remedy: 'Find out who changed the workflow or the governed node, or removed the workflow.',
  },
  WORKFLOW_CHANGED: { title: 'A workflow changed since it was inspected', remedy: 'Verify the runtime again.' },
  PEOPLE_NO_SECOND_FACTOR: { title: 'A user of the instance has no second factor', remedy: 'Require a second factor at the instance.' },
  KEY_TOO_WIDE: {
    title: 'The API key can do more than the service may',
    remedy: 'Replace it by a key with read scopes only.',
  },
  KEY_ENDS_SOON: { title: 'The API key expires soon', remedy: 'Create a new key, and replace it.' },
  SETTING_DIFFERS: { title: 'A setting differs from the bundle', remedy: 'Deploy the files of the bundle again.' },
  SETTING_CONTRADICTED: {
    title: 'The instance does what its settings exclude',
    remedy: 'Do not trust the instance: pause it, and find out who changed it.',
  },
  CANARY_LEFT: { title: 'A test workflow could not be removed', remedy: 'Delete it at the instance; its name begins with svc-canary-.' },
  OPERATE_NOT_APPLIED: { title: 'The instance did not stop', remedy: 'Stop the instance itself, or its network.' },
  TOO_LARGE: { title: 'A workflow is too large to be inspected', remedy: 'Divide it.' },
  MCP_SERVER_DIRECT: {
    title: 'The client uses an MCP server directly',
    remedy: 'Register the server in this service, and use the MCP address of the gateway.',
  },
  MCP_SECRET_IN_FILE: { title: 'A client file contains a secret', remedy: 'Rotate the secret, and store it as a credential.' },
  MCP_POLICY_ABSENT: {
    title: 'Users may add MCP servers',
    remedy: 'Deploy a managed file that belongs to the administrator and lists only the gateway.',
  },
  MCP_PACKAGE_UNPINNED: { title: 'An MCP server is started without a fixed version', remedy: 'Fix the version of the package.' },
  FILE_UNREADABLE: { title: 'A reported file could not be read', remedy: 'Report it again in the format of the product.' },
  ROUTE_AROUND: { title: 'A route has no authorization', remedy: 'Apply the authorization of the gateway to the route.' },
  AUTHZ_FAIL_OPEN: {
    title: 'Requests pass when the service does not answer',
    remedy: 'Make the authorization fail closed.',
  },
  AUTHZ_DISABLED_ON_ROUTE: { title: 'The authorization of a route is disabled', remedy: 'Enable it.' },
  AUTHZ_CACHED: { title: 'Decisions are cached', remedy: 'Shorten or remove the cache: a revocation takes effect only after it.' },
  SDK_COVERAGE_PARTIAL: { title: 'A tool of the program is not guarded', remedy: 'Wrap it with guard().' },
  SDK_SILENT: { title: 'The program has not reported recently', remedy: 'Check that it runs with the current SDK.' },
  SDK_TOOL_UNREPORTED: { title: 'The program used a tool that it does not report', remedy: 'Update the coverage report.' },
};
