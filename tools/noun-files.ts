import { posix } from 'node:path';
import { APP_OF, getHandlers, getRowFiles, type PlacedRow } from './row-places.ts';
import type { SourceFile } from './source.ts';
import type { Tree } from './tree.ts';

export type WhereRow = PlacedRow & { readonly path: string };
export type WhereRows = Readonly<Record<string, WhereRow>>;

/** A noun of the API: the folder of its operations, its area, and their rows. `alone` if the area has no other. */
export type Noun = { readonly noun: string; readonly area: string; readonly alone: boolean; readonly rows: WhereRows };

/** Files of one kind, ordered by path. */
export type NounStep = { readonly title: string; readonly paths: readonly string[] };

/** Returns every noun that has an operation, in alphabetical order. */
export const getNouns = (tree: Tree, rows: WhereRows): readonly Noun[] => {
  const found = new Map<string, Record<string, WhereRow>>();
  for (const [name, row] of Object.entries(rows)) {
    for (const path of getHandlers(tree, name, row)) {
      const [area, noun, file] = path.slice(`${APP_OF[row.plane]}/src/`.length).split('/');
      if (file === undefined) continue;
      const key = `${area}/${noun}`;
      found.set(key, { ...found.get(key), [name]: row });
    }
  }
  const keys = [...found.keys()].map((key) => key.split('/') as [string, string]);
  return keys
    .map(([area, noun]) => ({
      noun,
      area,
      alone: keys.filter(([each]) => each === area).length === 1,
      rows: found.get(`${area}/${noun}`) ?? {},
    }))
    .toSorted((left, right) => (left.noun < right.noun ? -1 : 1));
};

/** Returns the files of a package about a noun: those in its folder or named after it, and all of its area if it is the only noun. */
const inRoom =
  ({ noun, area, alone }: Noun) =>
  (room: string, path: string): boolean => {
    const home = `${room}/src/${area}/`;
    if (!path.startsWith(home)) return false;
    const rest = path.slice(home.length);
    return alone || (rest.startsWith(noun) && /^[/.-]/.test(rest.slice(noun.length)));
  };

export const getSingular = (noun: string): string => noun.replace(/ies$/, 'y').replace(/s$/, '');

const isCalledAfter = (noun: string, path: string): boolean => {
  const name = `-${posix.basename(path).split('.')[0]}-`;
  return name.includes(`-${noun}-`) || name.includes(`-${getSingular(noun)}-`);
};

const getTarget = (tree: Tree, { path }: SourceFile, specifier: string): string | undefined => {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier);
  const [, name, file] = /^@svc\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
  return ['packages', 'apps'].map((top) => `${top}/${name}/src/${file}`).find((each) => tree.has(each));
};

const written = /\b(?:insertInto\(\s*['"`]|insert into )(\w+)/gi;

/** Returns tables that the noun's own SQL inserts into, and the one named like it. */
const listTables = (tree: Tree, sql: readonly string[], noun: string): readonly string[] => [
  ...new Set([
    noun.replaceAll('-', '_'),
    ...sql.flatMap((path) => [...tree.text(path).matchAll(written)].flatMap(([, table]) => table ?? [])),
  ]),
];

/** True if the SQL creates or changes a table, or something on it; a reference to it does not count. */
const changes = (sql: string, table: string): boolean =>
  new RegExp(`\\b(table|on|into|update)\\s+(only\\s+|if (not )?exists\\s+)?${table}\\b`, 'i').test(sql);

/** Returns the paths of the noun's requests without parameters: `/v1/delegations`. */
const requestPaths = (rows: WhereRows): readonly string[] => [
  ...new Set(Object.values(rows).map(({ path }) => path.split('/{')[0]?.split('/').slice(0, 3).join('/') ?? path)),
];

const mentions = (text: string, path: string): boolean => new RegExp(`${path}(?![\\w-])`).test(text);

/** Returns the files of a noun in every package, in the order of the walk of an action. */
export const getNounFiles = (tree: Tree, one: Noun): readonly NounStep[] => {
  const { noun, rows } = one;
  const about = inRoom(one);
  const isTest = (path: string): boolean => path.endsWith('.test.ts');
  const rooms = ['packages/contract', ...Object.values(APP_OF), 'packages/operations', 'packages/domain', 'packages/postgres'];
  const own = new Set(tree.paths.filter((path) => rooms.some((room) => about(room, path))));
  const of = (...places: string[]): string[] =>
    [...own].filter((path) => !isTest(path) && places.some((place) => path.startsWith(`${place}/`)));
  const reaches = (folder: string): string[] =>
    tree.sources
      .filter(({ path }) => path.startsWith(`${folder}/`) && !isTest(path))
      .filter(
        (source) =>
          isCalledAfter(noun, source.path) || source.imports.some(({ specifier }) => own.has(getTarget(tree, source, specifier) ?? '')),
      )
      .map(({ path }) => path);
  const files = getRowFiles(tree);
  const sql = of('packages/postgres');
  const tables = listTables(tree, sql, noun);
  const requests = requestPaths(rows);
  const isDocument = (path: string): boolean => path.startsWith('docs/') && path.endsWith('.md') && path !== 'docs/map.md';
  const steps: Record<string, readonly string[]> = {
    row: [...Object.keys(rows).flatMap((name) => files.get(name) ?? []), ...of('packages/contract')],
    operations: of(...Object.values(APP_OF)),
    'use cases': of('packages/operations'),
    rules: of('packages/domain'),
    stages: reaches('packages/enforcement/src/stages'),
    SQL: sql,
    migrations: tree.paths.filter((path) => path.endsWith('.sql') && tables.some((table) => changes(tree.text(path), table))),
    jobs: reaches('apps/worker/src/jobs'),
    worker: tree.paths.filter((path) => !isTest(path) && about('apps/worker', path)),
    pages: tree.paths.filter((path) => !isTest(path) && path.startsWith(`apps/console/web/${one.area}/${noun}/`)),
    tests: tree.paths.filter((path) => isTest(path) && (own.has(path) || (path.startsWith('e2e/') && isCalledAfter(noun, path)))),
    documents: tree.paths.filter(
      (path) => isDocument(path) && (isCalledAfter(noun, path) || requests.some((request) => mentions(tree.text(path), request))),
    ),
  };
  return Object.entries(steps).map(([title, paths]) => ({ title, paths: [...new Set(paths)].toSorted() }));
};
