import { APP_OF, getHandlers, getRowFiles, type PlacedRow, type PlacedRows } from '../row-places.ts';
import type { ProjectRule, RuleFinding, Tree } from '../tree.ts';

/** Packages that are laid out by area, with their folders that serve every area. */
const MACHINERY: Readonly<Record<string, readonly string[]>> = {
  'packages/contract': ['tables', 'rows'],
  'packages/domain': [],
  'packages/operations': [],
  'packages/postgres': ['connection', 'change', 'audit', 'lists', 'governance', 'recorder', 'migrate', 'backup'],
  'apps/control-plane': ['jobs', 'aside'],
  'apps/gateway': [],
};

const strangeFolders = (tree: Tree, areas: readonly string[]): RuleFinding[] =>
  Object.entries(MACHINERY).flatMap(([room, machinery]) => {
    const src = `${room}/src/`;
    const folders = tree.paths.flatMap((path) => (path.startsWith(src) ? path.slice(src.length).split('/').slice(0, -1).slice(0, 1) : []));
    return [...new Set(folders)]
      .filter((folder) => !areas.includes(folder) && !machinery.includes(folder))
      .map((folder) => ({ path: `${src}${folder}`, says: `${folder} is no area; areas are ${areas.join(', ')}` }));
  });

const wrongRow = (name: string, { area }: PlacedRow, files: readonly string[]): RuleFinding[] => {
  const home = `packages/contract/src/${area}/`;
  const [first] = files;
  if (first === undefined) return [{ path: `${home}<noun>.ts`, says: `holds no row ${name}` }];
  if (files.some((path) => path.startsWith(home))) return [];
  return [{ path: first, says: `the row ${name} is of the area ${area} and belongs in ${home}` }];
};

/** Checks that operations are directly in the folder of their noun, and their helpers in the same folder or below. */
const wrongHandlers = (name: string, row: PlacedRow, handlers: readonly string[]): RuleFinding[] => {
  const home = `${APP_OF[row.plane]}/src/${row.area}/`;
  return handlers
    .filter((path) => !path.startsWith(home) || path.slice(home.length).split('/').length !== 2)
    .map((path) => ({ path, says: `the operation ${name} belongs in ${home}<noun>/` }));
};

/**
 * Checks that one word names an area in every package: in the row, in the file that writes it, in its handler's folder, and in the folders
 * of domain and SQL.
 */
export const checkAreasAgree =
  (rows: PlacedRows, areas: readonly string[]): ProjectRule =>
  (tree) => {
    const files = getRowFiles(tree);
    const findings = Object.entries(rows).flatMap(([name, row]) => [
      ...wrongRow(name, row, files.get(name) ?? []),
      ...wrongHandlers(name, row, getHandlers(tree, name, row)),
    ]);
    return [...strangeFolders(tree, areas), ...findings];
  };
