import { mintToken } from '@svc/testing/agents/agent.ts';
import type { Child } from './child.ts';
import { buildHttpRequest, JSON_ECHO_PATH } from './job.ts';
import { type LoadTarget, type MeasuredJob, measure } from './measure.ts';
import type { BenchPlan } from './plan.ts';
import { CALLING_TOOL, getRefund } from './rules.ts';
import { type BenchScene, DOWNSTREAM_PROOF } from './scene.ts';
import type { BenchService } from './service.ts';

/** In the order of their turns. */
export const KINDS = ['echo', 'jsonEcho', 'dryRun', 'unsealed', 'action', 'keyed', 'evaluate', 'proxied', 'executed'] as const;
export type LoadKind = (typeof KINDS)[number];

export type BenchLoad = {
  readonly target: LoadTarget & { readonly port: number };
  readonly lanes: readonly (readonly Uint8Array[])[];
  readonly unique?: string;
  /** Contained in the body of each right response, if that is not the decision. */
  readonly proof?: string;
};

/** Helper processes of a load, in addition to the service. */
export type Helpers = { readonly generator: Child; readonly echo: Child; readonly downstream: Child; readonly proxy: Child };
type Downstream = { readonly downstreamPort: number };

export type Loads = Readonly<Record<LoadKind, BenchLoad>> & {
  /** Whole messages, including heads. */
  readonly bytes: { readonly request: number; readonly answer: number; readonly echoAnswer: number };
  /** Governed actions that were answered during the preparation. */
  readonly answered: number;
};

/** Placeholder for an idempotency key that differs per request. */
const UNIQUE = 'k'.repeat(20);

const getPort = (url: string): number => Number(new URL(url).port);

const probe = (generator: Child, load: BenchLoad): Promise<MeasuredJob> =>
  measure(generator, load.target, { port: load.target.port, lanes: load.lanes.slice(0, 1), proof: '"decision":"ALLOW"' });

/** Returns a body that makes the bare server's responses exactly as long as the governed ones, whose heads are longer. */
const padTo = async (
  generator: Child,
  echo: Child,
  load: Omit<BenchLoad, 'target'>,
  body: Buffer,
  wanted: number,
): Promise<BenchLoad & { answer: number }> => {
  const setBody = async (padding: number): Promise<BenchLoad> => {
    const port = (await echo.ask({ body: Buffer.concat([body, Buffer.alloc(padding, ' ')]) })) as number;
    return { ...load, target: { pid: echo.pid, postgresPid: null, port } };
  };
  const { report } = await probe(generator, await setBody(0));
  const padded = await setBody(Math.max(0, wanted - report.sample.length));
  return { ...padded, answer: (await probe(generator, padded)).report.sample.length };
};

/** Measures the minimum for a request that goes on to the same downstream: nothing is decided or recorded. */
const proxied = async ({ generator, downstream, proxy, downstreamPort }: Helpers & Downstream): Promise<Omit<BenchLoad, 'lanes'>> => {
  const port = (await proxy.ask({ port: downstreamPort })) as number;
  return { target: { pid: proxy.pid, postgresPid: null, port, besides: [generator.pid, downstream.pid] }, proof: DOWNSTREAM_PROOF };
};

/** Builds the requests of every kind, one connection and one agent each, and a bare server that responds like the gateway. */
export const newLoads = async (
  plan: BenchPlan,
  service: BenchService,
  scene: BenchScene,
  helpers: Helpers & Downstream,
): Promise<Loads> => {
  const { generator, echo } = helpers;
  const agents = scene.agents.slice(0, plan.connections);
  const tokens = await Promise.all(agents.map((agent) => mintToken(service.gatewayUrl, agent)));
  const gateway = { pid: service.gatewayPid, postgresPid: service.postgresPid, port: getPort(service.gatewayUrl) };
  const control = { pid: service.controlPid, postgresPid: service.postgresPid, port: getPort(service.controlUrl) };
  const getLanes = (path: string, more: object) =>
    tokens.map((token, index) => [buildHttpRequest(path, { ...getRefund(index), ...more }, token)]);
  const action: BenchLoad = { target: gateway, lanes: getLanes('/gateway/v1/actions', {}) };
  const evaluateLanes = agents.map((agent, index) => [
    buildHttpRequest('/v1/actions/evaluate', { agent_id: agent.id, ...getRefund(index), dry_run: true }, scene.callerToken),
  ]);
  const keyedLanes = tokens.map((token, index) => [buildHttpRequest('/gateway/v1/actions', getRefund(index), token, UNIQUE)]);
  const executing = agents.map((_, index) => ({ ...getRefund(index), tool: CALLING_TOOL }));
  const executedLanes = executing.map((body, index) => [buildHttpRequest('/gateway/v1/actions', body, tokens[index])]);
  const { report } = await probe(generator, action);
  const sample = Buffer.from(report.sample);
  const bare = await padTo(generator, echo, { lanes: action.lanes }, sample.subarray(report.sampleHeadLength), sample.length);
  return {
    echo: bare,
    jsonEcho: { target: bare.target, lanes: getLanes(JSON_ECHO_PATH, {}) },
    dryRun: { target: gateway, lanes: getLanes('/gateway/v1/actions', { dry_run: true }) },
    unsealed: action,
    action,
    keyed: { target: gateway, lanes: keyedLanes, unique: UNIQUE },
    evaluate: { target: control, lanes: evaluateLanes },
    proxied: { ...(await proxied(helpers)), lanes: executedLanes },
    executed: {
      target: { ...gateway, besides: [generator.pid, helpers.downstream.pid, service.workerPid] },
      lanes: executedLanes,
      proof: '"state":"EXECUTED"',
    },
    bytes: { request: action.lanes[0]?.[0]?.length ?? 0, answer: sample.length, echoAnswer: bare.answer },
    answered: report.answered,
  };
};
