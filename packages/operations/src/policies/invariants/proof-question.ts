import type { PolicyInvariant } from '@svc/contract/policies/invariants.ts';
import type { VersionBody } from '@svc/contract/policies/language.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import type { ProofScope } from '@svc/policy/prove/place.ts';
import { listScopes } from '@svc/policy/prove/places.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { allPolicyInvariants } from '@svc/postgres/policies/invariants.ts';
import { type BoundPolicies, readBoundPolicies } from '@svc/postgres/policies/policies/bound-policies.ts';

/** Proof obligations that must be met before a change is committed. */
export type Question = {
  readonly key: string;
  readonly parts: readonly { readonly invariant: PolicyInvariant; readonly places: readonly ProofScope[] }[];
};

const digests = new WeakMap<VersionBody, string>();

/** Digests a body once, for all scopes that it binds. */
const computeDigest = (body: VersionBody): string => {
  const known = digests.get(body) ?? sha256Hex(JSON.stringify(body.rules));
  digests.set(body, known);
  return known;
};

/** Compares contents, not identifiers, so that a repeated change is the same question. */
const getSignature = ({ versions, bounds }: ProofScope): string =>
  sha256Hex(JSON.stringify([versions.map(({ policy_id, currency, body }) => [policy_id, currency, computeDigest(body)]), bounds]));

export type State = BoundPolicies & { readonly invariants: readonly PolicyInvariant[] };

export const readState = async (tx: TenantTransaction, organizationId: string): Promise<State> => {
  const invariants = await allPolicyInvariants(tx, organizationId);
  const bound =
    invariants.length === 0 ? { bound: [], directory: { environments: [], agents: [] } } : await readBoundPolicies(tx, organizationId);
  return { ...bound, invariants };
};

/** Returns the scopes of an invariant with their signatures, shared by all invariants of one scope. */
const newSignedPlaces = ({ bound, directory }: State) => {
  const known = new Map<string, readonly { readonly place: ProofScope; readonly signature: string }[]>();
  return ({ scope }: PolicyInvariant) => {
    const key = `${scope.scope} ${scope.id}`;
    const places = known.get(key) ?? listScopes(scope, bound, directory).map((place) => ({ place, signature: getSignature(place) }));
    known.set(key, places);
    return places;
  };
};

/** Returns for each invariant the scopes that the change concerns; all others are already proved. */
export const getProofScopes = (before: State, after: State): Question => {
  const [placesBefore, placesAfter] = [newSignedPlaces(before), newSignedPlaces(after)];
  const parts = after.invariants.flatMap((invariant) => {
    const isOld = before.invariants.some(({ id }) => id === invariant.id);
    const proved = new Set(isOld ? placesBefore(invariant).map(({ signature }) => signature) : []);
    const places = placesAfter(invariant).flatMap(({ place, signature }) => (proved.has(signature) ? [] : [place]));
    return places.length === 0 ? [] : [{ invariant, places }];
  });
  const said = parts.map(({ invariant: { when, if_missing, at_least, at_most, currency }, places }) => [
    [when, if_missing, at_least, at_most, currency],
    places.map(getSignature),
  ]);
  return { key: sha256Hex(JSON.stringify(said)), parts };
};
