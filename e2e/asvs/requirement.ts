/** What shows that a requirement is met: a test by its file and exact title, or a part of a document by its heading. */
export type Proof = { readonly file: string; readonly test: string } | { readonly file: string; readonly heading: string };

type Told = {
  readonly level: 1 | 2;
  /** What is asked, in our own words. */
  readonly says: string;
};

/** How the service stands to one requirement of the standard. */
export type Requirement = Told &
  (
    | { readonly met: readonly Proof[] }
    /** Why it is not, and what to do meanwhile. SECURITY.md tells each of them. */
    | { readonly unmet: string }
    /** What the service does not have that the requirement is about. */
    | { readonly notApplicable: string }
  );

export type Chapter = {
  readonly id: string;
  readonly title: string;
  /** By the number of the standard, such as 6.2.1. */
  readonly requirements: Readonly<Record<string, Requirement>>;
};

export const met = (level: 1 | 2, says: string, ...proofs: readonly Proof[]): Requirement => ({ level, says, met: proofs });

export const unmet = (level: 1 | 2, says: string, why: string): Requirement => ({ level, says, unmet: why });

export const notApplicable = (level: 1 | 2, says: string, why: string): Requirement => ({ level, says, notApplicable: why });

/** Tests of one file, each by its title. */
export const testsOf =
  (file: string) =>
  (test: string): Proof => ({ file, test });

/** Parts of one document, each by its heading. */
export const partsOf =
  (file: string) =>
  (heading: string): Proof => ({ file, heading });
