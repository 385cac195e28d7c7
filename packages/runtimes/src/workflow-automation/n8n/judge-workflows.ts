import { FINDING_SEVERITIES, type FindingKind, type FindingSeverity } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import type { FoundFinding, InspectedWorkflow } from '../../kind.ts';
import type { InspectedPart, Inventory, Issue } from './inventory.ts';

/** Findings that let something past the service: they are worse where anyone, or a model, can reach them. */
const REACHABLE: ReadonlySet<FindingKind> = new Set([
  ...(['DIRECT_SERVICE', 'DIRECT_HTTP', 'DYNAMIC_DESTINATION', 'RAW_NETWORK', 'HOST_FILES', 'CODE_NODE', 'AI_TOOL_UNGOVERNED'] as const),
  ...(['COMMUNITY_NODE', 'UNKNOWN_NODE'] as const),
]);
/** Findings that are not lowered below MEDIUM although nothing runs them. */
const NEVER_LOW: ReadonlySet<FindingKind> = new Set(['HOST_COMMAND', 'SELF_MANAGEMENT']);
/** Findings that do not depend on being run. */
const ALWAYS: ReadonlySet<FindingKind> = new Set(['SECRET_IN_WORKFLOW']);
/** Kinds that a tool of an agent replaces by AI_TOOL_UNGOVERNED. */
const OF_TOOLS: ReadonlySet<FindingKind> = new Set([
  ...(['DIRECT_SERVICE', 'DIRECT_HTTP', 'DYNAMIC_DESTINATION', 'RAW_NETWORK', 'CODE_NODE', 'COMMUNITY_NODE', 'UNKNOWN_NODE'] as const),
]);
const CONTAINED_BY_NODE_LIST: ReadonlySet<FindingKind> = new Set([
  ...(['DIRECT_SERVICE', 'RAW_NETWORK', 'HOST_COMMAND', 'HOST_FILES', 'CODE_NODE', 'COMMUNITY_NODE', 'UNKNOWN_NODE'] as const),
  ...(['SELF_MANAGEMENT', 'AI_TOOL_UNGOVERNED'] as const),
]);
const CONTAINED_BY_EGRESS: ReadonlySet<FindingKind> = new Set(['DIRECT_HTTP', 'DYNAMIC_DESTINATION']);
const CALL_DEPTH_MAX = 20;

const shifted = (severity: FindingSeverity, by: number): FindingSeverity => {
  const at = Math.min(FINDING_SEVERITIES.length - 1, Math.max(0, FINDING_SEVERITIES.indexOf(severity) + by));
  return FINDING_SEVERITIES[at] ?? severity;
};

const isWorse = (one: FindingSeverity, other: FindingSeverity): boolean =>
  FINDING_SEVERITIES.indexOf(one) > FINDING_SEVERITIES.indexOf(other);

/** Returns the nodes that are run after, or used by, some nodes. */
const reachableFrom = (part: InspectedPart, starts: readonly string[]): ReadonlySet<string> => {
  const next = Map.groupBy(part.edges, ({ from }) => from);
  const found = new Set(starts);
  const open = [...starts];
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const { to } of next.get(at) ?? [])
      if (!found.has(to)) {
        found.add(to);
        open.push(to);
      }
  return found;
};

/** A part of a workflow, with what others make of it. */
type Placed = {
  readonly workflow: InspectedWorkflow;
  readonly part: InspectedPart;
  /** True if it is published and active, or an active one runs it. */
  readonly isLive: boolean;
  readonly isOpen: boolean;
  readonly via: readonly string[];
};

const inventoryOf = (workflow: InspectedWorkflow): Inventory => workflow.inventory as unknown as Inventory;

/** The version that runs in production: the published one, or the draft where it is what is published. */
const livePart = (workflow: InspectedWorkflow): InspectedPart => {
  const { draft, published } = inventoryOf(workflow);
  return published ?? draft;
};

