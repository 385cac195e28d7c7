import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { findOutOfBounds } from '../../schema/json-bounds.ts';
import type { DraftParameter } from '../draft/proposal.ts';
import { toLine } from '../draft/reading.ts';
import type { Resolve } from './resolve-reference.ts';
import { type Extent, NODES_MAX, type Translating, translate } from './translate-schema.ts';

/** From all of it to hardly more than the names of its parameters: the first that fits is taken. */
const EXTENTS: readonly Extent[] = [
  { depthMax: 24, descriptionMax: 300 },
  { depthMax: 24, descriptionMax: 0 },
  { depthMax: 6, descriptionMax: 0 },
  { depthMax: 4, descriptionMax: 0 },
  { depthMax: 3, descriptionMax: 0 },
  { depthMax: 2, descriptionMax: 0 },
  { depthMax: 1, descriptionMax: 0 },
  { depthMax: 0, descriptionMax: 0 },
  { depthMax: -1, descriptionMax: 0 },
];
const BOUNDS = { depthMax: 60, bytesMax: 32_000 };
const KEYWORDS_MAX = 1_150;
const REQUIRED_MAX = 500;

const counted = (schema: unknown): { keywords: number; required: number } => {
  const count = { keywords: 0, required: 0 };
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (!Array.isArray(value)) count.keywords += 1;
      if (name === 'required' && Array.isArray(member)) count.required += member.length;
      else walk(member);
    }
  };
  walk(schema);
  return count;
};

/** Returns why a schema cannot be stored at any extent: a name or a value that is invalid. */
const unfitText = (schema: unknown): string | undefined => {
  const found = findOutOfBounds(schema, { depthMax: Number.POSITIVE_INFINITY, bytesMax: Number.POSITIVE_INFINITY });
  return found && `A value in its parameters ${found.message}${found.pointer === '' ? '' : `: ${toLine(found.pointer, 200)}`}.`;
};

const fits = (schema: unknown): boolean => {
  if (findOutOfBounds(schema, BOUNDS) !== undefined) return false;
  const { keywords, required } = counted(schema);
  return keywords <= KEYWORDS_MAX && required <= REQUIRED_MAX;
};

const getSchema = (parameters: readonly DraftParameter[], on: Translating): JsonObject => {
  const properties = parameters.map(({ name, schema, description }) => {
    const translated = translate(schema, 0, on);
    const told = toLine(description, Math.max(on.extent.descriptionMax, 80));
    return [name, typeof translated === 'object' && told !== '' ? { ...translated, description: told } : translated] as const;
  });
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    ...(on.definitions.size === 0 ? {} : { $defs: Object.fromEntries(on.definitions) }),
  };
};

/** Returns true if a schema excludes values, so that loosening a part could tighten the whole. */
const excludes = (schema: unknown): boolean => /"(?:oneOf|not)":/.test(JSON.stringify(schema));

const translated = (
  parameters: readonly DraftParameter[],
  how: Pick<Translating, 'resolve' | 'extent' | 'isStrict'>,
): { readonly on: Translating; readonly schema: JsonObject } => {
  const on: Translating = {
    ...how,
    names: new Map(),
    definitions: new Map(),
    notes: new Set(),
    loosened: 0,
    nodes: 0,
    patterns: 0,
    patternWork: 0,
  };
  return { on, schema: getSchema(parameters, on) };
};

/** Returns the schema of all parameters of an operation, as much of it as a tool's schema can contain; or why there is none. */
export const fitSchema = (
  parameters: readonly DraftParameter[],
  resolve: Resolve,
): { readonly schema: JsonObject; readonly notes: readonly string[] } | { readonly refused: string } => {
  for (const extent of EXTENTS) {
    const { on, schema } = translated(parameters, { resolve, extent, isStrict: true });
    if (on.refused !== undefined) return { refused: `It ${on.refused}.` };
    if (on.nodes > NODES_MAX) continue;
    const unfit = unfitText(schema);
    if (unfit !== undefined) return { refused: unfit };
    if (!fits(schema)) continue;
    const loose = on.loosened > 0 && excludes(schema) ? translated(parameters, { resolve, extent, isStrict: false }) : { on, schema };
    if (fits(loose.schema)) return { schema: loose.schema, notes: [...loose.on.notes] };
  }
  return { refused: 'It has more parameters than the schema of a tool can have, even without nested values.' };
};
