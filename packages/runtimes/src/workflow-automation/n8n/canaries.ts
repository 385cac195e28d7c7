import type { EvidenceName } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isObject, listAt, textAt } from '../../digest/json.ts';
import type { FoundFinding, NewEvidence, StepContext } from '../../kind.ts';

const { removalTriesMax, canaryWaitMs, canaryWaitsMax } = LIMITS.verification;
const COMMAND = 'n8n-nodes-base.executeCommand';
const NOT_KNOWN = /Unrecognized node type/i;
const RESTRICTED = /restricted IP address|not allowed|blocked/i;

/** The beginning of the names of all test workflows of a run. */
export const canaryPrefix = (runId: string): string => `svc-canary-${runId}-`;

type Outcome = { readonly holds: boolean | null; readonly detail: string };
type CanaryPlan = {
  readonly evidence: Extract<EvidenceName, 'CANARY_NODE' | 'CANARY_EGRESS'>;
  /** The node that is tried. */
  readonly node: Readonly<Record<string, unknown>>;
};

const NOTE = 'Test workflow of the governance service. It proves that a way around the service is closed, and is removed at once.';

const workflowFor = (name: string, path: string, node: CanaryPlan['node']) => ({
  name,
  nodes: [
    {
      ...{ id: 'svc-canary-start', name: 'Start', type: 'n8n-nodes-base.webhook', typeVersion: 2, position: [0, 0], webhookId: path },
      parameters: { path, httpMethod: 'POST', responseMode: 'lastNode', options: {} },
    },
    { id: 'svc-canary-try', name: 'Try', position: [220, 0], ...node },
    {
      ...{ id: 'svc-canary-note', name: 'Note', type: 'n8n-nodes-base.stickyNote', typeVersion: 1, position: [0, 200] },
      parameters: { content: NOTE },
    },
  ],
  connections: { Start: { main: [[{ node: 'Try', type: 'main', index: 0 }]] } },
  settings: { executionOrder: 'v1', saveDataErrorExecution: 'all', saveDataSuccessExecution: 'all' },
});

/** The instance calls itself: no third party is ever called. */
const plans = ({ terms, cursor }: StepContext): readonly CanaryPlan[] => {
  const command = cursor.excluded?.[0] ?? COMMAND;
  const node = { type: cursor.excluded?.includes(COMMAND) ? COMMAND : command, typeVersion: 1, parameters: { command: 'true' } };
  const url = `${terms.baseUrl ?? ''}/healthz`;
  return [
    { evidence: 'CANARY_NODE', node },
    { evidence: 'CANARY_EGRESS', node: { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters: { url, options: {} } } },
  ];
};

const path = (id: string, word = ''): string => `/api/v1/workflows/${encodeURIComponent(id)}${word}`;

/** Activates a test workflow, starts it, and says what happened. */
const tryCanary = async (context: StepContext, id: string, webhookPath: string): Promise<Outcome> => {
  const { send, wait } = context;
  const published = await send({ method: 'POST', path: path(id, '/activate'), body: {} });
  if (published.kind === 'failed') return { holds: null, detail: published.detail };
  const said = textAt(published.json, 'message') ?? '';
  if (published.status === 400 && NOT_KNOWN.test(said)) return { holds: true, detail: 'The instance refuses to publish the node type.' };
  if (published.status !== 200) return { holds: null, detail: `Publishing answered ${published.status}.` };
  for (let at = 0; at < canaryWaitsMax; at += 1) {
    const answer = await send({ method: 'POST', path: `/webhook/${webhookPath}`, body: {}, isAnonymous: true });
    if (answer.kind === 'failed') return { holds: null, detail: answer.detail };
    if (answer.status === 200) return { holds: false, detail: 'The test workflow ran to its end.' };
    // Publishing takes a moment.
    if (answer.status !== 404) return readExecution(context, id, answer.status);
    await wait(canaryWaitMs);
  }
  return { holds: null, detail: 'The test workflow could not be started.' };
};

const readExecution = async ({ send }: StepContext, id: string, status: number): Promise<Outcome> => {
  const answer = await send({ method: 'GET', path: `/api/v1/executions?workflowId=${encodeURIComponent(id)}&includeData=true&limit=5` });
  const text = answer.kind === 'answered' ? JSON.stringify(listAt(answer.json, 'data').filter(isObject)).slice(0, 200_000) : '';
  if (NOT_KNOWN.test(text) || RESTRICTED.test(text))
    return { holds: true, detail: 'The instance refused to run it, and its execution says why.' };
  return { holds: null, detail: `Starting it answered ${status}, and its execution does not say why.` };
};

