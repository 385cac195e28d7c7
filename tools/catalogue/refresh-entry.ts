import { isDeepStrictEqual } from 'node:util';
import type { CatalogueEntry, CatalogueParameter, CatalogueSource, ServiceAction } from '@svc/contract/tools/catalogue-entry.ts';
import { readMembers, readText } from '@svc/domain/tools/tool-imports/draft/reading.ts';
import { type DraftedAction, draftAction, isDocument } from './draft-action.ts';
import { CatalogueFailure, type VendorDocument } from './read-document.ts';
import { findOperation } from './read-operation.ts';

const VERSION_CHARS_MAX = 60;

/**
 * A difference between two documents, in an action. TAKEN: the entry stated the same as the older document, so the proposal states the
 * newer one. CONFLICT: the entry states something else, which stays. GONE: the operation is not in the newer document; the action stays.
 * INFO: nothing that the action states.
 */
export type Difference = { readonly kind: 'TAKEN' | 'CONFLICT' | 'GONE' | 'INFO'; readonly action: string; readonly message: string };

type Merged<Value> = { readonly value: Value; readonly differences: readonly Difference[] };

const show = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

type Sides<Value> = { readonly ours: Value; readonly older: Value; readonly newer: Value };

/** Merges one fact. A fact that both documents state alike stays as the entry has it. */
const mergeFact = <Value>(action: string, name: string, { ours, older, newer }: Sides<Value>): Merged<Value> => {
  if (isDeepStrictEqual(older, newer) || isDeepStrictEqual(ours, newer)) return { value: ours, differences: [] };
  const change = `${name}: ${show(older)} became ${show(newer)}`;
  if (isDeepStrictEqual(ours, older)) return { value: newer, differences: [{ kind: 'TAKEN', action, message: change }] };
  return { value: ours, differences: [{ kind: 'CONFLICT', action, message: `${change}; the entry states ${show(ours)}` }] };
};

const sentName = ({ name, sent_as }: CatalogueParameter): string => sent_as ?? name;
const isSame = (one: CatalogueParameter, other: CatalogueParameter): boolean => one.in === other.in && sentName(one) === sentName(other);

const FACTS = ['type', 'items', 'required', 'enum', 'format', 'minimum', 'maximum', 'max_length', 'max_items'] as const;

const mergeParameter = (
  action: string,
  ours: CatalogueParameter,
  older: CatalogueParameter,
  newer: CatalogueParameter,
): Merged<CatalogueParameter> => {
  const merged = FACTS.map((fact) => ({
    fact,
    ...mergeFact<unknown>(action, `parameter ${ours.name}, ${fact}`, { ours: ours[fact], older: older[fact], newer: newer[fact] }),
  }));
  const { ...kept }: Record<string, unknown> = ours;
  for (const { fact, value } of merged) {
    if (value === undefined) delete kept[fact];
    else kept[fact] = value;
  }
  return { value: kept as CatalogueParameter, differences: merged.flatMap(({ differences }) => differences) };
};

type Compared = { readonly older: DraftedAction; readonly newer: DraftedAction };

const mergeOwnParameter = (action: string, ours: CatalogueParameter, { older, newer }: Compared): Merged<CatalogueParameter> => {
  const before = older.parameters.find((each) => isSame(each, ours));
  const after = newer.parameters.find((each) => isSame(each, ours));
  if (before === undefined) return { value: ours, differences: [] };
  if (after !== undefined) return mergeParameter(action, ours, before, after);
  return { value: ours, differences: [{ kind: 'CONFLICT', action, message: `parameter ${ours.name} is not in the newer document` }] };
};

/** Parameters of the newer document that the action does not have. A required one breaks the call. */
const newcomers = (action: string, ours: readonly CatalogueParameter[], { older, newer }: Compared): readonly Difference[] =>
  newer.parameters.flatMap((each): Difference[] => {
    const before = older.parameters.find((other) => isSame(other, each));
    if (ours.some((other) => isSame(other, each)) || (before !== undefined && before.required === each.required)) return [];
    if (each.required) return [{ kind: 'CONFLICT', action, message: `parameter ${each.name} is required now; the entry does not send it` }];
    return before === undefined ? [{ kind: 'INFO', action, message: `parameter ${each.name} is new` }] : [];
  });

const mergeAction = (action: ServiceAction, older: VendorDocument, newer: VendorDocument): Merged<ServiceAction> => {
  const { pointer } = action.source;
  const [before, after] = [older, newer].map(({ root }) => (root === undefined ? undefined : findOperation(root, pointer)));
  if (before === undefined) throw new CatalogueFailure(`${action.key}: ${pointer} leads to no operation of ${older.path}.`);
  if (after === undefined)
    return { value: action, differences: [{ kind: 'GONE', action: action.key, message: `${pointer} is not in the newer document` }] };
  const compared = { older: draftAction(before), newer: draftAction(after) };
  const parameters = action.parameters.map((each) => mergeOwnParameter(action.key, each, compared));
  const deprecated = before.members.deprecated !== true && after.members.deprecated === true;
  return {
    value: { ...action, parameters: parameters.map(({ value }) => value) },
    differences: [
      ...parameters.flatMap(({ differences }) => differences),
      ...newcomers(action.key, action.parameters, compared),
      ...(deprecated ? [{ kind: 'INFO' as const, action: action.key, message: 'the operation is deprecated now' }] : []),
    ],
  };
};

const refreshedSource = (source: CatalogueSource, newer: VendorDocument, origin: Partial<CatalogueSource>): CatalogueSource => {
  const version = readText(readMembers(readMembers(newer.root).info).version).slice(0, VERSION_CHARS_MAX);
  return { ...source, ...origin, sha256: newer.sha256, document_version: version === '' ? null : version };
};

/**
 * Compares an entry with a newer document: returns a proposal that has what changed only in the document, and every difference. Statements
 * of the entry that differ from the older document stay.
 */
export const refreshEntry = (
  entry: CatalogueEntry,
  { older, newer, origin }: { readonly older: VendorDocument; readonly newer: VendorDocument; readonly origin: Partial<CatalogueSource> },
): { readonly entry: CatalogueEntry; readonly differences: readonly Difference[] } => {
  const source = entry.sources.find(({ sha256 }) => sha256 === older.sha256);
  if (source === undefined) throw new CatalogueFailure(`No source of ${entry.key} has the hash of ${older.path}.`);
  for (const { root, path } of [older, newer]) if (!isDocument(root)) throw new CatalogueFailure(`${path} is no document of OpenAPI 3.`);
  const merged = entry.actions.map(
    (action): Merged<CatalogueEntry['actions'][number]> =>
      action.performed_by === 'SERVICE' && action.source.id === source.id
        ? mergeAction(action, older, newer)
        : { value: action, differences: [] },
  );
  const sources = entry.sources.map((each) => (each === source ? refreshedSource(each, newer, origin) : each));
  return {
    entry: { ...entry, version: entry.version + 1, sources, actions: merged.map(({ value }) => value) },
    differences: merged.flatMap(({ differences }) => differences),
  };
};
