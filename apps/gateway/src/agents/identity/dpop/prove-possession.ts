import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { type Asked, failClosed } from '@svc/enforcement/ports/fail-closed.ts';
import { DPOP_NONCE_MS } from '@svc/keyring/tokens/dpop-nonces.ts';
import { type DpopFault, type DpopProof, digestProof, findDpopFault, isDpopFault, readDpopProof } from '@svc/keyring/tokens/dpop-proof.ts';
import { useProof } from '@svc/postgres/agents/identity/use-proof.ts';
import { inTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { GatewayDeps } from '../../../deps.ts';

/** A request that proves possession of a key (RFC 9449). */
export type PossessionProof = {
  /** The header DPoP. */
  readonly proof: string;
  readonly method: string;
  /** Path without query. */
  readonly path: string;
  readonly now: Date;
  /** The bound token that comes with it. */
  readonly token?: string;
  readonly jkt?: string;
};

/** Checks a proof against its request. Stateless: it may have been used before. */
export const checkProof = (deps: GatewayDeps, { proof, method, path, now, ...bound }: PossessionProof): DpopProof | DpopFault => {
  const read = readDpopProof(proof);
  if (isDpopFault(read)) return read;
  const faulty = findDpopFault(read, {
    method,
    // Proxies may change host and path prefix, so clients must sign the public address.
    address: deps.tokenScope.audience + path,
    nowMs: now.getTime(),
    windowSeconds: deps.settings.assertionWindowSeconds,
    isFresh: (nonce) => deps.dpopNonces.isFresh(nonce, now.getTime()),
    ...bound,
  });
  return faulty ?? read;
};

const REPLAYED: DpopFault = { error: 'invalid_dpop_proof', message: 'The proof was used before. Make one for each request.' };

/** Uses up a valid proof. It is stored until its nonce expires. */
export const spendProof = async (
  deps: GatewayDeps,
  asked: Asked,
  organizationId: string,
  proof: DpopProof,
  now: Date,
): Promise<DpopFault | Refusal<'IDENTITY_SERVICE_UNAVAILABLE'> | undefined> => {
  const use = { hash: digestProof(proof), now, expiresAt: new Date(now.getTime() + 3 * DPOP_NONCE_MS) };
  const isFirst = await failClosed('IDENTITY_SERVICE_UNAVAILABLE', deps.pipeline, asked, () =>
    inTenant(deps.database, { organization_id: organizationId }, (tx) => useProof(tx, organizationId, use)),
  );
  if (isRefusal(isFirst)) return buildRefusal('IDENTITY_SERVICE_UNAVAILABLE');
  return isFirst ? undefined : REPLAYED;
};

/** The refusal of a token endpoint. */
export const refuseProof = ({ error, message }: DpopFault): Refusal<'UNPROCESSABLE'> =>
  buildRefusal('UNPROCESSABLE', message, { oauth_error: error });

export const PROOF_REQUIRED: DpopFault = {
  error: 'invalid_dpop_proof',
  message: 'This agent must prove possession of a key: send the header DPoP (RFC 9449).',
};
