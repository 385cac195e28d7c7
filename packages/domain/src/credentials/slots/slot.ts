/** The parts of a request that a secret can be in. Names in `headers` are in lower case. */
export type SecretBearing = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/** Why a secret cannot be placed, as a sentence for people. */
export type Unplaced = { readonly unplaced: string };

/** A position in a request that a named text is written to. */
export type CredentialSlot = {
  /** True if a request without a body cannot carry it. */
  readonly needsBody: boolean;
  /** Names the position to people. */
  readonly describe: (name: string) => string;
  /** Returns why a name is invalid, without its subject; undefined if it is valid. */
  readonly nameFault: (name: string) => string | undefined;
  /** A key that is equal for names that a service may read as the same one. */
  readonly keyOf: (name: string) => string;
  /** Writes the text under the name, and removes every other text that a service may read as that name. */
  readonly place: (request: SecretBearing, name: string, text: string) => SecretBearing | Unplaced;
};
