import type { ImportOptions } from '../draft/proposal.ts';
import type { Members } from '../draft/reading.ts';
import type { Resolve } from '../schema/resolve-reference.ts';

/** Data that operations of a document share. */
export type Api = { readonly root: Members; readonly resolve: Resolve; readonly options: ImportOptions };

/** One operation and its position. */
export type ApiOperation = {
  readonly key: string;
  /** True if it is identical to another operation. */
  readonly isTwin: boolean;
  readonly method: string;
  readonly path: string;
  /** Members of the path, shared by its operations. */
  readonly shared: Members;
  readonly members: Members;
};
