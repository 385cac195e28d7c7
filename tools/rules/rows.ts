import { posix } from 'node:path';
import type { SourceFile } from '../source.ts';
import type { ProjectRule, RuleFinding, Tree } from '../tree.ts';

/** Members of an endpoint's row that the rule reads. */
export type CheckedRow = {
  readonly plane: 'control' | 'gateway';
  readonly area: string;
  readonly method: string;
  readonly path: string;
  readonly refuses: readonly string[];
  readonly budget?: unknown;
  readonly sessionCheckedBy?: string | undefined;
};

const rowsPath = 'packages/contract/src/endpoints.ts';
const appOf = { control: 'apps/control-plane', gateway: 'apps/gateway' } as const;

const toKebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** An operation is two folders below the source of its plane: area, then noun. */
const getPlace = (row: CheckedRow, name: string): RegExp => new RegExp(`^${appOf[row.plane]}/src/${row.area}/[^/]+/${toKebab(name)}\\.ts$`);

const exportsName = (source: SourceFile, name: string): boolean =>
  new RegExp(`^export (const|function|async function) ${name}\\b`, 'm').test(source.text);

const mentions = (text: string, word: string): boolean => new RegExp(`\\b${word}\\b`).test(text);

const TITLED: ReadonlySet<string> = new Set(['test', 'describe', 'it']);

/** Returns words that a test calls or names in its title. Words in comments prove nothing. */
const wordsProven = (source: SourceFile): ReadonlySet<string> => {
  const words = new Set<string>();
  source.visit({
    CallExpression: ({ callee, arguments: [first] }) => {
      const name = callee.type === 'MemberExpression' ? callee.property : callee;
      if (name.type !== 'Identifier') return;
      words.add(name.name);
      if (!TITLED.has(name.name) || first === undefined) return;
      for (const word of source.text.slice(first.start, first.end).match(/\w+/g) ?? []) words.add(word);
    },
  });
  return words;
};

/** Tests of the worker that follow a request through its jobs are in the same areas, and count as tests of the control plane. */
const areaOfTest = (path: string): string | undefined =>
  /^apps\/[^/]+\/src\/[^/]+\//.exec(path)?.[0].replace(/^apps\/worker\//, 'apps/control-plane/');

/** Returns the words that the tests of each area of a plane prove, by `apps/<plane>/src/<area>/`. */
const provenByArea = (tree: Tree): ReadonlyMap<string, ReadonlySet<string>> => {
  const byArea = new Map<string, Set<string>>();
  for (const source of tree.sources) {
    const area = areaOfTest(source.path);
    if (area === undefined || !source.isTest) continue;
    const words = byArea.get(area) ?? new Set();
    for (const word of wordsProven(source)) words.add(word);
    byArea.set(area, words);
  }
  return byArea;
};

const resolveImport = (tree: Tree, from: SourceFile, specifier: string): string | undefined => {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from.path), specifier);
  const [, name, file] = /^@svc\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
  const path = ['packages', 'apps'].map((top) => `${top}/${name}/src/${file}`).find((each) => tree.has(each));
  return path;
};

/** Files directly below src join everything of an app; naming their types says nothing about one operation. */
const isWiring = (path: string): boolean => /^apps\/[^/]+\/src\/[^/]+\.ts$/.test(path);

/** Returns the words of a handler and its imports. The contract is excluded: it contains every word. */
const wordsReached = (tree: Tree, byPath: ReadonlyMap<string, SourceFile>, handler: SourceFile): string => {
  const seen = new Set<string>();
  const pending = [handler.path];
  const texts: string[] = [];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const source = byPath.get(path);
    if (seen.has(path) || source === undefined || source.room === 'contract') continue;
    seen.add(path);
    texts.push(source.text);
    for (const { specifier, typeOnly } of source.imports) {
      const target = resolveImport(tree, source, specifier);
      if (target !== undefined && !(typeOnly && isWiring(target))) pending.push(target);
    }
  }
  return texts.join('\n');
};

