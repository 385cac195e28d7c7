import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Fault } from '../fault.ts';
import { formatPointer } from '../json-pointer.ts';
import { DIALECTS, getDialectIndex } from './dialects.ts';
import { compileLinearPattern, linearPatternWork } from './linear-pattern.ts';
import { FORMAT_FAULT, isFormat } from './parameter-formats.ts';
import {
  isSchemaKeyword,
  isSchemaObject,
  judgesSameValue,
  PATTERNS_MAX,
  SCHEMA_KEYWORDS,
  subschemasUnder,
} from './parameters-schema-keywords.ts';

/** One subschema: its pointer, and the others that are applied to the same value. */
type Node = { readonly pointer: string; readonly sameValue: readonly string[]; readonly reference?: string };

type Inspection = {
  readonly nodes: Map<string, Node>;
  readonly faults: Fault[];
  readonly halfConditions: string[];
  patterns: number;
  patternWork: number;
  keywords: number;
  requiredNames: number;
  unevaluated: boolean;
};

/** The compiler takes some ten milliseconds for this number of keywords. */
const KEYWORDS_MAX = 1_200;
const bounds = {
  subschemas: 256,
  references: 64,
  referenceChain: 16,
  patterns: PATTERNS_MAX,
  patternWork: LIMITS.tools.patternWorksMax,
  requiredNames: 512,
};

const keywordFault = (keyword: string, value: unknown, isRoot: boolean): string | undefined => {
  if (!isSchemaKeyword(keyword)) {
    return keyword === 'unevaluatedItems'
      ? 'is not supported; use prefixItems and items'
      : 'is not a supported keyword of JSON Schema 2020-12';
  }
  if ((keyword === '$id' || keyword === '$schema') && !isRoot) return 'is allowed only at the root';
  if (keyword === '$schema' && getDialectIndex(value) !== DIALECTS.length - 1) return `must be one of ${DIALECTS.join(', ')}`;
  if (keyword === '$ref' && !(typeof value === 'string' && /^#(\/[^%]*)?$/.test(value))) {
    return 'must point into this schema, such as #/$defs/name, without percent-encoding';
  }
  if (keyword === 'format' && !isFormat(value)) return FORMAT_FAULT;
  return undefined;
};

const findPatterns = (schema: Readonly<Record<string, unknown>>): readonly (readonly [tokens: readonly string[], source: string])[] => [
  ...(typeof schema.pattern === 'string' ? [[['pattern'], schema.pattern] as const] : []),
  ...subschemasUnder('patternProperties', schema.patternProperties).map(([tokens]) => [tokens, tokens[1] ?? ''] as const),
];

const countRequired = (schema: Readonly<Record<string, unknown>>): number =>
  [schema.required, ...Object.values(isSchemaObject(schema.dependentRequired) ? schema.dependentRequired : {})]
    .filter(Array.isArray)
    .reduce((sum, names) => sum + names.length, 0);

const inspect = (schema: unknown, path: readonly string[], found: Inspection): void => {
  const pointer = formatPointer(path);
  const at = (tokens: readonly string[]) => formatPointer([...path, ...tokens]);
  if (!isSchemaObject(schema)) {
    found.nodes.set(pointer, { pointer, sameValue: [] });
    return;
  }
  const sameValue: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const message = keywordFault(keyword, value, path.length === 0);
    if (isSchemaKeyword(keyword) && SCHEMA_KEYWORDS[keyword] !== 'note') found.keywords += 1;
    if (message !== undefined) found.faults.push({ pointer: at([keyword]), message });
    for (const [tokens, subschema] of subschemasUnder(keyword, value)) {
      if (judgesSameValue.has(keyword)) sameValue.push(at(tokens));
      inspect(subschema, [...path, ...tokens], found);
    }
  }
  for (const [tokens, source] of findPatterns(schema)) {
    found.patterns += 1;
    found.patternWork += linearPatternWork(source);
    const isPrepared = found.patterns <= bounds.patterns && found.patternWork <= bounds.patternWork;
    const compiled = isPrepared ? compileLinearPattern(source) : null;
    if (compiled !== null && 'fault' in compiled) found.faults.push({ pointer: at(tokens), message: compiled.fault });
  }
  found.requiredNames += countRequired(schema);
  found.unevaluated ||= 'unevaluatedProperties' in schema;
  if ('if' in schema && !('then' in schema && 'else' in schema)) found.halfConditions.push(at(['if']));
  const { $ref } = schema;
  const reference = typeof $ref === 'string' && keywordFault('$ref', $ref, true) === undefined ? $ref.slice(1) : undefined;
  found.nodes.set(pointer, { pointer, sameValue, ...(reference === undefined ? {} : { reference }) });
};

