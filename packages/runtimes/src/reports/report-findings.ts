import type { FindingKind, FindingSeverity } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import type { FoundFinding, StoredReport } from '../kind.ts';

/** Returns a finding of a reported file. */
export const ofReport = (
  kind: FindingKind,
  severity: FindingSeverity,
  subject: string,
  evidence: Readonly<Record<string, unknown>>,
): FoundFinding => ({
  ...{ kind, severity, subject, evidence },
  ...{ dormant: false, contained_by: null, workflow: null, node: null, via: [] },
});

/** Returns the newest report of each file. A file that is no longer reported stays as it was last seen. */
export const newestFiles = (reports: readonly StoredReport[]) => {
  const found = new Map<string, StoredReport['files'][number] & { readonly at: string }>();
  for (const { at, files } of reports.toSorted((one, other) => (one.at < other.at ? -1 : 1)))
    for (const file of files) found.set(file.path, { ...file, at });
  return [...found.values()];
};
