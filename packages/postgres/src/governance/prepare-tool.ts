import type { ToolExecution } from '@svc/contract/tools.ts';
import { type AllowlistEntry, parseAllowlistEntry } from '@svc/domain/destinations/allowlist.ts';
import { isFaults } from '@svc/domain/tools/fault.ts';
import { compileParameters } from '@svc/domain/tools/parameters-schema.ts';
import { type ParsedExecution, parseExecution } from '@svc/domain/tools/parse-execution.ts';
import type { ToolSnapshot } from '@svc/enforcement/snapshots.ts';

export type ToolRow = Omit<ToolSnapshot, 'allowlist' | 'execution' | 'checkParameters'> & {
  readonly destination_allowlist: readonly string[];
  readonly execution: ToolExecution | null;
};

/** What was accepted at registration parses; if it does not, something else wrote the row, and nothing is decided on it. */
const readEntry = (text: string): AllowlistEntry => {
  const entry = parseAllowlistEntry(text);
  if ('fault' in entry) throw new Error('a stored allowlist entry cannot be read');
  return entry;
};

const readExecution = (execution: ToolExecution | null): ParsedExecution | null => {
  if (execution === null) return null;
  const parsed = parseExecution(execution);
  if (isFaults(parsed)) throw new Error('a stored execution cannot be read');
  return parsed;
};

/** Reads and compiles once what every request of this tool would otherwise read again. */
export const prepareTool = ({ destination_allowlist, execution, ...row }: ToolRow): ToolSnapshot => {
  let check: ToolSnapshot['checkParameters'] | undefined;
  return {
    ...row,
    allowlist: destination_allowlist.map(readEntry),
    execution: readExecution(execution),
    // Compiling a schema takes milliseconds, and an environment may have tools that nobody calls.
    checkParameters: (parameters) => {
      check ??= compileParameters(row.parameters_schema);
      return check(parameters);
    },
  };
};
