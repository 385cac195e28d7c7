import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { changeIntegration, findIntegration, lockIntegration } from '@svc/postgres/tools/integrations/integrations.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { disableTool } from '../tools/disable-tool.ts';
import { asIntegration } from './as-integration.ts';

const REASON = 'Its integration was removed.';

/** Removes an integration and disables its tools. Its credential stays, since other tools may use it. */
export const removeIntegration = async (
  change: Change<EmittedBy<Endpoints['removeIntegration']>>,
  request: CallContext & { readonly integrationId: string },
) => {
  const { tx, emit } = change;
  const { scope, now, integrationId } = request;
  const key = { organization_id: scope.organization_id, id: integrationId };
  const locked = await lockIntegration(tx, key);
  const before = locked && (await findIntegration(tx, key));
  if (!before) return buildRefusal('NOT_FOUND');
  if (before.status === 'REMOVED') return buildRefusal('INVALID_STATE_TRANSITION', 'The integration was removed already.');
  await changeIntegration(tx, key, { status: 'REMOVED', updated_at: now });
  for (const { tool_id, status } of before.tools) {
    if (status !== 'ACTIVE') continue;
    const disabled = await disableTool(change, { ...request, toolId: tool_id, body: { reason: REASON } });
    if (isRefusal(disabled)) return disabled;
  }
  const after = await findIntegration(tx, key);
  if (!after) return buildRefusal('NOT_FOUND');
  const shown = ({ status, tools }: typeof after) => ({ status, tools });
  emit('integration.updated', { ...about.integration(before), data: { before: shown(before), after: shown(after) } });
  return asIntegration(after);
};
