import type { ImportFormat } from './draft/proposal.ts';
import { graphql } from './graphql/read-graphql.ts';
import { openApi } from './openapi/read-openapi.ts';
import { postman } from './postman/read-postman.ts';

/** All formats, one folder each; the first one that a document claims is used. */
export const FORMATS = { openApi, postman, graphql } as const satisfies Readonly<Record<string, ImportFormat>>;