/** Returns the workflows that active ones run, with the path to each and true if anyone can start it. */
const runByOthers = (
  workflows: readonly InspectedWorkflow[],
): ReadonlyMap<string, { readonly via: readonly string[]; readonly isOpen: boolean }> => {
  const byId = new Map(workflows.map((workflow) => [workflow.workflow_id, workflow]));
  const found = new Map<string, { readonly via: readonly string[]; readonly isOpen: boolean }>();
  const open = workflows
    .filter(({ active, archived }) => active && !archived)
    .map((workflow) => ({ workflow, via: [workflow.name], isOpen: livePart(workflow).open_triggers.length > 0 }));
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    if (at.via.length > CALL_DEPTH_MAX) continue;
    for (const { workflow_id } of livePart(at.workflow).calls) {
      const called = byId.get(workflow_id ?? '');
      const known = called && found.get(called.workflow_id);
      if (called === undefined || (known && (known.isOpen || !at.isOpen))) continue;
      const entry = { via: [...at.via, called.name], isOpen: at.isOpen };
      found.set(called.workflow_id, entry);
      open.push({ workflow: called, ...entry });
    }
  }
  return found;
};

const place = (workflow: InspectedWorkflow, others: ReturnType<typeof runByOthers>): Placed[] => {
  const { draft, published } = inventoryOf(workflow);
  const run = others.get(workflow.workflow_id);
  const isActive = workflow.active && !workflow.archived;
  const live = { workflow, isLive: isActive || run !== undefined, isOpen: run?.isOpen ?? false, via: run?.via ?? [] };
  if (published === null) return [{ ...live, part: draft }];
  return [
    { ...live, part: published },
    { workflow, part: draft, isLive: false, isOpen: false, via: [] },
  ];
};

/** Returns the nodes that agents may use as tools, directly or through other tools. */
const toolsOfAgents = (part: InspectedPart): ReadonlySet<string> => {
  const byTool = { ...part, edges: part.edges.filter(({ type }) => type === 'ai_tool') };
  const users = [...new Set(byTool.edges.map(({ from }) => from))];
  const found = new Set(reachableFrom(byTool, users));
  const tools = new Set(byTool.edges.map(({ to }) => to));
  return new Set([...found].filter((id) => tools.has(id)));
};

const containedBy = (kind: FindingKind): FoundFinding['contained_by'] => {
  if (CONTAINED_BY_NODE_LIST.has(kind)) return 'CANARY_NODE';
  return CONTAINED_BY_EGRESS.has(kind) ? 'CANARY_EGRESS' : null;
};

const judgedSeverity = (kind: FindingKind, base: FindingSeverity, isReached: boolean, isLive: boolean): FindingSeverity => {
  if (ALWAYS.has(kind)) return base;
  if (kind === 'OPEN_TRIGGER') return isLive ? base : 'LOW';
  const severity = isLive && isReached && REACHABLE.has(kind) ? shifted(base, 1) : base;
  if (isLive) return severity;
  const lowered = shifted(severity, -1);
  return NEVER_LOW.has(kind) && lowered === 'LOW' ? 'MEDIUM' : lowered;
};

const judgePart = (placed: Placed): FoundFinding[] => {
  const { workflow, part, isLive, isOpen, via } = placed;
  const nodes = new Map(part.nodes.map((node) => [node.id, node]));
  const tools = toolsOfAgents(part);
  const fromTriggers = reachableFrom(part, isOpen ? part.nodes.map(({ id }) => id) : part.open_triggers);
  const fromAgents = reachableFrom(
    part,
    part.nodes.filter((node) => node.class === 'AGENT' && !node.disabled).map(({ id }) => id),
  );
  const judge = ({ kind: own, severity: base, node: at, subject, evidence }: Issue): FoundFinding => {
    const node = nodes.get(at);
    const isTool = tools.has(at) && OF_TOOLS.has(own);
    const kind = isTool ? 'AI_TOOL_UNGOVERNED' : own;
    const isReached = fromTriggers.has(at) || (!isTool && fromAgents.has(at));
    const told = isTool ? { ...evidence, as: own } : evidence;
    return {
      kind,
      severity: judgedSeverity(kind, isTool && base === 'MEDIUM' ? 'HIGH' : base, isReached, isLive),
      dormant: !isLive,
      contained_by: containedBy(kind),
      workflow: { id: workflow.workflow_id, name: workflow.name },
      node: node === undefined ? null : { id: node.id, name: node.name, type: node.type },
      subject: isTool && subject === '' ? own : subject,
      evidence: told,
      via: isLive ? via : [],
    };
  };
  return part.issues.map(judge);
};

