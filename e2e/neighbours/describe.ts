import type { AttackReport } from './run-attack.ts';
import { KINDS } from './watch-neighbour.ts';

const HEAD = ['attack', ...KINDS.map((kind) => `${kind} p99 ms (quiet)`), 'faults', 'control MiB', 'gateway MiB', 'verdict'];

/** Formats a line of the table: the 99th percentile of the neighbour's work under attack, and without. */
export const describeReport = ({ name, quiet, under }: AttackReport, findings: readonly string[]): string[] => [
  name,
  ...KINDS.map((kind) => `${under[kind].p99Ms.toFixed(0)} (${quiet[kind].p99Ms.toFixed(0)})`),
  String(KINDS.reduce((sum, kind) => sum + under[kind].faults.length, 0)),
  under.controlMiB.toFixed(0),
  under.gatewayMiB.toFixed(0),
  findings.length === 0 ? 'in peace' : 'FELT',
];

/** Formats lines as a table, each column as wide as its longest cell. */
export const describeTable = (lines: readonly (readonly string[])[]): string => {
  const all = [HEAD, ...lines];
  const widths = HEAD.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
  return all
    .map((line) =>
      line
        .map((word, column) => word.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};
