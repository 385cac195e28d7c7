import type { Format } from './draft/proposal.ts';
import { graphql } from './graphql/read-graphql.ts';
import { openApi } from './openapi/read-openapi.ts';
import { postman } from './postman/read-postman.ts';

/** Every format that is read, each from a folder of its own; the first one that a document says it is of. */
export const FORMATS = { openApi, postman, graphql } as const satisfies Readonly<Record<string, Format>>;
