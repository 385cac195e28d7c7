import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { COLUMN_WORDS, FILLED_BY_DATABASE, SET_BY_DATABASE, WORDS_FROM } from './column-words.ts';
import type { Column, Table } from './read-columns.ts';

const root = resolve(import.meta.dirname, '../..');

/** The file that holds the types of all tables. */
export const TABLES_FILE = 'packages/postgres/src/connection/tables.ts';

const SCALARS: Readonly<Record<string, string>> = {
  text: 'string',
  numeric: 'string',
  xid8: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  bool: 'boolean',
  bytea: 'Buffer',
  _text: 'string[]',
  _int4: 'number[]',
};

const getKey = ({ table, name }: Column): string => `${table}.${name}`;

const timeType = ({ nullable }: Column, isFilled: boolean): string => {
  if (nullable) return 'MaybeTime';
  return isFilled ? 'TimeNow' : 'Time';
};

const jsonType = ({ nullable }: Column, isFilled: boolean, word: string): string => {
  if (nullable) return `MaybeJson<${word}>`;
  return isFilled ? `JsonOrDefault<${word}>` : `Json<${word}>`;
};

const getType = (column: Column): string => {
  const key = getKey(column);
  const isFilled = column.hasDefault || FILLED_BY_DATABASE.has(key);
  if (column.type === 'timestamptz') return timeType(column, isFilled);
  const word = COLUMN_WORDS[key];
  if (column.type.startsWith('json')) return jsonType(column, isFilled, word ?? 'unknown');
  const base = word ?? SCALARS[column.type];
  if (base === undefined) throw new Error(`${key} is of the type ${column.type}: give it a word in tools/tables/column-words.ts.`);
  const held = column.nullable ? `${base} | null` : base;
  if (SET_BY_DATABASE.has(key)) return `SetByDatabase<${held}>`;
  return isFilled ? `Generated<${held}>` : held;
};

const comment = (text: string | null): string => (text === null ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`);

const tableText = ({ name, comment: says, columns }: Table): string =>
  `${comment(says)}${name}: {\n${columns.map((column) => `${comment(column.comment)}${column.name}: ${getType(column)};`).join('\n')}\n};`;

const importText = (body: string, names: readonly string[], from: string): string => {
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(body));
  return used.length === 0 ? '' : `import type { ${used.join(', ')} } from '${from}';\n`;
};

const COLUMN_TYPES = ['Json', 'JsonOrDefault', 'MaybeJson', 'MaybeTime', 'SetByDatabase', 'Time', 'TimeNow'] as const;

const unformatted = (tables: readonly Table[]): string => {
  const keys = new Set(tables.flatMap(({ columns }) => columns.map(getKey)));
  const idle = [...Object.keys(COLUMN_WORDS), ...SET_BY_DATABASE, ...FILLED_BY_DATABASE].filter((key) => !keys.has(key));
  if (idle.length > 0) throw new Error(`tools/tables/column-words.ts names what no table has: ${idle.join(', ')}.`);
  const types = tables.map(tableText).join('\n');
  const words = Object.entries(WORDS_FROM).map(([from, names]) => importText(types, names, from));
  const kysely = importText(types, ['Generated'], 'kysely');
  return `// Written by \`npm run generate -- tables\` from a database with every migration. Not to be edited.
${words.join('')}${kysely}${importText(types, COLUMN_TYPES, './column-types.ts')}
/** Every table, one row type each; column names are those of the wire. */
export type Tables = {\n${types}\n};\n`;
};

/** Returns the formatted text of that file. */
export const formatTables = (tables: readonly Table[]): string => {
  const { stdout, status, stderr } = spawnSync(resolve(root, 'node_modules/.bin/biome'), ['format', `--stdin-file-path=${TABLES_FILE}`], {
    cwd: root,
    input: unformatted(tables),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`biome could not format the types of the tables: ${stderr}`);
  return stdout;
};
