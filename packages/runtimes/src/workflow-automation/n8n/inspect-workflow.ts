import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { FindingSeverity } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { digestJson } from '../../digest/digest.ts';
import { isObject, listAt, objectAt, textAt } from '../../digest/json.ts';
import { parseJson } from '../../digest/parse-json.ts';
import type { InspectedWorkflow, InspectionTerms } from '../../kind.ts';
import { hostOfOrigin, isListed, type NodeDestination, readDestination } from './destination.ts';
import type { InspectedPart, Inventory, InventoryNode, Issue, WorkflowCall } from './inventory.ts';
import { CHAT_TRIGGER, classOfType, isOwnNode, OPEN_TRIGGERS } from './node-classes.ts';
import { codeCallsOut, findSecret, isNamedSecret, readsEnvironment } from './secrets-in-text.ts';

const { nodesMax, depthMax, inventoryBytesMax } = LIMITS.verification;
const TEXTS_MAX = 2_000;
const NAME_MAX = 200;
const SHOWN_CHARS = 4;

type Node = JsonObject & { readonly id: string; readonly name: string; readonly type: string };

const shorten = (text: string): string => text.slice(0, NAME_MAX);

const readNodes = (nodes: readonly unknown[]): Node[] =>
  nodes.filter(isObject).map((node, at) => ({
    ...node,
    id: shorten(textAt(node, 'id') ?? textAt(node, 'name') ?? `node ${at + 1}`),
    name: shorten(textAt(node, 'name') ?? ''),
    type: shorten(textAt(node, 'type') ?? ''),
  }));

type Text = { readonly name: string; readonly value: string };

/** Returns the texts in a value with the name of their member, to a depth and number; null beyond these bounds. */
const textsIn = (value: unknown): readonly Text[] | null => {
  const found: Text[] = [];
  const open: { readonly value: unknown; readonly name: string; readonly depth: number }[] = [{ value, name: '', depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.depth > depthMax || found.length > TEXTS_MAX) return null;
    const { value: each, name, depth } = next;
    if (typeof each === 'string') found.push({ name, value: each });
    else if (Array.isArray(each)) for (const item of each) open.push({ value: item, name, depth: depth + 1 });
    else if (isObject(each)) {
      // Lists of headers and query parameters name their value in a member of its own.
      const pair = textAt(each, 'name');
      for (const [key, member] of Object.entries(each))
        open.push({ value: member, name: key === 'value' && pair !== undefined ? pair : key, depth: depth + 1 });
    }
  }
  return found;
};

const URL_MEMBERS = ['url', 'endpoint', 'endpointUrl', 'sseEndpoint', 'serverUrl', 'feedUrl'];

const destinationOf = (node: Node): NodeDestination => {
  const parameters = objectAt(node, 'parameters');
  const member = URL_MEMBERS.find((name) => Object.hasOwn(parameters, name));
  return readDestination(member === undefined ? undefined : parameters[member]);
};

const gatewayHosts = ({ gatewayOrigins }: InspectionTerms): readonly string[] => gatewayOrigins.map(hostOfOrigin);

const issue = (
  kind: Issue['kind'],
  severity: FindingSeverity,
  { id }: Pick<Node, 'id'>,
  evidence: Issue['evidence'] = {},
  subject = '',
): Issue => ({ kind, severity, node: id, subject, evidence });

const isLoopback = (host: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|$)/.test(host);