const worst = (findings: readonly FoundFinding[]): FoundFinding | undefined =>
  findings.reduce<FoundFinding | undefined>(
    (least, each) => (least === undefined || isWorse(each.severity, least.severity) ? each : least),
    undefined,
  );

/** Findings at the nodes that call other workflows: they are as severe as what they reach. */
const judgeCalls = (
  placed: Placed,
  byWorkflow: ReadonlyMap<string, readonly FoundFinding[]>,
  known: ReadonlySet<string>,
): FoundFinding[] => {
  const { workflow, part, isLive, via } = placed;
  return part.calls.flatMap(({ node: at, workflow_id, how }): FoundFinding[] => {
    const node = part.nodes.find(({ id }) => id === at);
    const shared = {
      dormant: !isLive,
      contained_by: null,
      workflow: { id: workflow.workflow_id, name: workflow.name },
      node: node === undefined ? null : { id: node.id, name: node.name, type: node.type },
      subject: workflow_id ?? '',
      via,
    };
    if (workflow_id === null || !known.has(workflow_id))
      return [{ ...shared, kind: 'SUBWORKFLOW_UNKNOWN', severity: isLive ? 'HIGH' : 'MEDIUM', evidence: { workflow_id } }];
    if (workflow_id === workflow.workflow_id) return [];
    const reached = worst((byWorkflow.get(workflow_id) ?? []).filter(({ kind }) => REACHABLE.has(kind) || kind === 'HOST_COMMAND'));
    if (reached === undefined || reached.severity === 'LOW') return [];
    const kind = how === 'ERROR' ? 'ERROR_WORKFLOW_BYPASS' : 'SUBWORKFLOW_BYPASS';
    const severity = isLive ? reached.severity : shifted(reached.severity, reached.dormant ? 0 : -1);
    return [{ ...shared, kind, severity, evidence: { workflow_id, reaches: reached.kind } }];
  });
};

const keyOf = ({ kind, workflow, node, subject }: FoundFinding): string => JSON.stringify([kind, workflow?.id, node?.id, subject]);

/** Returns the findings of all workflows of an instance together. The published version of a workflow goes before its draft. */
export const judgeWorkflows = (workflows: readonly InspectedWorkflow[]): readonly FoundFinding[] => {
  const others = runByOthers(workflows);
  const placed = workflows.flatMap((workflow) => place(workflow, others));
  const own = placed.map((each) => ({ placed: each, findings: judgePart(each) }));
  const byWorkflow = new Map<string, FoundFinding[]>();
  for (const { placed: each, findings } of own) {
    const { workflow_id } = each.workflow;
    byWorkflow.set(workflow_id, [...(byWorkflow.get(workflow_id) ?? []), ...findings]);
  }
  const known = new Set(workflows.map(({ workflow_id }) => workflow_id));
  const all = own.flatMap(({ placed: each, findings }) => [...findings, ...judgeCalls(each, byWorkflow, known)]);
  const kept = new Map<string, FoundFinding>();
  for (const finding of all) {
    const same = kept.get(keyOf(finding));
    if (same === undefined || isWorse(finding.severity, same.severity)) kept.set(keyOf(finding), finding);
  }
  return [...kept.values()];
};
