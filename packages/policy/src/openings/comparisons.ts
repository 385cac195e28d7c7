import type { PolicySource } from '../judge/compile-version.ts';
import { fieldsRead } from '../language/fields-read.ts';
import type { ProofScope } from '../prove/place.ts';
import { listScopes, type ScopeDirectory } from '../prove/places.ts';

/** The policies in force in one scope, before and after a change. */
export type Comparison = Pick<ProofScope, 'name' | 'bounds'> & {
  readonly before: readonly PolicySource[];
  readonly after: readonly PolicySource[];
};

/** All scopes that a change concerns; `more` if others were left out. */
export type Comparisons = { readonly places: readonly Comparison[]; readonly more: boolean };

/** Beyond this number of scopes, or of policies in scopes, none are compared. */
const PLACES_MAX = 60;
const SOURCES_MAX = 2_000;

const getKey = ({ policy_id, version_id, binding }: PolicySource): string => `${policy_id} ${version_id} ${binding.scope} ${binding.id}`;

/** Scopes with the same policies that no rule can distinguish have one signature. */
const getSignature = ({ bounds, before, after }: Comparison): string => {
  const read = new Set([...before, ...after].flatMap(({ body }) => body.rules.flatMap(({ when }) => fieldsRead(when))));
  const isRead = (name: string): boolean => read.has(name) || (name === 'agent.id' && read.has('principal.id'));
  return JSON.stringify([before.map(getKey), after.map(getKey), Object.entries(bounds).filter(([name]) => isRead(name))]);
};

/** Splits the requests of an organization by the policies that apply to them, and keeps those whose policies a change concerns. */
export const comparePlaces = (before: readonly PolicySource[], after: readonly PolicySource[], directory: ScopeDirectory): Comparisons => {
  const [old, current] = [before, after].map((sources) => new Set(sources.map(getKey))) as [Set<string>, Set<string>];
  const all = [...before, ...after.filter((source) => !old.has(getKey(source)))];
  if (all.length > SOURCES_MAX) return { places: [], more: true };
  const places = new Map<string, Comparison>();
  for (const { name, bounds, versions } of listScopes({ scope: 'ORGANIZATION', id: '' }, all, directory)) {
    if (versions.every((source) => old.has(getKey(source)) && current.has(getKey(source)))) continue;
    const isAgents = bounds['agent.id']?.only !== undefined;
    // Agents of the scope get the policies that are bound to them, and no request has two agents.
    const comparison = {
      name,
      bounds,
      before: versions.filter((source) => old.has(getKey(source))),
      after: versions.filter((source) => current.has(getKey(source))),
    };
    const signature = isAgents ? `${bounds['agent.id']?.only} ${getSignature(comparison)}` : getSignature(comparison);
    if (!places.has(signature)) places.set(signature, comparison);
  }
  const found = [...places.values()];
  return { places: found.slice(0, PLACES_MAX), more: found.length > PLACES_MAX };
};