/** Findings of a node that sends a request to an address. */
const httpIssues = (node: Node, terms: InspectionTerms): Issue[] => {
  const destination = destinationOf(node);
  const options = objectAt(objectAt(node, 'parameters'), 'options');
  const issues: Issue[] = [];
  if (options.allowUnauthorizedCerts === true) issues.push(issue('INSECURE_TRANSPORT', 'HIGH', node, { option: 'allowUnauthorizedCerts' }));
  if (options.proxy !== undefined && options.proxy !== '') issues.push(issue('DIRECT_HTTP', 'HIGH', node, { option: 'proxy' }, 'proxy'));
  const pagination = objectAt(objectAt(options, 'pagination'), 'pagination');
  if (textAt(pagination, 'paginationMode') === 'responseContainsNextURL')
    issues.push(issue('DYNAMIC_DESTINATION', 'HIGH', node, { option: 'pagination' }, 'pagination'));
  if (destination.kind === 'dynamic') return [...issues, issue('DYNAMIC_DESTINATION', 'HIGH', node, { because: destination.because })];
  if (destination.kind === 'none') return issues;
  const { host, protocol, path } = destination;
  if (gatewayHosts(terms).includes(host)) {
    if (protocol === 'http:' && !isLoopback(host)) issues.push(issue('INSECURE_TRANSPORT', 'HIGH', node, { host }, 'gateway'));
    return issues;
  }
  if (terms.controlOrigins.map(hostOfOrigin).includes(host))
    return [...issues, issue('SELF_MANAGEMENT', 'CRITICAL', node, { host, of: 'control plane' })];
  if (terms.baseUrl !== null && hostOfOrigin(terms.baseUrl) === host) {
    const isAdmin = /^\/(?:api|rest)\//.test(path);
    return [...issues, isAdmin ? issue('SELF_MANAGEMENT', 'CRITICAL', node, { host }) : issue('SELF_CALL', 'MEDIUM', node, { host })];
  }
  if (isListed(host, terms.settings.allowed_hosts ?? [])) return issues;
  return [...issues, issue('DIRECT_HTTP', 'HIGH', node, { host })];
};

const codeText = (node: Node): string => {
  const parameters = objectAt(node, 'parameters');
  return ['jsCode', 'pythonCode', 'functionCode', 'code', 'instructions']
    .flatMap((name) =>
      typeof parameters[name] === 'string' ? [parameters[name]] : (textsIn(parameters[name]) ?? []).map(({ value }) => value),
    )
    .join('\n');
};

const governedIssues = (node: Node, terms: InspectionTerms): Issue[] => {
  const parameters = objectAt(node, 'parameters');
  const issues: Issue[] = [];
  const address = ['gatewayUrl', 'gateway_url'].map((name) => parameters[name]).find((value) => value !== undefined);
  if (isOwnNode(node.type) && address !== undefined) {
    const destination = readDestination(address);
    const isOurs = destination.kind === 'host' && gatewayHosts(terms).includes(destination.host);
    if (!isOurs) issues.push(issue('FOREIGN_GATEWAY', 'CRITICAL', node, destination.kind === 'host' ? { host: destination.host } : {}));
  }
  if (node.onError === 'continueRegularOutput' || node.alwaysOutputData === true || node.continueOnFail === true)
    issues.push(issue('REFUSAL_SWALLOWED', 'MEDIUM', node, { on_error: node.onError ?? 'continueOnFail' }));
  return issues;
};

/** Returns true if anyone can start a workflow with the trigger. */
const isOpenTrigger = (node: Node): boolean => {
  if (!OPEN_TRIGGERS.has(node.type)) return false;
  const parameters = objectAt(node, 'parameters');
  if (node.type === CHAT_TRIGGER && parameters.public !== true) return false;
  const { authentication } = parameters;
  return authentication === undefined || authentication === 'none' || authentication === '';
};

