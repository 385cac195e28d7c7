import { parseStrictTime } from './strict-time.ts';

/** The claims of an agent's passport. A change of any of these is a new version. */
export type PassportClaims = {
  readonly agent_id: string;
  readonly name: string;
  readonly organization_id: string;
  readonly environment_id: string;
  /** RFC 7638 thumbprint of the agent's public key, SHA-256, base64url. */
  readonly public_key_thumbprint: string;
  /** Sorted, each once. */
  readonly capabilities: readonly string[];
  readonly key_generation: number;
  readonly version: number;
  readonly issued_at: string;
  readonly expires_at: string;
};

export type PassportSubject = Omit<PassportClaims, 'issued_at' | 'expires_at'>;

const TEXTS = ['agent_id', 'name', 'organization_id', 'environment_id', 'public_key_thumbprint'] as const;
const COUNTS = ['key_generation', 'version'] as const;
const TIMES = ['issued_at', 'expires_at'] as const;
const MEMBERS: readonly string[] = [...TEXTS, ...COUNTS, ...TIMES, 'capabilities'];

/** The claims of a passport in their fixed order, valid for `lifetimeSeconds` from `issuedAtMs`. */
export const buildPassportClaims = (subject: PassportSubject, issuedAtMs: number, lifetimeSeconds: number): PassportClaims => ({
  agent_id: subject.agent_id,
  name: subject.name,
  organization_id: subject.organization_id,
  environment_id: subject.environment_id,
  public_key_thumbprint: subject.public_key_thumbprint,
  capabilities: [...new Set(subject.capabilities)].sort(),
  key_generation: subject.key_generation,
  version: subject.version,
  issued_at: new Date(issuedAtMs).toISOString(),
  expires_at: new Date(issuedAtMs + lifetimeSeconds * 1000).toISOString(),
});

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 1;
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');

/** A value read from a passport's payload, or null when it is not exactly a passport's claims. */
export const readPassportClaims = (value: unknown): PassportClaims | null => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const claims = value as Record<string, unknown>;
  const names = Object.keys(claims);
  const wellFormed =
    names.length === MEMBERS.length &&
    names.every((name) => MEMBERS.includes(name)) &&
    TEXTS.every((name) => typeof claims[name] === 'string' && claims[name] !== '') &&
    COUNTS.every((name) => isCount(claims[name])) &&
    TIMES.every((name) => parseStrictTime(claims[name]) !== null) &&
    isTextList(claims.capabilities);
  return wellFormed ? (value as PassportClaims) : null;
};
