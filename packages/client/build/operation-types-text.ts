import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { listParameterNames } from '@svc/contract/tables/path-parameters.ts';
import { OPERATIONS } from '../src/operations.ts';
import { type ContractSchema, newTypeWriter } from './schema-type.ts';

const paramsType = (path: string): string => {
  const names = listParameterNames(path);
  return names.length === 0 ? 'Record<never, string>' : `{ ${names.map((name) => `readonly ${name}: string`).join('; ')} }`;
};

/** The module `operation-types.ts` of the published package: the types of src/operation-types.ts, written out. */
export const formatOperationTypesText = (): string => {
  const definitions = new Map<string, { readonly name: string; text: string }>();
  const write = newTypeWriter((name, schema) => {
    const key = JSON.stringify(schema);
    const known = definitions.get(key);
    if (known) return known.name;
    const taken = [...definitions.values()].filter((each) => each.name === name || each.name.startsWith(`${name}_`)).length;
    const definition = { name: taken === 0 ? name : `${name}_${taken + 1}`, text: '' };
    definitions.set(key, definition);
    const { $id: _, ...shape } = schema as ContractSchema & { readonly $id?: string };
    definition.text = write(shape);
    return definition.name;
  });
  const rows: Readonly<Record<string, Endpoint>> = ENDPOINTS;
  const operations = Object.keys(OPERATIONS).map((name) => {
    const row = rows[name];
    if (row === undefined)
      throw new Error(`The contract has no operation ${name}. Run npm run generate -- client:operations to regenerate the table.`);
    const body = row.body === undefined ? 'undefined' : `${write(row.body)}${row.bodyOptional ? ' | undefined' : ''}`;
    const query = row.query === undefined ? 'Record<string, never>' : write(row.query);
    return [
      `  /** ${row.summary.replaceAll('*/', '* /')} */`,
      `  readonly ${name}: {`,
      `    readonly params: ${paramsType(row.path)};`,
      `    readonly query: ${query};`,
      `    readonly body: ${body};`,
      `    readonly result: ${write(row.result)};`,
      '  };',
    ].join('\n');
  });
  const named = [...definitions.values()].map(({ name, text }) => `type ${name} = ${text};`);
  return [...named, 'export type OperationTypes = {', ...operations, '};', ''].join('\n');
};