const classIssues = (node: Node, inventory: InventoryNode, terms: InspectionTerms): Issue[] => {
  switch (inventory.class) {
    case 'SERVICE':
      return [issue('DIRECT_SERVICE', 'HIGH', node, { type: node.type })];
    case 'RAW_NETWORK':
      return [issue('RAW_NETWORK', 'HIGH', node, { type: node.type })];
    case 'HOST_COMMAND':
      return [issue('HOST_COMMAND', 'CRITICAL', node, { type: node.type })];
    case 'HOST_FILES':
      return [issue('HOST_FILES', 'HIGH', node, { type: node.type })];
    case 'COMMUNITY':
      return [issue('COMMUNITY_NODE', 'HIGH', node, { type: node.type })];
    case 'UNKNOWN':
      return [issue('UNKNOWN_NODE', 'HIGH', node, { type: node.type })];
    case 'SELF_MANAGEMENT':
      return [issue('SELF_MANAGEMENT', 'CRITICAL', node, { type: node.type })];
    case 'HTTP':
    case 'MCP':
      return httpIssues(node, terms);
    case 'CODE': {
      const code = codeText(node);
      return [issue('CODE_NODE', codeCallsOut(code) ? 'HIGH' : 'MEDIUM', node, { code: digestJson(code) })];
    }
    case 'MODEL':
      return [issue('MODEL_DIRECT', 'LOW', node, { type: node.type })];
    case 'GOVERNED':
      return governedIssues(node, terms);
    case 'WAIT': {
      const { resume, incomingAuthentication } = objectAt(node, 'parameters');
      const isOpen =
        (resume === 'webhook' || resume === 'form') && (incomingAuthentication === undefined || incomingAuthentication === 'none');
      return isOpen ? [issue('RESUME_OPEN', 'MEDIUM', node, { resume })] : [];
    }
    case 'TRIGGER':
      return isOpenTrigger(node) ? [issue('OPEN_TRIGGER', 'HIGH', node, { type: node.type })] : [];
    default:
      return [];
  }
};

const textIssues = (node: Node, isCode: boolean): Issue[] => {
  const texts = textsIn(node.parameters);
  if (texts === null) return [issue('TOO_LARGE', 'HIGH', node, { of: 'parameters' })];
  const issues: Issue[] = [];
  const secret = texts.find(({ name, value }) => findSecret(value) !== undefined || isNamedSecret(name, value));
  if (secret !== undefined) {
    const what = findSecret(secret.value) ?? `a value of ${secret.name.slice(0, 60)}`;
    issues.push(
      issue('SECRET_IN_WORKFLOW', 'HIGH', node, {
        what,
        ends_in: secret.value.trim().slice(-SHOWN_CHARS),
        member: secret.name.slice(0, 60),
      }),
    );
  }
  const environment = texts.find(({ value }) => readsEnvironment(value, isCode));
  if (environment !== undefined) issues.push(issue('ENV_ACCESS', 'HIGH', node, { member: environment.name.slice(0, 60) }));
  return issues;
};

/** Credentials that only check callers, and those of the nodes of the service. */
const isHarmless = (inventory: InventoryNode): boolean => ['TRIGGER', 'GOVERNED', 'MODEL', 'WAIT'].includes(inventory.class);

const credentialIssues = (node: Node, inventory: InventoryNode): Issue[] =>
  inventory.credential_types.map((type) => issue('LOCAL_CREDENTIAL', isHarmless(inventory) ? 'LOW' : 'MEDIUM', node, { type }, type));

const inventoryNode = (node: Node, { settings }: InspectionTerms): InventoryNode => {
  const credentials = objectAt(node, 'credentials');
  const className = classOfType(node.type, settings.governed_node_types);
  const destination = className === 'HTTP' || className === 'MCP' ? destinationOf(node) : undefined;
  return {
    id: node.id,
    name: node.name,
    type: node.type,
    class: className,
    disabled: node.disabled === true,
    destination: destination?.kind === 'host' ? destination.host : null,
    credential_types: Object.keys(credentials).slice(0, 10).map(shorten),
    credential_ids: Object.values(credentials)
      .flatMap((each) => textAt(each, 'id') ?? [])
      .slice(0, 10),
  };
};

/** Edges in the direction in which nodes are used: an agent uses what is connected to it. */
const readEdges = (connections: unknown, byName: ReadonlyMap<string, string>): InspectedPart['edges'] =>
  Object.entries(isObject(connections) ? connections : {}).flatMap(([source, outputs]) =>
    Object.entries(isObject(outputs) ? outputs : {}).flatMap(([type, slots]) =>
      (Array.isArray(slots) ? slots : []).flatMap((slot: unknown) =>
        (Array.isArray(slot) ? slot : []).flatMap((target: unknown) => {
          const from = byName.get(source);
          const to = byName.get(textAt(target, 'node') ?? '');
          if (from === undefined || to === undefined) return [];
          return [type === 'main' ? { from, to, type } : { from: to, to: from, type }];
        }),
      ),
    ),
  );

