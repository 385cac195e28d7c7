import type { NewTrustProvider, TrustKey } from '@svc/contract/risk/trust/trust-shapes.ts';
import { buildRefusal, isRefusal, type Refusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findIdentityFault } from '@svc/domain/risk/trust/match-identity.ts';
import { createFullRefusal } from '@svc/domain/tenancy/organization/full-refusal.ts';
import { readProviderKey } from '@svc/keyring/evidence/provider-key.ts';
import { readTrustedRoot } from '@svc/keyring/evidence/trusted-root.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import {
  findTrustProvider,
  insertTrustProvider,
  type TrustProviderRow,
  takeProviderTurn,
} from '@svc/postgres/risk/trust/trust-providers.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { formatProviderForAudit } from './as-trust-provider.ts';

type Invalid = Refusal<'VALIDATION_FAILED'>;

const { trust } = LIMITS;
const FULL = `An organization has at most ${trust.providersMax} providers of trust evidence, the disabled ones included.`;
const PART = 'This call is limited to a part of the organization, and providers of trust evidence hold for all of it.';

/** Reads the registered keys, each with its kid. */
const readKeys = (keys: readonly TrustKey[]): TrustKey[] | Invalid => {
  const known = new Set<string>();
  const read: TrustKey[] = [];
  for (const [at, jwk] of keys.entries()) {
    const parsed = readProviderKey(jwk);
    if (!parsed.ok) return refuseBody(`/keys/${at}`, parsed.reason);
    if (known.has(parsed.key.kid)) return refuseBody(`/keys/${at}`, 'The key must have another kid than the keys before it.');
    known.add(parsed.key.kid);
    read.push({ ...jwk, kid: parsed.key.kid });
  }
  return read;
};

/** The members that a kind of provider requires; it has no others. */
const NEEDS = { KEYS: ['keys'], SIGSTORE: ['identities', 'trusted_root'], MANUAL: [] } as const;
const PROOFS = ['keys', 'identities', 'trusted_root'] as const;

const proofFault = (body: NewTrustProvider): Invalid | undefined => {
  const needed: readonly (typeof PROOFS)[number][] = NEEDS[body.kind];
  for (const member of PROOFS) {
    const given = body[member];
    const isThere = given !== undefined && !(Array.isArray(given) && given.length === 0);
    if (needed.includes(member) && !isThere) return refuseBody(`/${member}`, `A provider of the kind ${body.kind} needs ${member}.`);
    if (!needed.includes(member) && isThere) return refuseBody(`/${member}`, `A provider of the kind ${body.kind} has no ${member}.`);
  }
  return undefined;
};

const levelFault = ({ kind, max_level, independent = false }: NewTrustProvider): Invalid | undefined => {
  if (independent && kind !== 'KEYS') return refuseBody('/independent', 'Only a provider of the kind KEYS can be independent.');
  if (kind === 'MANUAL' && max_level > 2) return refuseBody('/max_level', 'Statements of people give at most level 2.');
  if (kind === 'KEYS' && max_level > 3 && !independent)
    return refuseBody('/max_level', 'Signatures of a provider that is not independent give at most level 3.');
  return undefined;
};

const rootFault = ({ trusted_root, identities = [] }: NewTrustProvider): Invalid | undefined => {
  if (trusted_root === undefined) return undefined;
  if (Buffer.byteLength(JSON.stringify(trusted_root)) > trust.trustedRootBytesMax)
    return refuseBody('/trusted_root', `The trusted root must be at most ${trust.trustedRootBytesMax} bytes.`);
  const read = readTrustedRoot(trusted_root, trust.authoritiesMax);
  if ('fault' in read) return refuseBody('/trusted_root', `The trusted root ${read.fault}.`);
  const faults = identities.map(findIdentityFault);
  const at = faults.findIndex((fault) => fault !== undefined);
  return at === -1 ? undefined : refuseBody(`/identities/${at}`, `The identity ${faults[at]}.`);
};

/** Registers a provider. The name of an active one violates `trust_providers_name_is_unique`. */
export const createTrustProvider = async (
  { tx, emit }: Change<'trust.provider_created'>,
  { scope, actor, now, body }: CallContext & { readonly body: NewTrustProvider },
  id: string,
): Promise<TrustProviderRow | Refusal<'VALIDATION_FAILED' | 'UNPROCESSABLE' | 'PERMISSION_DENIED'>> => {
  const { organization_id, workspace_ids, environment_id } = scope;
  if (workspace_ids || environment_id) return buildRefusal('PERMISSION_DENIED', PART);
  const { name, kind, identities = [], trusted_root, evidence_kinds, max_level, independent = false } = body;
  const fault = proofFault(body) ?? levelFault(body) ?? rootFault(body);
  if (fault) return fault;
  const keys = readKeys(body.keys ?? []);
  if (isRefusal(keys)) return keys;
  const there = await takeProviderTurn(tx, organization_id);
  if (there >= trust.providersMax) return createFullRefusal('providers', there + 1, trust.providersMax, FULL);
  await insertTrustProvider(tx, {
    ...{ organization_id, id, name, kind, evidence_kinds: [...new Set(evidence_kinds)].sort(), max_level, independent },
    keys: JSON.stringify(keys),
    identities: JSON.stringify(identities),
    trusted_root: trusted_root === undefined ? null : JSON.stringify(trusted_root),
    ...{ created_by: actor.id, created_at: now },
  });
  const added = await findTrustProvider(tx, organization_id, id);
  if (!added) throw new Error('the provider that was added was not found');
  emit('trust.provider_created', { ...about.trust_provider(added), data: { after: formatProviderForAudit(added) } });
  return added;
};
