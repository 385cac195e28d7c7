import type { ToolExecution } from '@svc/contract/tools/tools.ts';
import { NO_FLOW } from '@svc/domain/risk/contexts/flow-context.ts';
import { type AllowlistEntry, parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import { isFaults } from '@svc/domain/tools/fault.ts';
import { type ParsedExecution, parseExecution } from '@svc/domain/tools/request/parse-execution.ts';
import { compileParameters } from '@svc/domain/tools/schema/parameters-schema.ts';
import type { ToolSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { mustFitDeclaration, mustFitTool, type ToolRow } from './fit-tool.ts';
import { UnfitRow } from './unfit-row.ts';

/** A tool without its credential, its MCP server and its connection, which are in other rows. */
export type PreparedTool = Omit<ToolSnapshot, 'credential' | 'mcp' | 'a2a'>;

/** Entries accepted at registration parse; if one does not, another program wrote the row, and nothing is decided on it. */
const readEntry = (id: string, text: string): AllowlistEntry => {
  const entry = parseAllowlistEntry(text);
  if ('fault' in entry) throw new UnfitRow('tools', id, 'destination_allowlist');
  return entry;
};

/** Keyed by the unparsed value, which outlives the snapshot that it was read for. */
const parsed = new WeakMap<ToolExecution, ParsedExecution>();

const readExecution = (id: string, execution: ToolExecution | null): ParsedExecution | null => {
  if (execution === null) return null;
  const known = parsed.get(execution) ?? parseExecution(execution);
  if (isFaults(known)) throw new UnfitRow('tools', id, 'execution');
  parsed.set(execution, known);
  return known;
};

const prepared = (row: ToolRow): PreparedTool => {
  const { destination_allowlist, execution, ...plain } = row;
  const flow = { ...NO_FLOW, ...row.flow };
  mustFitTool(row);
  let check: PreparedTool['checkParameters'] | undefined;
  return {
    ...plain,
    flow,
    allowlist: destination_allowlist.map((text) => readEntry(row.id, text)),
    execution: readExecution(row.id, execution),
    // Compiling a schema takes milliseconds, and an environment may have unused tools.
    checkParameters: (parameters) => {
      if (check === undefined) {
        mustFitDeclaration(row);
        check = compileParameters(row.parameters_schema);
      }
      return check(parameters);
    },
  };
};

/** Refuses requests for this tool only. */
const unfit = ({ destination_allowlist: _, execution: __, ...plain }: ToolRow, error: unknown): PreparedTool => ({
  ...plain,
  status: 'ACTIVE',
  allowlist: [],
  execution: null,
  checkParameters: () => {
    throw error;
  },
});

/** Reads and compiles once what every request of this tool would otherwise read again. A tool that is not fit breaks when it is used. */
export const prepareTool = (row: ToolRow): PreparedTool => {
  try {
    return prepared(row);
  } catch (error) {
    return unfit(row, error);
  }
};