const calledId = (parameters: JsonObject): string | null => {
  if (parameters.source !== undefined && parameters.source !== 'database') return null;
  const { workflowId } = parameters;
  const value = isObject(workflowId) ? workflowId.value : workflowId;
  return typeof value === 'string' && value !== '' && !value.startsWith('=') ? shorten(value) : null;
};

const readCalls = (nodes: readonly Node[], inventory: readonly InventoryNode[], settings: JsonObject): WorkflowCall[] => {
  const calls = inventory.flatMap((each, at): WorkflowCall[] => {
    const node = nodes[at];
    if (each.class !== 'SUBWORKFLOW' || each.disabled || node === undefined || inlineWorkflow(node) !== undefined) return [];
    return [{ node: each.id, workflow_id: calledId(objectAt(node, 'parameters')), how: 'CALL' }];
  });
  const errorWorkflow = textAt(settings, 'errorWorkflow');
  return errorWorkflow === undefined || errorWorkflow === 'DEFAULT'
    ? calls
    : [...calls, { node: '', workflow_id: shorten(errorWorkflow), how: 'ERROR' }];
};

/** Workflows that a node contains instead of naming them: they are read as parts of their own. */
const inlineWorkflow = (node: Node): unknown => {
  const { workflowJson, source } = objectAt(node, 'parameters');
  if (source !== 'parameter' || typeof workflowJson !== 'string') return undefined;
  // Another form than JSON is an expression, whose value is not known.
  return workflowJson.startsWith('=') || !workflowJson.trim().startsWith('{') ? undefined : parseJson(workflowJson);
};

const settingIssues = (settings: JsonObject, hasNodes: boolean): Issue[] => {
  const none = { id: '' };
  const saved = ['saveDataSuccessExecution', 'saveDataErrorExecution'].filter((name) => settings[name] === 'none');
  return [
    ...(saved.length > 0 && hasNodes ? [issue('NO_EXECUTION_EVIDENCE', 'MEDIUM', none, { settings: saved })] : []),
    ...(settings.availableInMCP === true ? [issue('EXPOSED_BY_MCP', 'MEDIUM', none, {})] : []),
  ];
};

const pinnedIssues = (pinned: JsonObject, inventory: readonly InventoryNode[]): Issue[] =>
  inventory.flatMap((node) =>
    Object.hasOwn(pinned, node.name) ? [issue('PINNED_DATA', node.class === 'GOVERNED' ? 'MEDIUM' : 'LOW', node, {})] : [],
  );

type Version = {
  readonly version_id: string | null;
  readonly nodes: unknown;
  readonly connections: unknown;
  readonly settings: JsonObject;
  readonly pinned: JsonObject;
};

const nodeIssues = (node: Node, inventory: InventoryNode, terms: InspectionTerms, depth: number): Issue[] => {
  if (inventory.disabled) return [];
  const inline = inlineWorkflow(node);
  const inner = inline === undefined || depth >= 2 ? [] : inspectNodes(readNodes(listAt(inline, 'nodes')), terms, depth + 1).issues;
  return [
    ...classIssues(node, inventory, terms),
    ...textIssues(node, inventory.class === 'CODE'),
    ...credentialIssues(node, inventory),
    // Findings of an inline workflow are at the node that contains it.
    ...inner.map((each) => ({ ...each, node: node.id, subject: `inline ${each.node} ${each.subject}`.slice(0, NAME_MAX) })),
  ];
};

const inspectNodes = (nodes: readonly Node[], terms: InspectionTerms, depth: number) => {
  const inventory = nodes.map((node) => inventoryNode(node, terms));
  const issues = nodes.flatMap((node, at) => {
    const each = inventory[at];
    return each === undefined ? [] : nodeIssues(node, each, terms, depth);
  });
  return { inventory, issues };
};

