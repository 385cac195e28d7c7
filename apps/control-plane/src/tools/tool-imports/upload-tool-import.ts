import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ToolsDeps } from '../deps.ts';
import { findPlaceRefusal, keepImport } from './arriving/keep-import.ts';
import { readFile } from './arriving/read-file.ts';

/** Reads an uploaded document. Nothing is read from the connection before there is capacity for all of it. */
export const uploadToolImport: Handler<Endpoints['uploadToolImport'], ToolsDeps> = async (call, deps) => {
  const { query, arriving } = call;
  if (arriving === null) return call.fault('', 'Send the document as application/octet-stream.');
  const refused = await findPlaceRefusal(call, query.environment_id);
  if (refused) return refused;
  call.onCall();
  return deps.toolImports.arrive(call.scope.organization_id, async () => {
    const pieces = await readFile(arriving);
    return isRefusal(pieces) ? pieces : keepImport(call, deps, { ...query, pieces, pointer: '', origin: 'FILE' });
  });
};