/** Removes a test workflow; false unless the instance no longer has it when it is read back. */
const removeOne = async ({ send, wait }: StepContext, id: string): Promise<boolean> => {
  await send({ method: 'POST', path: path(id, '/deactivate'), body: {} });
  await send({ method: 'POST', path: path(id, '/archive'), body: {} });
  for (let at = 0; at < removalTriesMax; at += 1) {
    const answer = await send({ method: 'DELETE', path: path(id) });
    if (answer.kind === 'answered' && (answer.status === 200 || answer.status === 404)) {
      const there = await send({ method: 'GET', path: path(id) });
      if (there.kind === 'answered' && there.status === 404) return true;
    }
    // The instance answers 409 while it is still unpublishing.
    await wait(canaryWaitMs);
  }
  return false;
};

const findByName = async ({ send }: StepContext, name: string): Promise<string | undefined> => {
  const answer = await send({ method: 'GET', path: `/api/v1/workflows?name=${encodeURIComponent(name)}&limit=10` });
  if (answer.kind !== 'answered' || answer.status !== 200) return undefined;
  const row = listAt(answer.json, 'data').find((each) => textAt(each, 'name') === name);
  return textAt(row, 'id');
};

/** Removes what earlier steps or runs left, by id or by name. Returns the names of those that are still there. */
export const removeCanaries = async (context: StepContext): Promise<string[]> => {
  const left: string[] = [];
  for (const { name, workflow_id } of await context.canaries.left()) {
    // A process that ended between creating it and storing its id left only the name.
    const id = workflow_id ?? (await findByName(context, name));
    if (id === undefined || (await removeOne(context, id))) await context.canaries.removed(name, 'removed later');
    else left.push(name);
  }
  return left;
};

const ofCanary = (
  kind: FoundFinding['kind'],
  severity: FoundFinding['severity'],
  subject: string,
  evidence: FoundFinding['evidence'],
): FoundFinding => ({
  ...{ kind, severity, subject, evidence },
  ...{ dormant: false, contained_by: null, workflow: null, node: null, via: [] },
});

/** Returns how the settings of the instance exclude a node type; undefined if they do not. */
const statedExclusion = ({ cursor: { excluded = [], included = [] } }: StepContext, type: string): string | undefined => {
  if (excluded.includes(type)) return 'excluded';
  return included.length > 0 && !included.includes(type) ? 'not in the list of allowed types' : undefined;
};

/** Creates, tries and removes each test workflow. The ledger knows of each before it is created. */
export const plantCanaries = async (context: StepContext): Promise<{ evidence: NewEvidence[]; findings: FoundFinding[] }> => {
  const evidence: NewEvidence[] = [];
  const findings: FoundFinding[] = [];
  for (const [at, { evidence: kind, node }] of plans(context).entries()) {
    const name = `${canaryPrefix(context.runId)}${at + 1}-${context.random().slice(0, 8)}`;
    const webhookPath = `svc-canary-${context.random()}`;
    await context.canaries.plan(name, kind);
    const made = await context.send({ method: 'POST', path: '/api/v1/workflows', body: workflowFor(name, webhookPath, node) });
    const id = made.kind === 'answered' ? textAt(made.json, 'id') : undefined;
    if (id !== undefined) await context.canaries.created(name, id);
    const isKnownRefusal = made.kind === 'answered' && made.status === 400 && NOT_KNOWN.test(textAt(made.json, 'message') ?? '');
    const refused: Outcome = isKnownRefusal
      ? { holds: true, detail: 'The instance refuses to store the node type.' }
      : { holds: null, detail: 'It could not be created.' };
    const outcome = id === undefined ? refused : await tryCanary(context, id, webhookPath);
    const isGone = id === undefined ? made.kind === 'answered' : await removeOne(context, id);
    if (isGone) await context.canaries.removed(name, outcome.detail);
    else findings.push(ofCanary('CANARY_LEFT', 'MEDIUM', name, { name }));
    evidence.push({ name: kind, holds: outcome.holds, source: 'test workflow', detail: outcome.detail });
    const stated = statedExclusion(context, String(node.type));
    if (outcome.holds === false && stated !== undefined)
      findings.push(ofCanary('SETTING_CONTRADICTED', 'CRITICAL', String(node.type), { type: node.type, stated, observed: 'it ran' }));
  }
  return { evidence, findings };
};