const inspectPart = ({ version_id, nodes: raw, connections, settings, pinned }: Version, terms: InspectionTerms): InspectedPart => {
  const all = Array.isArray(raw) ? raw : [];
  const nodes = readNodes(all.slice(0, nodesMax));
  const { inventory, issues } = inspectNodes(nodes, terms, 0);
  const byName = new Map(inventory.map(({ name, id }) => [name, id]));
  const open_triggers = nodes.filter((node) => node.disabled !== true && isOpenTrigger(node)).map(({ id }) => id);
  return {
    version_id,
    nodes: inventory,
    edges: readEdges(connections, byName),
    calls: readCalls(nodes, inventory, settings),
    open_triggers,
    issues: [
      ...issues,
      ...settingIssues(settings, nodes.length > 0),
      ...pinnedIssues(pinned, inventory),
      ...(all.length > nodesMax ? [issue('TOO_LARGE', 'HIGH', { id: '' }, { nodes: all.length })] : []),
    ],
  };
};

/** Leaves out what moves when a node is dragged on the canvas. */
const hashedNodes = (nodes: unknown): unknown[] =>
  (Array.isArray(nodes) ? nodes : []).filter(isObject).map(({ position: _, ...node }) => node);

const hashOf = (nodes: unknown, connections: unknown, settings: unknown): string =>
  digestJson({ nodes: hashedNodes(nodes), connections: connections ?? {}, settings: settings ?? {} });

const tooLarge = (part: InspectedPart): InspectedPart => ({
  ...part,
  nodes: [],
  edges: [],
  calls: [],
  open_triggers: [],
  issues: [issue('TOO_LARGE', 'HIGH', { id: '' }, { of: 'inventory' })],
});

/** Returns the published version of a workflow, if its content is not the draft's. Version ids of the instance show no equality. */
const publishedVersion = (workflow: JsonObject, settings: JsonObject): Version | null => {
  const { activeVersion, activeVersionId } = workflow;
  if (!isObject(activeVersion) || !Array.isArray(activeVersion.nodes)) return null;
  const { nodes, connections } = activeVersion;
  if (hashOf(nodes, connections, settings) === hashOf(workflow.nodes, workflow.connections, settings)) return null;
  const version_id = typeof activeVersionId === 'string' ? activeVersionId : null;
  return { version_id, nodes, connections, settings, pinned: {} };
};

/** Returns true if an active workflow has a published version that the instance did not return. */
export const isPublishedUnread = (workflow: unknown): boolean => {
  if (!isObject(workflow) || workflow.active !== true || typeof workflow.activeVersionId !== 'string') return false;
  return workflow.activeVersionId !== workflow.versionId && !Array.isArray(objectAt(workflow, 'activeVersion').nodes);
};

/** Identifies what a workflow runs by its content, since an instance can change nodes and keep the version. */
export const contentHash = (workflow: unknown): string => {
  const { nodes, connections } = objectAt({ workflow }, 'workflow');
  const active = objectAt(workflow, 'activeVersion');
  return digestJson([hashedNodes(nodes), connections ?? {}, hashedNodes(active.nodes), active.connections ?? {}]);
};

/** Inspects the draft and the published version of a workflow as the API returns it. */
export const inspectWorkflow = (workflow: unknown, terms: InspectionTerms): InspectedWorkflow | undefined => {
  const workflow_id = textAt(workflow, 'id');
  if (!isObject(workflow) || workflow_id === undefined) return undefined;
  const settings = objectAt(workflow, 'settings');
  const { nodes, connections } = workflow;
  const draft = inspectPart(
    { version_id: textAt(workflow, 'versionId') ?? null, nodes, connections, settings, pinned: objectAt(workflow, 'pinData') },
    terms,
  );
  const version = publishedVersion(workflow, settings);
  const published = version && inspectPart(version, terms);
  const whole: Inventory = { draft, published };
  const fits = JSON.stringify(whole).length <= inventoryBytesMax;
  const inventory: Inventory = fits ? whole : { draft: tooLarge(draft), published: published && tooLarge(published) };
  return {
    workflow_id: shorten(workflow_id),
    name: shorten(textAt(workflow, 'name') ?? workflow_id),
    active: workflow.active === true,
    archived: workflow.isArchived === true,
    version_id: draft.version_id,
    active_version_id: textAt(workflow, 'activeVersionId') ?? null,
    hash:
      version === null
        ? hashOf(nodes, connections, settings)
        : digestJson([hashOf(nodes, connections, settings), hashOf(version.nodes, version.connections, settings)]),
    inventory,
  };
};
