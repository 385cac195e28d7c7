import { isId } from '@svc/contract/tables/ids.ts';

/** A cell by organization, as a map file of the proxy contains it. */
export type CellMap = ReadonlyMap<string, string>;

export const CELL_NAME = /^[a-z][a-z0-9-]{0,31}$/;
const LINE = /^(?<organization>org_[0-9a-z]+) (?<cell>\S+)$/;

/** Reads a map file; a sentence for a line that is none. Organizations are written in small letters there, since names of hosts are. */
export const readCellMap = (text: string): CellMap | string => {
  const map = new Map<string, string>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const { organization, cell } = LINE.exec(line)?.groups ?? {};
    if (organization === undefined || cell === undefined || !CELL_NAME.test(cell))
      return `Line ${index + 1} is not "<organization> <cell>".`;
    if (map.has(organization)) return `Line ${index + 1} repeats ${organization}.`;
    map.set(organization, cell);
  }
  return map;
};

export const writeCellMap = (map: CellMap): string =>
  `# Organization and its cell; written by "npm run ops -- cell". Do not edit.\n${[...map]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([organization, cell]) => `${organization} ${cell}\n`)
    .join('')}`;

type Assigned = {
  readonly map: CellMap;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Organizations of this cell that the map has in another one. */
  readonly elsewhere: readonly { readonly organization: string; readonly cell: string }[];
};

/**
 * Assigns the organizations of a cell to it, and removes those that it no longer has. One that the map has in another cell keeps it, unless it is
 * moved: two cells with one organization would both decide for it.
 */
export const assignCell = (map: CellMap, cell: string, organizations: readonly string[], moved: ReadonlySet<string>): Assigned => {
  const own = new Set(organizations.filter((id) => isId('organization', id)).map((id) => id.toLowerCase()));
  const isMoved = (id: string): boolean => [...moved].some((each) => each.toLowerCase() === id);
  const elsewhere = [...own].flatMap((organization) => {
    const other = map.get(organization);
    return other === undefined || other === cell || isMoved(organization) ? [] : [{ organization, cell: other }];
  });
  const kept = new Set(elsewhere.map(({ organization }) => organization));
  const removed = [...map].filter(([organization, of]) => of === cell && !own.has(organization)).map(([organization]) => organization);
  const added = [...own].filter((organization) => !kept.has(organization) && map.get(organization) !== cell);
  const next = new Map([...map].filter(([organization]) => !removed.includes(organization)));
  for (const organization of added) next.set(organization, cell);
  return { map: next, added, removed, elsewhere };
};
