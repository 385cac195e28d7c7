import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { ImportOptions } from '../draft/proposal.ts';
import type { Resolve } from '../schema/resolve-reference.ts';

/** Data that operations of a document share. */
export type Api = { readonly root: JsonObject; readonly resolve: Resolve; readonly options: ImportOptions };

/** One operation and its position. */
export type ApiOperation = {
  readonly key: string;
  /** True if it is identical to another operation. */
  readonly isTwin: boolean;
  readonly method: string;
  readonly path: string;
  /** Members of the path, shared by its operations. */
  readonly shared: JsonObject;
  readonly members: JsonObject;
};