/** A call may return one code under a name of its own. */
const impliedBy = (word: string, reached: string): boolean => word === 'VALIDATION_FAILED' && /\bfault\(/.test(reached);

const unusedCodes = (name: string, row: CheckedRow, handler: SourceFile, reached: string): RuleFinding[] => {
  const quoted = (word: string): boolean => reached.includes(`'${word}'`) || mentions(reached, `${word}(?=:)`) || impliedBy(word, reached);
  const unused = row.refuses.filter((word) => !quoted(word));
  return unused.map((word) => ({ path: handler.path, says: `the row ${name} refuses ${word}, but nothing here does` }));
};

const unproven = (
  tree: Tree,
  proven: ReadonlyMap<string, ReadonlySet<string>>,
  area: string,
  path: string,
  name: string,
): RuleFinding[] => {
  if (tree.has(path.replace(/\.ts$/, '.test.ts')) || proven.get(area)?.has(name)) return [];
  return [{ path, says: `no test beside it, and no call or title of a test in ${area}, proves ${name}` }];
};

/** Checks that the plane makes for other rows and that these rows leave to their handlers. */
const LEFT_TO_HANDLERS = [
  {
    what: "says sessionCheckedBy: 'pipeline'",
    call: 'govern',
    isLeft: ({ sessionCheckedBy }: CheckedRow) => sessionCheckedBy === 'pipeline',
  },
  { what: "says budget: 'assertion'", call: 'spendToken', isLeft: ({ budget }: CheckedRow) => budget === 'assertion' },
] as const;

const undone = (name: string, row: CheckedRow, handler: SourceFile, reached: string): RuleFinding[] =>
  LEFT_TO_HANDLERS.filter(({ isLeft, call }) => isLeft(row) && !mentions(reached, `${call}(?=\\()`)).map(({ what, call }) => ({
    path: handler.path,
    says: `the row ${name} ${what}, but nothing here calls ${call}`,
  }));

/**
 * Checks that each row has one handler, in a noun of its area of its plane and named after it, that is tested there and names every code of
 * the row. Its events are checked in e2e/rows/events.
 */
export const checkRowsHaveHandlers =
  (rows: Readonly<Record<string, CheckedRow>>): ProjectRule =>
  (tree) => {
    const byPath = new Map(tree.sources.map((source) => [source.path, source]));
    const proven = provenByArea(tree);
    return Object.entries(rows).flatMap(([name, row]): RuleFinding[] => {
      const label = `${row.method} ${row.path} (${name})`;
      const area = `${appOf[row.plane]}/src/${row.area}/`;
      const place = getPlace(row, name);
      const found = tree.sources.filter(({ path }) => place.test(path));
      const [handler] = found;
      if (handler === undefined) return [{ path: rowsPath, says: `${label} has no handler ${area}<noun>/${toKebab(name)}.ts` }];
      if (found.length > 1)
        return [{ path: handler.path, says: `${label} has more than one handler: ${found.map(({ path }) => path).join(', ')}` }];
      if (!exportsName(handler, name)) return [{ path: handler.path, says: `does not export ${name}` }];
      const reached = wordsReached(tree, byPath, handler);
      const proof = unproven(tree, proven, area, handler.path, name);
      return [...proof, ...unusedCodes(name, row, handler, reached), ...undone(name, row, handler, reached)];
    });
  };

/** The folder of a noun shows its operations only: helpers are in folders of their own. */
export const getOperationsStandAlone =
  (rows: Readonly<Record<string, CheckedRow>>): ProjectRule =>
  (tree) => {
    const places = Object.entries(rows).map(([name, row]) => getPlace(row, name));
    const isOperation = ({ path }: SourceFile): boolean => places.some((place) => place.test(path));
    const operations = tree.sources.filter(isOperation);
    const nouns = new Set(operations.map(({ path }) => posix.dirname(path)));
    return tree.sources
      .filter((source) => !source.isTest && nouns.has(posix.dirname(source.path)) && !isOperation(source))
      .map(({ path }) => ({ path, says: 'is no operation and stands among operations; put it into a folder named for what it does' }));
  };

/** Checks that no two rows match the same request. */
export const checkRowsAreDistinct =
  (rows: Readonly<Record<string, CheckedRow>>): ProjectRule =>
  () => {
    const first = new Map<string, string>();
    return Object.entries(rows).flatMap(([name, { plane, method, path }]) => {
      const request = `${plane} ${method} ${path.replace(/\{[^}]+\}/g, '{}')}`;
      const earlier = first.get(request);
      first.set(request, earlier ?? name);
      return earlier === undefined ? [] : [{ path: rowsPath, says: `${name} and ${earlier} both answer ${method} ${path}` }];
    });
  };
