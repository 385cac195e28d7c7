import { LIMITS } from '@svc/contract/tables/limits.ts';
import { digestText } from '../digest/digest.ts';
import { isObject, listAt, textAt } from '../digest/json.ts';
import { parseJson } from '../digest/parse-json.ts';
import type { DigestedFile, NewEvidence, ReportedFile, ReportReader, RuntimeKindRow } from '../kind.ts';
import { newestFiles, ofReport } from '../reports/report-findings.ts';

const WEEK_MS = 604_800_000;
const { toolsMax } = LIMITS.runtimeReports;

const count = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0);

/** Reads a coverage report: {build, tools: [{name, guarded}], guard_calls, unguarded_calls}. */
const read = (_product: string, { path, content }: ReportedFile): DigestedFile => {
  const json = parseJson(content);
  const shared = { path, sha256: digestText(content) };
  if (!isObject(json) || !Array.isArray(json.tools)) return { ...shared, reading: 'UNREADABLE', facts: {} };
  const tools = listAt(json, 'tools')
    .slice(0, toolsMax)
    .flatMap((tool) => {
      const name = textAt(tool, 'name');
      return name === undefined ? [] : [{ name: name.slice(0, 100), guarded: isObject(tool) && tool.guarded === true }];
    });
  const facts = {
    ...{ build: textAt(json, 'build')?.slice(0, 128) ?? null, tools },
    ...{ guard_calls: count(json.guard_calls), unguarded_calls: count(json.unguarded_calls) },
  };
  return { ...shared, reading: 'COVERAGE', facts };
};

type Coverage = {
  readonly build: string | null;
  readonly tools: readonly { name: string; guarded: boolean }[];
  readonly unguarded_calls: number;
};

const inspect: ReportReader['inspect'] = (_product, reports) => {
  const files = newestFiles(reports);
  const newest = files.filter(({ reading }) => reading === 'COVERAGE').toSorted((one, other) => (one.at < other.at ? 1 : -1))[0];
  const unreadable = files
    .filter(({ reading }) => reading === 'UNREADABLE')
    .map(({ path }) => ofReport('FILE_UNREADABLE', 'MEDIUM', path, { file: path }));
  if (newest === undefined) return { evidence: [], findings: unreadable };
  const { tools, unguarded_calls, build } = newest.facts as unknown as Coverage;
  const unguarded = tools.filter(({ guarded }) => !guarded);
  const findings = unguarded.map(({ name }) => ofReport('SDK_COVERAGE_PARTIAL', 'HIGH', name, { tool: name, build }));
  const calls = unguarded_calls === 0 ? [] : [ofReport('SDK_COVERAGE_PARTIAL', 'MEDIUM', 'calls', { unguarded_calls, build })];
  const evidence: NewEvidence[] = [
    {
      name: 'COVERAGE',
      holds: unguarded.length === 0 && unguarded_calls === 0,
      source: 'report of the program',
      detail: `Stated by the program and not verified: ${tools.length - unguarded.length} of ${tools.length} tools guarded.`,
    },
  ];
  return { evidence, findings: [...findings, ...calls, ...unreadable] };
};

/** A program that uses the SDK. It holds its own network access, so that its guard is never more than its own account. */
export const sdkProgram = {
  kind: 'SDK_PROGRAM',
  products: ['sdk'],
  ceiling: 'PARTIAL',
  needs: () => [{ name: 'COVERAGE', livesMs: WEEK_MS, otherwise: 'DETECTED' }],
  inspection: { by: 'reports', reader: { read, inspect } },
  capabilities: [
    {
      subject: 'TOOLS',
      how: 'DETECTED',
      by: 'Guard coverage that the program or its build reports',
      needs: ['COVERAGE'],
      limits: 'The report is the account of the program itself. A program that holds credentials of its own can call services directly.',
    },
    {
      subject: 'CREDENTIALS',
      how: 'PREVENTED',
      by: 'Credentials in the broker: the program has none to call a service with',
      needs: [],
      limits: 'Holds only for services whose credentials the program does not have.',
    },
  ],
} as const satisfies RuntimeKindRow;
