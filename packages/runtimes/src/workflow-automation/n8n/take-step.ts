import type { RunStep } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { digestJson } from '../../digest/digest.ts';
import { isObject, listAt, objectAt, textAt } from '../../digest/json.ts';
import type { FoundFinding, InspectedWorkflow, InstanceAnswer, NewEvidence, StepContext, StepOutcome } from '../../kind.ts';
import { canaryPrefix, plantCanaries, removeCanaries } from './canaries.ts';
import { contentHash, inspectWorkflow, isPublishedUnread } from './inspect-workflow.ts';
import { readPermits, unmatchedPermits } from './match-executions.ts';
import { testConnection } from './test-connection.ts';

const { pageCount, pagesMax, workflowsMax, followedMax, executionsMax, matchedMax } = LIMITS.verification;
const REREADS_MAX = 3;
const BUSY = new Set([408, 429, 502, 503, 504]);

type Step = (context: StepContext) => Promise<StepOutcome>;
type Read = { readonly json: unknown; readonly bytes: number; readonly ms: number };

/** An answer that is not what the step needs: to be asked again, or the end of the run. */
class Unread extends Error {
  readonly outcome: StepOutcome;
  constructor(outcome: StepOutcome) {
    super('an instance did not answer as expected');
    this.outcome = outcome;
  }
}

const unread = (answer: InstanceAnswer, path: string): StepOutcome => {
  if (answer.kind === 'failed')
    return answer.why === 'TOO_LARGE' ? { kind: 'failed', why: answer.detail } : { kind: 'again', why: answer.detail };
  const why = `${path} answered ${answer.status}.`;
  return BUSY.has(answer.status) || answer.status >= 500 ? { kind: 'again', why } : { kind: 'failed', why };
};

/** Reads JSON; null where the key may not. */
const readOptional = async ({ send }: StepContext, method: 'GET' | 'POST', path: string): Promise<Read | null> => {
  const answer = await send({ method, path, ...(method === 'POST' ? { body: {} } : {}) });
  if (answer.kind === 'answered' && answer.status === 200) return answer;
  if (answer.kind === 'answered' && (answer.status === 403 || answer.status === 404)) return null;
  throw new Unread(unread(answer, path));
};

const read = async (context: StepContext, path: string): Promise<Read> => {
  const found = await readOptional(context, 'GET', path);
  if (found === null) throw new Unread({ kind: 'failed', why: `The key may not read ${path}.` });
  return found;
};

const withFindings = ({ cursor }: StepContext, findings: readonly FoundFinding[]) => ({
  ...cursor,
  findings: [...(cursor.findings ?? []), ...findings].slice(0, LIMITS.verification.findingsMax),
});

const ofInstance = (
  kind: FoundFinding['kind'],
  severity: FoundFinding['severity'],
  subject: string,
  evidence: FoundFinding['evidence'],
): FoundFinding => ({
  ...{ kind, severity, subject, evidence },
  ...{ dormant: false, contained_by: null, workflow: null, node: null, via: [] },
});

const done = (next: RunStep, cursor: StepContext['cursor'], more: Partial<Extract<StepOutcome, { kind: 'done' }>> = {}): StepOutcome => ({
  kind: 'done',
  next,
  cursor,
  ...more,
});

/** Tests the connection, and removes test workflows that earlier runs left. */
const connect: Step = async (context) => {
  const { send, terms, now } = context;
  const connection = await testConnection(send, terms, now);
  if (connection.health === 'UNKNOWN' || connection.health === 'UNREACHABLE') return { kind: 'again', why: connection.detail };
  if (connection.health === 'UNAUTHORIZED') return { kind: 'failed', why: connection.detail, connection };
  const left = context.mayPlant ? await removeCanaries(context) : [];
  const wide = connection.key?.too_wide ? [ofInstance('KEY_TOO_WIDE', 'LOW', '', { admin_access: terms.admin_access })] : [];
  const findings = [...wide, ...left.map((name) => ofInstance('CANARY_LEFT', 'MEDIUM', name, { name }))];
  return done('SETTINGS', withFindings(context, findings), { connection, evidence: connection.evidence });
};

const securitySettings = (json: unknown): Readonly<Record<string, unknown>> => {
  const sections = listAt(objectAt(json, 'Instance Risk Report'), 'sections');
  const found = sections.find((section) => textAt(section, 'title') === 'Security settings');
  return objectAt(found, 'settings');
};

const typeList = (text: string | undefined): string[] =>
  text === undefined || text === 'none'
    ? []
    : text
        .split(',')
        .map((each) => each.trim())
        .slice(0, 200);

