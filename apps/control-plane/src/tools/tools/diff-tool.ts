import type { Endpoints } from '@svc/contract/endpoints.ts';
import { declaredChanges } from '@svc/domain/tools/declaration/change-declaration.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { jsonPatch } from '@svc/policy/trial/json-patch.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findKeptVersion } from '@svc/postgres/tools/tool-versions.ts';
import { findTool } from '@svc/postgres/tools/tools.ts';
import type { ToolsDeps } from '../deps.ts';
import { getCurrentDeclaration } from './declaration/current-declaration.ts';

export const diffTool: Handler<Endpoints['diffTool'], ToolsDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const { from, to } = call.query;
    const tool = await findTool(tx, organization_id, call.params.toolId);
    if (!tool) return call.refuse('NOT_FOUND');
    const find = async (number: number) =>
      (await findKeptVersion(tx, organization_id, tool.id, number)) ??
      (number === tool.declaration_version ? getCurrentDeclaration(tool) : undefined);
    const [older, newer] = [await find(from), await find(to)];
    if (!older || !newer) return call.refuse('NOT_FOUND', `This tool has no declaration ${older ? to : from}.`);
    const [before, after] = [older.declaration, newer.declaration];
    return { from, to, changes: declaredChanges(before, after), patch: jsonPatch(before, after).map((operation) => ({ ...operation })) };
  });
