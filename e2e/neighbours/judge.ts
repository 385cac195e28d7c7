import type { AttackReport } from './run-attack.ts';
import { KINDS, type NeighbourWork } from './watch-neighbour.ts';

/** Limits of an attack's effect on a neighbour. */
export type Bounds = {
  /** Maximum of a governed decision under attack: a multiple of the quiet time ... */
  readonly timesQuietMax: number;
  /** ... or milliseconds, the larger of both. */
  readonly p99MsMax: Readonly<Record<NeighbourWork, number>>;
  readonly planeMiBMax: number;
};

/** Returns why the neighbour was affected too much, one sentence each; empty if it was not. */
export const judge = ({ quiet, under, dead }: AttackReport, bounds: Bounds): string[] => {
  const findings = dead.map((plane) => `the ${plane} ended`);
  for (const kind of KINDS) {
    const most = Math.max(quiet[kind].p99Ms * bounds.timesQuietMax, bounds.p99MsMax[kind]);
    const { p99Ms, faults, count } = under[kind];
    if (p99Ms > most) findings.push(`p99 of "${kind}" is ${p99Ms.toFixed(0)} ms, and ${quiet[kind].p99Ms.toFixed(0)} ms when quiet`);
    if (faults.length > 0) findings.push(`${faults.length} of ${count} of "${kind}" failed, the first with ${faults[0]}`);
  }
  for (const [plane, used] of [['control plane', under.controlMiB] as const, ['gateway', under.gatewayMiB] as const])
    if (used > bounds.planeMiBMax) findings.push(`the ${plane} used ${used.toFixed(0)} MiB`);
  return findings;
};