/** Returns how the allowed node types of a managed instance differ from its bundle; undefined if it loads no other ones. */
const differingNodes = ({ bundledNodes }: StepContext['terms'], included: readonly string[]): FoundFinding['evidence'] | undefined => {
  if (bundledNodes === null) return undefined;
  if (included.length === 0) return { allowed: 'all' };
  const others = included.filter((type) => !bundledNodes.includes(type));
  return others.length === 0 ? undefined : { others: others.slice(0, 50) };
};

/** Reads the security settings that the instance states about itself. */
const settings: Step = async (context) => {
  const found = await readOptional(context, 'POST', '/api/v1/audit');
  const source = 'POST /api/v1/audit';
  if (found === null)
    return done('PEOPLE', context.cursor, { evidence: [{ name: 'SETTINGS', holds: null, source, detail: 'The key may not read it.' }] });
  const stated = securitySettings(found.json);
  const nodes = objectAt(stated, 'nodes');
  const excluded = typeList(textAt(nodes, 'nodesExclude'));
  const included = typeList(textAt(nodes, 'nodesInclude'));
  const community = objectAt(stated, 'features').communityPackagesEnabled === true;
  const isOfBundle = differingNodes(context.terms, included) === undefined;
  const holds = included.length > 0 && !community && isOfBundle;
  const detail = `Allowed node types: ${included.length === 0 ? 'all' : included.length}. Community packages: ${community ? 'enabled' : 'disabled'}.`;
  const data = { excluded, included, community, hash: digestJson(stated) };
  const differing = differingNodes(context.terms, included);
  const unused = listAt(objectAt(found.json, 'Credentials Risk Report'), 'sections')
    .filter((section) => textAt(section, 'title') === 'Credentials not used in any workflow')
    .flatMap((section) => listAt(section, 'location'))
    .slice(0, 100)
    .map((each) => ofInstance('UNUSED_CREDENTIAL', 'LOW', textAt(each, 'id') ?? '', { name: textAt(each, 'name')?.slice(0, 100) ?? '' }));
  const evidence: NewEvidence[] = [{ name: 'SETTINGS', holds, source, detail, data }];
  const differs = differing === undefined ? [] : [ofInstance('SETTING_DIFFERS', 'HIGH', 'NODES_INCLUDE', differing)];
  return done('PEOPLE', { ...withFindings(context, [...unused, ...differs]), excluded, included }, { evidence });
};

const isAdministrator = (role: string | undefined): boolean => role === 'global:owner' || role === 'global:admin';

const people: Step = async (context) => {
  const source = 'GET /api/v1/users';
  const found = await readOptional(context, 'GET', '/api/v1/users?limit=250&includeRole=true');
  if (found === null)
    return done('CREDENTIALS', context.cursor, { evidence: [{ name: 'PEOPLE', holds: null, source, detail: 'The key may not read it.' }] });
  const users = listAt(found.json, 'data').filter(isObject);
  const without = users.filter(({ mfaEnabled }) => mfaEnabled !== true);
  const findings = without.slice(0, 200).map((user) => {
    const role = textAt(user, 'role');
    const severity = user.isPending === true ? 'LOW' : isAdministrator(role) ? 'HIGH' : 'MEDIUM';
    // A person is not a way around the service: an account that is taken over is, and that is not known.
    return ofInstance('PEOPLE_NO_SECOND_FACTOR', severity === 'HIGH' ? 'MEDIUM' : severity, textAt(user, 'id') ?? '', {
      role: role ?? null,
      pending: user.isPending === true,
    });
  });
  const holds = users.length > 0 && without.every(({ isPending }) => isPending === true);
  const detail = `${users.length} users, ${without.length} without a second factor.`;
  return done('CREDENTIALS', withFindings(context, findings), { evidence: [{ name: 'PEOPLE', holds, source, detail }] });
};

const credentials: Step = async (context) => {
  const source = 'GET /api/v1/credentials';
  const found = await readOptional(context, 'GET', '/api/v1/credentials?limit=250');
  if (found === null)
    return done('WORKFLOWS', context.cursor, {
      evidence: [{ name: 'CREDENTIALS', holds: null, source, detail: 'The key may not read it.' }],
    });
  const rows = listAt(found.json, 'data').filter(isObject);
  const foreign = rows.filter((row) => textAt(row, 'type') !== 'svcAgentApi');
  const detail = `${rows.length} credentials, ${foreign.length} of other services.`;
  return done('WORKFLOWS', context.cursor, { evidence: [{ name: 'CREDENTIALS', holds: foreign.length === 0, source, detail }] });
};