/** Returns faults of chains of references before a part of the value is judged; a cycle is a fault, since it would never end. */
const referenceFaults = (nodes: ReadonlyMap<string, Node>): readonly Fault[] => {
  const faults: Fault[] = [];
  const chains = new Map<string, number>();
  const chainFrom = (pointer: string): number => {
    const known = chains.get(pointer);
    if (known !== undefined) return known;
    chains.set(pointer, Number.POSITIVE_INFINITY); // on the way: met again, it is a circle
    const node = nodes.get(pointer);
    const own = node?.reference === undefined ? 0 : 1 + (nodes.has(node.reference) ? chainFrom(node.reference) : 0);
    const chain = Math.max(own, ...(node?.sameValue ?? []).map(chainFrom));
    chains.set(pointer, chain);
    return chain;
  };
  for (const { pointer, reference } of nodes.values()) {
    if (reference === undefined) continue;
    const place = `${pointer}/$ref`;
    const chain = chainFrom(pointer);
    if (!nodes.has(reference)) faults.push({ pointer: place, message: 'must point at a subschema of this schema' });
    else if (chain === Number.POSITIVE_INFINITY) faults.push({ pointer: place, message: 'must not refer to itself for the same value' });
    else if (chain > bounds.referenceChain) {
      faults.push({ pointer: place, message: `must not follow more than ${bounds.referenceChain} references` });
    }
  }
  return faults;
};

const countFaults = ({ nodes, patterns, patternWork, keywords, requiredNames }: Inspection): readonly Fault[] => {
  const references = new Set([...nodes.values()].map(({ reference }) => reference)).size;
  return [
    [nodes.size, bounds.subschemas, 'subschemas'] as const,
    [references, bounds.references, 'different references'] as const,
    [keywords, KEYWORDS_MAX, 'keywords'] as const,
    [patterns, bounds.patterns, 'patterns'] as const,
    [patternWork, bounds.patternWork, 'units of work to compile its patterns'] as const,
    [requiredNames, bounds.requiredNames, 'required names'] as const,
  ].flatMap(([count, limit, what]) =>
    count > limit ? [{ pointer: '', message: `must have at most ${limit} ${what}, not ${count}` }] : [],
  );
};

/**
 * Returns what a user's schema must not contain although JSON Schema allows it: anything that could take unbounded time, or reach outside
 * itself.
 */
export const inspectSchema = (schema: unknown): readonly Fault[] => {
  const found: Inspection = {
    nodes: new Map(),
    faults: [],
    halfConditions: [],
    patterns: 0,
    patternWork: 0,
    keywords: 0,
    requiredNames: 0,
    unevaluated: false,
  };
  inspect(schema, [], found);
  // The compiler loses sight of what such an `if` has judged, and would let properties through or keep them out wrongly.
  const halfConditions = (found.unevaluated ? found.halfConditions : []).map((pointer) => ({
    pointer,
    message: 'must have both then and else in a schema that uses unevaluatedProperties',
  }));
  const counted = countFaults(found);
  return [...counted, ...found.faults, ...halfConditions, ...(counted.length > 0 ? [] : referenceFaults(found.nodes))];
};
