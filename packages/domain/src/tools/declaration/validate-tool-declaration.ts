import { getIdPattern } from '@svc/contract/tables/ids.ts';
import type { ToolDeclaration } from '@svc/contract/tools/tools.ts';
import { type AllowlistEntry, isAllowed, parseAllowlistEntry } from '../destinations/allowlist.ts';
import { type Fault, isFaults } from '../fault.ts';
import { parsePointer, readMember } from '../json-pointer.ts';
import { listExecutionNames, type ParsedExecution, parseExecution } from '../request/parse-execution.ts';
import { normaliseSchema } from '../schema/normalise-schema.ts';
import { checkParametersSchema, uncheckedConstraints } from '../schema/parameters-schema.ts';
import { findDeclaredProperty } from './declared-property.ts';
import { declaredSecrets } from './declared-secrets.ts';

/** The members that the rules of this file read; a stored tool and a new declaration both have them. */
export type JudgedDeclaration = Pick<
  ToolDeclaration,
  'kind' | 'destination_allowlist' | 'parameters_schema' | 'amount_from' | 'currency_from' | 'destination_from' | 'narrowable' | 'execution'
> & { readonly name?: string };

const LIKE_AN_ID = new RegExp(getIdPattern('tool'), 'i');

type ParsedEntry = AllowlistEntry | { readonly fault: string };

/** JSON types that a field's source may be declared with. */
const sources = [
  ['amount_from', ['integer', 'number']],
  ['currency_from', ['string']],
  ['destination_from', ['string']],
] as const;

const sourceFaults = (declaration: JudgedDeclaration): readonly Fault[] =>
  sources.flatMap(([field, types]) => {
    const pointer = `/${field}`;
    const written = declaration[field];
    if (written === undefined) return [];
    const tokens = parsePointer(written);
    if (tokens === null || tokens.length === 0) return [{ pointer, message: 'must be a JSON Pointer to a parameter, such as /amount' }];
    const found = findDeclaredProperty(declaration.parameters_schema ?? {}, tokens);
    if (found === 'undeclared') return [{ pointer, message: 'must refer to a parameter declared in parameters_schema' }];
    const type = found === 'open' ? undefined : readMember(found.schema, 'type');
    const fits = type === undefined || [type].flat().some((each) => types.some((allowed) => allowed === each));
    return fits ? [] : [{ pointer, message: `must refer to a parameter declared as ${types.join(' or ')}` }];
  });

/** A pointer to nothing would permit no reduction, and is probably a mistake. */
const narrowableFaults = ({ narrowable = [], parameters_schema = {} }: JudgedDeclaration): readonly Fault[] =>
  narrowable.flatMap((written, index) => {
    const tokens = parsePointer(written);
    const isDeclared = tokens !== null && tokens.length > 0 && findDeclaredProperty(parameters_schema, tokens) !== 'undeclared';
    return isDeclared ? [] : [{ pointer: `/narrowable/${index}`, message: 'must refer to a parameter declared in parameters_schema' }];
  });

const nameFaults = (execution: ParsedExecution, schema: unknown): readonly Fault[] =>
  listExecutionNames(execution)
    .filter(({ name }) => findDeclaredProperty(schema, name.split('.')) === 'undeclared')
    .map(({ name, pointer }) => ({ pointer, message: `uses the parameter ${name}, which is not declared in parameters_schema` }));

const hostFaults = (execution: ParsedExecution, entries: readonly ParsedEntry[]): readonly Fault[] => {
  const { destination } = execution.url;
  // One unreadable entry may be the one that was meant for this host; its own fault is enough.
  if (destination === undefined || entries.some((entry) => 'fault' in entry)) return [];
  const readable = entries.filter((entry): entry is AllowlistEntry => !('fault' in entry));
  return isAllowed(readable, destination)
    ? []
    : [{ pointer: '/execution/url', message: 'must have a host and port that destination_allowlist includes' }];
};

const executionFaults = (declaration: JudgedDeclaration, entries: readonly ParsedEntry[]): readonly Fault[] => {
  const { kind, execution } = declaration;
  if (kind !== 'HTTP')
    return execution === undefined ? [] : [{ pointer: '/execution', message: `must be omitted for a tool of kind ${kind}` }];
  if (execution === undefined) return [{ pointer: '/execution', message: 'is required for a tool of kind HTTP' }];
  const parsed = parseExecution(execution);
  if (isFaults(parsed)) return parsed.faults;
  return [...nameFaults(parsed, declaration.parameters_schema ?? {}), ...hostFaults(parsed, entries)];
};

/** The declaration with its schema in the keywords that the rules read. */
const normalised = (declaration: JudgedDeclaration): JudgedDeclaration => ({
  ...declaration,
  parameters_schema: normaliseSchema(declaration.parameters_schema ?? {}).schema,
});

/**
 * Returns the faults that apply to a stored tool too: all but those of style. Rules on secrets are not among
 * them, since a tool from before they existed keeps working.
 */
export const findStoredToolFaults = (declaration: JudgedDeclaration): readonly Fault[] => {
  const schema = checkParametersSchema(declaration.parameters_schema ?? {});
  if (schema.length > 0) return [{ pointer: '/parameters_schema', message: 'cannot be used' }];
  const judged = normalised(declaration);
  return [...sourceFaults(judged), ...executionFaults(judged, (declaration.destination_allowlist ?? []).map(parseAllowlistEntry))];
};

/**
 * The rules on a tool beyond the shape of its fields, but those on secrets. Every constraint of the schema has to be one that is checked, since
 * its author relies on it. Pointers are below the declaration itself.
 */
export const findDeclarationFaults = (declaration: JudgedDeclaration): readonly Fault[] => {
  const entries = (declaration.destination_allowlist ?? []).map(parseAllowlistEntry);
  const allowlist = entries.flatMap((entry, index) =>
    'fault' in entry ? [{ pointer: `/destination_allowlist/${index}`, message: entry.fault }] : [],
  );
  const { parameters_schema = {} } = declaration;
  const unusable = checkParametersSchema(parameters_schema);
  const schema = unusable.length > 0 ? unusable : uncheckedConstraints(parameters_schema);
  if (schema.length > 0)
    return [...allowlist, ...schema.map(({ pointer, message }) => ({ pointer: `/parameters_schema${pointer}`, message }))];
  const judged = normalised(declaration);
  return [...allowlist, ...sourceFaults(judged), ...narrowableFaults(judged), ...executionFaults(judged, entries)];
};

/** Requests and delegations refer to a tool by its name or its id. */
const idFaults = ({ name = '' }: JudgedDeclaration): readonly Fault[] =>
  LIKE_AN_ID.test(name) ? [{ pointer: '/name', message: 'must not look like the id of a tool' }] : [];

/** All the rules on a tool; empty when it can be registered. */
export const validateToolDeclaration = (declaration: JudgedDeclaration): readonly Fault[] => {
  const faults = [...idFaults(declaration), ...findDeclarationFaults(declaration)];
  const told = new Set(faults.map(({ pointer }) => pointer));
  const isUnread = faults.some(({ pointer }) => pointer.startsWith('/parameters_schema'));
  return isUnread ? faults : [...faults, ...declaredSecrets(declaration).filter(({ pointer }) => !told.has(pointer))];
};
