export type Topic = {
  readonly about: string;
  /** Markdown; paths in backquotes are checked by `npm run check`. */
  readonly files: string;
  /** Numbers of decision records. */
  readonly decisions?: readonly string[];
};
