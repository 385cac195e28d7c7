import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import type { NeighbourScene } from './scene.ts';

/** Work of the measured neighbour, and its rate per second. */
const WORK = {
  /** A governed decision that is recorded. */
  decide: 40,
  /** A governed call that is executed at a downstream with a host name. */
  call: 8,
  /** A read of the control plane. */
  read: 4,
  /** An emergency stop and its end: the pause of an environment. */
  stop: 1,
} as const;

export type NeighbourWork = keyof typeof WORK;
export const KINDS = Object.keys(WORK) as readonly NeighbourWork[];

export type Figures = { readonly count: number; readonly p50Ms: number; readonly p99Ms: number; readonly faults: readonly string[] };
export type NeighbourFigures = Readonly<Record<NeighbourWork, Figures>> & { readonly controlMiB: number; readonly gatewayMiB: number };

type Tally = { readonly tookMs: number[]; readonly faults: string[] };

const deciding = (scene: NeighbourScene, tool: string): Promise<TestResponse> => {
  const { governed } = scene.victim;
  return call(scene.gatewayUrl, 'POST', '/gateway/v1/actions', { token: governed.token, body: { tool, parameters: {} } });
};

const doOnce: Readonly<Record<NeighbourWork, (scene: NeighbourScene, turn: number) => Promise<string | undefined>>> = {
  decide: async (scene) => {
    const { status, text } = await deciding(scene, scene.victim.governed.tool.name);
    return status === 200 ? undefined : `${status} ${text.slice(0, 200)}`;
  },
  call: async (scene) => {
    const { status, json, text } = await deciding(scene, scene.victim.calledTool);
    return status === 200 && json.status === 'COMPLETED' ? undefined : `${status} ${text.slice(0, 200)}`;
  },
  read: async ({ controlUrl, victim: { governed } }) => {
    const { status, text } = await call(controlUrl, 'GET', `/v1/agents/${governed.agent.id}`, { token: governed.tenant.token });
    return status === 200 ? undefined : `${status} ${text.slice(0, 200)}`;
  },
  stop: async ({ controlUrl, victim: { governed, spareEnvironmentId } }, turn) => {
    const operation = turn % 2 === 0 ? 'pause' : 'resume';
    const path = `/v1/environments/${spareEnvironmentId}/${operation}`;
    const { status, text } = await call(controlUrl, 'POST', path, { token: governed.tenant.token, body: { reason: 'trying the stop' } });
    return status === 200 ? undefined : `${status} ${text.slice(0, 200)}`;
  },
};

/**
 * Starts work at fixed times, whether or not earlier work has completed: a stalled service gets no fewer requests, and latency counts from
 * the scheduled time.
 */
const watchOne = async (scene: NeighbourScene, kind: NeighbourWork, untilMs: number): Promise<Tally> => {
  const tally: Tally = { tookMs: [], faults: [] };
  const underWay: Promise<void>[] = [];
  const everyMs = 1_000 / WORK[kind];
  // An even number of stops, so that the spare environment ends as it was.
  for (let turn = 0, due = performance.now(); due < untilMs || (kind === 'stop' && turn % 2 === 1); turn += 1, due += everyMs) {
    await sleep(Math.max(0, due - performance.now()));
    const note = (fault: string | undefined): void => {
      tally.tookMs.push(performance.now() - due);
      if (fault !== undefined) tally.faults.push(fault);
    };
    const work = doOnce[kind](scene, turn).then(note, (error: unknown) => note(String((error as Error).cause ?? error)));
    // A resume that overtakes its pause would be refused.
    if (kind === 'stop') await work;
    underWay.push(work);
  }
  await Promise.all(underWay);
  return tally;
};

const listFigures = ({ tookMs, faults }: Tally): Figures => {
  const sorted = tookMs.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), faults };
};

/** Returns the resident memory of a process in MiB; 0 if it has ended. */
export const readResidentMiB = (child: ChildProcess | undefined): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child?.pid}/status`, 'latin1'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
};

/** Runs the neighbour's work for a while; returns its results. */
export const watchNeighbour = async (scene: NeighbourScene, forMs: number): Promise<NeighbourFigures> => {
  const untilMs = performance.now() + forMs;
  const peak = { controlMiB: 0, gatewayMiB: 0 };
  const look = setInterval(() => {
    peak.controlMiB = Math.max(peak.controlMiB, readResidentMiB(scene.planes.control));
    peak.gatewayMiB = Math.max(peak.gatewayMiB, readResidentMiB(scene.planes.gateways[0]));
  }, 100);
  const tallies = await Promise.all(KINDS.map((kind) => watchOne(scene, kind, untilMs)));
  clearInterval(look);
  const figures = Object.fromEntries(KINDS.map((kind, index) => [kind, listFigures(tallies[index] ?? { tookMs: [], faults: [] })]));
  return { ...(figures as Record<NeighbourWork, Figures>), ...peak };
};
