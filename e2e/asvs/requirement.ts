/** Proof that a requirement is met: a test by its file and exact title, or a part of a document by its heading. */
export type Proof = { readonly file: string; readonly test: string } | { readonly file: string; readonly heading: string };

type Told = {
  readonly level: 1 | 2;
  /** The requirement in our own words. */
  readonly says: string;
};

/** How the service meets one requirement of the standard. */
export type Requirement = Told &
  (
    | { readonly met: readonly Proof[] }
    /** Why it is not met, and what to do instead. SECURITY.md lists each of them. */
    | { readonly unmet: string }
    /** Feature of the requirement that the service does not have. */
    | { readonly notApplicable: string }
  );

export type Chapter = {
  readonly id: string;
  readonly title: string;
  /** Keyed by the number in the standard, such as 6.2.1. */
  readonly requirements: Readonly<Record<string, Requirement>>;
};

export const requirementMet = (level: 1 | 2, says: string, ...proofs: readonly Proof[]): Requirement => ({ level, says, met: proofs });

export const requirementUnmet = (level: 1 | 2, says: string, why: string): Requirement => ({ level, says, unmet: why });

export const notApplicable = (level: 1 | 2, says: string, why: string): Requirement => ({ level, says, notApplicable: why });

/** Builds proofs of one file by test title. */
export const proveByTest =
  (file: string) =>
  (test: string): Proof => ({ file, test });

/** Builds proofs of one document by heading. */
export const proveByHeading =
  (file: string) =>
  (heading: string): Proof => ({ file, heading });
