import type { Explanation } from '@svc/contract/actions/decisions.ts';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { readVersionStatics, type VersionStatics } from '@svc/enforcement/explanation/rule-statics.ts';
import { type KeptExplanation, listVersionIds, unfoldExplanation, type Versions } from '@svc/enforcement/explanation/unfold-explanation.ts';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Versions that are remembered may take this many characters of JSON together. */
const REMEMBERED_MAX = 2_000_000;

type Remembered = { readonly statics: VersionStatics; readonly size: number };

/** LRU cache of versions, which are immutable. Keyed by organization, since none may see another's. */
const remembered = new LRUCache<string, Remembered>({
  maxSize: REMEMBERED_MAX,
  sizeCalculation: ({ size }) => Math.max(1, size),
});

const getKey = (organizationId: string, versionId: string): string => `${organizationId} ${versionId}`;

/**
 * Reads versions without their policies: an action is explained to everyone who may read it, even if its policy was deleted or
 * its binding is outside this reader's scope.
 */
const readVersions = async (tx: TenantTransaction, organizationId: string, ids: readonly string[]): Promise<[string, Remembered][]> => {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string; rules: readonly PolicyRule[] }>`
    select id, rules from policy_versions where organization_id = ${organizationId} and id = any(${ids})`.execute(tx);
  return rows.map(({ id, rules }) => [id, { statics: readVersionStatics(rules), size: JSON.stringify(rules).length }]);
};

const findVersions = async (tx: TenantTransaction, organizationId: string, ids: ReadonlySet<string>): Promise<Versions> => {
  const found = new Map<string, VersionStatics>();
  const unknown: string[] = [];
  for (const id of ids) {
    const known = remembered.get(getKey(organizationId, id));
    if (known === undefined) unknown.push(id);
    else found.set(id, known.statics);
  }
  for (const [id, one] of await readVersions(tx, organizationId, unknown)) {
    remembered.set(getKey(organizationId, id), one);
    found.set(id, one.statics);
  }
  return found;
};

/**
 * Returns the original explanations, in the order of the stored ones. Reads the versions at most once for all of them.
 * Throws if one cannot be restored completely.
 */
export const unfoldKept = async (tx: TenantTransaction, organizationId: string, kept: readonly unknown[]): Promise<Explanation[]> => {
  const all = kept as readonly KeptExplanation[];
  const versions = await findVersions(tx, organizationId, new Set(all.flatMap(listVersionIds)));
  return all.map((one) => unfoldExplanation(one, versions));
};

/** The same for one. */
export const unfoldOne = async (tx: TenantTransaction, organizationId: string, kept: unknown): Promise<Explanation> => {
  const [told] = await unfoldKept(tx, organizationId, [kept]);
  return told as Explanation;
};