const HASH_CHARS = 16;

const versionOf = (workflow: unknown): string =>
  `${textAt(workflow, 'versionId') ?? ''} ${isObject(workflow) && workflow.active === true} ${contentHash(workflow).slice(0, HASH_CHARS)}`;

const listPath = (page: string | undefined): string =>
  `/api/v1/workflows?limit=${pageCount}&excludePinnedData=false${page === undefined ? '' : `&cursor=${encodeURIComponent(page)}`}`;

/** Inspects one page of workflows. */
const workflows: Step = async (context) => {
  const { cursor, terms } = context;
  const { json } = await read(context, listPath(cursor.page));
  // Also those that are named like test workflows: a name is no reason not to look.
  const rows = listAt(json, 'data');
  const inspected = rows.flatMap((row): readonly InspectedWorkflow[] => {
    const each = inspectWorkflow(row, terms);
    return each === undefined ? [] : [each];
  });
  const versions = { ...cursor.versions, ...Object.fromEntries(rows.map((row) => [textAt(row, 'id') ?? '', versionOf(row)])) };
  const next = textAt(json, 'nextCursor');
  const pages = (cursor.pages ?? 0) + 1;
  const isFull = pages >= pagesMax || Object.keys(versions).length >= workflowsMax;
  const { page: _, ...others } = cursor;
  const unread = [...(cursor.unread ?? []), ...rows.filter(isPublishedUnread).flatMap((row) => textAt(row, 'id') ?? [])];
  const rest = { ...others, unread };
  if (next !== undefined && !isFull) return done('WORKFLOWS', { ...rest, page: next, pages, versions }, { workflows: inspected });
  if (next === undefined) return done('FOLLOW', { ...rest, pages, versions }, { workflows: inspected });
  const evidence: NewEvidence[] = [
    { name: 'INVENTORY', holds: false, source: 'GET /api/v1/workflows', detail: 'The instance has more workflows than are inspected.' },
  ];
  return done('FOLLOW', { ...rest, pages, versions }, { workflows: inspected, evidence });
};

/** Reads workflows that others call and that no list contained. */
const follow: Step = async (context) => {
  const { cursor, terms } = context;
  const missing = (await context.unlisted()).filter((id) => cursor.versions?.[id] === undefined && !cursor.missing?.includes(id));
  const [id] = missing;
  const followed = cursor.missing ?? [];
  if (id === undefined || followed.length >= followedMax) return done('EXECUTIONS', cursor);
  const found = await readOptional(context, 'GET', `/api/v1/workflows/${encodeURIComponent(id)}`);
  const inspected = found && inspectWorkflow(found.json, terms);
  // One that cannot be read stays unknown, which is a finding at the node that calls it.
  return done(
    'FOLLOW',
    { ...cursor, missing: [...followed, id] },
    { workflows: inspected === undefined || inspected === null ? [] : [inspected] },
  );
};

/** Compares what governed nodes let pass in recent executions with the recorded actions. */
const matchExecutions = async (context: StepContext): Promise<{ readonly detail: string; readonly findings: FoundFinding[] }> => {
  const { send, recordedActions } = context;
  const answer = await send({ method: 'GET', path: `/api/v1/executions?includeData=true&limit=${matchedMax}` });
  if (answer.kind === 'failed') return { detail: `Their data could not be read: ${answer.detail}`, findings: [] };
  if (answer.status !== 200) throw new Unread(unread(answer, '/api/v1/executions'));
  const permits = readPermits(listAt(answer.json, 'data'));
  const stated = [...new Set(permits.flatMap(({ actionId }) => actionId ?? []))];
  const unmatched = unmatchedPermits(permits, new Set(stated.length === 0 ? [] : await recordedActions(stated)));
  const detail = `${permits.length - unmatched.length} of ${permits.length} permitted items match a recorded action.`;
  const byWorkflow = new Map(unmatched.map((each) => [each.workflowId, each]));
  const findings = [...byWorkflow].slice(0, 50).map(([id, { executionId, actionId }]) =>
    ofInstance('UNGOVERNED_EXECUTION', 'HIGH', `permit ${id}`, {
      ...{ workflow_id: id, execution_id: executionId, action_id: actionId },
      why: 'A governed node let it pass without a recorded action.',
    }),
  );
  return { detail, findings };
};

