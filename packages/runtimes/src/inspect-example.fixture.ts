import type { RuntimeKind } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { startAutomationServer } from '@svc/testing/peers/automation/automation-server.ts';
import { EXAMPLES, GATEWAY } from './examples.fixture.ts';
import type {
  CanaryLedger,
  FoundFinding,
  InspectedWorkflow,
  InspectionTerms,
  InstanceDriver,
  NewEvidence,
  RunCursor,
  SendToInstance,
} from './kind.ts';
import { RUNTIME_KIND_ROWS } from './kinds.ts';

export type Inspected = {
  readonly evidence: readonly NewEvidence[];
  readonly findings: readonly FoundFinding[];
  /** Everything else that is stored of the inspection. */
  readonly stored: unknown;
};

const STEPS_MAX = 40;
const NOW = new Date('2030-01-01T00:00:00.000Z');

const termsAt = (baseUrl: string | null): InspectionTerms => ({
  ...{
    settings: {},
    admin_access: 'READ',
    gatewayOrigins: [GATEWAY],
    controlOrigins: ['https://control.example'],
    baseUrl,
    bundledNodes: null,
  },
});

const newSend =
  ({ url, key }: { readonly url: string; readonly key: string }, { apiKeyHeader }: InstanceDriver): SendToInstance =>
  async ({ method, path, body, isAnonymous }) => {
    const headers = { 'content-type': 'application/json', ...(isAnonymous ? {} : { [apiKeyHeader]: key }) };
    const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await response.text();
    return { kind: 'answered', status: response.status, json: JSON.parse(text), date: null, bytes: text.length, ms: 1 };
  };

const NO_CANARIES: CanaryLedger = { plan: async () => {}, created: async () => {}, removed: async () => {}, left: async () => [] };

/** Takes a run through its steps, as the worker does. */
const runSteps = async (driver: InstanceDriver, send: SendToInstance, terms: InspectionTerms) => {
  const evidence: NewEvidence[] = [];
  const workflows: InspectedWorkflow[] = [];
  let cursor: RunCursor = {};
  let step = driver.firstStep;
  for (let at = 0; step !== 'ASSESS'; at += 1) {
    if (at >= STEPS_MAX) throw new Error('the run does not end');
    const outcome = await driver.step(step, {
      ...{ send, terms, cursor, now: NOW, runId: 'run_1', mayPlant: false, canaries: NO_CANARIES },
      ...{ unlisted: async () => [], recordedActions: async () => [], wait: async () => {}, random: () => 'r' },
    });
    if (outcome.kind !== 'done') throw new Error(outcome.why);
    evidence.push(...(outcome.evidence ?? []));
    workflows.push(...(outcome.workflows ?? []));
    ({ cursor, next: step } = outcome);
  }
  return { evidence, workflows, cursor };
};

const inspectInstance = async (
  driver: InstanceDriver,
  workflows: Awaited<ReturnType<typeof startAutomationServer>>['workflows'],
): Promise<Inspected> => {
  const server = await startAutomationServer();
  try {
    server.workflows = structuredClone(workflows);
    const terms = termsAt(server.url);
    const run = await runSteps(driver, newSend(server, driver), terms);
    const findings = [...(run.cursor.findings ?? []), ...driver.judge(run.workflows, terms)];
    return { evidence: run.evidence, findings, stored: [run.workflows, run.cursor] };
  } finally {
    await server.close();
  }
};

/** Inspects an example of a product, as a verification does. */
export const inspectExample = async (kind: RuntimeKind, product: string, which: 'good' | 'bad'): Promise<Inspected> => {
  const { inspection } = RUNTIME_KIND_ROWS[kind];
  const example = EXAMPLES[kind];
  if (inspection.by === 'instance' && example.by === 'instance')
    return inspectInstance(inspection.driver, example.products[product]?.[which] ?? []);
  const file = example.by === 'reports' ? example.products[product]?.[which] : undefined;
  if (inspection.by !== 'reports' || file === undefined) throw new Error(`${kind} has no example of ${product}`);
  const read = inspection.reader.read(product, file);
  const report = { source: 'UPLOAD', at: NOW.toISOString(), files: [read] };
  return { ...inspection.reader.inspect(product, [report], termsAt(null)), stored: read };
};
