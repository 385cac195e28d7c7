import type { ImportOptions } from '../draft/proposal.ts';
import type { Members } from '../draft/reading.ts';
import type { Resolve } from '../schema/resolve-reference.ts';

/** What operations of a document share. */
export type Api = { readonly root: Members; readonly resolve: Resolve; readonly options: ImportOptions };

/** One operation where it stands. */
export type Operation = {
  readonly key: string;
  /** Whether nothing tells it from another operation. */
  readonly isTwin: boolean;
  readonly method: string;
  readonly path: string;
  /** Of the path, and shared by its operations. */
  readonly shared: Members;
  readonly members: Members;
};
