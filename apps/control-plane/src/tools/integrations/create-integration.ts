import { findApplication } from '@svc/catalogue/read-applications.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { readCredential } from '@svc/operations/credentials/credentials/read-credential.ts';
import { createIntegration as create } from '@svc/operations/tools/integrations/create-integration.ts';
import { getChosenDeclarations, readSetUp } from '@svc/operations/tools/integrations/set-up.ts';
import { convertAnalysedDeclaration } from '@svc/operations/tools/tools/register-tool.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { isSourceTaken } from '@svc/postgres/tools/integrations/integrations.ts';
import type { ToolsDeps } from '../deps.ts';
import { findPlaceRefusal } from '../tool-imports/arriving/keep-import.ts';
import { listToolWarnings } from '../tools/warnings/tool-warnings.ts';
import { listProposalRows } from './proposing/proposal-rows.ts';

type CreateIntegration = Endpoints['createIntegration'];

const NAME_TAKEN = 'A credential of this name exists in this environment, or did: send another name.';
const TOOL_TAKEN = 'A tool with one of these names exists in this environment: send another source.';

/** Returns the first unused source: the key of the application, or the key with a number. */
const freeSource = ({ database, scope, body }: Call<CreateIntegration>, key: string): Promise<string> =>
  readInTenant(database, scope, async (tx) => {
    const { organization_id } = scope;
    const tried = Array.from({ length: LIMITS.integrations.sourcesTriedMax }, (_, at) => (at === 0 ? key : `${key}-${at + 1}`));
    for (const source of tried) {
      if (!(await isSourceTaken(tx, { organization_id, environment_id: body.environment_id, source }))) return source;
    }
    return key;
  });

export const createIntegration: Handler<CreateIntegration, ToolsDeps> = async (call, deps) => {
  const { body } = call;
  const entry = findApplication(body.application);
  if (!entry) return call.fault('/application', 'is no application of the catalogue');
  const refused = await findPlaceRefusal(call, body.environment_id);
  if (refused) return refused;
  const setUp = readSetUp(entry, body, body.source ?? (await freeSource(call, entry.key)));
  if (isRefusal(setUp)) return setUp;
  const given = setUp.credential && readCredential(setUp.credential, deps.settings.credentialsOverHttp);
  if (isRefusal(given)) return given;
  // Computed before, so that no transaction waits for it.
  const warnings = await listToolWarnings(call, getChosenDeclarations(setUp, body.environment_id).map(convertAnalysedDeclaration));
  const request = { ...asActing(call), body, setUp, given, proposals: listProposalRows(entry, setUp.proposals) };
  const made = await call.change((change) => create(change, request, deps), {
    credentials_name_is_unique: () => call.refuse('ALREADY_EXISTS', NAME_TAKEN),
    tools_name_is_unique: () => call.refuse('ALREADY_EXISTS', TOOL_TAKEN),
    integrations_source_is_unique: () => call.refuse('ALREADY_EXISTS', TOOL_TAKEN),
  });
  return isRefusal(made) || warnings.length === 0 ? made : { ...made, warnings: [...warnings] };
};
