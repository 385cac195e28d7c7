import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { isId } from '@svc/contract/tables/ids.ts';
import { listOrganizations } from '@svc/postgres/tenancy/organization/list-organizations.ts';
import { reachDatabase } from './break-glass/reach-database.ts';
import { assignCell, CELL_NAME, type CellMap, readCellMap, writeCellMap } from './cell/cell-map.ts';
import { replaceFile } from './cell/replace-file.ts';
import { LaunchFault } from './faults/launch-fault.ts';
import { escapeLine } from './operator/escape-line.ts';
import { readOperatorSettings } from './operator/operator-settings.ts';
import { runCommand } from './operator/run-command.ts';

const USAGE = `Assigns the organizations of this database to a cell, in the map file by which a proxy routes:

    npm run ops -- cell <name> <map file>
    npm run ops -- cell <name> <map file> --moved <organization>

Run it with the settings of the cell, after organizations were founded or deleted. An organization that the map has in another cell is
a fault, and keeps that cell, unless it is named as moved.`;

type Command = { readonly cell: string; readonly file: string; readonly moved: ReadonlySet<string> };

const PAGE = 1_000;
const MAP_BYTES_MAX = 64 * 1024 * 1024;

const read = ([cell, file, option, organization, ...others]: readonly string[]): Command | string => {
  if (cell === undefined || !CELL_NAME.test(cell)) return 'Name the cell: small letters, digits and hyphens, at most 32.';
  if (file === undefined || file.startsWith('-')) return 'Name the map file.';
  if (option === undefined) return { cell, file, moved: new Set() };
  if (option !== '--moved' || others.length > 0) return `${option} is not recognized.`;
  return organization !== undefined && isId('organization', organization)
    ? { cell, file, moved: new Set([organization]) }
    : 'Name the organization that was moved by its id.';
};

const readMap = (file: string): CellMap => {
  if (!existsSync(file)) return new Map();
  const { size } = lstatSync(file);
  if (size > MAP_BYTES_MAX) throw new LaunchFault(`${file} has more than ${MAP_BYTES_MAX} bytes.`);
  const map = readCellMap(readFileSync(file, 'utf8'));
  if (typeof map === 'string') throw new LaunchFault(`${file} is not a map of cells. ${map}`);
  return map;
};

const readOrganizations = async (): Promise<readonly string[]> => {
  const { identity, close } = await reachDatabase(readOperatorSettings());
  try {
    const all: string[] = [];
    for (
      let page = await listOrganizations(identity, '', PAGE);
      page.length > 0;
      page = await listOrganizations(identity, all.at(-1) ?? '', PAGE)
    )
      all.push(...page);
    return all;
  } finally {
    await close();
  }
};

const run = async ({ cell, file, moved }: Command): Promise<boolean> => {
  const organizations = await readOrganizations();
  const { map, added, removed, elsewhere } = assignCell(readMap(file), cell, organizations, moved);
  if (added.length + removed.length > 0) replaceFile(file, writeCellMap(map));
  for (const organization of added) console.log(escapeLine(`${organization}  is in ${cell}`));
  for (const organization of removed) console.log(escapeLine(`${organization}  is no longer in ${cell}`));
  for (const { organization, cell: other } of elsewhere)
    console.error(
      escapeLine(
        `FAULT  ${organization} is in ${other} according to the map, and also in the database of ${cell}. Nothing was changed for it.`,
      ),
    );
  console.log(`${organizations.length} organizations in ${cell}.`);
  return elsewhere.length === 0;
};

const asksForHelp = (words: readonly string[]): boolean => words.includes('--help') || words.includes('-h');

process.exitCode = await runCommand({ usage: USAGE, asksForHelp, read, run });
