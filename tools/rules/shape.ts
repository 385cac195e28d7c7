import type { SourceFile } from '../source.ts';
import type { ProjectRule, RuleFinding, Tree } from '../tree.ts';

const fileLinesMax = 400;
const testLinesMax = 600;
const operationLinesMax = 200;
const functionLinesMax = 60;
/** Markup of a page takes lines of its own. */
const componentLinesMax = 90;

/** Tables grow with their entries, not with their logic. */
const isTable = ({ path }: SourceFile): boolean =>
  /^packages\/contract\/src\/tables\/(console-routes|errors|permissions|settings)\.ts$/.test(path) ||
  path === 'packages/postgres/src/connection/tables.ts' ||
  path === 'packages/client/src/operations.ts';

/** Operations of a plane, apps/<plane>/src/<area>/<noun>/<operation>.ts, their helpers, and scheduled jobs. */
const isOperation = ({ path }: SourceFile): boolean => /^apps\/(control-plane|gateway)\/src\/[^/]+\/.+\.ts$/.test(path);

const linesMax = (source: SourceFile): number => {
  if (isTable(source)) return Number.POSITIVE_INFINITY;
  if (source.isTest) return testLinesMax;
  return isOperation(source) ? operationLinesMax : fileLinesMax;
};

const longFiles = (source: SourceFile): RuleFinding[] =>
  source.lineCount > linesMax(source)
    ? [{ path: source.path, says: `${source.lineCount} lines; ${linesMax(source)} at most, then it is two files` }]
    : [];

const longFunctions = (source: SourceFile): RuleFinding[] => {
  const findings: RuleFinding[] = [];
  const max = source.path.endsWith('.tsx') ? componentLinesMax : functionLinesMax;
  const measure = ({ start, end }: { start: number; end: number }): void => {
    const lines = source.lineAt(end) - source.lineAt(start) + 1;
    if (lines > max) {
      findings.push({ path: source.path, line: source.lineAt(start), says: `a function of ${lines} lines; ${max} at most` });
    }
  };
  source.visit({ FunctionDeclaration: measure, FunctionExpression: measure, ArrowFunctionExpression: measure });
  return findings;
};

/** Checks the length of files and functions. */
export const shape: ProjectRule = (tree) =>
  tree.sources.flatMap((source) => [...longFiles(source), ...(source.isTest ? [] : longFunctions(source))]);

/** Returns the sizes in one line: number of source files, their median, and the 90th percentile. */
export const describeSizes = (tree: Tree): string => {
  const sizes = tree.sources
    .filter((source) => !source.isTest && !isTable(source))
    .map((source) => source.lineCount)
    .sort((a, b) => a - b);
  const at = (share: number): number => sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * share))] ?? 0;
  return `${sizes.length} source files, median ${at(0.5)} lines (60 is the aim), nine of ten up to ${at(0.9)} (160 is the aim)`;
};
