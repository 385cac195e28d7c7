import { digestText } from '../digest/digest.ts';
import type { DigestedFile, FoundFinding, NewEvidence, ReportedFile, ReportReader, RuntimeKindRow } from '../kind.ts';
import { newestFiles, ofReport } from '../reports/report-findings.ts';
import { PLATFORM_FORMATS } from './formats.ts';
import type { RouteFault } from './platform-format.ts';

const WEEK_MS = 604_800_000;
const FAULTS_MAX = 200;

const read = (product: string, { path, content }: ReportedFile): DigestedFile => {
  const shared = { path, sha256: digestText(content) };
  const format = PLATFORM_FORMATS[product];
  const found = format?.read(content);
  if (found === undefined) return { ...shared, reading: 'UNREADABLE', facts: {} };
  return { ...shared, reading: product.toUpperCase(), facts: { routes: found.routes, faults: found.faults.slice(0, FAULTS_MAX) } };
};

const inspect: ReportReader['inspect'] = (_product, reports) => {
  const files = newestFiles(reports);
  if (files.length === 0) return { evidence: [], findings: [] };
  const unreadable = files
    .filter(({ reading }) => reading === 'UNREADABLE')
    .map(({ path }) => ofReport('FILE_UNREADABLE', 'MEDIUM', path, { file: path }));
  const faults = files.flatMap(({ path, facts }) =>
    ((facts.faults ?? []) as readonly RouteFault[]).map(
      ({ kind, severity, route, because }): FoundFinding => ofReport(kind, severity, `${path} ${route}`, { file: path, route, because }),
    ),
  );
  const routes = files.reduce((sum, { facts }) => sum + Number(facts.routes ?? 0), 0);
  const evidence: NewEvidence[] = [
    {
      name: 'PLATFORM_FILES',
      holds: unreadable.length === 0 && routes > 0,
      source: 'reported files',
      detail: `${routes} routes in ${files.length} files, ${faults.length} of them around the service.`,
      data: { files: files.map(({ path, sha256 }) => ({ path: path.slice(0, 300), sha256 })) },
    },
  ];
  return { evidence, findings: [...faults, ...unreadable] };
};

/** A platform in front of services that asks the gateway for each request. It is seen through its configuration. */
export const apiPlatform = {
  kind: 'API_PLATFORM',
  products: ['kong', 'envoy', 'nginx', 'agentgateway'],
  ceiling: 'ENFORCED',
  needs: () => [
    { name: 'PLATFORM_FILES', livesMs: WEEK_MS, otherwise: 'UNKNOWN' },
    { name: 'NETWORK', livesMs: WEEK_MS, otherwise: 'PARTIAL', isBreach: true },
  ],
  inspection: { by: 'reports', reader: { read, inspect } },
  capabilities: [
    {
      subject: 'ROUTES',
      how: 'PREVENTED',
      by: 'External authorization on every route, failing closed',
      needs: ['PLATFORM_FILES'],
      limits: 'The reported file is believed to be the live configuration.',
    },
    {
      subject: 'UPSTREAMS',
      how: 'NEITHER',
      by: '',
      needs: ['NETWORK'],
      limits: 'This version does not test if upstreams can be reached without the platform, so the status is at most PARTIAL.',
    },
  ],
} as const satisfies RuntimeKindRow;
