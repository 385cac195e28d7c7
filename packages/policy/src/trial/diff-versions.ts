import type { PolicyRule, PolicyTestCase, VersionBody } from '@svc/contract/policies/language.ts';
import { jsonPatch, type PatchOperation } from './json-patch.ts';

export type Changes<Item> = {
  readonly added: Item[];
  readonly removed: Item[];
  /** Each changed item with the JSON Patch (RFC 6902) from the older to the newer one. */
  readonly changed: { readonly id: string; readonly patch: PatchOperation[] }[];
};

const diffById = <Item>(from: readonly Item[], to: readonly Item[], idOf: (item: Item) => string): Changes<Item> => {
  const before = new Map(from.map((item) => [idOf(item), item]));
  const after = new Set(to.map(idOf));
  return {
    added: to.filter((item) => !before.has(idOf(item))),
    removed: from.filter((item) => !after.has(idOf(item))),
    changed: to
      .filter((item) => before.has(idOf(item)))
      .map((item) => ({ id: idOf(item), patch: jsonPatch(before.get(idOf(item)), item) }))
      .filter(({ patch }) => patch.length > 0),
  };
};

/** Returns the changes for a reviewer: rules matched by id and tests by name, so that moving one changes nothing here. */
export const diffVersions = (
  from: VersionBody,
  to: VersionBody,
): { readonly rules: Changes<PolicyRule>; readonly tests: Changes<PolicyTestCase> } => ({
  rules: diffById(from.rules, to.rules, (rule) => rule.id),
  tests: diffById(from.tests, to.tests, (one) => one.name),
});
