import { base64Url, encoded, encoder } from '../wire/encode-parts.ts';
import { ASSERTION_TYPE } from '../wire/wire-format.ts';
import type { SigningKey } from './import-private-key.ts';

/** Longer than any request takes, and short enough that a leaked one soon expires. */
const LIFETIME_MS = 60_000;

const NONCE_BYTES = 24;

export type AssertionFacts = {
  readonly agentId: string;
  readonly keyGeneration: number;
  readonly audience: string;
  readonly nowMs: number;
  /** Flow context of the session; without it the agent's unnamed one. */
  readonly context?: string | undefined;
};

/** Signs a compact JWS by which the agent proves once, within a minute, that it holds its key. The nonce makes each one different. */
export const signAssertion = async (
  key: SigningKey,
  { agentId, keyGeneration, audience, nowMs, context }: AssertionFacts,
): Promise<string> => {
  const header = encoded({ alg: 'EdDSA', typ: ASSERTION_TYPE, kid: `${agentId}#${keyGeneration}` });
  const payload = encoded({
    sub: agentId,
    aud: audience,
    iat: new Date(nowMs).toISOString(),
    exp: new Date(nowMs + LIFETIME_MS).toISOString(),
    nonce: base64Url(crypto.getRandomValues(new Uint8Array(NONCE_BYTES))),
    ...(context === undefined ? {} : { context }),
  });
  const signature = await key.sign(encoder.encode(`${header}.${payload}`));
  return `${header}.${payload}.${base64Url(new Uint8Array(signature))}`;
};