/** Looks at recent executions: of workflows that no list contains, and of those that passed a governed node. */
const executions: Step = async (context) => {
  const source = 'GET /api/v1/executions';
  const found = await readOptional(context, 'GET', `/api/v1/executions?limit=${executionsMax}`);
  if (found === null)
    return done('CANARIES', context.cursor, {
      evidence: [{ name: 'EXECUTIONS', holds: null, source, detail: 'The key may not read it.' }],
    });
  const rows = listAt(found.json, 'data').filter(isObject);
  const unknown = rows.filter((row) => context.cursor.versions?.[textAt(row, 'workflowId') ?? ''] === undefined);
  const findings = [...new Set(unknown.map((row) => textAt(row, 'workflowId') ?? ''))]
    .filter((id) => id !== '')
    .slice(0, 50)
    .map((id) => ofInstance('UNGOVERNED_EXECUTION', 'HIGH', id, { workflow_id: id, why: 'It ran, and is in no list of workflows.' }));
  const matched = await matchExecutions(context);
  const detail = `${rows.length} recent executions, ${unknown.length} of workflows that are not listed. ${matched.detail}`;
  const holds = unknown.length === 0 && matched.findings.length === 0;
  return done('CANARIES', withFindings(context, [...findings, ...matched.findings]), {
    evidence: [{ name: 'EXECUTIONS', holds, source, detail }],
  });
};

const canaries: Step = async (context) => {
  if (!context.mayPlant) return done('CONFIRM', context.cursor);
  // A process that ended in this step left test workflows.
  const left = (await removeCanaries(context)).map((name) => ofInstance('CANARY_LEFT', 'MEDIUM', name, { name }));
  const { evidence, findings } = await plantCanaries(context);
  return done('CONFIRM', withFindings(context, [...left, ...findings]), { evidence });
};

/** Lists once more: the inventory is complete only if nothing changed while it was read. */
const confirm: Step = async (context) => {
  const { cursor } = context;
  const seen: Record<string, string> = {};
  const ownPrefix = canaryPrefix(context.runId);
  const left: string[] = [];
  let page: string | undefined;
  for (let at = 0; at < pagesMax; at += 1) {
    const { json } = await read(context, listPath(page));
    for (const row of listAt(json, 'data')) {
      const name = textAt(row, 'name') ?? '';
      if (name.startsWith(ownPrefix)) left.push(name);
      else seen[textAt(row, 'id') ?? ''] = versionOf(row);
    }
    page = textAt(json, 'nextCursor');
    if (page === undefined) break;
  }
  const listed = cursor.versions ?? {};
  const changed = [...new Set([...Object.keys(seen), ...Object.keys(listed)])].filter((id) => seen[id] !== listed[id]);
  const rereads = cursor.rereads ?? 0;
  if (changed.length > 0 && rereads < REREADS_MAX) {
    const { versions: _, pages: __, missing: ___, unread: ____, ...rest } = cursor;
    return done('WORKFLOWS', { ...rest, rereads: rereads + 1 });
  }
  const unread = cursor.unread ?? [];
  const holds = changed.length === 0 && page === undefined && unread.length === 0;
  const faults = [
    ...(changed.length > 0 ? [`${changed.length} workflows changed while they were read.`] : []),
    ...(page === undefined ? [] : ['The list does not end.']),
    ...(unread.length > 0 ? [`The published version of ${unread.length} workflows was not returned.`] : []),
  ];
  const detail = holds ? `${Object.keys(seen).length} workflows, each inspected at its current version.` : faults.join(' ');
  // The instance reported each of them as removed.
  const findings = left.slice(0, 10).map((name) => ofInstance('CANARY_LEFT', 'MEDIUM', name, { name }));
  return done('ASSESS', withFindings(context, findings), {
    evidence: [{ name: 'INVENTORY', holds, source: 'GET /api/v1/workflows, twice', detail, data: { workflows: digestJson(seen) } }],
  });
};

const STEPS: Readonly<Partial<Record<RunStep, Step>>> = {
  ...{ CONNECT: connect, SETTINGS: settings, PEOPLE: people, CREDENTIALS: credentials, WORKFLOWS: workflows, FOLLOW: follow },
  ...{ EXECUTIONS: executions, CANARIES: canaries, CONFIRM: confirm },
};

/** Does one step of a run. It leaves nothing behind at the instance that its cursor or the ledger of test workflows does not name. */
export const takeStep = async (step: RunStep, context: StepContext): Promise<StepOutcome> => {
  const run = STEPS[step];
  if (run === undefined) return { kind: 'failed', why: `The product has no step ${step}.` };
  return run(context).catch((error: unknown) => {
    if (error instanceof Unread) return error.outcome;
    throw error;
  });
};
