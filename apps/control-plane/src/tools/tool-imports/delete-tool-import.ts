import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { deleteImport } from '@svc/postgres/tools/tool-imports/tool-imports.ts';
import type { ToolsDeps } from '../deps.ts';

/**
 * Deletes a document. The applied declarations are kept with their tools, so that the next document of the source is still compared with
 * it.
 */
export const deleteToolImport: Handler<Endpoints['deleteToolImport'], ToolsDeps> = (call) => {
  const { importId: id } = call.params;
  return call.change(async ({ tx }) => {
    const isGone = await deleteImport(tx, { organization_id: call.scope.organization_id, id });
    return isGone ? { id } : call.refuse('NOT_FOUND');
  });
};
