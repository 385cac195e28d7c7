import type { ControlOperation } from '../../data/client.ts';

type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean; readonly description?: string };

/** An operation as the OpenAPI document describes it. */
export type DescribedOperation = {
  readonly name: ControlOperation;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly permission: string | undefined;
  readonly needsStepUp: boolean;
  readonly parameters: readonly Parameter[];
  /** The schema of the body; undefined where there is none. */
  readonly body: Schema | undefined;
};

type Schema = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
};

type Operation = {
  readonly operationId: string;
  readonly summary?: string;
  readonly 'x-permission'?: string;
  readonly 'x-step-up'?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
};

/** Reads the operations of an OpenAPI document, by name. */
export const readOperations = (document: unknown): readonly DescribedOperation[] => {
  const { paths = {} } = document as { readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]): DescribedOperation[] => {
        if (typeof operation.operationId !== 'string') return [];
        return [
          {
            name: operation.operationId as ControlOperation,
            method: method.toUpperCase(),
            path,
            summary: operation.summary ?? '',
            permission: operation['x-permission'],
            needsStepUp: operation['x-step-up'] === true,
            parameters: (operation.parameters ?? []).filter((each) => each.in === 'path' || each.in === 'query'),
            body: operation.requestBody?.content?.['application/json']?.schema,
          },
        ];
      }),
    )
    .toSorted((one, other) => one.name.localeCompare(other.name));
};

/** An example of a value: what the schema gives, or the first that its type allows. Optional members are left out. */
export const getExample = (schema: Schema): unknown => {
  const given = schema.const ?? schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];
  if (given !== undefined) return given;
  if (schema.anyOf?.[0] !== undefined) return getExample(schema.anyOf[0]);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') {
    const { properties = {}, required = [] } = schema;
    return Object.fromEntries(required.map((name) => [name, getExample(properties[name] ?? {})]));
  }
  if (type === 'array') return [];
  if (type === 'integer' || type === 'number') return 1;
  return type === 'boolean' ? false : '';
};
