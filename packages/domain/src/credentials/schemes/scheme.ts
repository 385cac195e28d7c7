import type { CredentialExtra, Placement } from '@svc/contract/credentials/credentials.ts';
import type { Fault } from '../../tools/fault.ts';

type Member = keyof Placement;

/** Plain text that a scheme writes before and after the secret. */
export type Around = readonly [before: string, after: string];

/** The encoding of a scheme that does not send its text as it is. */
export type SchemeEncoding = {
  readonly write: (text: string) => string;
  /** Returns the written text with a mark in place of the secret. */
  readonly show: (mark: string) => string;
  /** Returns texts within the written one that reveal the secret, without the text around it, which many people may know. */
  readonly revealing: (around: Around, secret: string) => readonly string[];
};

/** A way to send the secret of a credential. */
export type Scheme = {
  /** Members of the placement. Every other member is rejected. */
  readonly needs: readonly Member[];
  readonly allows: readonly Member[];
  /** Returns faults of a placement other than missing and unknown members. */
  readonly faults: (placement: Placement) => readonly Fault[];
  /** Returns the position of the secret in the request, for a placement without faults. */
  readonly slot: (placement: Placement) => CredentialExtra;
  readonly around: (placement: Placement) => Around;
  readonly encoding?: SchemeEncoding;
};

export const acceptEverything: Scheme['faults'] = () => [];
export const nothingAround: Scheme['around'] = () => ['', ''];
