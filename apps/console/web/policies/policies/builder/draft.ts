import type { Path } from './edit-text.ts';
import type { Builder } from './language.ts';

/** The text that the builder shows and changes, with what its parts need to know. */
export type Draft = {
  readonly builder: Builder;
  readonly text: string;
  readonly currency: string | undefined;
  /** Replaces the text. */
  readonly change: (text: string) => void;
  /** Shows a part of the text as JSON. */
  readonly openJson: (path: Path) => void;
};
