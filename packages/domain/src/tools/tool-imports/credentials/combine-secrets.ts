import type { WantedCredential } from '@svc/contract/tools/tool-imports.ts';
import { combineWantedCredentials, listPositionKeys } from './combine-wanted-credentials.ts';

/** A secret that an operation takes as a parameter or field. */
export type Secret = { readonly credential: WantedCredential; readonly required: boolean };

export type Combined = { readonly credentials: readonly WantedCredential[]; readonly notes: readonly string[] };

const NAMES_MAX = 8;

const unsentNote = (names: readonly string[]): readonly string[] =>
  names.length === 0
    ? []
    : [`It also has ${names.slice(0, NAMES_MAX).join(', ')}, which appears to be a secret and is not sent by the proposed credential.`];

/** The credential with those of the required secrets that it does not send yet; unchanged if one credential cannot send them all. */
const extend = (credential: WantedCredential, required: readonly WantedCredential[]): WantedCredential => {
  const sent = new Set(listPositionKeys(credential));
  const missing = required.filter((each) => !listPositionKeys(each).some((key) => sent.has(key)));
  return combineWantedCredentials([credential, ...missing]) ?? credential;
};

/**
 * Adds the secrets among an operation's parameters to its credentials, of which each alone is enough. A note names those that none sends.
 */
export const combineSecrets = (credentials: readonly WantedCredential[], secrets: readonly Secret[]): Combined => {
  const required = secrets.filter((each) => each.required).map(({ credential }) => credential);
  const optional = secrets.filter((each) => !each.required).map(({ credential }) => credential);
  const together = required.length === 0 ? undefined : combineWantedCredentials(required);
  const alone = together === undefined ? [...required, ...optional] : [together];
  const combined = credentials.length === 0 ? alone : credentials.map((credential) => extend(credential, required));
  const sent = new Set(combined.flatMap(listPositionKeys));
  const unsent = secrets.filter(({ credential }) => !listPositionKeys(credential).some((key) => sent.has(key)));
  const apart =
    credentials.length === 0 && required.length > 1 && together === undefined
      ? [
          `It requires ${required
            .map(({ name }) => name)
            .slice(0, NAMES_MAX)
            .join(' and ')} together, which one credential cannot send.`,
        ]
      : [];
  return { credentials: combined, notes: [...apart, ...unsentNote(unsent.map(({ credential }) => credential.name))] };
};
